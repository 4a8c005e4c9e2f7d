"""Evaluate a model: run it, read the rows, write the report.

    python examples/evaluate_my_model.py openai/gpt-5
    python examples/evaluate_my_model.py            # a reference player instead: no key needed

Run the same command again to resume an interrupted run. A data frame needs `causarium[pandas]`.
"""

import sys

import causarium as cm

FAMILIES = ("causallink", "recite")


def main(model: str | None = None) -> None:
    """Evaluate a model on the smoke set of two families."""
    # %% What will it cost? No model is called for this.
    if model is not None:
        for family in FAMILIES:
            estimate = cm.estimate(family, model=model, set="smoke", price="2,8")
            print(f"{family}: {estimate.samples} episodes, US $ {estimate.cost}")

    # %% Run it; the same call resumes an interrupted run.
    player = "random" if model is None else None
    for family in FAMILIES:
        run = cm.evaluate(family, model=model, player=player, set="smoke", progress=False)
        headline = cm.load(family).family.card.headline["certified"]
        found = run.metrics[headline]
        state = "complete" if run.complete else f"{run.missing} not run, {run.unscored} unscored"
        print(f"{family}: {headline} {found['value']:.3f} ({state})")

    # %% Every episode is a row: filter, average, or move on to pandas.
    rows = cm.read_rows("logs")
    print(f"{len(rows)} rows; causallink instances with four shapes: ", end="")
    small = rows.where(family="causallink", size=4)
    mean = small.mean("accuracy")
    print(f"{mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}] of {mean.n}")

    # %% One page for all runs, with reference players and the papers' numbers.
    report = cm.write_report("logs", out="reports")
    print(f"report: {report.files['html']}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
