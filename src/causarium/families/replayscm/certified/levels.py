"""The rungs of ReplaySCM: how much has to be found out, by a rule, and how it is played."""

from causarium.contract.family import Config
from causarium.contract.rules import Rules
from causarium.contract.rungs import Rungs

TOP = 10
"""The highest rung whose instances are certified."""
_FIRST_ASKING = 5
"""The first rung on which an agent asks for worlds of its own."""


class ReplayConfig(Config):
    """One rung of ReplaySCM."""

    rung: int
    variables: int
    outside: int
    """The number of variables without a rule."""
    outside_told: bool = True
    """Whether it is said which variables have no rule."""
    causes: int = 2
    """The number of causes of a rule; on the first rung the largest number."""
    trait_rules: int = 0
    """The number of rules with the hidden trait among their causes."""
    unnamed: int = 0
    """The number of worlds with an unnamed hand, the last ones; -1: every world with a hand."""
    worlds: tuple[int, int] = (2, 2)
    """The fewest and the most worlds that are shown."""
    units: int = 2
    """The number of rows of a world."""
    questions: tuple[int, int] = (0, 0)
    """The fewest and the most worlds that may be asked for: in each system, the fewest that settle
    every item."""
    gauges: int = 0
    """The number of variables of which one can be read in a world of one's own."""
    hands_asked: int = 0
    whatifs: int = 0
    plans: int = 0
    """The number of items on which question would settle a rule."""
    systems: tuple[int, int] = (1, 1)
    """The fewest and the most systems that fit what is shown."""
    chance_right: float = 1.0
    """The largest share of rules and hands that chance questions settle, as estimated."""
    whatif_likeliest: float = 0.6
    """The largest share of systems that give the same answer to a what-if."""


class ReplayRules(Rules):
    """The rules of a ReplaySCM game."""


def make_config(rung: int) -> ReplayConfig:
    """Return the configuration of a rung."""
    if rung == 1:
        return ReplayConfig(rung=1, variables=2, outside=1, causes=1)
    if rung == 2:
        return ReplayConfig(rung=2, variables=3, outside=1, outside_told=False, causes=1)
    if rung < _FIRST_ASKING:
        trait = 2 * (rung - 3)
        return ReplayConfig(
            rung=rung,
            variables=2 + rung,
            outside=2,
            trait_rules=trait,
            unnamed=rung - 3,
            worlds=(2, 7),
            units=6,
            hands_asked=rung - 3,
            whatifs=3 * (rung - 3),
        )
    step = rung - _FIRST_ASKING
    variables = round(8 * 2 ** (step / 3))
    middle = 3 + (step + 1) // 2
    return ReplayConfig(
        rung=rung,
        variables=variables,
        outside=max(2, variables // 3),
        trait_rules=2,
        unnamed=-1 if step else 1,
        worlds=(3 + step // 2, 5 + step),
        units=5,
        questions=(max(3, middle - 1), middle + (step > 1)),
        gauges=3 if step <= 1 else 4,
        hands_asked=1,
        whatifs=1,
        plans=int(step == 0),
        systems=(3 << middle - 1, 5 << middle),
        chance_right=0.8 if step == 0 else 0.72,
        whatif_likeliest=0.65,
    )


RUNGS: Rungs[ReplayConfig] = Rungs(
    make=make_config,
    top=TOP,
    dials={
        "variables": "More variables give each rule more possible causes to be told apart.",
        "causes": "A rule with more causes shows none of them in a comparison of two columns.",
        "trait_rules": "A trait that nobody recorded is a cause, and is known by its effects only.",
        "unnamed": "Where a hand is not named, a broken rule and a wrong rule look alike.",
        "questions": "What the worlds leave open is settled by experiments that must be chosen, "
        "each by what the last one showed; at worst all are needed.",
        "gauges": "What is not shown has to be inferred from what it does to what is.",
        "plans": "To tell which experiment would settle a rule, its outcomes under all rules that "
        "are left must be foreseen.",
        "whatifs": "What would have been needs the rules and all that a row says of its trait.",
    },
)
