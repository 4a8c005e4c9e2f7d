"""The evidence packet of a twin pair: how it works, what happened, and the agent's words."""

from collections.abc import Iterator

from causarium.families.causalgame.generation.twin_pairs import law_of
from causarium.families.causalgame.interface.twin_tables import describe_design
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.twin_law import BY_SIGNALS, TwinLaw
from causarium.families.causalgame.scoring.judge_packet import (
    MARK,
    MOST_REPORT,
    MOST_THOUGHT,
    MOST_THOUGHTS,
    Packet,
    cut_text,
)
from causarium.families.causalgame.scoring.pair_marks import mark_mission
from causarium.families.causalgame.scoring.replayed_pair import ReplayedPair


def pair_packet(pair: ReplayedPair) -> Packet:
    """Build the evidence packet of a twin pair."""
    written = pair.report.text.strip() if pair.report else ""
    report = cut_text(written, MOST_REPORT)
    notes = [f"Turn {number}: {cut_text(said, MOST_THOUGHT)}" for number, said in pair.thoughts]
    words = "\n".join(
        [
            *("FINAL REPORT", report or "(none was written)", "", "NOTES ON THE WAY"),
            cut_text("\n".join(notes), MOST_THOUGHTS) or "(none)",
        ]
    )
    parts = [
        "TASK REPORT",
        *_describe_games(pair),
        "",
        "SESSION TRUTH",
        *_describe_missions(pair),
        "",
        "THE AGENT'S WORDS",
        *(f"{MARK}{line}" for line in words.splitlines()),
    ]
    return Packet(text="\n".join(parts), report=report, words=words)


def _describe_games(pair: ReplayedPair) -> Iterator[str]:
    public = pair.world.public
    for mission in pair.world.missions:
        law = law_of(pair.world.instance.secret, mission.number)
        marks = mark_mission(pair.world.instance, mission.number)
        yield f"Mission {mission.number + 1}:"
        if isinstance(law, ArchiveLaw):
            yield f"- An archive ({law.kind}): rates by option mislead; the columns do not."
        else:
            yield from _describe_law(pair, law)
        yield f"- Best design: {describe_design(public, marks.design)}, {marks.best:.1%} survive."
        yield f"- Standard design: {marks.standard:.1%} survive."


def _describe_law(pair: ReplayedPair, law: TwinLaw) -> Iterator[str]:
    public = pair.world.public
    for trap in law.traps:
        part = public.parts[trap.part]
        if trap.condition == BY_SIGNALS:
            good, bad = public.signals[law.good], public.signals[1 - law.good]
            yield f"- Armour on {part} lights {good} (saves drones) and {bad} (costs them)."
            continue
        first = public.conditions[law.active[trap.condition]]
        second = public.conditions[law.active[2]]
        like = (first.values[1], second.values[1 if trap.sign > 0 else 0])
        other = (first.values[0], second.values[0 if trap.sign > 0 else 1])
        yield (
            f"- Armour on {part} saves drones with {first.name} {like[0]} and {second.name} "
            f"{like[1]}, or {other[0]} and {other[1]}; otherwise it costs them."
        )
    better = [
        f"{slot.name} {slot.values[int(value > 0)]}"
        for slot, value in zip(public.slots, law.options, strict=True)
        if value
    ]
    yield f"- Better equipment: {', '.join(better)}; the other slots do nothing."


def _describe_missions(pair: ReplayedPair) -> Iterator[str]:
    public = pair.world.public
    yield f"- Threshold: {public.threshold:.1%}."
    for mission in pair.world.missions:
        name, rate = f"Mission {mission.number + 1}", mission.survival
        if mission.committed is None or rate is None:
            yield f"- {name}: no design was committed; lost."
        else:
            fate = "won" if mission.won else "lost"
            design = describe_design(public, mission.committed)
            yield f"- {name}: {rate:.1%} survived, {fate}, with {design}."
        for deployment in mission.deployments:
            design = describe_design(public, deployment.order.design)
            counts = f"{deployment.returned} of {deployment.ordered} came back"
            yield f"- {name}, deployment {deployment.number}: {counts} with {design}."
