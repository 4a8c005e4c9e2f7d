"""Families, their sets, one instance; the secret part only when it is asked for."""

import json

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from causarium import families
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import EDITIONS, Edition, check_edition
from causarium.contract.sets.instance_sets import find_set, generate_one
from causarium.players.direct_runner import certify_instance
from causarium.web.games import GameStore
from causarium.web.page_templates import PAGE, draw_slowly, number, page


class BrowsePages:
    """Pages on what there is to play."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def family(self, request: Request) -> Response:
        """Show a family's card."""

        def show() -> Response:
            family = families.get(request.path_params["family"])
            return page("family.html", family=family, card=family.card, editions=EDITIONS)

        return await to_thread.run_sync(show)

    async def set(self, request: Request) -> Response:
        """Show a set's instances, a page at a time."""
        return await to_thread.run_sync(self._show_set, request)

    def _show_set(self, request: Request) -> Response:
        family, edition, name = _read_path(request)
        spec = family.card.sets[edition][name]
        pages = -(-spec.size // PAGE)
        shown_page = number(request.query_params.get("page"), 1, least=1, most=pages)
        first, last = (shown_page - 1) * PAGE, min(shown_page * PAGE, spec.size)
        return page(
            "set.html",
            family=family,
            edition=edition,
            name=name,
            spec=spec,
            numbers=range(first, last),
            at=shown_page,
            pages=pages,
        )

    async def instance(self, request: Request) -> Response:
        """Show an instance as an agent sees it."""
        return await to_thread.run_sync(self._show_instance, request)

    def _show_instance(self, request: Request) -> Response:
        family, edition, name = _read_path(request)
        place = request.path_params["number"]
        instance = generate_one(family, edition, name, place)
        rules = family.rules_for(edition)
        return page(
            "instance.html",
            family=family,
            edition=edition,
            name=name,
            number=place,
            instance=instance,
            prompt=family.prompt(instance.public, rules),
            interfaces=family.rules.interfaces,
            is_open=self._store.is_open(instance.id),
        )

    async def secret(self, request: Request) -> Response:
        """Show what only the scorer knows; whoever looks is noted."""
        return await to_thread.run_sync(self._show_secret, request)

    def _show_secret(self, request: Request) -> Response:
        _, instance = self._peek(request)
        secret = json.dumps(instance.secret.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return page("secret.html", secret=secret, facets=instance.facets)

    async def proofs(self, request: Request) -> Response:
        """Show what is proven about an instance; this may take a while."""

        def prove() -> Response:
            family, instance = self._peek(request)
            edition = check_edition(request.path_params["edition"])
            return page("proofs.html", found=certify_instance(family, instance, edition))

        return await draw_slowly(prove)

    def _peek(self, request: Request) -> tuple[AnyFamily, AnyInstance]:
        """Return an instance whose truth is about to be shown, and note that it is."""
        family, edition, name = _read_path(request)
        instance = generate_one(family, edition, name, request.path_params["number"])
        self._store.refuse_peek(instance.id, (family.name, edition, name))
        self._store.note_peek(instance.id)
        return family, instance


def _read_path(request: Request) -> tuple[AnyFamily, Edition, str]:
    family = families.get(request.path_params["family"])
    edition, name = check_edition(request.path_params["edition"]), request.path_params["set"]
    find_set(family, edition, name)
    return family, edition, name
