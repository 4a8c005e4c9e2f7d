"""Labels by a model: how a text tells each node, and to which domains a paper belongs.

Every node is labelled exactly once with 1, 2 or 3. If the text has the very name of a
node and a model does not label it 1, the label stays, and the node is listed for a person.
"""

import json
from collections.abc import Sequence

from causarium.contract.texts.role_questions import Consultation
from causarium.families.recite.model.instance import (
    DOMAINS,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.publication.dataset_row import is_named
from causarium_recite_lab.building.ask_once import MOST_TRIES
from causarium_recite_lab.building.explicitness import label_nodes
from causarium_recite_lab.building.paper_folder import About, StepFailed
from causarium_recite_lab.building.step_prompts import ask, read_field, wrap_in_tag
from causarium_recite_lab.building.to_markdown import Made


def label_explicitness(text: str, names: Sequence[str]) -> Consultation[Made]:
    """Have each node labelled.

    Raises:
        StepFailed: Some nodes were never labelled.
    """
    found = yield from label_nodes(text, names)
    if found.missing:
        raise StepFailed(
            f"{len(found.missing)} of {len(names)} nodes have no label after {found.asked} "
            f"questions ({found.problem}); try another model"
        )
    labels = {name: found.labels[name] for name in names}
    plain = text.casefold()
    lenient, strict = lenient_explicitness(labels.values()), strict_explicitness(labels.values())
    doubtful = [name for name, label in labels.items() if label != 1 and is_named(name, plain)]
    notes = {
        "lenient": lenient,
        "strict": strict,
        "questions": found.asked,
        "named_though_not_labelled_so": doubtful,
    }
    said = f"lenient {lenient:.3f}, strict {strict:.3f}" + (
        f"; named and not labelled so: {', '.join(doubtful)}" if doubtful else ""
    )
    return Made(json.dumps(labels, ensure_ascii=False, indent=1) + "\n", notes, said)


def label_domains(about: About) -> Consultation[Made]:
    """Have a paper's domains found from its title and abstract.

    Raises:
        StepFailed: No reply named any, or there is nothing to find them from.
    """
    if not about.title and not about.abstract:
        raise StepFailed("neither title nor abstract is known; write them into paper.toml")
    material = f"{wrap_in_tag('title', about.title)}\n\n{wrap_in_tag('abstract', about.abstract)}"
    problem = ""
    for tries in range(MOST_TRIES):
        reply = yield ask("domains", material, problem)
        found = read_field(reply, "domains")
        numbers = found if isinstance(found, list) else []
        known = range(1, len(DOMAINS) + 1)
        if numbers and all(not isinstance(n, bool) and n in known for n in numbers):
            chosen = [DOMAINS[n - 1] for n in sorted(set(numbers))]
            notes = {"replies_refused": tries}
            return Made(json.dumps(chosen, indent=1) + "\n", notes, ", ".join(chosen))
        problem = f'a list "domains" of numbers from 1 to {len(DOMAINS)} is expected'
    raise StepFailed(f"no reply named the domains in {MOST_TRIES} tries: {problem}")
