"""What the Telegram channel is told of each bot, as config.json has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

OFFICIAL: Final = "https://api.telegram.org"


class GroupMode(StrEnum):
    """What of a group is for the bot: what names it, everything, nothing."""

    MENTION = "mention"
    ALL = "all"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where Telegram brings updates to: `url` outside, `host` and `port` here."""

    url: str
    secret: str
    host: str = "127.0.0.1"
    port: int = 8443


@dataclass(frozen=True, slots=True)
class BotSettings:
    """One bot. `name` is how threads call it; the token changes, the name stays.

    Without a `webhook` it polls. `topics` are threads where it answers everything,
    as `<chat>:<topic>`. `group_context` has it read what is not for it, too.
    """

    name: str
    token: str
    base_url: str = OFFICIAL
    webhook: Webhook | None = None
    group_mode: GroupMode = GroupMode.MENTION
    group_context: bool = False
    topics: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    commands: tuple[tuple[str, str], ...] = ()
