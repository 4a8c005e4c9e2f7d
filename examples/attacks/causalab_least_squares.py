"""CausaLab: a generic program that regresses each column on the others and knows no graph.

In version 2 it got full marks on every set. It holds each property once, fits every column to the
others, drops columns while the fit stays exact, and solves the fitted equations for each question.
"""

import numpy as np

CLASS = "regression"


def attack(session):
    public = session.public
    names = [*(one.name for one in public.properties), "resonanceFreq"]
    rows, held = experiment(session, names)
    seen = session.latest if "questions" in session.latest.data else session.step({"kind": "lock"})
    at_rest = np.array(seen.data["reactor"], dtype=float)
    weights = np.array([fit_column(rows, held, at) for at in range(len(names))])
    answers = []
    for question in seen.data["questions"]:
        equations, right = np.eye(len(names)) - weights, np.zeros(len(names))
        for name, value in question["holds"].items():
            at = names.index(name)
            equations[at], right[at] = np.eye(len(names))[at], value - at_rest[at]
        change = np.linalg.lstsq(equations, right, rcond=None)[0]
        asked = names.index(question["asked"])
        answers.append(round(at_rest[asked] + change[asked]))
    session.step({"kind": "answer", "answers": answers})


def experiment(session, names):
    """Hold one property after the other, one above its reading; return what changed, and where."""
    public, rows, held = session.public, [], []
    for name in public.holdable[: public.budget]:
        at = names.index(name)
        seen = session.step({"kind": "hold", "property": name, "value": public.manipulator[at] + 1})
        rows.append(np.subtract(seen.data["readings"], public.manipulator))
        held.append(at)
    return np.array(rows, dtype=float), np.array(held)


def fit_column(rows, held, at):
    """Fit one column by the others, where it was not held, with as few of them as fit exactly."""
    free = held != at
    columns = [other for other in range(rows.shape[1] - 1) if other != at]

    def solve(some):
        return np.linalg.lstsq(rows[free][:, some], rows[free, at], rcond=None)[0]

    while columns:
        found = solve(columns)
        fewer = [c for place, c in enumerate(columns) if place != int(np.argmin(np.abs(found)))]
        if not fewer or not np.allclose(rows[free][:, fewer] @ solve(fewer), rows[free, at]):
            break
        columns = fewer
    weights = np.zeros(rows.shape[1])
    weights[columns] = found
    return weights
