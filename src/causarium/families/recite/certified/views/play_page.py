"""A text for people: the text to read, and questions to answer or arrows to draw."""

from collections.abc import Sequence
from pathlib import Path

from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import (
    Board,
    Draft,
    Ending,
    Exchange,
    PlayPage,
    Problem,
    read_arrows,
)
from causarium.contract.world import Action
from ..levels import ReciteRules
from ..model import Link, RecitePublic, Submit

_MOST_ARROWS = 2_000
_LETTERS = ("a", "b")


def lay_out(public: RecitePublic, rules: ReciteRules, exchanges: Sequence[Exchange]) -> Board:
    """Return the text in paragraphs, with the names or the questions."""
    del rules, exchanges
    asked = len(public.questions)
    note = f"{asked} questions" if asked else f"{len(public.names)} names"
    return Board(
        question=ask_question(public),
        notes=(note,),
        view={
            "blocks": [
                {"is_heading": block.startswith("#"), "text": block.lstrip("#").strip()}
                for block in public.text.split("\n\n")
                if block.strip()
            ],
            "title": public.title,
            "names": list(public.names),
            "questions": [
                {"a": _say(public, one.first), "b": _say(public, one.second)}
                for one in public.questions
            ],
        },
    )


def ask_question(public: RecitePublic) -> str:
    """Return the task in one sentence."""
    if public.questions:
        return "Which of each question's two arrows does this text tell?"
    return "Draw the arrows that this text tells."


def _say(public: RecitePublic, link: Link) -> str:
    cause, effect = (public.names[end - 1] for end in link)
    return f"{cause} → {effect}"


def read_draft(
    public: RecitePublic, rules: ReciteRules, exchanges: Sequence[Exchange], draft: Draft
) -> Action | tuple[Problem, ...]:
    """Return the answer that was entered, or what is wrong with it."""
    del rules, exchanges
    return _read_letters(public, draft) if public.questions else _read_arrows(public, draft)


def _read_letters(public: RecitePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    letters = [draft.get(f"q{n}", "").strip() for n in range(1, len(public.questions) + 1)]
    missing = [n for n, letter in enumerate(letters, 1) if letter not in _LETTERS]
    if missing:
        words = "Choose one of the two arrows."
        return tuple(Problem(field=f"q{n}", words=words) for n in missing)
    return Submit(answers=tuple(letters))


def _read_arrows(public: RecitePublic, draft: Draft) -> Action | tuple[Problem, ...]:
    arrows = read_arrows(draft, "arrows", most=_MOST_ARROWS)
    if isinstance(arrows, Problem):
        return (arrows,)
    ids = {name: str(place) for place, name in enumerate(public.names, 1)}
    words = "" if arrows else "Draw at least one arrow before you hand in."
    for cause, effect in arrows:
        if strange := [end for end in (cause, effect) if end not in ids]:
            words = f"“{strange[0][:60]}” is none of the names."
        elif cause == effect:
            words = f"“{cause[:60]}” cannot act on itself."
    if words:
        return (Problem(field="arrows", words=words),)
    return Submit(edges=tuple((ids[cause], ids[effect]) for cause, effect in arrows))


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return the end of a text in words."""
    numbers = verdict.numbers
    if not any(isinstance(one.move, Submit) and one.seen.legal for one in exchanges):
        sentence = "Nothing was handed in."
    elif numbers["score"] == 1:
        sentence = "Right: every arrow, and none too many."
    else:
        sentence = verdict.explanation
    return Ending(sentence=sentence, facts={"score": f"{numbers['score']:.2f}"})


PLAY_PAGE: PlayPage[RecitePublic, ReciteRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Say what acts on what in a text, and go by the text alone.",
    lay_out=lay_out,
    read_draft=read_draft,
    tell_ending=tell_ending,
    editions=("certified",),
)
