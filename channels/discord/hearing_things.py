"""What a message holds that is neither words nor a file, named in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from channels.shared.raw import Raw, part, parts, word

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST: Final = 4_000
_STICKERS: Final = 3
_EMBEDS: Final = 10


def named(message: Raw) -> str:
    """Name what is there, such as `[sticker: Wave]`; empty if nothing."""
    told = [
        f"[sticker: {word(one, 'name')[:_MOST]}]"
        for one in parts(message, "sticker_items")[:_STICKERS]
    ]
    if poll := part(message, "poll"):
        told.append(f"[poll: {'; '.join(filter(None, _poll(poll)))[:_MOST]}]")
    return "\n".join(told)


def embedded(message: Raw) -> str:
    """Give the words of a bot's cards; previews of links are nobody's words."""
    cards = [one for one in parts(message, "embeds") if one.get("type") == "rich"]
    told = ("\n".join(filter(None, _card(card))) for card in cards[:_EMBEDS])
    return "\n".join(filter(None, told))[:_MOST]


def _poll(poll: Raw) -> Iterator[str]:
    yield word(part(poll, "question"), "text")
    for answer in parts(poll, "answers"):
        media = part(answer, "poll_media")
        yield word(media, "text") or word(part(media, "emoji"), "name")


def _card(card: Raw) -> Iterator[str]:
    yield word(part(card, "author"), "name")
    yield word(card, "title")
    yield word(card, "description")
    for field in parts(card, "fields"):
        yield ": ".join(filter(None, (word(field, "name"), word(field, "value"))))
    yield word(part(card, "footer"), "text")
