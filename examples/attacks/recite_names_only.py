"""ReCITE: the names alone, and no word of the text.

Title and names alone gave most edges of the written documents of version 2. Answers by names come
with the package; a text and its twin have the same names, so that whoever answers by names answers
both alike.
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
