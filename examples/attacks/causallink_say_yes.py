"""CausalLink: says yes, whatever is shown, and makes no try."""


def attack(session):
    session.step({"kind": "answer", "answer": "yes"})
