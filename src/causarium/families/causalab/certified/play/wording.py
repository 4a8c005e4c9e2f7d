"""The words of the ladder: the opening, experiments and questions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from ..levels import LadderRules
from ..model.instance import LETTERS, Experiment, LadderPublic, Question, QuestionKind

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_ROW = ("first", "second", "third", "fourth", "fifth")


def write_list(words: Sequence[str], last: str = "and") -> str:
    """Write words as a list.

    Example:
        >>> write_list(["spin", "mass", "hue"])
        'spin, mass and hue'
    """
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def count_words(number: int, one: str, many: str) -> str:
    """Write a number with the noun that goes with it.

    Example:
        >>> count_words(1, "question", "questions"), count_words(0, "question", "questions")
        ('one question', 'no questions')
    """
    said = _COUNTS[number] if number < len(_COUNTS) else str(number)
    return f"{said} {one if number == 1 else many}"


def write_hold(hold: Mapping[str, str]) -> str:
    """Write what is held.

    Example:
        >>> write_hold({"spin": "up", "mass": "rest"})
        'spin held up and mass held at rest'
    """
    said = {"rest": "at rest"}
    return write_list([f"{name} held {said.get(at, at)}" for name, at in hold.items()])


def write_experiment(experiment: Experiment) -> str:
    """Write an experiment and what was read.

    Example:
        >>> write_experiment(Experiment(hold={"spin": "up"}, reading="same"))
        'with spin held up, the frequency stays the same'
    """
    return f"with {write_hold(experiment.hold)}, the frequency {_write_reading(experiment)}"


def _write_reading(experiment: Experiment) -> str:
    stays = experiment.reading == "same"
    return "stays the same" if stays else f"goes {experiment.reading}"


def write_question(question: Question) -> str:
    """Write one question."""
    if question.pair is not None:
        one, other = question.pair
        options = zip(LETTERS, question.options, strict=True)
        said = "; ".join(f"({letter}) {write_hold(hold)}" for letter, hold in options)
        return (
            f"Suppose {one} and {other} changed parts, all else as it is. Which is the first of "
            f"these experiments that would then read differently: {said}; or none?"
        )
    held = f"with {write_hold(question.hold)}" if question.hold else "with nothing held"
    if question.before is not None:
        return (
            f"In a run {write_experiment(question.before)}. What would the frequency have done "
            f"in that run {held}?"
        )
    return f"What does the frequency do {held}?"


def write_questions(public: LadderPublic, questions: Sequence[Question]) -> str:
    """Write all questions, with the form of the reply."""
    lines = [write_question(one) for one in questions]
    if len(lines) > 1:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    opening = "Question" if len(lines) == 1 else "Questions on the crystal, now in the reactor"
    said = list(dict.fromkeys(_name_answers(public, kind) for kind in public.asked))
    if len(lines) == 1:
        form = f'Reply with {{"answer": "..."}}, filled in with {said[0]}.'
    else:
        form = f'Reply with {{"answers": [...]}}, a word for each: {"; ".join(said)}.'
    return "\n".join([f"{opening}:", *lines, form])


def _name_answers(public: LadderPublic, kind: QuestionKind) -> str:
    words = write_list([f'"{word}"' for word in public.list_answers(kind)], "or")
    return f"{words} where you choose an experiment" if kind == "tells" else words


def prompt(public: LadderPublic, rules: LadderRules) -> Prompt:
    """Return the words that open an episode."""
    texts = _TEXTS.load(rules.prompts, ("system", "task"))
    facts = {
        "size": str(len(public.names)),
        "names": write_list(public.names),
        "parts": "\n".join(f"- {line}" for line in _write_parts(public)),
        "fixed": _write_fixed(public),
        "work": "\n".join(_write_work(public)),
        "questions": _write_asked(public),
    }
    return Prompt(
        system=texts["system"].substitute({}), user=texts["task"].substitute(facts).strip()
    )


def _write_parts(public: LadderPublic) -> Iterator[str]:
    skeleton = public.skeleton
    if skeleton.stem:
        source = "the first" if skeleton.stem > 1 else "it"
        yield f"Stem: {_write_row(skeleton.stem)}. Nothing in the crystal acts on {source}."
    for name, length in (("Rising", skeleton.rising), ("Falling", skeleton.falling)):
        words = [f"{name} path: {_write_row(length)}."]
        if skeleton.stem:
            stem = "The last of the stem" if skeleton.stem > 1 else "The stem"
            first = "the first" if length > 1 else "it"
            words.append(f"{stem} is the cause of {first}.")
        yield " ".join(words)
    if skeleton.gates > 0:
        yield (
            "Rising gate: one property. Nothing acts on it. The last of the rising path reaches "
            "the frequency only while the gate is up; else it counts as at rest."
        )
    if skeleton.gates > 1:
        yield (
            "Falling gate: one property. Nothing acts on it. The last of the falling path reaches "
            "the frequency only while the gate is not up; else it counts as at rest."
        )
    if skeleton.idle:
        count = skeleton.idle
        said = _COUNTS[count] if count < len(_COUNTS) else str(count)
        acts = "it, and it acts" if count == 1 else "them, and they act"
        yield f"Idle: {said}. Nothing acts on {acts} on nothing."


def _write_row(length: int) -> str:
    if length == 1:
        return "one property"
    acts = [f"the {a} is the cause of the {b}" for a, b in pairwise(_ROW[:length])]
    return f"{_COUNTS[length]} properties in a row, {write_list(acts)}"


def _write_fixed(public: LadderPublic) -> str:
    if not public.fixed:
        return ""
    return (
        f" {write_list(public.fixed).capitalize()} cannot be held in the manipulator; "
        "exactly one of these two is idle."
    )


def _write_work(public: LadderPublic) -> Iterator[str]:
    if public.made:
        yield "In the manipulator these experiments were made:"
        yield from (f"- {write_experiment(one).capitalize()}." for one in public.made)
    if public.budget:
        held = "one property" if public.holds == 1 else f"up to {_COUNTS[public.holds]} properties"
        yield (
            f"In the manipulator you make {public.budget} experiments, one a reply. In each you "
            f"hold {held}, each up, down or at rest, and read only whether the frequency goes up, "
            "goes down or stays the same. Then all is let go and back at rest. "
            'Reply with {"hold": {"NAME": "up", "NAME": "down", "NAME": "rest"}}.'
        )


def _write_asked(public: LadderPublic) -> str:
    if public.questions:
        return write_questions(public, public.questions)
    count = _COUNTS[len(public.asked)]
    lines = [
        f"Then the same crystal is put in the reactor, where every property can be held, and you "
        f"are asked {count} question{'s' * (len(public.asked) > 1)}:"
    ]
    lines += [f"- {_KINDS[kind]}" for kind in dict.fromkeys(public.asked)]
    if public.offers_unknown:
        lines.append(
            'The answer is "unknown" where no experiments in the manipulator, however many, would '
            "settle it. "
            "To each question all answers are equally likely. A wrong answer costs so much that "
            "guessing earns nothing."
        )
    return "\n".join(lines)


_KINDS: Mapping[QuestionKind, str] = {
    "happens": "What does the frequency do if some properties are held?",
    "had": (
        "What would it have done in the same run, had something else been held? In such a run "
        "something from outside may push the stem up or down while it is not held, "
        "or leave it alone; nobody sees which."
    ),
    "tells": (
        "Which of three experiments would be the first to read differently if two properties had "
        "changed parts?"
    ),
}

_SLOTS = {
    "system": frozenset[str](),
    "task": frozenset({"size", "names", "parts", "fixed", "work", "questions"}),
}
_TEXTS = Texts(Path(__file__).parent / "prompts", lambda name: (_SLOTS[name], _SLOTS[name]))
