"""Keys of config.json that say where people reach the assistant."""

from pydantic import Field

from apx.config.kinds import Credential, Name, Section, later


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
