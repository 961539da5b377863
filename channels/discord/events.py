"""Who is told of which event of the gateway: nothing that it says ends anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from discord import DiscordException

from apx.domain.errors import ApxError
from channels.discord import vendor
from channels.discord.failures import MALFORMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from discord import Client

    Taker = Callable[[Any], None]

log = structlog.get_logger(__name__)

# All that reading an event may strike, in discord.py's parsers and in ours.
_FAILURES: Final = (
    *MALFORMED,
    ApxError,
    DiscordException,
    OSError,
    AssertionError,
    RuntimeError,
)


class Events(Protocol):
    """Who hears what Discord says, raw; it takes note at once and does it later.

    After `ready`, some of what was said before may never come; after `resumed` all of
    it has. What is repeated may come twice. A guild that only fails is not gone.
    """

    def ready(self, raw: dict[str, Any]) -> None:
        """Take note of a fresh session."""
        ...

    def resumed(self) -> None:
        """Take note that a session goes on."""
        ...

    def guild(self, raw: dict[str, Any]) -> None:
        """Take a guild that can be read; the cache knows it."""
        ...

    def guild_gone(self, raw: dict[str, Any]) -> None:
        """Take note that the bot is in a guild no more."""
        ...

    def thread(self, raw: dict[str, Any]) -> None:
        """Take a thread that began, or that the bot was taken into."""
        ...

    def message(self, raw: dict[str, Any]) -> None:
        """Take a message."""
        ...

    def edited(self, raw: dict[str, Any]) -> None:
        """Take what a message is now; only what changed may be in it."""
        ...

    def deleted(self, channel_id: int, message_ids: tuple[int, ...]) -> None:
        """Take note that messages are gone."""
        ...

    def interaction(self, raw: dict[str, Any]) -> None:
        """Take a command or a button."""
        ...


def listen(client: Client, ears: Events, settled: Callable[[], None]) -> None:
    """Bring events to who hears them, once a client.

    `settled` is told that a session stands, fresh or taken up again, before all others.
    """
    ours: dict[str, Taker] = {
        "MESSAGE_CREATE": ears.message,
        "MESSAGE_UPDATE": ears.edited,
        "MESSAGE_DELETE": lambda raw: ears.deleted(
            int(raw["channel_id"]), (int(raw["id"]),)
        ),
        "MESSAGE_DELETE_BULK": lambda raw: ears.deleted(
            int(raw["channel_id"]), tuple(map(int, raw["ids"]))
        ),
        "INTERACTION_CREATE": ears.interaction,
    }
    both: dict[str, Taker] = {
        "READY": ears.ready,
        "RESUMED": lambda _: ears.resumed(),
        "GUILD_CREATE": _settled_only(ears.guild),
        "GUILD_DELETE": _settled_only(ears.guild_gone),
        "THREAD_CREATE": ears.thread,
    }
    first: dict[str, Taker] = dict.fromkeys(("READY", "RESUMED"), lambda _: settled())
    parsers = vendor.parsers(client)
    for name, parser in list(parsers.items()):
        takers = [first[name]] if name in first else []
        takers.append(ours.get(name, parser))
        takers += [both[name]] if name in both else []
        parsers[name] = _guarded(name, takers)


def _settled_only(taker: Taker) -> Taker:
    """Leave out what is about Discord's own trouble, not about being in a guild."""

    def told(raw: Any) -> None:  # noqa: ANN401 -- as it comes
        if not raw.get("unavailable"):
            taker(raw)

    return told


def _guarded(name: str, takers: list[Taker]) -> Taker:
    """Tell each, whatever the others make of it."""

    def told(raw: Any) -> None:  # noqa: ANN401 -- as it comes
        for taker in takers if isinstance(raw, dict) else ():
            try:
                taker(raw)
            except _FAILURES as error:
                # Its words may be somebody's.
                log.warning(
                    "discord_event_unread", kind=name, error=type(error).__name__
                )

    return told
