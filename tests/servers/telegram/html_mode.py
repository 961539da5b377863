"""parse_mode HTML: tags become entities, or the whole text is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.servers.telegram.entities import Entity, units
from tests.servers.telegram.refused import Refused, bad

_TYPES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));?")
_TAG = re.compile(r"<(/?)([^\s>/]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"""([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


@dataclass
class _Open:
    tag: str
    attributes: dict[str, str]
    offset: int
    at: int


def parse(source: str) -> tuple[str, list[Entity]]:
    """Give the text that a person reads, and what is marked in it."""
    return _Reading(source).read()


class _Reading:
    def __init__(self, source: str) -> None:
        self.source = source
        self.text = ""
        self.entities: list[Entity] = []
        self.open: list[_Open] = []

    def read(self) -> tuple[str, list[Entity]]:
        position = 0
        while (start := self.source.find("<", position)) >= 0:
            self.text += _plain(self.source[position:start])
            position = self._tag(start)
        self.text += _plain(self.source[position:])
        if self.open:
            tag = self.open[-1].tag
            raise _cannot(f'Can\'t find end tag corresponding to start tag "{tag}"')
        self.entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return self.text, self.entities

    def _tag(self, start: int) -> int:
        at = len(self.source[:start].encode())
        hit = _TAG.match(self.source, start)
        if not hit:
            raise _cannot(f"Unclosed start tag at byte offset {at}")
        closing, name, rest = hit[1], hit[2].lower(), hit[3]
        if closing:
            self._close(name, at)
        else:
            self._begin(name, rest, at)
        return hit.end()

    def _begin(self, name: str, rest: str, at: int) -> None:
        attributes = {
            hit[1].lower(): _plain(hit[2] or hit[3] or hit[4] or "")
            for hit in _ATTRIBUTE.finditer(rest)
        }
        if name not in _TYPES:
            raise _cannot(f'Unsupported start tag "{name}" at byte offset {at}')
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise _cannot(
                f'Tag "span" must have class "tg-spoiler" at byte offset {at}'
            )
        self.open.append(_Open(name, attributes, units(self.text), at))

    def _close(self, name: str, at: int) -> None:
        if not self.open:
            raise _cannot(f"Unexpected end tag at byte offset {at}")
        opened = self.open.pop()
        if name and name != opened.tag:
            raise _cannot(
                f"Unmatched end tag at byte offset {at}, "
                f'expected "</{opened.tag}>", found "</{name}>"'
            )
        length = units(self.text) - opened.offset
        if length:
            self._mark(opened, length)

    def _mark(self, opened: _Open, length: int) -> None:
        entity: Entity = {
            "type": _TYPES[opened.tag],
            "offset": opened.offset,
            "length": length,
        }
        attributes = opened.attributes
        if opened.tag == "blockquote" and "expandable" in attributes:
            entity["type"] = "expandable_blockquote"
        elif opened.tag == "tg-emoji":
            entity["custom_emoji_id"] = attributes.get("emoji-id", "")
        elif opened.tag == "a":
            if not attributes.get("href"):
                return  # as the real server does: the text stays, the link goes
            entity["url"] = attributes["href"]
        elif opened.tag == "pre":
            self._swallow(entity)
        elif opened.tag == "code":
            language = attributes.get("class", "").removeprefix("language-")
            if self.open and self.open[-1].tag == "pre" and language:
                entity["language"] = language
        self.entities.append(entity)

    def _swallow(self, entity: Entity) -> None:
        """Make one of `<pre><code class="language-x">`, where both cover the same."""
        for inner in self.entities:
            same = all(inner[key] == entity[key] for key in ("offset", "length"))
            if inner["type"] == "code" and same:
                self.entities.remove(inner)
                if "language" in inner:
                    entity["language"] = inner["language"]
                return


def _plain(text: str) -> str:
    return _REFERENCE.sub(_letter, text)


def _letter(hit: re.Match[str]) -> str:
    if hit[3]:
        return _NAMED.get(hit[3], hit[0])
    code = int(hit[1]) if hit[1] else int(hit[2], 16)
    surrogate = 0xD800 <= code <= 0xDFFF
    return chr(code) if 0 < code < 0x110000 and not surrogate else hit[0]


def _cannot(text: str) -> Refused:
    return bad(f"can't parse entities: {text}")
