"""Keys of config.json that say where people reach the assistant."""

from typing import Literal

from pydantic import Field

from apx.config.kinds import Credential, Name, PlatformId, Section, later


class Terminal(Section):
    """The terminal."""

    enabled: bool = Field(
        default=True, description=later("Let `apx chat` and `apx exec` in")
    )


class Bot(Section):
    """An account of the assistant on a chat platform."""

    name: Name = Field(
        default="main", description=later("How threads and logs call it")
    )
    token: Credential = Field(
        default="",
        description=later('Its token; write "${NAME}" to take the environment\'s'),
    )

    access: Literal["owner", "paired", "allowlist", "open"] = Field(
        default="paired",
        description=later(
            "Whom it listens to: the owner; people that the owner let in or who entered"
            " a code; the ids in `allow`; or anybody, as a guest"
        ),
    )
    allow: tuple[PlatformId, ...] = Field(
        default=(),
        max_length=1000,
        description=later("Ids of people, for `allowlist`; none is nobody"),
    )
    groups: tuple[PlatformId, ...] = Field(
        default=(),
        max_length=1000,
        description=later("Ids of the groups it listens to; none is no group"),
    )


class Telegram(Section):
    """Telegram."""

    enabled: bool = Field(default=False, description=later("Listen on Telegram"))
    bots: tuple[Bot, ...] = Field(
        default=(), max_length=20, description=later("The bots to run")
    )


class Discord(Section):
    """Discord."""

    enabled: bool = Field(default=False, description=later("Listen on Discord"))
    bots: tuple[Bot, ...] = Field(
        default=(), max_length=20, description=later("The bots to run")
    )


class Channels(Section):
    """Where people reach the assistant."""

    terminal: Terminal = Field(default=Terminal(), description="The terminal")
    telegram: Telegram = Field(default=Telegram(), description=later("Telegram"))
    discord: Discord = Field(default=Discord(), description=later("Discord"))
