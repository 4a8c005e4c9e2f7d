"""The causal graph of a published game, read off its description."""

from causarium.families.causalgame.paper.model.game import Game
from causarium.scm.dag import Dag, bits


class Graph:
    """The structural variables of a game by name, and what causes what."""

    def __init__(self, game: Game) -> None:
        by_key = {variable.key: number for number, variable in enumerate(game.variables)}
        self.names: tuple[str, ...] = tuple(variable.name for variable in game.variables)
        self.dag: Dag = Dag.of(
            len(self.names),
            [(by_key[p], by_key[v.key]) for v in game.variables for p in v.parents],
        )

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All pairs of cause and effect."""
        return tuple((self.names[a], self.names[b]) for a, b in self.dag.edges)

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the direct causes of a variable."""
        return self._name_nodes(self.dag.parents[self.names.index(name)])

    def descendants(self, name: str) -> tuple[str, ...]:
        """Return everything that a variable can change, itself left out."""
        node = self.names.index(name)
        return self._name_nodes(self.dag.descendants[node] & ~(1 << node))

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Return everything that can change a variable, itself left out."""
        node = self.names.index(name)
        return self._name_nodes(self.dag.ancestors[node] & ~(1 << node))

    def _name_nodes(self, mask: int) -> tuple[str, ...]:
        return tuple(self.names[node] for node in bits(mask))
