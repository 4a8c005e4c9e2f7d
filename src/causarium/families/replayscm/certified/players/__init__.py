"""The players of ReplaySCM that are no model."""

from causarium.contract.player import Player
from ..model import ReplayPublic, ReplaySecret
from .exact import play_exact, play_greedy, play_random_questions, play_without_questions
from .plain import list_constants, play_oracle, play_random
from .shortcuts import play_agreeing, play_fewest_mistakes

PLAYERS: dict[str, Player[ReplayPublic, ReplaySecret]] = {
    "oracle": Player(about="Knows the answers.", moves_from_truth=play_oracle),
    "random": Player(about="Answers at random.", moves=play_random, ignores_input=True),
    "silent": Player(about="Never says anything.", ignores_input=True),
    **list_constants(),
    "exact": Player(
        about="Lists every system that fits and asks by a shortest plan.", moves=play_exact
    ),
    "greedy": Player(
        about="Lists every system that fits and asks what splits them most evenly.",
        moves=play_greedy,
    ),
    "any_question": Player(
        about="Lists every system that fits and asks any question on which they differ.",
        moves=play_random_questions,
    ),
    "no_question": Player(
        about="Lists every system that fits and answers by vote, without a question.",
        moves=play_without_questions,
    ),
    "fewest_mistakes": Player(
        about="Takes for each rule the one with the fewest mistakes, and ignores the trait.",
        moves=play_fewest_mistakes,
    ),
    "agreeing": Player(
        about="Takes as causes the variables that agree or disagree most often.",
        moves=play_agreeing,
    ),
}
