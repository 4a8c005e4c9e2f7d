"""Reference players by the name of a model, so that every viewer of logs says who played.

A run without a model needs one all the same: Inspect writes its name into the log. This one is
never asked for anything.
"""

from typing import NoReturn

from inspect_ai.model import GenerateConfig, ModelAPI, modelapi

from causarium.errors import RunError

PROVIDER = "player"


@modelapi(PROVIDER)
class PlayerModel(ModelAPI):
    """Stands for a player; it cannot be asked."""

    def __init__(self, model_name: str, **_: object) -> None:
        super().__init__(model_name, config=GenerateConfig())

    async def generate(self, *_: object, **__: object) -> NoReturn:
        """Refuse: players play without a model.

        Raises:
            RunError: Always.
        """
        raise RunError(f"{PROVIDER}/{self.model_name} is a reference player, not a model")
