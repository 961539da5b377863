"""The chat command about which model answers in a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.errors import ConfigError, InputError
from apx.domain.event import Event, EventKind
from apx.domain.heard import Button
from apx.domain.person import Role

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from apx.agent.asked import Asked, Choices, Command
    from apx.store.ledger import Ledger

    Told = Callable[[], Awaitable[str]]
    Offered = Callable[[str], Awaitable[Sequence[str]]]
    Check = Callable[[str, Role, str], Awaitable[object]]

USUAL: Final = "usual"
# What fits a button of a platform, in bytes.
_LONGEST: Final = 64


class ModelCommands:
    """Shows and changes the model of a conversation.

    `usual` names the one that answers unasked, `offered` those that a person may have,
    and `check` raises where they may not have one.
    """

    def __init__(
        self, ledger: Ledger, usual: Told, offered: Offered, check: Check
    ) -> None:
        self._ledger = ledger
        self._usual = usual
        self._offered = offered
        self._check = check

    def known(self) -> Mapping[str, Command]:
        """Give the command by its name."""
        return {"model": self._model}

    def choices(self) -> Mapping[str, Choices]:
        """Give what may be pressed under its answer."""
        return {"model": self._buttons}

    async def _model(self, asked: Asked) -> str:
        name = asked.rest.strip()
        if not name:
            return await self._shown(asked)
        if asked.heard.role is Role.GUEST and asked.heard.audience.thread:
            return "A room's model is not a guest's to choose."
        chosen = "" if name.lower() == USUAL else name
        is_owner = asked.heard.role is Role.OWNER
        offered = await self._offered(asked.heard.person)
        if chosen and not is_owner and chosen not in offered:
            return f"{chosen} is not offered to you: {', '.join(offered)}"
        try:
            await self._check(asked.heard.person, asked.heard.role, chosen)
        except (InputError, ConfigError) as error:
            return str(error)
        await self._ledger.record(
            Event(
                kind=EventKind.MODEL,
                op=f"model/{asked.heard.key}/{asked.heard.at.isoformat()}",
                at=asked.heard.at,
                body={"model": chosen},
                thread=str(asked.heard.thread),
                person=asked.heard.person,
                audience=str(asked.heard.audience),
            )
        )
        return f"{chosen or await self._usual()} answers in this conversation now."

    async def _shown(self, asked: Asked) -> str:
        chosen = await self._ledger.model_of(asked.heard.thread)
        lines = [f"{chosen or await self._usual()} answers."]
        others = await self._offered(asked.heard.person)
        if others:
            lines.append(f"/model NAME changes it here: {', '.join(others)}")
        if chosen:
            lines.append(f"/model {USUAL} goes back to {await self._usual()}.")
        if asked.heard.role is Role.OWNER:
            lines.append("For all conversations: apx config set super_agent.model NAME")
        return "\n".join(lines)

    async def _buttons(self, asked: Asked) -> tuple[Button, ...]:
        if asked.rest.strip():
            return ()
        names = [*await self._offered(asked.heard.person), USUAL]
        made = [Button(name, f"model:{name}") for name in names]
        return tuple(b for b in made if len(b.data.encode()) <= _LONGEST)
