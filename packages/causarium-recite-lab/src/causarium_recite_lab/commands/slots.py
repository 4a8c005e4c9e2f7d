"""`causarium recite slots`: checks and attacks a slot document, and shows its twins.

`causarium recite names-only` records what a model answers to the names of slot documents alone.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.shared import print_note
from causarium.errors import BadFile, UsageError

if TYPE_CHECKING:
    from causarium.families.recite.generation.slot_documents import SlotDocument


def slots(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Slot document (.slots.toml).")],
    *,
    out: Annotated[
        Path | None, typer.Option(help="Folder for two twins of each form, with their graphs.")
    ] = None,
    set_file: Annotated[
        Path | None, typer.Option("--set", help="Set file to write (.jsonl): whole pairs of twins.")
    ] = None,
    level: Annotated[str, typer.Option(help="Level of the set: page, twin or far.")] = "twin",
    size: Annotated[int, typer.Option(min=2, help="Number of texts in the set.")] = 24,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
) -> None:
    """Check a slot document, attack it by its tone, and draw twins from it.

    Ends with an error, and writes nothing, if the file is refused or if tone tells the versions of
    its near slots apart. What tone earns on far slots, and repeated figures on any, is only shown.
    """
    from causarium.families.recite.generation.generate import read_shelf
    from causarium.families.recite.generation.slot_checks import (
        find_problems,
        list_sentences_to_read,
    )
    from causarium.families.recite.generation.slot_documents import (
        FORMS,
        list_pages,
        read_slot_file,
    )
    from causarium.families.recite.players.tone_of_passages import (
        BY_FIGURES,
        MOST_CONTRAST,
        attack_tone,
    )

    document = read_slot_file(file)
    problems = list(find_problems(document))
    for problem in problems:
        typer.echo(f"refused  {problem.slot}: {problem.reason}")
    if problems:
        raise typer.Exit(1)
    typer.echo(f"{document.title}: {len(document.nodes)} names, {len(document.slots)} slots")
    for form in FORMS:
        typer.echo(f"{form:<8} {document.count_differing(form)} edges differ a side")
    typer.echo(f"far      {document.far_share():.2f} of the differing edges are decided elsewhere")
    typer.echo(f"page     {len(list_pages(document))} pages")
    for sentence in list_sentences_to_read(document):
        typer.echo(f"read     {sentence.slot}: {sentence.reason}")
    results = attack_tone(document, read_shelf())
    for result in results:
        typer.echo(
            f"attack   {result.kind}, {result.attack}: contrast {result.contrast:.2f} "
            f"on {result.slots} slots"
        )
    near = [one for one in results if one.kind == "near" and one.attack != BY_FIGURES]
    # Whoever does the opposite of a bad guess guesses well.
    if any(abs(one.contrast) > MOST_CONTRAST for one in near):
        raise UsageError(f"an attack by tone earns more than {MOST_CONTRAST}; give other reasons")
    if out is not None:
        _write_twins(document, out, seed)
    if set_file is not None:
        _write_set(file, set_file, level, size, seed)


def _write_twins(document: "SlotDocument", out: Path, seed: int) -> None:
    import json

    from causarium.families.recite.generation.slot_documents import FORMS, draw_twins
    from causarium.seeds import stream

    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; --out names a folder")
    out.mkdir(parents=True, exist_ok=True)
    for form in FORMS:
        draw = draw_twins(document, form, stream(seed, "slots", form))
        for name, one in (("a", draw), ("b", draw.twin)):
            stem = f"{document.key}-{form}-{name}"
            (out / f"{stem}.md").write_text(one.render() + "\n", encoding="utf-8")
            edges = json.dumps(sorted(one.edges), indent=1, ensure_ascii=False)
            (out / f"{stem}.json").write_text(edges + "\n", encoding="utf-8")
    print_note(f"twins in {out}")


def _write_set(file: Path, set_file: Path, level: str, size: int, seed: int) -> None:
    from causarium.families.recite import FAMILY
    from causarium.families.recite.publication.dataset_files import write_instances

    private = FAMILY.level(level).model_copy(update={"slots": str(file)})
    if private.corpus != "slots":
        raise UsageError(f"texts of level {level} are not drawn from slot files; take twin or far")
    if private.shape == "dossier":
        raise UsageError("a dossier binds two documents, and one file has only one; take far")
    drawn = [FAMILY.generate(private, seed, index) for index in range(size + size % 2)]
    written = write_instances(FAMILY, drawn, set_file, "certified")
    print_note(f"{written} texts in {set_file}")


def names_only(
    model: Annotated[str, typer.Option(help="Model to ask: provider/model, or local.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="Slot documents (default: those of the package)."),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="File of recorded answers to add to (.json).")],
) -> None:
    """Record what a model answers to title and names alone; an earlier answer is replaced.

    Prints how good each answer is as edge F1; its `reading` over two twins is 0. Until all have
    answered, replies are saved beside the file, so that an interrupted run resumes.
    """
    import json
    from contextlib import nullcontext
    from datetime import UTC, datetime

    from causarium.contract.places import write_atomically
    from causarium.engine.run.models import find_served_model
    from causarium.families.recite.generation.generate import read_shelf
    from causarium.families.recite.generation.slot_checks import load_slot_document
    from causarium.families.recite.generation.slot_documents import draw_twins
    from causarium.families.recite.players.recorded_answers import ask_by_names, read_answer
    from causarium.scoring.graph_scores import compare_edges
    from causarium.seeds import stream
    from causarium_recite_lab.ask_model import open_model
    from causarium_recite_lab.building.ask_once import Remembered

    documents = [load_slot_document(path) for path in files] if files else read_shelf()
    stored = _read_answers(out)
    served = find_served_model(model, {}, {})
    model = served.model if served else model
    replies = out.with_name(f"{out.name}.replies.jsonl")
    with (
        served.serve_to_inspect(print_note) if served else nullcontext(),
        open_model(model) as reply,
    ):
        remembered = Remembered(replies, reply, model)
        for document in documents:
            names = sorted(document.nodes)
            ask = ask_by_names(document.title, names)
            answer = read_answer(ask, remembered(ask), document.title, names)
            date = datetime.now(UTC).date().isoformat()
            answer = answer.model_copy(update={"model": model, "date": date})
            told = draw_twins(document, "near", stream(0, "names-only", document.key)).edges
            f1 = compare_edges(answer.edges, told, variables=names).f1
            typer.echo(f"{document.key}: {len(answer.edges)} edges, edge F1 {f1:.3f}")
            others = [
                one
                for one in stored["answers"]
                if (one["title"], one.get("model", "")) != (answer.title, answer.model)
            ]
            stored["answers"] = [*others, answer.model_dump(mode="json")]
            write_atomically(out, json.dumps(stored, indent=1, ensure_ascii=False) + "\n")
    replies.unlink(missing_ok=True)


def _read_answers(path: Path) -> "dict[str, list[dict[str, Any]]]":
    """Return the recorded answers of a file; none where it is not there yet.

    Raises:
        BadFile: It is no file of recorded answers.
    """
    import json

    if not path.exists():
        return {"answers": []}
    try:
        stored = json.loads(path.read_text("utf-8"))
        return {**stored, "answers": [{**one, "title": one["title"]} for one in stored["answers"]]}
    except (OSError, ValueError, TypeError, KeyError) as wrong:
        raise BadFile(f"{path} is no file of recorded answers: {wrong!r}") from wrong
