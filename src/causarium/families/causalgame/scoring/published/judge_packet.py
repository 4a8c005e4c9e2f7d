"""The evidence packet: everything that a judge may use, in one text.

Three parts: the task report, the truth about the session, and the agent's words. Each line of the
words is marked, so that nothing an agent writes can pass for one of the other parts.
"""

from collections.abc import Iterator

from causarium.contract.frozen import Frozen
from causarium.families.causalgame.model.published.claims import sentence
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims.claim_truth import truth
from causarium.families.causalgame.scoring.published.game_report import task_report
from causarium.families.causalgame.scoring.published.replayed_session import Recalled
from causarium.families.causalgame.scoring.published.score import describe_design

MOST_REPORT, MOST_THOUGHT, MOST_THOUGHTS = 12_000, 600, 12_000
"""How many characters of the report, of each thought and of all thoughts a judge is shown."""
MARK = "| "


class Packet(Frozen):
    """What a judge is given."""

    text: str
    report: str
    """The agent's final report, as far as it is shown; empty if it wrote none."""
    words: str
    """All of the agent's words that are shown."""


def packet(game: Game, recalled: Recalled) -> Packet:
    """Build the evidence packet of one session."""
    report = cut_text(recalled.report.strip(), MOST_REPORT)
    notes = _notes(recalled)
    words = "\n".join(
        ("FINAL REPORT", report or "(none was written)", "", "NOTES ON THE WAY", notes)
    )
    parts = (
        "TASK REPORT",
        task_report(game).text(),
        "",
        "SESSION TRUTH",
        *_session(game, recalled),
        "",
        "THE AGENT'S WORDS",
        *(f"{MARK}{line}" for line in words.splitlines()),
    )
    return Packet(text="\n".join(parts), report=report, words=words)


def _session(game: Game, recalled: Recalled) -> Iterator[str]:
    result = recalled.result
    if result is None:
        yield "- Nothing was submitted, so the mission was not won."
    else:
        yield f"- Won: {'yes' if result.won else 'no'}."
        yield f"- Survived: {result.survived} of a fleet of {result.fleet} ({result.rate:.1%})."
        yield f"- Submitted: {describe_design(game, result.design)}."
    yield f"- Threshold: {game.threshold:.1%}."
    for number, batch in recalled.batches:
        tried = describe_design(game, batch.design)
        yield f"- Turn {number}: tested {tried}; {batch.survived} of {batch.deployed} came back."
    session = recalled.session
    yield f"- Test drones used: {session.drones_used} of {session.budget.drones}."
    # What names nothing in the game is free text and belongs to the agent's words, so not here.
    known = [claim for claim in recalled.belief if truth(game, claim) != "unclear"]
    for claim in known:
        yield f"- Claimed: {sentence(claim)} (by simulation: {truth(game, claim)})."
    if strange := len(recalled.belief) - len(known):
        yield f"- Claims about nothing in the game: {strange}."


def _notes(recalled: Recalled) -> str:
    lines = [f"Turn {number}: {cut_text(said, MOST_THOUGHT)}" for number, said in recalled.thoughts]
    return cut_text("\n".join(lines), MOST_THOUGHTS) or "(none)"


def cut_text(text: str, most: int) -> str:
    """Return a text, cut to so many characters with a note of how many are left out."""
    return text if len(text) <= most else f"{text[:most]} [… {len(text) - most:,} more characters]"
