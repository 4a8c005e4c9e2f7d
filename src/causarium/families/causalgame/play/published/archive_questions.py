"""From a question in plain words to variables: the archive's reader, which needs no model.

A question is compared, word by word, with the name and the description of each variable that the
archive keeps. Words that many variables share count little. At most `MOST_FOUND` variables are
found at a time, so that a long list of words is no key to everything. Where a run names a model
for the role `interpreter`, that model first restates the question as measurable quantities; it is
told nothing of the game, so that no question can make it say too much.
"""

import math
import string
from collections import Counter
from collections.abc import Iterable, Sequence

from causarium.contract.texts.replies import find_json_objects, remove_thinking
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.world import Move
from causarium.families.causalgame.model.actions import Query
from causarium.families.causalgame.model.published.game import Variable

MOST_FOUND = 2
MOST_QUANTITIES = 8
_MOST_QUANTITY_CHARS = 60
_ENOUGH = 1.0
"""The score at which a variable counts as asked for: one word of its name, or several others."""
_NAME_WEIGHT = 1.0
_ABOUT_WEIGHT = 0.5
_LETTERS = frozenset(string.ascii_lowercase + string.digits)
_ENDINGS = ("ations", "ation", "ings", "ing", "ness", "ies", "es", "ed", "al", "ic", "s", "y")
_LEAST_STEM = 3
_EMPTY = frozenset[str]().union(
    ("a", "about", "affect", "affects", "all", "also", "an", "and", "any", "are", "as", "at"),
    ("available", "be", "because", "been", "before", "by", "can", "cause", "causes", "could"),
    ("data", "did", "do", "does", "drone", "drones", "each", "else", "every", "factor"),
    ("factors", "flight", "flights", "for", "from", "get", "had", "has", "have", "hidden"),
    ("how", "i", "if", "in", "information", "into", "is", "it", "its", "know", "list", "matter"),
    ("may", "me", "measured", "measurement", "measurements", "more", "most", "my", "of", "on"),
    ("or", "other", "others", "our", "out", "record", "recorded", "show", "so", "some"),
    ("something", "survival", "survive", "survived", "tell", "that", "the", "their", "them"),
    ("there", "these", "they", "thing", "things", "this", "to", "unknown", "us", "value"),
    ("values", "variable", "variables", "was", "we", "were", "what", "when", "where", "which"),
    ("while", "who", "why", "will", "with", "would", "you", "your"),
)
"""Words that say nothing about what is asked for."""
_SAME = (
    ("storm", "rain", "rainy", "weather", "thunder", "climate", "squall", "front", "turbulence"),
    ("emi", "electromagnetic", "interference", "jamming", "jammer", "jammed", "ion", "emp"),
    ("zone", "area", "region", "sector", "location", "basin", "site", "territory"),
    ("emission", "emitting", "emit", "transmit", "transmission", "broadcast", "radiate"),
    ("radio", "rf", "wireless", "comm", "communication", "communications", "link"),
    ("signal", "beacon"),
    ("detection", "detected", "radar", "spotted", "noticed", "discovered", "stealth"),
    ("noise", "error", "accuracy", "uncertainty", "precision", "sensor"),
    ("pressure", "barometric", "barometer", "atmospheric"),
    ("moon", "lunar", "night"),
    ("uv", "ultraviolet", "sunlight", "solar"),
    ("agility", "agile", "nimble", "manoeuvrability", "maneuverability", "weight", "mobility"),
)
"""Groups of words that ask for the same."""


def interpret(question: str, variables: Sequence[Variable]) -> tuple[str, ...]:
    """Return the names of the variables that a question asks for, the closest first.

    Example:
        >>> emi = Variable(key="emi", name="emi_level", role="environment", about="Interference.")
        >>> interpret("Was there any electromagnetic interference?", [emi])
        ('emi_level',)
        >>> interpret("List all hidden variables.", [emi])
        ()
    """
    asked = _stems(question)
    names = {v.name: _stems(v.name) for v in variables}
    abouts = {v.name: _stems(v.about) - names[v.name] for v in variables}
    scores = {v.name: 0.0 for v in variables}
    for described, weight in ((names, _NAME_WEIGHT), (abouts, _ABOUT_WEIGHT)):
        shared = Counter(stem for stems in described.values() for stem in stems)
        for name, stems in described.items():
            # What no more share than may be found at a time asks for all of them.
            many = {stem: max(1, shared[stem] - MOST_FOUND + 1) for stem in asked & stems}
            scores[name] += sum(weight / math.sqrt(count) for count in many.values())
    best = sorted(scores, key=lambda name: (-scores[name], name))
    return tuple(name for name in best if scores[name] >= _ENOUGH)[:MOST_FOUND]


def _stems(text: str) -> set[str]:
    spaced = "".join(letter if letter in _LETTERS else " " for letter in text.lower())
    words = [word for word in spaced.split() if word not in _EMPTY]
    stems: set[str] = set()
    for stem in map(_stem, words):
        stems |= {min(group) for group in _GROUPS if stem in group} or {stem}
    return stems


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word


_GROUPS = tuple(frozenset(_stem(word) for word in group) for group in _SAME)


def assist(move: Move, system: str, user: str) -> Consultation[Move] | None:
    """Have a model restate a question as quantities; None where the move is no question."""
    if not isinstance(move, Query):
        return None
    return _restate_query(move, Ask(role="interpreter", system=system, user=user))


def _restate_query(move: Query, ask: Ask) -> Consultation[Move]:
    reply = yield ask
    quantities = _quantities(reply)
    return move.model_copy(update={"reading": quantities}) if quantities else move


def _quantities(reply: str) -> tuple[str, ...]:
    for found in find_json_objects(remove_thinking(reply)):
        listed = found.get("quantities")
        if isinstance(listed, list):
            return tuple(_shorten_quantities(q for q in listed if isinstance(q, str)))
    return ()


def _shorten_quantities(quantities: Iterable[str]) -> list[str]:
    return [quantity[:_MOST_QUANTITY_CHARS] for quantity in quantities][:MOST_QUANTITIES]
