"""What comes to a conversation beside its messages: edits, overheard words, buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from apx.domain.errors import HomeError, InputError, StoreError
from apx.domain.heard import What
from apx.domain.person import Role
from apx.domain.turn import message_key

if TYPE_CHECKING:
    from datetime import datetime

    from apx.agent.commands import Commands
    from apx.agent.gateway import Gateway
    from apx.domain.heard import Button, Heard
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound, Turn
    from apx.store.ledger import Ledger

log = structlog.get_logger(__name__)


class Beside:
    """Takes what begins no turn."""

    def __init__(self, ledger: Ledger, commands: Commands, gateway: Gateway) -> None:
        self._ledger = ledger
        self._commands = commands
        self._gateway = gateway

    async def amend(self, heard: Inbound, revision: str) -> bool:
        """Take what a person made of an earlier message; false if there is none.

        A command is none by then.
        """
        if not heard.text or self._commands.knows(heard.text):
            return True
        is_known = await self._ledger.edit(heard, revision)
        await self._gateway.join(heard.thread)
        return is_known

    async def overhear(self, heard: Heard) -> None:
        """Keep for a while what was said in a room, but not to the assistant.

        An edit only changes what was overheard before.
        """
        is_new = heard.what is not What.EDIT
        await self._ledger.overhear(heard, is_new=is_new)

    async def gone(self, thread: Thread, external_id: str, at: datetime) -> None:
        """Let nothing come of a message that was deleted, if nothing has by now.

        A turn that was asked other things besides goes on.
        """
        key = message_key(thread, external_id)
        await self._ledger.unhear(thread, external_id)
        if await self._ledger.withdraw(thread, key, at):
            return
        run = self._gateway.runs.get(thread)
        turn = await self._ledger.turn_of(key) if run else None
        is_its = run is not None and turn is not None and turn.id == run.turn.id
        if run and is_its and await self._ledger.is_alone(key):
            run.stop()

    async def choices(self, heard: Inbound) -> tuple[Button, ...]:
        """Give what may be pressed under the answer of a chat command."""
        run = self._gateway.runs.get(heard.thread)
        return await self._commands.choices(heard, run)

    async def command(self, inbound: Inbound) -> str | None:
        """Do a chat command, if it is one; what is wrong with it is its answer.

        A terminal has exit codes for that. Else what cannot be read now would be
        brought again for ever, and nobody behind it heard.
        """
        try:
            return await self._gateway.order(inbound)
        except InputError as error:
            return str(error)
        except (StoreError, HomeError) as error:
            log.warning("command_failed", error=str(error))
            is_owner = inbound.role is Role.OWNER
            return f"That did not work{f': {error}' if is_owner else ' here'}."

    async def order(self, heard: Inbound) -> str | None:
        """Do what a button stands for, as if it had been typed."""
        return await self._gateway.order(heard)

    async def about(self, thread: Thread, word: str) -> Turn | None:
        """Give the turn that `/stop` or `/retry` would be about now, if any."""
        if word == "retry":
            return await self._ledger.newest(thread)
        run = self._gateway.runs.get(thread)
        return run.turn if run else None
