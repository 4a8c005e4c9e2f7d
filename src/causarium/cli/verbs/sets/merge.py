"""`causarium merge`: put together what shards have made."""

from typing import Annotated

import typer

from causarium.cli.options import AsJson
from causarium.cli.shared import INCOMPLETE, print_json, print_note


def merge(
    place: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of shards; URLs too.")],
    *,
    json: AsJson = False,
) -> None:
    """Merge the results of shards: the parts of a set, or the shares of an audit.

    Logs of shards need no merging: `causarium report` and `score` combine them.
    """
    from causarium.api.scale.audit_many import holds_audit, merge_audit
    from causarium.api.scale.make_parts import merge_parts
    from causarium.report.output.print_audit import print_audit

    if holds_audit(place):
        audited = merge_audit(place)
        print_json(audited.flat()) if json else print_audit(audited)
        if not audited.kept:
            raise typer.Exit(1)
        return
    manifest = merge_parts(place)
    uncertified = sum(part.uncertified for part in manifest.parts)
    if json:
        print_json(manifest.model_dump(mode="json"))
    else:
        print_note(f"{manifest.instances} instances in {place}, {manifest.digest}")
    if uncertified:
        print_note(f"{uncertified} instances are not certified")
        raise typer.Exit(INCOMPLETE)
