"""parse_mode MarkdownV2: marks become entities, or the whole text is refused."""

from __future__ import annotations

from dataclasses import dataclass

from tests.servers.telegram.entities import Entity, units
from tests.servers.telegram.refused import Refused, bad

_RESERVED = "_*[]()~`>#+-=|{}.!"
_MARKS = {
    "__": "underline",
    "||": "spoiler",
    "*": "bold",
    "_": "italic",
    "~": "strikethrough",
}
_NAMES = {"text_link": "TextUrl", "blockquote": "BlockQuote"}


@dataclass
class _Open:
    kind: str
    mark: str
    offset: int
    at: int


def parse(source: str) -> tuple[str, list[Entity]]:
    """Give the text that a person reads, and what is marked in it."""
    return _Reading(source).read()


class _Reading:
    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0
        self.text = ""
        self.entities: list[Entity] = []
        self.open: list[_Open] = []

    def read(self) -> tuple[str, list[Entity]]:
        while self.place < len(self.source):
            self._step()
        self._end_quote()
        if self.open:
            last = self.open[-1]
            name = _NAMES.get(last.kind, last.kind.title())
            raise _cannot(f"Can't find end of {name} entity at byte offset {last.at}")
        self.entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
        return self.text, self.entities

    def _step(self) -> None:
        letter = self.source[self.place]
        following = self.source[self.place + 1 : self.place + 2]
        if letter == "\\" and following and ord(following) < 127:
            self._take(following, 2)
        elif self._at_line() and self._quote():
            return
        elif letter == "`":
            self._code()
        elif mark := self._mark():
            self._toggle(mark)
        elif not self._bracket(letter):
            self._letter(letter)

    def _bracket(self, letter: str) -> bool:
        """Begin or end a link or an emoji, if one begins or ends here."""
        if letter == "[":
            self._push("text_link", "[")
        elif self.source.startswith("![", self.place):
            self._push("custom_emoji", "![")
        elif letter == "]" and self.open and self.open[-1].mark in {"[", "!["}:
            self._link()
        else:
            return False
        return True

    def _letter(self, letter: str) -> None:
        if letter in _RESERVED:
            raise _cannot(
                f"Character '{letter}' is reserved and must be escaped with the "
                "preceding '\\'"
            )
        self._take(letter, 1)

    def _take(self, letters: str, consumed: int) -> None:
        self.text += letters
        self.place += consumed

    def _at_line(self) -> bool:
        return self.place == 0 or self.source[self.place - 1] == "\n"

    def _quote(self) -> bool:
        """Begin, go on with or end a quote, where a line begins."""
        quoted = any(opened.mark == ">" for opened in self.open)
        if self.source.startswith("**>", self.place):
            self._end_quote()
            self.place += 2
            self._push("expandable_blockquote", ">")
        elif self.source[self.place] != ">":
            if quoted:
                self._end_quote()
            return False
        elif quoted:
            self.place += 1
        else:
            self._push("blockquote", ">")
        return True

    def _end_quote(self) -> None:
        if self.open and self.open[-1].mark == ">":
            self._pop()

    def _mark(self) -> str:
        return next(
            (mark for mark in _MARKS if self.source.startswith(mark, self.place)), ""
        )

    def _toggle(self, mark: str) -> None:
        if self.open and self.open[-1].mark == mark:
            self.place += len(mark)
            self._pop()
        elif (
            mark == "||"
            and self._ends_line()
            and self.open[-1:]
            and (self.open[-1].mark == ">")
        ):
            self.open[-1].kind = "expandable_blockquote"
            self.place += 2
            self._pop()
        elif any(opened.mark == mark for opened in self.open):
            last = self.open[-1]
            raise _cannot(
                f"Can't find end of {last.kind.title()} entity at byte offset {last.at}"
            )
        else:
            self._push(_MARKS[mark], mark)

    def _ends_line(self) -> bool:
        return self.source[self.place + 2 : self.place + 3] in {"", "\n"}

    def _push(self, kind: str, mark: str) -> None:
        at = len(self.source[: self.place].encode())
        self.open.append(_Open(kind, mark, units(self.text), at))
        self.place += len(mark)

    def _pop(self, **more: str) -> None:
        opened = self.open.pop()
        length = units(self.text) - opened.offset
        if length:
            marked = {"type": opened.kind, "offset": opened.offset, "length": length}
            self.entities.append(marked | more)

    def _code(self) -> None:
        mark = "```" if self.source.startswith("```", self.place) else "`"
        kind = "pre" if mark == "```" else "code"
        self._push(kind, mark)
        opened = self.open[-1]
        content = ""
        while not self.source.startswith(mark, self.place):
            if self.place >= len(self.source):
                name = "Pre" if kind == "pre" else "Code"
                raise _cannot(
                    f"Can't find end of {name} entity at byte offset {opened.at}"
                )
            if self.source[self.place] == "\\":
                self.place += 1
            content += self.source[self.place : self.place + 1]
            self.place += 1
        self.place += len(mark)
        language, content = _language(content) if kind == "pre" else ("", content)
        self.text += content
        self._pop(**({"language": language} if language else {}))

    def _link(self) -> None:
        opened = self.open[-1]
        self.place += 1
        if not self.source.startswith("(", self.place):
            if opened.mark == "![":
                raise _cannot("Custom emoji entity must contain a tg://emoji URL")
            self._pop_unmarked()
            return
        self.place += 1
        url = ""
        while not self.source.startswith(")", self.place):
            if self.place >= len(self.source):
                at = len(self.source[: self.place].encode())
                raise _cannot(f"Can't find end of a URL at byte offset {at}")
            if self.source[self.place] == "\\":
                self.place += 1
            url += self.source[self.place : self.place + 1]
            self.place += 1
        self.place += 1
        if opened.mark == "![":
            self._pop(custom_emoji_id=url.rpartition("id=")[2])
        elif url:
            self._pop(url=url)
        else:
            self._pop_unmarked()

    def _pop_unmarked(self) -> None:
        """Leave the words, without a link: there was no address."""
        self.open.pop()


def _language(content: str) -> tuple[str, str]:
    first, line, rest = content.partition("\n")
    if not line:
        return "", content
    if not first:
        return "", rest
    return (first, rest) if not any(map(str.isspace, first)) else ("", content)


def _cannot(text: str) -> Refused:
    return bad(f"can't parse entities: {text}")
