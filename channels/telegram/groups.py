"""What of a group is for the bot, and the words of it without the bot's name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from channels.shared.naming import without
from channels.shared.raw import Raw, maybe_number, part, parts, said, section, word
from channels.telegram.settings import GroupMode
from channels.telegram.updates import is_group, topic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.telegram.settings import BotSettings

_GENERAL: Final = 1


@dataclass(frozen=True, slots=True)
class Me:
    """The bot as Telegram knows it."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Words:
    """The text of a message; whether it is for us, or for another bot alone."""

    text: str
    is_ours: bool
    is_anothers: bool = False


@dataclass(frozen=True, slots=True)
class _Entity:
    kind: str
    begin: int
    end: int
    covered: str
    user: int


def words(message: Raw, me: Me, settings: BotSettings, *, is_ours: bool) -> Words:
    """Read the words of a message and say whether the bot is meant.

    `is_ours` says that it is anyway, such as a picture of an album that is.
    """
    text, entities = _written(message)
    if not is_group(section(message, "chat")):
        return Words(_commanded(text, entities), is_ours=True)
    command = _command(entities)
    name, _, whose = command.partition("@")
    if whose and whose.lower() != me.username.lower():
        return Words(text, is_ours=False, is_anothers=True)
    mentions = [one for one in entities if _is_us(one, me)]
    known = {told for told, _ in settings.commands}
    meant = is_ours or bool(whose or mentions) or name.lower() in known
    return Words(
        _commanded(without(text, [(one.begin, one.end) for one in mentions]), entities),
        is_ours=meant or answers_us(message, me) or _is_open(message, settings),
    )


def answers_us(message: Raw, me: Me) -> bool:
    """Whether a message is a reply to one of the bot's own."""
    replied = part(message, "reply_to_message")
    if not replied or is_beginning(message):
        return False
    return maybe_number(part(replied, "from"), "id") == me.id


def is_beginning(message: Raw) -> bool:
    """Whether the reply is only a topic's first message, which clients put there."""
    replied = part(message, "reply_to_message")
    root = maybe_number(replied, "message_id")
    return root > 0 and root == topic(message)


def _is_open(message: Raw, settings: BotSettings) -> bool:
    """Whether everything said there is for the bot."""
    if settings.group_mode is GroupMode.ALL:
        return True
    chat = section(message, "chat")
    where = topic(message) or (_GENERAL if chat.get("is_forum") is True else None)
    return f"{maybe_number(chat, 'id')}:{where}" in settings.topics


def _is_us(entity: _Entity, me: Me) -> bool:
    if entity.kind == "text_mention":
        return entity.user == me.id
    return (
        entity.kind == "mention" and entity.covered.lower() == f"@{me.username.lower()}"
    )


def _command(entities: list[_Entity]) -> str:
    """Give the command that a message begins with, without its stroke."""
    first = entities[0] if entities else None
    if first is None or first.kind != "bot_command" or first.begin:
        return ""
    return first.covered.removeprefix("/")


def _commanded(text: str, entities: list[_Entity]) -> str:
    """Write `/new@our_bot x` as `/new x`."""
    name, at, _ = _command(entities).partition("@")
    return f"/{name}{text[entities[0].end :]}" if at else text


def _written(message: Raw) -> tuple[str, list[_Entity]]:
    """Give what its sender wrote: names in a forwarded text call nobody."""
    if part(message, "forward_origin") or part(message, "via_bot"):
        return "", []
    key = "text" if message.get("text") is not None else "caption"
    text = said(message, key)
    listed = parts(message, "entities" if key == "text" else "caption_entities")
    return text, sorted(_placed(text, listed), key=lambda one: one.begin)


def _placed(text: str, listed: list[Raw]) -> Iterator[_Entity]:
    """Give entities by characters: Telegram counts in halves of UTF-16."""
    halves = text.encode("utf-16-le", "surrogatepass")
    for raw in listed:
        begin, length = maybe_number(raw, "offset"), maybe_number(raw, "length")
        if begin < 0 or length <= 0 or 2 * (begin + length) > len(halves):
            continue
        before = _read(halves[: 2 * begin])
        covered = _read(halves[2 * begin : 2 * (begin + length)])
        yield _Entity(
            kind=word(raw, "type"),
            begin=len(before),
            end=len(before) + len(covered),
            covered=covered,
            user=maybe_number(part(raw, "user"), "id"),
        )


def _read(halves: bytes) -> str:
    return halves.decode("utf-16-le", "surrogatepass")
