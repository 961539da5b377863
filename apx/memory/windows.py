"""How long a prompt each model takes: what it says, and what it turned out to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.budget import budget

if TYPE_CHECKING:
    from apx.ports import ChatModel


class Windows:
    """Keeps for the life of the process what overflows taught."""

    def __init__(self) -> None:
        self._learnt: dict[str, int] = {}

    def limit(self, model: ChatModel) -> int:
        """Say how many tokens a prompt for this model may have."""
        limit = budget(model.window)
        return min(limit, self._learnt.get(model.name, limit))

    def learn(self, model: ChatModel, tokens: int) -> int:
        """Keep that a longer prompt was too long; gives the new limit."""
        self._learnt[model.name] = min(self.limit(model), tokens)
        return self._learnt[model.name]

    def restore(self, model: ChatModel, limit: int) -> None:
        """Go back to an earlier limit: a shorter prompt did not help the model."""
        self._learnt[model.name] = limit
