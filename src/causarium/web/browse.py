"""Families, their sets, one instance; the secret part only when it is asked for."""

import json
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.rules import EDITIONS, Edition, check_edition
from causarium.contract.sets.instance_sets import find_set, generate_one
from causarium.engine.logbook.browse_logs import shelve
from causarium.players.direct_runner import certify_instance
from causarium.web.page_templates import PAGE, number, page


class Browsing:
    """Pages on what there is to play, and on the runs at hand."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs

    async def home(self, request: Request) -> Response:  # noqa: ARG002
        """Show the runs and the families."""
        shelf = await to_thread.run_sync(shelve, self._logs)
        runs = [
            {
                "log": str(one.log.path.relative_to(self._logs)),
                "status": one.log.status,
                "about": one.log.about,
                "when": one.log.path.name[:16].replace("T", " "),
                "expected": one.log.expected,
                "problem": one.problem,
            }
            for one in shelf
        ]
        known = [families.get(name) for name in families.names()]
        return page("home.html", runs=runs, families=known, logs=str(self._logs))

    async def family(self, request: Request) -> Response:
        """Show a family's card."""
        family = families.get(request.path_params["family"])
        return page("family.html", family=family, card=family.card, editions=EDITIONS)

    async def set(self, request: Request) -> Response:
        """Show a set's instances, a page at a time."""
        family, edition, name = _asked(request)
        spec = family.card.sets[edition][name]
        at = number(request.query_params.get("page"), 1, least=1)
        first, last = (at - 1) * PAGE, min(at * PAGE, spec.size)
        return page(
            "set.html",
            family=family,
            edition=edition,
            name=name,
            spec=spec,
            numbers=range(first, last),
            at=at,
            pages=-(-spec.size // PAGE),
        )

    async def instance(self, request: Request) -> Response:
        """Show an instance as an agent sees it."""
        family, edition, name = _asked(request)
        at = request.path_params["number"]
        instance = await to_thread.run_sync(generate_one, family, edition, name, at)
        rules = family.rules_for(edition)
        return page(
            "instance.html",
            family=family,
            edition=edition,
            name=name,
            number=at,
            instance=instance,
            prompt=family.prompt(instance.public, rules),
            interfaces=family.rules.interfaces,
        )

    async def secret(self, request: Request) -> Response:
        """Show what only the scorer knows."""
        family, edition, name = _asked(request)
        at = request.path_params["number"]
        instance = await to_thread.run_sync(generate_one, family, edition, name, at)
        secret = json.dumps(instance.secret.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return page("secret.html", secret=secret, facets=instance.facets)

    async def proofs(self, request: Request) -> Response:
        """Show what is proven about an instance; this may take a while."""
        family, edition, name = _asked(request)
        at = request.path_params["number"]
        instance = await to_thread.run_sync(generate_one, family, edition, name, at)
        found = await to_thread.run_sync(
            lambda: certify_instance(family, instance, family.rules_for(edition))
        )
        return page("proofs.html", found=found)


def _asked(request: Request) -> tuple[AnyFamily, Edition, str]:
    family = families.get(request.path_params["family"])
    edition, name = check_edition(request.path_params["edition"]), request.path_params["set"]
    find_set(family, edition, name)
    return family, edition, name
