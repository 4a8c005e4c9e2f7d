"""ReCITE: what made documents give away to those who do not read them.

`python -m bench recite_attacks` prints the edge F1 of constants, of patterns of our own grammar,
and of a classifier that learns from sixty labelled documents, beside that of the players, on fresh
documents of 14 to 36 nodes. It takes some minutes; nothing was tuned on the seeds used here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from bench.measure import Measurement
from causarium.contract.episode import play
from causarium.families.recite import FAMILY
from causarium.families.recite.catalogue import wordings as catalogue
from causarium.families.recite.catalogue.wordings import wordings
from causarium.families.recite.evidence import read_document as reading
from causarium.families.recite.evidence.sentence_skeletons import tokenizer_of
from causarium.families.recite.instance import ReciteInstance
from causarium.families.recite.mechanics.wording import RUNGS, Rung
from causarium.scoring.set_scores import compare_sets

SEED = 731_204
A_FAMILY, TRAINED = 12, 60
FAMILIES = ("hazel", "rowan")
_FOLDER = Path(catalogue.__file__).parent / "wordings"

Edges = set[tuple[str, str]]


def run() -> Iterator[Measurement]:
    """Print the table: players and patterns at every rung, classifiers at the most explicit two."""
    for rung in RUNGS:
        tests = _tests(rung)
        for name in (
            "reader",
            "gullible",
            "prose",
            "cues",
            "connectives",
            "co_mention",
            "complete",
            "random_counts",
            "backwards",
        ):
            yield _row(rung, name, tests, partial(_played, player=name))
        yield _row(rung, "no retractions, no sources", tests, _credulous)
        yield _row(rung, "no nicknames", tests, _without_nicknames)
        yield _row(rung, "pattern of a sentence", tests, _pattern)
        yield _row(rung, "pattern, nicknames given", tests, lambda one: _pattern(one, given=True))
    for rung in RUNGS[:2]:
        yield from _learned(rung)


def _tests(rung: Rung) -> list[ReciteInstance]:
    return [one for family in FAMILIES for one in draw(family, rung, SEED, A_FAMILY)]


def draw(family: str, rung: Rung, seed: int, count: int) -> list[ReciteInstance]:
    """Return fresh documents of one family of wordings."""
    config = FAMILY.level(f"synth-{rung}").model_copy(
        update={"wordings": str(_FOLDER / f"{family}.toml"), "smallest": 14, "largest": 36}
    )
    return [FAMILY.generate(config, seed, index) for index in range(count)]


def _row(
    rung: str, name: str, tests: Sequence[ReciteInstance], attack: Callable[[ReciteInstance], Edges]
) -> Measurement:
    return _told(rung, name, [_f1(attack(one), one) for one in tests])


def _told(rung: str, name: str, scores: Sequence[float]) -> Measurement:
    spread = stdev(scores) / len(scores) ** 0.5
    note = f"edge F1 (± {spread:.3f}, {min(scores):.3f} to {max(scores):.3f}, n {len(scores)})"
    return Measurement(f"{rung}: {name}", note, fmean(scores))


def _f1(edges: Iterable[tuple[str, str]], instance: ReciteInstance) -> float:
    return compare_sets(set(edges), set(instance.secret.pairs)).f1


def _played(instance: ReciteInstance, player: str) -> Edges:
    turns = play(FAMILY, instance, FAMILY.rules_for("certified"), player).turns
    names = instance.public.names or ()
    pairs = turns[0].action["relationships"] if turns and turns[0].action else []
    return {(names[one["source"] - 1], names[one["sink"] - 1]) for one in pairs}


def _credulous(instance: ReciteInstance) -> Edges:
    found = reading.read_document(instance.public.text)
    return found.edges(gullible=True, retract=False)


def _without_nicknames(instance: ReciteInstance) -> Edges:
    found = reading.read_document(instance.public.text)
    found.nicknames = {}
    known = set(instance.public.names or ())
    return {edge for edge in found.edges() if set(edge) <= known}


def _pattern(instance: ReciteInstance, *, given: bool = False) -> Edges:
    """Match each sentence for itself against every form of ours."""
    text = "\n".join(
        sentence for line in instance.public.text.split("\n") for sentence in line.split(". ")
    )
    found = reading.read_document(text)
    found.nicknames = reading.read_document(instance.public.text).nicknames if given else {}
    known = set(instance.public.names or ())
    pairs = {found.name_pair(one) for one in found.statements if not one.denied}
    return {edge for edge in pairs if set(edge) <= known}


@dataclass(frozen=True)
class _Pair:
    """Two things that a paragraph speaks of, and what stands around them."""

    features: list[str]
    first: str
    second: str


def _pairs(instance: ReciteInstance, nicknames: dict[str, str], *, sources: bool) -> list[_Pair]:
    """Return every two mentions within three sentences of a paragraph."""
    tokens = tokenizer_of(wordings())
    verdicts = _beside_sources(instance) if sources else {}
    pairs: list[_Pair] = []
    source = ""
    for line in instance.public.text.split("\n"):
        read = [tokens.read(sentence) for sentence in line.split(". ")]
        for start, one in enumerate(read):
            source = one.sources[-1] if one.sources else source
            window = read[start : start + 3]
            pairs += _of_window(window, nicknames, verdicts.get(source, []))
    return pairs


def _of_window(window: Sequence, nicknames: dict[str, str], more: Sequence[str]) -> list[_Pair]:  # type: ignore[type-arg]
    words: list[str] = []
    nodes: list[tuple[int, str]] = []
    for skeleton in window:
        names = iter(skeleton.nodes)
        for word in skeleton.form.replace("§", " § ").split():
            if word == "§":
                name = next(names)
                nodes.append((len(words), nicknames.get(name, name)))
            words.append(word)
        words.append("|")
    first_end = words.index("|") if "|" in words else len(words)
    pairs = []
    for (i, first), (j, second) in combinations(nodes, 2):
        if first != second and i < first_end and j - i < 45:
            marked = list(words[: j + 12])
            marked[i], marked[j] = "A", "B"
            shown = marked[max(0, i - 12) :]
            grams = [
                " ".join(shown[k : k + n]) for n in (1, 2, 3) for k in range(len(shown) - n + 1)
            ]
            pairs.append(_Pair([*grams, *more], first, second))
    return pairs


def _beside_sources(instance: ReciteInstance) -> dict[str, list[str]]:
    """Return the words of those paragraphs that name a source and no node."""
    tokens = tokenizer_of(wordings())
    found: dict[str, list[str]] = {}
    for line in instance.public.text.split("\n"):
        skeleton = tokens.read(line)
        if len(skeleton.sources) == 1 and not skeleton.nodes:
            words = skeleton.form.split()
            found.setdefault(skeleton.sources[0], []).extend(
                "V " + " ".join(words[k : k + n]) for n in (1, 2, 3) for k in range(len(words))
            )
    return found


class Induced:
    """A logistic model over n-grams, and what it takes for names of things."""

    def __init__(self, train: Sequence[ReciteInstance], *, sources: bool = False) -> None:
        text = import_module("sklearn.feature_extraction.text")
        linear = import_module("sklearn.linear_model")
        self._sources = sources
        self._hash = text.HashingVectorizer(
            analyzer=lambda grams: grams, n_features=2**18, binary=True
        )
        self._edges, self._naming = (
            linear.SGDClassifier(loss="log_loss", alpha=1e-6, max_iter=12, tol=None, random_state=0)
            for _ in range(2)
        )
        rows, labels, naming_rows, naming_labels = [], [], [], []
        rng = Random(0)
        for one in train:
            true, names = set(one.secret.pairs), _meanings(one)
            for pair in _pairs(one, names, sources=sources):
                edge = (pair.first, pair.second)
                label = 1 if edge in true else 2 if edge[::-1] in true else 0
                if label or rng.random() < 0.5:
                    rows.append(pair.features)
                    labels.append(label)
            for pair in _pairs(one, {}, sources=False):
                if pair.second.startswith("the ") and not pair.first.startswith("the "):
                    naming_rows.append(pair.features)
                    naming_labels.append(int(names.get(pair.second) == pair.first))
        self._edges.fit(self._hash.transform(rows), labels)
        self._naming.fit(self._hash.transform(naming_rows), naming_labels)

    def nicknames(self, instance: ReciteInstance) -> dict[str, str]:
        """Return what it takes nicknames for."""
        pairs = [
            pair
            for pair in _pairs(instance, {}, sources=False)
            if pair.second.startswith("the ") and not pair.first.startswith("the ")
        ]
        if not pairs:
            return {}
        sure = self._naming.predict_proba(self._hash.transform([p.features for p in pairs]))[:, 1]
        best: dict[str, tuple[float, str]] = {}
        for pair, value in zip(pairs, sure, strict=True):
            best[pair.second] = max(best.get(pair.second, (0.0, "")), (float(value), pair.first))
        return {nickname: name for nickname, (value, name) in best.items() if value > 0.5}

    def scored(self, instance: ReciteInstance, *, given: bool) -> dict[tuple[str, str], float]:
        """Return how sure it is of each directed pair."""
        names = _meanings(instance) if given else self.nicknames(instance)
        known = set(instance.public.names or ())
        pairs = [
            pair
            for pair in _pairs(instance, names, sources=self._sources)
            if {pair.first, pair.second} <= known
        ]
        if not pairs:
            return {}
        sure = self._edges.predict_proba(self._hash.transform([p.features for p in pairs]))
        best: dict[tuple[str, str], float] = {}
        for pair, (_, forward, backward) in zip(pairs, sure, strict=True):
            for edge, value in (
                ((pair.first, pair.second), forward),
                ((pair.second, pair.first), backward),
            ):
                best[edge] = max(best.get(edge, 0.0), float(value))
        return best


def _meanings(instance: ReciteInstance) -> dict[str, str]:
    return reading.read_document(instance.public.text).nicknames


def _learned(rung: Rung) -> Iterator[Measurement]:
    others = [w.key for w in wordings() if w.split == "dev"]
    outside = [one for key in others for one in draw(key, rung, SEED + 1, TRAINED // len(others))]
    inside = {key: draw(key, rung, SEED + 1, TRAINED) for key in FAMILIES}
    tests = {key: draw(key, rung, SEED, A_FAMILY) for key in FAMILIES}
    for label, sources in (("", False), (", and what is said beside sources", True)):
        models = {key: Induced(inside[key], sources=sources) for key in FAMILIES}
        stranger = Induced(outside, sources=sources)
        strangers = dict.fromkeys(FAMILIES, stranger)
        for kind, readers in (("same family", models), ("other families", strangers)):
            for given in (False, True):
                sure = [
                    (one, readers[key].scored(one, given=given))
                    for key in FAMILIES
                    for one in tests[key]
                ]
                name = f"learned from 60, {kind}{', nicknames given' if given else ''}{label}"
                plain = [_f1({e for e, v in s.items() if v > 0.5}, one) for one, s in sure]
                yield _told(rung, name, plain)
                best = [_hindsight(s, one) for one, s in sure]
                yield _told(rung, f"{name}, threshold by hindsight", best)


def _hindsight(sure: dict[tuple[str, str], float], instance: ReciteInstance) -> float:
    levels = sorted(set(sure.values()), reverse=True)[:400]
    return max(
        (_f1({e for e, v in sure.items() if v >= level}, instance) for level in levels), default=0.0
    )
