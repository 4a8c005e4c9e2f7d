"""What open weights learned: tables and pictures of the runs stored in `docs/learning/`.

Each run is a folder with `settings.json` and `scores.json`, as `examples/train_open_weights.py`
writes them. Whole sets that are among the results are read from `results/leaderboard.json`.
`python -m docs.generate.learning` draws the matrix anew where README.md shows it, and with
`--table FOLDER` prints the matrix of runs in another folder.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import causarium as cm
from causarium import families
from causarium.charts.axes import (
    Frame,
    choose_ticks,
    draw_series_legend,
    draw_series_mark,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.palette import INK, PAPER, SOFT, series_colour
from causarium.charts.svg import line, make_standalone, make_svg, polyline, tag, text
from causarium.contract.episode import play
from causarium.errors import BadFile, UsageError
from causarium.report.data.number_format import show
from causarium_local.open_weights import Prompt
from causarium_local.recorded_replies import RecordedReplies
from docs.generate.markdown import ROOT, fold, place_svg

RUNS = ROOT / "docs" / "learning"
BOARD = ROOT / "results" / "leaderboard.json"
PICTURE = ROOT / "docs" / "images" / "transfer.svg"
ON_BOARD = {
    ("base", "before"): "Qwen2.5-Coder-1.5B-Instruct, free",
}
"""The submissions that are a stage of a run."""
LAST = ("after reward", "after demonstrations", "before")
_CELL = (112.0, 46.0)


@cache  # three blocks of one page read the same files
def read_runs() -> dict[str, dict[str, Any]]:
    """Return the scores of every stored run, by its name."""
    runs: dict[str, dict[str, Any]] = {
        file.parent.name: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(RUNS.glob("*/scores.json"))
    }
    board = json.loads(BOARD.read_text(encoding="utf-8"))
    zeros = {column["family"]: column["scale"]["zero"] for column in board["columns"]}
    scores = {entry["facts"]["name"]: entry["scores"] for entry in board["entries"]}
    for (run, stage), name in ON_BOARD.items():
        runs.setdefault(run, {})[stage] = {
            family: _find_reward(score, zeros[family]) for family, score in scores[name].items()
        }
    return runs


def _find_reward(score: dict[str, Any], zero: float) -> dict[str, Any]:
    """Return a score as rewards; on the board 0 is the best blind answer, which may earn some."""
    low, reward, high = (zero + (1 - zero) * score[key] for key in ("low", "value", "high"))
    return {"reward": reward, "low": low, "high": high, "n": score["n"]}


def find_last(run: dict[str, Any]) -> dict[str, Any]:
    """Return the scores that a run ended with, by family."""
    return next((run[stage] for stage in LAST if stage in run), {})


def is_whole(score: dict[str, Any] | None) -> bool:
    """Tell whether every episode came to its end; the clock may have cut some off."""
    return score is not None and score.get("over", score["n"]) == score["n"]


def say_score(score: dict[str, Any] | None, family: str) -> str:
    """Return a mean with its interval and number, or a dash where it was not measured whole."""
    if score is None or not is_whole(score):
        return "–"
    return f"{_say_interval(score, family)},\u00a0n\u00a0{score['n']}"


def _say_interval(score: dict[str, Any], family: str) -> str:
    low, high = find_ends(score, family)
    # A narrow column may break a score before its interval, and nowhere else.
    return f"{show(score['reward'])} [{low},\u00a0{high}]"


def find_ends(score: dict[str, Any], family: str) -> tuple[str, str]:
    """Return the ends of an interval, within what an episode of the family can earn."""
    facts = families.get(family)
    least = facts.metrics[facts.card.headline["certified"]].least
    return show(max(least, score["low"]), 2), show(min(1.0, score["high"]), 2)


def write_stages() -> str:
    """Return a table: each family before, after demonstrations of it, and after all five."""
    runs = read_runs()
    lines = [
        "| family | headline | before | its own demonstrations | all five |",
        "|---|---|---|---|---|",
    ]
    for name in cm.list_families():
        stages = [
            ("base", "before"),
            (name, "after demonstrations"),
            ("all", "after demonstrations"),
        ]
        family = families.get(name)
        headline = family.card.headline["certified"]
        told = " | ".join(
            say_score(runs.get(run, {}).get(stage, {}).get(name), name) for run, stage in stages
        )
        lines.append(f"| {family.card.title} | `{headline}` | {told} |")
    return "\n".join(lines)


def write_rewards() -> str:
    """Return a table that unfolds of what was learned by reward: the sets before and after."""
    runs = read_runs()
    lines = ["| learned | set | before | after |", "|---|---|---|---|"]
    for name, run in runs.items():
        if "after reward" not in run:
            continue
        own = run["trained on"][0]
        start = runs[_find_start(name)]
        before = start.get("after demonstrations", {})
        tests = [
            (f"{tested} standard", tested, before.get(tested), after)
            for tested, after in run.get("after reward", {}).items()
        ]
        tests += [
            (f"{own} {words}, `{level}`", own, start["beyond"][words]["levels"][level], after)
            for words, score in run.get("beyond", {}).items()
            for level, after in score["levels"].items()
        ]
        told = f"{name.replace('-reward', '')}, steps: {len(run['reward'])}"
        for tested, family, first, last in tests:
            scores = [say_score(one, family) for one in (first, last)]
            lines.append(f"| {told} | {tested} | {' | '.join(scores)} |")
            told = ""
    return fold("All runs of reward, on named sets", "\n".join(lines))


def _find_start(name: str) -> str:
    """Return the run that another went on from."""
    settings = json.loads((RUNS / name / "settings.json").read_text(encoding="utf-8"))
    return Path(settings["weights"]).parent.name


def write_levels_learned(run: str) -> str:
    """Return a table of one run's own families, level by level."""
    scores = find_last(read_runs().get(run, {}))
    lines = ["| family | level | reward |", "|---|---|---|"]
    for name in read_runs().get(run, {}).get("trained on", ()):
        for level, score in scores.get(name, {}).get("levels", {}).items():
            lines.append(f"| {name} | `{level}` | {say_score(score, name)} |")
    return "\n".join(lines)


