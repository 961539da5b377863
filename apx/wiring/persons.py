"""Who is who in a home, what they may see, and the doors that they come through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.agent.confirming import Confirmations
from apx.agent.newcomers import Newcomers
from apx.agent.notices import Notices
from apx.agent.parting import Parting
from apx.agent.sights import Sights
from apx.agent.worries import Worries
from apx.domain.access import Access, Rules
from apx.store.codes import Codes
from apx.store.people import People
from apx.store.strangers import Strangers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.config import Config
    from apx.config.places import DiscordBot, TelegramBot
    from apx.ports import Channel, Clock
    from apx.store.database import Database
    from apx.store.threads import Threads


@dataclass(frozen=True, slots=True)
class Persons:
    """The rooms of people, and what tells them something unasked."""

    people: People
    codes: Codes
    newcomers: Newcomers
    sights: Sights
    confirmations: Confirmations
    parting: Parting
    worries: Worries


def persons(
    database: Database,
    threads: Threads,
    channels: Mapping[str, Channel],
    clock: Clock,
) -> Persons:
    """Build them on the ledger and on the channels that are here."""
    people, codes = People(database), Codes(database)
    notices = Notices(threads, channels)
    return Persons(
        people=people,
        codes=codes,
        newcomers=Newcomers(people, codes, Strangers(database), notices, clock),
        sights=Sights(people, threads, channels),
        confirmations=Confirmations(),
        parting=Parting(people),
        worries=Worries(channels, notices, clock),
    )


def rules(config: Config) -> dict[str, dict[str, Rules]]:
    """Say whom each bot listens to, by channel and bot."""
    channels = config.channels
    return {
        "telegram": {
            bot.name: _rules(bot, bot.groups) for bot in channels.telegram.bots
        },
        "discord": {bot.name: _rules(bot, bot.guilds) for bot in channels.discord.bots},
    }


def _rules(bot: TelegramBot | DiscordBot, groups: Sequence[str]) -> Rules:
    return Rules(Access(bot.access), frozenset(bot.allow), frozenset(groups))
