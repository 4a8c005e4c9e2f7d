"""CausaLab: copy what the text shows, and make no experiment.

On version 2 the reward could be copied from the opening text: full marks without a graph. Now each
question holds something that moves what is asked for, so what a crystal reads at rest is wrong.
"""

CLASS = "passive"


def attack(session):
    seen = session.step({"kind": "lock"})
    names = [*(one.name for one in session.public.properties), "resonanceFreq"]
    at_rest = dict(zip(names, seen.data["reactor"], strict=True))
    answers = [at_rest[question["asked"]] for question in seen.data["questions"]]
    session.step({"kind": "answer", "answers": answers})