def write_beyond(run: str) -> str:
    """Return a table of what a run earns on sets unlike those it learned, before and after."""
    (family,) = read_runs()[run]["trained on"]
    before = read_runs().get(f"before-{family}", {}).get("beyond", {})
    lines = ["| set and rules | level | before | after |", "|---|---|---|---|"]
    for words, score in read_runs()[run]["beyond"].items():
        for level in score["levels"]:
            cells = [
                say_score(one["levels"][level] if one and is_whole(one) else None, family)
                for one in (before.get(words), score)
            ]
            lines.append(f"| `{words}` | `{level}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def write_sizes(*names: str) -> str:
    """Return a table of what runs earn in CausalLink's practice, by size and in all."""
    told = [(name, read_runs()[name]["beyond"]["practice"]) for name in names]
    first = told[0][1]
    levels = list(first["levels"])
    head = ["run", *(f"`{name}`, n\u00a0{one['n']}" for name, one in first["levels"].items())]
    head.append(f"all, n\u00a0{first['n']}")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, score in told:
        found = [*(score["levels"][level] for level in levels), score]
        cells = [_say_interval(one, "causallink") for one in found]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def write_habits(*names: str) -> str:
    """Return a table of how runs play CausalLink's practice: their answers and their acts."""
    link = cm.load("causallink")
    lines = ["| run | cases | answered yes | acts in a case |", "|---|---|---|---|"]
    for name in names:
        replies = list(RecordedReplies.read(RUNS / name / "replies.jsonl").as_dict().values())
        cases = len(link.instances("practice"))
        yes = sum(reply.text == '{"answer": "yes"}' for reply in replies)
        acts = sum(reply.text.startswith('{"shape"') for reply in replies)
        lines.append(f"| `{name}` | {cases} | {yes} | {acts / cases:.1f} |")
    return "\n".join(lines)


STEPS = (
    "copies the log, part by part",
    "reads off who moves when the target does",
    "lists who may guard, by the law (the whole list)",
)
"""The first sentences of a demonstration of CausalLink's `laws`."""


def write_steps() -> str:
    """Return a table: in how many replies to `laws` each step is as in the demonstration of it."""
    link = cm.load("causallink")
    replies = RecordedReplies.read(RUNS / "causallink" / "replies.jsonl").as_dict()
    cases = [one for one in link.instances("standard") if one.public.machine is not None]
    right = Counter[int]()
    for instance in cases:
        session = link.open(instance)
        said = tuple((one["role"], one["content"]) for one in session.messages)
        found = replies[Prompt(said).key].text.partition('"reasoning": "')[2].split(". ")
        first = play(session.family, instance, session.rules, "exact").turns[0].action or {}
        shown = first["reasoning"].split(". ")
        right.update(n for n in range(len(STEPS)) if found[n : n + 1] == [shown[n]])
    lines = [f"| {step} | {right[n]} of {len(cases)} |" for n, step in enumerate(STEPS)]
    return "\n".join(["| step | as in the demonstration |", "|---|---|", *lines])


def draw_matrix() -> str:
    """Return the transfer matrix as a picture: trained on a row, tested on a column."""
    runs, names = read_runs(), cm.list_families()
    named = {"base": "nothing", **{name: name for name in names}, "all": "all five"}
    rows = [(words, runs[name]) for name, words in named.items() if name in runs]
    wide, high = _CELL
    left, top = 110.0, 46.0
    parts = [text((left - 10, top - 22), "trained on", size=11, fill=SOFT, anchor="end")]
    for place, name in enumerate(names):
        middle = left + wide * (place + 0.5)
        parts.append(text((middle, top - 8), name, size=12, anchor="middle"))
    centre = left + wide * len(names) / 2
    parts.append(text((centre, top - 28), "tested on", size=11, fill=SOFT, anchor="middle"))
    for number, (name, run) in enumerate(rows):
        y = top + high * number
        parts.append(text((left - 10, y + high / 2 + 4), name, size=12, anchor="end"))
        for place, tested in enumerate(names):
            score = find_last(run).get(tested)
            score = score if is_whole(score) else None
            parts.append(_draw_cell((left + wide * place, y), score, tested, own=name == tested))
    size = (left + wide * len(names) + 8, top + high * len(rows) + 8)
    return make_svg(
        *size,
        "".join(parts),
        title="Transfer matrix",
        about="Mean reward on the standard sets: trained on a row, tested on a column.",
    )


def draw_picture() -> str:
    """Return the matrix as a file that stands alone."""
    return make_standalone(draw_matrix()) + "\n"


def _draw_cell(
    at: tuple[float, float], score: dict[str, Any] | None, family: str, *, own: bool
) -> str:
    wide, high = _CELL
    value = score["reward"] if score else 0.0
    box: dict[str, Any] = {
        "x": at[0] + 2,
        "y": at[1] + 2,
        "width": wide - 4,
        "height": high - 4,
        "rx": 4,
    }
    edge = INK if own else SOFT
    parts = [
        tag("rect", **box, fill=PAPER, stroke=edge, stroke_width=1.6 if own else 0.5),
        tag("rect", **box, fill=series_colour(0), fill_opacity=max(0.0, round(0.75 * value, 3))),
    ]
    middle = at[0] + wide / 2
    if score is None:
        return "".join([*parts, text((middle, at[1] + high / 2 + 4), "–", anchor="middle")])
    ends = " to ".join(find_ends(score, family))
    parts.append(text((middle, at[1] + 20), show(value, 2), size=14, anchor="middle"))
    parts.append(text((middle, at[1] + 35), ends, size=10, fill=SOFT, anchor="middle"))
    return "".join(parts)


def draw_curves(*names: str) -> str:
    """Return the rewards on the validation split while runs learned from demonstrations."""
    found = {name: _read_curve(name) for name in names}
    return _draw_curves(found, "tokens of demonstrations, in millions")


def draw_reward_curves(*names: str) -> str:
    """Return the rewards on the validation split while runs learned from reward."""
    runs = read_runs()
    found = {
        name: [{**one, "seen": one["step"]} for one in runs[name]["reward curve"]] for name in names
    }
    return _draw_curves(found, "steps of reward")


def _draw_curves(found: Mapping[str, Sequence[dict[str, Any]]], title: str) -> str:
    most = max(point["seen"] for curve in found.values() for point in curve)
    frame = Frame(52, 34, 520, 260, x_range=(0, most))
    parts = [
        draw_x_axis(frame, choose_ticks(0, most), title=title),
        draw_y_axis(frame, choose_ticks(0, 1), title="mean reward on the validation split"),
    ]
    for number, curve in enumerate(found.values()):
        parts.append(_draw_curve(frame, curve, number, len(found)))
    parts.append(draw_series_legend((frame.right + 20, 44), list(found)))
    about = f"Mean reward on the validation split, by {title}: {', '.join(found)}."
    return place_svg(make_svg(760, 350, "".join(parts), title="Learning curves", about=about))


def _read_curve(name: str) -> list[dict[str, Any]]:
    """Return the points of a run's curve, each with the millions of tokens seen by then."""
    settings = json.loads((RUNS / name / "settings.json").read_text(encoding="utf-8"))
    points = read_runs()[name]["demonstrations"]["curve"]
    return [{**one, "seen": one["step"] * settings["step_tokens"] / 1e6} for one in points]


def _draw_curve(frame: Frame, curve: Sequence[dict[str, Any]], number: int, of: int) -> str:
    shift = (number - (of - 1) / 2) * 3
    points = [(frame.x(one["seen"]) + shift, frame.y(one["reward"])) for one in curve]
    colour = series_colour(number)
    parts = [
        line((x, frame.y(one["low"])), (x, frame.y(one["high"])), stroke=colour, width=1.2)
        for (x, _), one in zip(points, curve, strict=True)
    ]
    parts.append(polyline(points, stroke=colour, width=1.6))
    return "".join([*parts, *(draw_series_mark(point, number) for point in points)])


def write_table(runs: Path) -> str:
    """Return the transfer matrix of the runs in a folder: trained on a row, tested on a column.

    Raises:
        BadFile: There is no folder, or no run in it.
    """
    files = sorted(runs.glob("*/scores.json"))
    if not files:
        raise BadFile(f"{runs} holds no run: no folder with a scores.json")
    names = cm.list_families()
    head = ["run", "trained on", "tested", *names]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for file in files:
        run = json.loads(file.read_text(encoding="utf-8"))
        last = find_last(run)
        if not last and not run.keys() & {"demonstrations", "reward"}:
            continue
        told = [file.parent.name, ", ".join(run["trained on"]), _say_how_far(run)]
        cells = [_say_in_table(last[name]) if name in last else "" for name in names]
        lines.append(f"| {' | '.join([*told, *cells])} |")
    return "\n".join(lines)


def _say_how_far(run: dict[str, Any]) -> str:
    """Return after what a run was tested, and what it learned since: it may have been stopped."""
    tested = next((stage for stage in LAST if stage in run), "")
    since = ""
    if "reward" in run and tested != "after reward":
        since = f"not after its {len(run['reward'])} steps of reward"
    elif "demonstrations" in run and tested in {"before", ""}:
        since = "not after its demonstrations"
    return ", ".join(filter(None, (tested, since)))


def _say_in_table(score: dict[str, Any]) -> str:
    if not is_whole(score):
        return f"{score['over']} of {score['n']} ended"
    reward, low, high = (
        "" if score[key] is None else f"{score[key]:z.2f}" for key in ("reward", "low", "high")
    )
    return f"{reward} [{low}, {high}]" if low else reward


def main() -> None:
    """Draw the picture anew, or print a table."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--table", type=Path, metavar="FOLDER", help="print the matrix of its runs")
    given = reader.parse_args()
    if not given.table:
        PICTURE.write_text(draw_picture(), encoding="utf-8")
        return
    try:
        sys.stdout.write(write_table(given.table) + "\n")
    except UsageError as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
