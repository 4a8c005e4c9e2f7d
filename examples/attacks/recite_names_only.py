"""ReCITE: the names alone, and no word of the text.

On version 2 a language model that saw title and names had .726 on written documents. Its answers
were recorded and come with the package; a text and its twin have the same names, so that whoever
answers by names answers both alike.
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
