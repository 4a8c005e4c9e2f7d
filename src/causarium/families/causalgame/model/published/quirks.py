"""The published oddities of the engine, each a switch with a sentence on what it does.

Oddities of the protocol are rules of play and live with them. `paper_game(name, without=...)`
gives a game with some of these switched off.
"""

QUIRKS: dict[str, str] = {
    "armour_on_sum": "Armour is taken off the sum of all hits on a component, not off each hit, "
    "so it hardly matters in long fights.",
    "bounds_unchecked": "The declared ranges and the total of armour are advice; any whole number "
    "from zero up is flown.",
    "booleans_stuck": "On-off equipment stays as it is, whatever is sent.",
    "defaults_unsent": "Default equipment has its effect only when some equipment is sent.",
    "double_armour": "Damage to the camera and the gun is armoured twice on the drone itself, "
    "and once where their effect on the fight is computed.",
    "equipment_dead": "Equipment is listed and changes nothing, except the flight profile.",
    "forced_halfway": "Where the history holds a zone, the instruments still show the zone that "
    "had been drawn.",
    "law_missing": "The law is not found and a calm one without any trap takes its place.",
    "noise_on_rows": "Only the rows of a deployment are noisy; its counts, its environment and "
    "the history are exact.",
    "one_round_least": "A fight that should have no rounds has one.",
    "profile_undeclared": "A flight profile is obeyed although the game does not offer one.",
    "shield_misfiled": "The shield's armour is looked up under a wrong name and always zero.",
}
"""Sentence by name."""
