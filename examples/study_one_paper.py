"""Study one paper: its numbers, its instances, and its certified edition.

    python examples/study_one_paper.py

CausalLink is the example; every family has both editions, published numbers and certificates.
"""

from collections import Counter

import causarium as cm


def main() -> None:
    """Compare the paper's accuracies with blind players, and look at the proofs."""
    # %% What did the paper report? Each number carries its table, setting and caveats.
    table = cm.published_rows("causallink").where(table="Table 4", metric="accuracy")
    best = max(table, key=lambda row: row.value)
    print(f"Table 4: {len(table)} accuracies; the best is {best.agent}, {best.value:.3f}")

    # %% What do players that never look at the world score on the paper's own set?
    paper = cm.load("causallink", edition="paper")
    for player in ("always_yes", "always_no", "random"):
        mean = paper.play(player, "core").mean("accuracy")
        print(f"{player:>10}: {mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]")

    # %% What does an instance look like, and what is proved about it?
    certified = cm.load("causallink")
    items = certified.instances("core60", limit=20)
    print(certified.prompt(items[0]).user.splitlines()[0])
    proofs = [certified.certify(item) for item in items]
    optima = Counter(proof.optimum for proof in proofs)
    print(f"{sum(proof.certified for proof in proofs)} of {len(proofs)} certified")
    print("fewest interventions that suffice:", dict(sorted(optima.items())))

    # %% Which rules of the paper did the certified edition change?
    ours, theirs = certified.rules().model_dump(), paper.rules().model_dump()
    print("published quirks:", ", ".join(name for name in ours if ours[name] != theirs[name]))


if __name__ == "__main__":
    main()
