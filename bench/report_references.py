"""Reference players beside a run of every family's standard set: CPU the first and second time."""

import os
import tempfile
import time

from bench.measure import Measurement


def run() -> list[Measurement]:
    """Return the lines of this bench."""
    from causarium import families
    from causarium.contract.frozen import digest
    from causarium.contract.sets.instance_sets import generate_set
    from causarium.engine.logbook.reference_rows import Group, list_reference_players, play_group

    groups = []
    for name in families.names():
        family = families.get(name)
        drawn = generate_set(family, "certified", "standard")
        instances = {digest(instance.line()): instance for instance in drawn}
        rules = family.rules_for("certified")
        groups.append(Group(family, "certified", "standard", rules, instances))
    lines = []
    totals = {"first": 0.0, "second": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for turn in totals:
            for group in groups:
                before = time.process_time()
                players = list_reference_players(group.family)
                for player in players:
                    play_group(group, player, set())
                taken = time.process_time() - before
                totals[turn] += taken
                if turn == "first":
                    work = f"{group.family.name}: {len(players)} players"
                    lines.append(Measurement(work, "s", taken))
    lines.append(Measurement("all five, first report", "s", totals["first"], target="under 15 s"))
    lines.append(Measurement("all five, second report", "s", totals["second"], target="under 1 s"))
    return lines
