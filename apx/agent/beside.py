"""What comes to a conversation beside its messages: edits, overheard words, buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apx.agent.commands import Commands
    from apx.agent.gateway import Gateway
    from apx.domain.heard import Button, Heard
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound, Turn
    from apx.store.ledger import Ledger


class Beside:
    """Takes what begins no turn."""

    def __init__(self, ledger: Ledger, commands: Commands, gateway: Gateway) -> None:
        self._ledger = ledger
        self._commands = commands
        self._gateway = gateway

    async def amend(self, heard: Inbound, revision: str) -> None:
        """Take what a person made of an earlier message; a command is none by then."""
        if heard.text and not self._commands.knows(heard.text):
            await self._ledger.edit(heard, revision)

    async def overhear(self, heard: Heard) -> None:
        """Keep for a while what was said in a room, but not to the assistant."""
        await self._ledger.overhear(heard)

    async def choices(self, heard: Inbound) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a chat command."""
        run = self._gateway.runs.get(heard.thread)
        return await self._commands.choices(heard, run)

    async def order(self, heard: Inbound) -> str | None:
        """Do what a button stands for, as if it had been typed."""
        return await self._gateway.order(heard)

    async def about(self, thread: Thread, word: str) -> Turn | None:
        """Give the turn that `/stop` or `/retry` would be about now, if any."""
        if word == "retry":
            return await self._ledger.newest(thread)
        run = self._gateway.runs.get(thread)
        return run.turn if run else None
