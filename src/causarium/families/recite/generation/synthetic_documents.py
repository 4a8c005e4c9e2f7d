"""recite-synth: long documents that have to be read, made from drawn causal loop graphs.

Nothing in them was ever published, so no model can have read them, and what is a cause of what is
drawn at random, so no knowledge of the world helps. Every edge is told at every rung; a level only
changes in which form. See `latent_document.py` for what is told, `discourse.py` for how.
"""

from functools import lru_cache

from causarium.families.recite.config import ReciteConfig
from causarium.families.recite.evidence.read_document import read_document
from causarium.families.recite.generation.discourse import (
    Passage,
    list_told_sentences,
    write_accounts,
    write_names,
    write_pairs,
    write_verdicts,
)
from causarium.families.recite.generation.latent_document import Latent
from causarium.families.recite.generation.small_talk import Talk
from causarium.families.recite.instance import Decoy, Document, NamedEdge, ReciteNode
from causarium.scoring.set_scores import compare_sets

_SECTION = (5, 9)


@lru_cache(maxsize=256)
def write_document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Write document `index` of a level; players of one set share it."""
    latent = Latent(config, seed, index)
    talk, frame = Talk(latent), Talk(latent, "frame")
    accounts = write_accounts(latent, config.rung, talk)
    decoys = write_pairs(latent, "decoy")
    others = [
        *(*write_names(latent, talk), *write_verdicts(latent, talk)),
        *(*write_pairs(latent, "retracted"), *decoys),
    ]
    passages = _lay_out_passages(latent, accounts, others, talk)
    title = frame.draw("titles") or ""
    text = _as_markdown(latent, title, passages, frame)
    told = list_told_sentences(accounts)
    names = [term.name for term in latent.terms]
    edges = tuple(
        NamedEdge(source=names[cause], sink=names[effect], evidence=told[number])
        for number, (cause, effect) in enumerate(latent.loops.edges)
    )
    read = read_document(text).edges()
    return Document(
        key=f"{config.pool}-{seed}-{index}-{config.rung}",
        title=title,
        text=text,
        nodes=tuple(
            ReciteNode(
                name=term.name,
                explicitness=1,
                aliases=tuple(w.removeprefix("the ") for w in (nickname, *term.synonyms)),
                unlinked=number >= latent.linked,
            )
            for number, (term, nickname) in enumerate(
                zip(latent.terms, latent.nicknames, strict=True)
            )
        ),
        edges=edges,
        decoys=tuple(
            Decoy(
                first=names[decoy.pair[0]], second=names[decoy.pair[1]], sentence=decoy.sentences[0]
            )
            for decoy in decoys
            if decoy.pair is not None
        ),
        domains=(latent.area.label,),
        source="synth",
        rung=config.rung,
        ceiling=compare_sets(read, {(edge.source, edge.sink) for edge in edges}).f1,
        latent=f"{config.pool}/{seed}/{index}",
    )


def _lay_out_passages(
    latent: Latent, accounts: list[Passage], others: list[Passage], talk: Talk
) -> list[Passage]:
    """Put passages in order: accounts as they follow one another, all else anywhere.

    An account that only says that its source goes on must not follow a verdict on another one, so
    verdicts stand where the next account names its source. Small talk fills up what is missing, as
    long as there is any that was not told yet.
    """
    rng = latent.rng("layout")
    before: dict[int, list[Passage]] = {}
    for passage in others:
        places = [
            n
            for n in range(len(accounts) + 1)
            if passage.source is None or n == len(accounts) or not accounts[n].continued
        ]
        before.setdefault(rng.choice(places), []).append(passage)
    ordered: list[Passage] = []
    for number in range(len(accounts) + 1):
        group = before.get(number, [])
        rng.shuffle(group)
        ordered += [*group, *accounts[number : number + 1]]
    size, places_left = sum(len(one.text) + 2 for one in ordered), latent.rng("place")
    while size < latent.config.characters and (vignette := talk.draw("vignettes")):
        ordered.insert(round(places_left.random() * len(ordered)), Passage((vignette,)))
        size += len(vignette) + 2
    return ordered


def _as_markdown(latent: Latent, title: str, passages: list[Passage], frame: Talk) -> str:
    """Return passages as markdown, a line each, in sections of several."""
    rng = latent.rng("sections")
    blocks = [f"# {title}", frame.fill(latent.wording.intro)]
    heading, left = frame.draw("first_headings"), 0
    for passage in passages:
        if left == 0 and heading:
            blocks.append(f"## {heading}")
            heading, left = frame.draw("headings"), rng.randint(*_SECTION)
        blocks.append(passage.text)
        left -= 1
    return "\n\n".join([*blocks, frame.draw("endings") or ""])
