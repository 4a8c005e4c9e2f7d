"""CausaLab: copy what the text shows, and make no experiment.

In version 2 the opening text gave the answer away: full marks without a graph. Now each question
intervenes on something that moves the value asked for, so the reading at rest is wrong.
"""

CLASS = "passive"


def attack(session):
    seen = session.step({"kind": "lock"})
    names = [*(one.name for one in session.public.properties), "resonanceFreq"]
    at_rest = dict(zip(names, seen.data["reactor"], strict=True))
    answers = [at_rest[question["asked"]] for question in seen.data["questions"]]
    session.step({"kind": "answer", "answers": answers})
