"""CausalLink: make trials by what was seen, and say yes whatever comes out."""

CLASS = "tosses_answer"


def attack(session):
    public = session.public
    touched = [name for name in public.objects if name not in public.lively]
    for _ in range(public.trials):
        start = session.rng.sample(touched, min(public.hands, len(touched) // 2))
        if session.step({"kind": "trial", "start": start, "hold": []}).data["moved"]:
            touched = start  # Look further where something moved.
    session.step({"kind": "answer", "answer": "yes"})
