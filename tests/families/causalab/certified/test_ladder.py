"""The ladder of CausaLab: draws, certificates, crystals that are alike, refusals."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest

from causarium.contract.episode import Episode, play
from causarium.families.causalab.certified import FAMILY
from causarium.families.causalab.certified.evidence.alike import UNHELD, list_alike
from causarium.families.causalab.certified.evidence.fits import Fits
from causarium.families.causalab.certified.mechanics.respond import LOOSE, respond
from causarium.families.causalab.certified.model.skeleton import Skeleton

RULES = FAMILY.rules_for("certified")
SMALL = Skeleton(stem=1, rising=1, falling=2, gates=1, idle=2, fixed=True)


def draw(rung, index=0, seed=0):
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), seed, index)


def list_settings(count, holds):
    for number in range(1, holds + 1):
        for held in combinations(range(count), number):
            for levels in product((-1, 0, 1), repeat=number):
                settings = np.full(count, LOOSE, dtype=np.int8)
                settings[list(held)] = levels
                yield settings


@pytest.mark.parametrize("rung", range(1, 9))
def test_every_certificate_holds_and_the_truth_earns_everything(rung):
    for index in range(2):
        instance = draw(rung, index)
        assert FAMILY.prompt(instance.public, RULES).user
        assert all(proof.holds for proof in FAMILY.proofs.certify(instance).proofs)
        assert play(FAMILY, instance, RULES, "oracle").score().numbers["score"] == 1.0
        assert play(FAMILY, instance, RULES, "silent").score().numbers["score"] == 0.0


@pytest.mark.parametrize("rung", [1, 2, 3])
def test_the_lowest_rungs_ask_each_answer_once_in_three(rung):
    answers = Counter(draw(rung, index).secret.answers[0] for index in range(12))
    assert set(answers.values()) == {4}


def test_crystals_that_are_alike_are_those_that_no_experiment_tells_apart():
    holdable = SMALL.holdable
    crystals = [
        row
        for row in permutations(range(SMALL.size), len(SMALL.parts))
        if sum(one >= holdable for one in row) == 1
    ]
    table = np.array(crystals, dtype=np.int8)
    settings = np.stack([*list_settings(holdable, 3)])
    wide = np.full((len(settings), SMALL.size), LOOSE, dtype=np.int8)
    wide[:, :holdable] = settings
    seen = respond(SMALL, table, wide).T
    for fixed_part in range(len(SMALL.parts)):
        given = [*range(len(SMALL.parts) - 1)]
        given.insert(fixed_part, holdable)
        mine = crystals.index(tuple(given))
        brute = {crystals[n] for n in np.flatnonzero((seen == seen[mine]).all(axis=1))}
        template = list_alike(SMALL, 3, fixed_part)
        # One property that can be held is idle, so there is no room for rows with two.
        idle = next(one for one in range(holdable) if one not in given)
        found = set()
        for row in template.tolist():
            if max(row) > len(given):
                continue
            for unheld in (holdable, holdable + 1):
                symbols = {**dict(enumerate(given)), len(given): idle, UNHELD: unheld}
                found.add(tuple(symbols[one] for one in row))
        assert found == brute


def test_lists_of_crystals_count_all_arrangements():
    fits = Fits.of(SMALL)
    assert 2 * fits.count == SMALL.arrangements
    assert fits.touch([0, 1, 2]).count == fits.count


def test_what_cannot_be_done_costs_nothing_and_says_what_would_work():
    instance = draw(6)
    episode = Episode(FAMILY, instance, RULES)
    name, fixed = instance.public.holdable[0], instance.public.fixed[0]
    replies = {
        '{"answers": ["up"]}': "nothing was asked yet",
        "up": "no experiment could be read",
        f'{{"hold": {{"{fixed}": "up"}}}}': "cannot be held here",
        f'{{"hold": {{"{name}": "sideways"}}}}': "not at 'sideways'",
        '{"hold": {'
        + ", ".join(f'"{n}": 1' for n in instance.public.holdable[:7])
        + "}}": "at most",
    }
    for reply, said in replies.items():
        seen = episode.take(episode.parse_reply(reply))
        assert not seen.legal
        assert said in seen.text
    assert episode.world.spent == 0
    assert episode.take(episode.parse_reply('{"hold": {}}')).legal
    assert not episode.take(episode.parse_reply('{"answers": ["up"]}')).legal
    assert not episode.done
    count = len(instance.public.asked)
    assert episode.take(episode.parse_reply(f'{{"answers": {["up", "a"][:count]}}}')).legal
    assert episode.done


def test_a_lone_word_answers_a_lone_question():
    instance = draw(1)
    episode = Episode(FAMILY, instance, RULES)
    episode.take(episode.parse_reply(f"It goes this way.\n{instance.secret.answers[0].upper()}"))
    assert episode.score().numbers["score"] == 1.0


def test_the_lowest_prompt_is_short():
    words = FAMILY.prompt(draw(1).public, RULES)
    assert len(words.system) + len(words.user) <= 1_500
