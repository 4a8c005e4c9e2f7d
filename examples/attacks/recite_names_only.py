"""ReCITE: answer from the names alone, without the text.

In version 2, title and names alone gave most edges of the written documents. The package holds
recorded answers by names; a text and its twin have the same names, so both get the same answer.
"""

from causarium.families.recite.players.recorded_answers import recorded_edges

CLASS = "no reading"


def attack(session):
    names = session.public.names or ()
    edges = [
        {"source": names.index(cause) + 1, "sink": names.index(effect) + 1}
        for cause, effect in recorded_edges(session.public.title, names)
    ]
    session.step({"kind": "submit", "relationships": edges})
