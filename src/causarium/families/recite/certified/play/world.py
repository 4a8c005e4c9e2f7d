"""One text being answered: one reply, and a second one where the first cannot be taken."""

from collections.abc import Sequence

from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Observation, Unparsed
from ..levels import ReciteRules
from ..model import ACTIONS, Edge, ReciteInstance, Submit
from .replies import ERROR_MODES, INVALID_ANSWER, INVALID_FORMAT, INVALID_NAME
from .wording import Wording


class ReciteWorld:
    """One text being answered."""

    budget = 0
    spent = 0
    done = False
    slips = 0
    """How many replies were asked for once more."""
    error: str | None = None
    """Why the case ended without an answer."""
    answer: frozenset[Edge] | None = None
    """The edges that were given."""

    def __init__(self, instance: ReciteInstance, rules: ReciteRules) -> None:
        self._public = instance.public
        self._words = Wording(instance.public, rules)
        self._ends = {
            **{fold_name(name): name for name in instance.public.names},
            **{str(n): name for n, name in enumerate(instance.public.names, 1)},
        }

    @property
    def allowed_actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are accepted now."""
        return () if self.done else ACTIONS

    def act(self, move: Move) -> Observation:
        """Answer one move."""
        if self.done:
            return Observation("This case is over.", legal=False)
        if isinstance(move, Unparsed):
            mode = move.mode if move.mode in ERROR_MODES else INVALID_FORMAT
            return self._ask_again(mode, move.detail)
        if not isinstance(move, Submit):
            return self._ask_again(INVALID_FORMAT, f"there is no action {move.kind!r}")
        found = self._read_answers(move) if move.answers else self._read_edges(move)
        if isinstance(found, Unparsed):
            return self._ask_again(found.mode, found.detail)
        self.answer, self.done = found, True
        return Observation("Your answer is recorded.")

    def _read_answers(self, move: Submit) -> frozenset[Edge] | Unparsed:
        questions, names = self._public.questions, self._public.names
        if not questions:
            return Unparsed(mode=INVALID_ANSWER, detail="there are no questions; send all edges")
        if len(move.answers) != len(questions):
            detail = f"{len(move.answers)} letters for {len(questions)} questions; send one each"
            return Unparsed(mode=INVALID_ANSWER, detail=detail)
        edges = set()
        for number, (letter, question) in enumerate(zip(move.answers, questions, strict=True), 1):
            if letter not in {"a", "b"}:
                detail = f"{excerpt(letter)!r} answers question {number}; send a or b"
                return Unparsed(mode=INVALID_ANSWER, detail=detail)
            cause, effect = question.first if letter == "a" else question.second
            edges.add((names[cause - 1], names[effect - 1]))
        return frozenset(edges)

    def _read_edges(self, move: Submit) -> frozenset[Edge] | Unparsed:
        edges = set()
        for pair in move.edges:
            ends = [self._ends.get(fold_name(end)) for end in pair]
            if None in ends:
                unknown = pair[ends.index(None)]
                detail = (
                    f"there is no {excerpt(unknown)!r}; ids go from 1 to {len(self._public.names)}"
                )
                return Unparsed(mode=INVALID_NAME, detail=detail)
            cause, effect = str(ends[0]), str(ends[1])
            if cause == effect:
                return Unparsed(mode=INVALID_ANSWER, detail=f"{cause!r} cannot act on itself")
            edges.add((cause, effect))
        return self._check_questions(frozenset(edges))

    def _check_questions(self, edges: frozenset[Edge]) -> frozenset[Edge] | Unparsed:
        """Return edges if they answer no question twice and nothing that is not asked."""
        names, asked = self._public.names, set()
        for number, question in enumerate(self._public.questions, 1):
            pair = {
                (names[cause - 1], names[effect - 1])
                for cause, effect in (question.first, question.second)
            }
            if pair <= edges:
                detail = f"both edges of question {number} are given; choose one"
                return Unparsed(mode=INVALID_ANSWER, detail=detail)
            asked |= pair
        if asked and edges - asked:
            cause, effect = min(edges - asked)
            detail = f"no question asks for {cause} -> {effect}; send a letter for each question"
            return Unparsed(mode=INVALID_ANSWER, detail=detail)
        return edges

    def _ask_again(self, mode: str, reason: str) -> Observation:
        """Ask once more; a second time, end the case."""
        if self.slips:
            self.error, self.done = mode, True
            return Observation(f"This case is over: {mode}.", legal=False)
        self.slips += 1
        text = (
            f"That reply cannot be taken: {reason}. Reply once more; another such reply ends the "
            "case."
        )
        return Observation(f"{text}\n\n{self._words.ask()}", legal=False)


def fold_name(text: str) -> str:
    """Return an id or a name as it is compared.

    Example:
        >>> fold_name(' **Grey  Heron** '), fold_name("12.")
        ('grey heron', '12')
    """
    return " ".join(text.casefold().replace("*", "").split()).strip(" \"'`.,;:()[]{}")


def open_world(instance: ReciteInstance, rules: ReciteRules) -> ReciteWorld:
    """Return a text, ready to be answered."""
    return ReciteWorld(instance, rules)


def replay(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> ReciteWorld:
    """Return the world of a text in which the recorded turns were played again."""
    world = open_world(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world
