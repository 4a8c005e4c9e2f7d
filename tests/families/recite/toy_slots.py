"""A slot document in miniature that every check passes, and ways to damage it."""

from typing import Any

from causarium.families.recite.paper.generation.slot_documents import SlotDocument

DEVICES = ["taken back", "outcome in numbers", "only through", "like with like", "which came first"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def word(number: int) -> str:
    """Return a word that is part of no other."""
    return f"Q{LETTERS[number // 26]}{LETTERS[number % 26]}x"


def toy_fields(near: int = 10, far: int = 16, parity: int = 14) -> dict[str, Any]:
    """Return the fields of a document with some slots of each kind; every fifth turns an arrow."""
    slots: dict[str, Any] = {}
    nodes: dict[str, int] = {}
    local: list[str] = []
    deciding: list[str] = []
    for number in range(near + far + parity):
        key = f"s{number + 1:02d}"
        a, b = word(2 * number), word(2 * number + 1)
        nodes |= {a: 1, b: 1}
        turns = number % 5 == 4
        slot: dict[str, Any] = {
            "device": DEVICES[number % 5],
            "tells_one": [[a, b]],
            "tells_two": [[b, a]] if turns else [],
            "near": [f"{a} moves {b} every year.", f"{a} left {b} as it had been."],
        }
        if number >= near:
            slot["local"] = f"{a} and {b} went together, people said."
            slot["far"] = [
                f"Remark {number} may stay as it is.",
                f"Remark {number} must go for good.",
            ]
            deciding.append(f"{{{key}.far}}")
        if number >= near + far:
            slot["parity"] = [
                f"Clerk {number} was right that day.",
                f"Clerk {number} was wrong then.",
            ]
            deciding.append(f"{{{key}.parity}}")
        slots[key] = slot
        local.append(f"{{{key}}}")
    shared = [
        [word(200 + n), word(201 + n), f"{word(200 + n)} drives {word(201 + n)} in fact."]
        for n in range(4)
    ]
    nodes |= {name: 1 for edge in shared for name in edge[:2]}
    thirds = [local[start : start + 5] for start in range(0, len(local), 5)]
    text = ["# Toy", " ".join(edge[2] for edge in shared)]
    for number, group in enumerate(thirds):
        text += [f"## Section {number}", *group]
    return {
        "key": "toy",
        "title": "Toy",
        "levels": ["page", "twin", "far"],
        "text": "\n\n".join(text),
        "afterword": "\n\n".join(["## Later", "One.", "Two.", "Three.", "Four.", *deciding]),
        "shared": shared,
        "slots": slots,
        "nodes": nodes,
    }


def toy_document(near: int = 10, far: int = 16, parity: int = 14) -> SlotDocument:
    """Return the document itself."""
    return SlotDocument.model_validate(toy_fields(near, far, parity))
