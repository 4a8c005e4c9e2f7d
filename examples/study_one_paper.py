"""Study one paper: its numbers, its instances, and its certified edition.

    python examples/study_one_paper.py

CausalLink is the example; every family has both editions, published numbers and certificates.
"""

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
    items = certified.instances("smoke")
    print(certified.prompt(items[0]).user.splitlines()[0])
    proofs = [certified.certify(item) for item in items]
    print(f"{sum(proof.certified for proof in proofs)} of {len(proofs)} certified")

    # %% Which quirks of the published program can be switched off?
    rules = paper.rules()
    print("published quirks:", ", ".join(type(rules).quirks))


if __name__ == "__main__":
    main()
