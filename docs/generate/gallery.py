"""The gallery: the first instance of every level, drawn by the generator when the site is built."""

from causarium import families
from causarium.api.family_facts import describe_level
from causarium.contract.rules import EDITIONS
from docs.generate.markdown import fold
from docs.generate.pictures import draw_truth, show_public


def write_gallery(family_name: str) -> str:
    """Return one part a level: its settings, the truth as a picture, what an agent reads."""
    family = families.get(family_name)
    parts = []
    for edition in EDITIONS:
        parts.append(f"## {edition.capitalize()} edition")
        for name, config in family.levels.items():
            if config.edition != edition:
                continue
            instance = family.generate(config, 0, 0)
            settings = describe_level(config)
            facets = ", ".join(
                f"{key.removeprefix('n_').replace('_', ' ')} {_say(value)}"
                for key, value in instance.facets.items()
                if key != "mechanism"
            )
            parts.append(f"### {name} {{ #{name} }}")
            drawn = f"Drawn with `{settings}`." if settings else "Drawn with the default settings."
            parts.append(f"{drawn} Its first instance: {facets}." if facets else drawn)
            parts.append(draw_truth(family, instance, edition))
            parts.append(fold("What the agent reads", show_public(family, instance, edition)))
    return "\n\n".join(part for part in parts if part)


def _say(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
