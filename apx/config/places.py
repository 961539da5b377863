"""Keys of config.json that say where people reach the assistant."""

from typing import Annotated, Final, Literal

from pydantic import Field, field_validator, model_validator

from apx.config.kinds import (
    Address,
    Credential,
    Expect,
    Name,
    OptionalAddress,
    PlatformId,
    Section,
    Snowflake,
    later,
    refused,
)

_NAME: Final = "How threads and logs call it"
_KEY: Final = 'Its token; write "${NAME}" to take the environment\'s'
_ACCESS: Final = (
    "Whom it listens to: the owner; people that the owner let in or who entered"
    " a code; the ids in `allow`; or anybody, as a guest"
)
_ALLOW: Final = "Ids of people, for `allowlist`; none is nobody"
_GROUPS: Final = "Ids of the groups it listens to; none is no group"
_BOTS: Final = "The bots to run"

Topic = Annotated[
    str,
    Expect("a group's and a topic's id such as -100123:45"),
    Field(pattern=r"^-?[0-9]{1,20}:[0-9]{1,20}$"),
]
HookSecret = Annotated[
    str,
    Expect("1 to 256 letters, digits, _ and -"),
    Field(pattern=r"^[A-Za-z0-9_-]{0,256}$", repr=False),
]


class Terminal(Section):
    """The terminal."""

    enabled: bool = Field(
        default=True, description=later("Let `apx chat` and `apx exec` in")
    )


class Webhook(Section):
    """Where Telegram brings messages to, instead of being asked for them."""

    url: OptionalAddress = Field(
        default="", description="Its address as Telegram reaches it, with https"
    )
    secret_token: HookSecret = Field(
        default="", description="What Telegram has to say to be believed"
    )
    host: str = Field(default="127.0.0.1", description="Where it listens here")
    port: int = Field(
        default=8443, ge=1, le=65_535, description="On which port it listens here"
    )


class TelegramBot(Section):
    """An account of the assistant on Telegram."""

    name: Name = Field(default="main", description=_NAME)
    token: Credential = Field(default="", description=_KEY)
    access: Literal["owner", "paired", "allowlist", "open"] = Field(
        default="paired", description=_ACCESS
    )
    allow: tuple[PlatformId, ...] = Field(
        default=(), max_length=1000, description=_ALLOW
    )
    groups: tuple[PlatformId, ...] = Field(
        default=(), max_length=1000, description=_GROUPS
    )
    group_mode: Literal["mention", "all", "off"] = Field(
        default="mention",
        description="What of a group is for it: what names it or replies to it, all,"
        " or nothing",
    )
    group_context: bool = Field(
        default=False,
        description="Whether it reads the rest of a group, too, as what was said there;"
        " its privacy mode has to be off for that",
    )
    topics: tuple[Topic, ...] = Field(
        default=(),
        max_length=1000,
        description="Topics of groups in which all is for it, as GROUP:TOPIC",
    )
    mode: Literal["polling", "webhook"] = Field(
        default="polling", description="How messages come: it asks for them, or a hook"
    )
    webhook: Webhook = Field(
        default=Webhook(),
        description="Where Telegram brings messages to in mode webhook",
    )
    base_url: Address = Field(
        default="https://api.telegram.org",
        description="Address of the Bot API, such as a local server of yours",
    )

    @model_validator(mode="after")
    def _has_a_hook(self) -> "TelegramBot":
        hook = self.webhook
        if self.mode == "webhook" and not (hook.url and hook.secret_token):
            raise refused(
                'mode "webhook" needs webhook.url and webhook.secret_token beside it'
            )
        return self


class DiscordBot(Section):
    """An account of the assistant on Discord."""

    name: Name = Field(default="main", description=_NAME)
    token: Credential = Field(default="", description=_KEY)
    access: Literal["owner", "paired", "allowlist", "open"] = Field(
        default="paired", description=_ACCESS
    )
    allow: tuple[PlatformId, ...] = Field(
        default=(), max_length=1000, description=_ALLOW
    )
    guilds: tuple[Snowflake, ...] = Field(
        default=(),
        max_length=1000,
        description="Ids of the guilds (servers) it listens to; none is no guild",
    )
    guild_mode: Literal["mention", "all", "off"] = Field(
        default="mention",
        description="What of a guild is for it: what names it or replies to it, all, or"
        " nothing",
    )
    guild_context: bool = Field(
        default=False,
        description="Whether it reads the rest of a channel, too, as what was said"
        " there; it needs the Message Content intent for that",
    )
    channels: tuple[Snowflake, ...] = Field(
        default=(),
        max_length=1000,
        description="Ids of channels, forums and threads in which all is for it",
    )
    thread_mode: Literal["off", "auto"] = Field(
        default="off",
        description="Whether a question in a channel gets a thread of its own",
    )


def _must_differ(bots: "tuple[TelegramBot | DiscordBot, ...]") -> None:
    names = [bot.name for bot in bots]
    if len(set(names)) < len(names):
        raise refused("two bots have the same name; each needs one of its own")
    tokens = [bot.token for bot in bots if bot.token]
    if len(set(tokens)) < len(tokens):
        raise refused("two bots have the same token; one would cut off the other")


class Telegram(Section):
    """Telegram."""

    enabled: bool = Field(default=False, description="Let `apx run` listen on Telegram")
    bots: tuple[TelegramBot, ...] = Field(default=(), max_length=20, description=_BOTS)

    @field_validator("bots")
    @classmethod
    def _differ(cls, bots: tuple[TelegramBot, ...]) -> tuple[TelegramBot, ...]:
        _must_differ(bots)
        hooks = [
            (bot.webhook.host, bot.webhook.port)
            for bot in bots
            if bot.mode == "webhook"
        ]
        if len(set(hooks)) < len(hooks):
            raise refused("two webhooks have the same port; each needs one of its own")
        return bots


class Discord(Section):
    """Discord."""

    enabled: bool = Field(default=False, description="Let `apx run` listen on Discord")
    bots: tuple[DiscordBot, ...] = Field(default=(), max_length=20, description=_BOTS)
    base_url: Address = Field(
        default="https://discord.com",
        description="Address of Discord's API, such as a proxy of yours",
    )

    @field_validator("bots")
    @classmethod
    def _differ(cls, bots: tuple[DiscordBot, ...]) -> tuple[DiscordBot, ...]:
        _must_differ(bots)
        return bots


class Channels(Section):
    """Where people reach the assistant."""

    terminal: Terminal = Field(default=Terminal(), description="The terminal")
    telegram: Telegram = Field(default=Telegram(), description="Telegram")
    discord: Discord = Field(default=Discord(), description="Discord")
