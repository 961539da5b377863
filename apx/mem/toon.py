"""The TOON text of a value: what JSON can hold, in few tokens."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Final

    Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
    # What each column is called; a column of objects has columns of its own.
    Columns = list[tuple[str, "Columns | None"]]

_ESCAPES: Final = {
    **{code: f"\\u{code:04x}" for code in range(0x20)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),  # halves of characters
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}
_WORDS: Final = frozenset({"true", "false", "null"})
_UNSIGNED: Final = 1e21  # from here on a whole number is written with its exponent
_TINY: Final = -6  # the exponent from which on a number is written without it
_MANY: Final = 2  # entries that make an object of like objects worth a table


def encode(value: Json, delimiter: str = ",", indent: int = 2) -> str:
    """Give the document of a value, without a line end behind it.

    What TOON cannot hold becomes what it can: a number that is none is null, half a
    character is U+FFFD.
    """
    lines = _Writer(delimiter, indent).document(value)
    return "\n".join(lines)


def listed(key: str, texts: Sequence[str], delimiter: str = ",") -> str:
    """Give the document of one key with a list of texts, each on a line of its own.

    A decoder reads the same from it as from `encode`, which puts them all on one.
    """
    if not texts:
        return encode({key: []}, delimiter)
    sign = "" if delimiter == "," else delimiter
    head = f"{_key(key)}[{len(texts)}{sign}]:"
    return "\n".join([head, *(f"  - {_text(text, delimiter)}" for text in texts)])


class _Writer:
    """Makes lines of values, in the form that suits where each stands."""

    def __init__(self, delimiter: str, indent: int) -> None:
        self._delimiter = delimiter
        # A comma goes without saying.
        self._sign = "" if delimiter == "," else delimiter
        self._unit = " " * indent

    def document(self, value: Json) -> list[str]:
        if _is_object(value):
            table = self._keyed("", value)
            return table if table is not None else self._fields(value)
        if _is_array(value):
            return self._array("", value) if value else ["[]"]
        if isinstance(value, str) and value.startswith("\ufeff"):
            # As the first of a document it would be taken for the mark of its bytes.
            return [_quoted(value)]
        return [self._leaf(value)]

    def _fields(self, value: Mapping[str, Json]) -> list[str]:
        lines: list[str] = []
        for key, each in value.items():
            lines += self._field(_key(key), each)
        return lines

    def _field(self, key: str, value: Json) -> list[str]:
        if _is_object(value):
            table = self._keyed(key, value)
            if table is not None:
                return table
            return [f"{key}:", *self._inside(self._fields(value))]
        if _is_array(value):
            return self._array(key, value) if value else [f"{key}: []"]
        return [f"{key}: {self._leaf(value)}"]

    def _array(self, key: str, value: Sequence[Json]) -> list[str]:
        """Give an array that is not empty: as a line, a table or a list."""
        columns = _columns(value)
        if columns is None:
            return self._list(key, value)
        rows = [self._row(each, columns) for each in value]
        head = f"{key}[{len(value)}{self._sign}]{self._names(columns)}:"
        return [head, *self._inside(rows)]

    def _list(self, key: str, value: Sequence[Json]) -> list[str]:
        head = f"{key}[{len(value)}{self._sign}]:"
        if not any(_is_object(each) or _is_array(each) for each in value):
            cells = self._delimiter.join(map(self._leaf, value))
            return [f"{head} {cells}" if value else head]
        lines: list[str] = []
        for each in value:
            lines += self._item(each)
        return [head, *self._inside(lines)]

    def _keyed(self, key: str, value: Mapping[str, Json]) -> list[str] | None:
        """Give an object of like objects as a table with the keys in front."""
        if len(value) < _MANY:
            return None
        columns = _columns(list(value.values()))
        if columns is None:
            return None
        head = f"{key}[{len(value)}:{self._sign}]{self._names(columns)}:"
        rows = (f"{_key(k)}: {self._row(each, columns)}" for k, each in value.items())
        return [head, *self._inside(rows)]

    def _item(self, value: Json) -> list[str]:
        """Give what stands behind a hyphen; the rest of it stands below."""
        if _is_object(value):
            lines = self._inside(self._fields(value))
            # What the first field opens is as deep as if no hyphen were there.
            return [f"- {lines[0][len(self._unit) :]}", *lines[1:]] if lines else ["-"]
        if _is_array(value):
            first, *rest = self._list("", value)
            return [f"- {first}", *rest]
        return [f"- {self._leaf(value)}"]

    def _names(self, columns: Columns) -> str:
        names = (
            _key(name) + (self._names(inner) if inner else "")
            for name, inner in columns
        )
        return "{" + self._delimiter.join(names) + "}"

    def _row(self, value: Json, columns: Columns) -> str:
        return self._delimiter.join(map(self._leaf, _cells(value, columns)))

    def _inside(self, lines: Iterable[str]) -> list[str]:
        return [self._unit + line for line in lines]

    def _leaf(self, value: Json) -> str:
        if isinstance(value, str):
            return _text(value, self._delimiter)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        return _number(value) if isinstance(value, float) else str(value)


if TYPE_CHECKING:
    from typing import TypeGuard


def _is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def _is_array(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, list | tuple)


def _columns(values: Sequence[Json]) -> Columns | None:
    """Say what all have in common; None if they make no table."""
    first = values[0]
    if not _is_object(first) or not first:
        return None
    if not all(_is_object(each) and each.keys() == first.keys() for each in values):
        return None
    columns: Columns = []
    for name in first:
        cells = [each[name] for each in values if _is_object(each)]
        if not any(_is_object(cell) or _is_array(cell) for cell in cells):
            columns.append((name, None))
        elif (inner := _columns(cells)) is not None:
            columns.append((name, inner))
        else:
            return None
    return columns


def _cells(value: Json, columns: Columns) -> Iterable[Json]:
    if _is_object(value):
        for name, inner in columns:
            if inner is None:
                yield value[name]
            else:
                yield from _cells(value[name], inner)


def _key(key: str) -> str:
    # The letters of a name, dots besides; never one in front.
    plain = key.isascii() and key.replace(".", "_").isidentifier()
    return key if plain and key[0] != "." else _quoted(key)


def _text(text: str, delimiter: str) -> str:
    escaped = text.translate(_ESCAPES)
    if escaped != text or not text or text[0] in " -#" or text[-1] == " ":
        return f'"{escaped}"'
    if delimiter in text or text in _WORDS or _looks_numeric(text):
        return f'"{text}"'
    return f'"{text}"' if any(sign in text for sign in ":[]{}") else text


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


def _looks_numeric(text: str) -> bool:
    """Whether some reader takes it for a number: `05`, `+1`, `1e5`."""
    # By hand, as compiling a pattern would cost a start more than all of this.
    if not text[-1].isdigit() or not text.isascii():
        return False
    number, *exponent = text.replace("E", "e").split("e")
    whole, *fraction = number.lstrip("+-").split(".")
    if (
        len(number) - len(number.lstrip("+-")) > 1
        or max(len(exponent), len(fraction)) > 1
    ):
        return False
    power = exponent[0] if exponent else "0"
    digits = power[1:] if power[:1] in ("+", "-") else power
    return all(part.isdigit() for part in (whole, digits, *fraction))


def _number(value: float) -> str:
    """Give a number with all its digits, without an exponent if it is of human size."""
    if value - value != 0:  # neither a number nor finite
        return "null"
    if value.is_integer() and abs(value) < _UNSIGNED:
        return str(int(value))
    digits, _, power = repr(value).partition("e")
    if not power:
        return digits
    sign = "-" if digits[0] == "-" else ""
    exponent = int(power)
    if _TINY <= exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits.lstrip('-').replace('.', '')}"
    return f"{digits.removesuffix('.0')}e{exponent:+d}"
