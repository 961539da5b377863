"""The questions that a store's cache answers."""

from __future__ import annotations

import _sqlite3 as sqlite3  # its package loads dates, which take longer than SQLite

from apx.mem import scan as files
from apx.mem import tables
from apx.mem.memory import ACTIVE, FOLDERS, TYPES

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Self

    from apx.mem.wanted import Wanted

    Args = list[str | int]

Row = sqlite3.Row

_SELECT: Final = (
    "select id, type, title, scope, status, priority, confidence, version, created,"
    " updated, verified, tags, abstract, source, supersedes, start, size, mtime"
    " from memories"
)
_BEST: Final = "priority desc, fresh desc, created desc, mtime desc, id"
# A title says more than a text.
_LIKELY: Final = f"bm25(words, 4.0, 1.0), {_BEST}"
# Not looked up the other way round, by going through all memories in their order.
_INDEXED: Final = "words cross join memories on number = words.rowid"
_HAS: Final = (
    "number in (select number from texts where instr(head, ?) or instr(body, ?))"
)
# The index has runs of three letters.
_PART: Final = 3
_PARTS: Final = 500
_LAST: Final = "\U0010ffff"
# So many values a statement may have anywhere.
_MANY: Final = 900


def opened(root: str, type_name: str = "", *, wait: float = tables.WAIT) -> Cache:
    """Open what is known of a store, up to date with its files; close it by `with`.

    Who asks only for the memories of one type need not wait for a look at the others.
    """
    folders = [TYPES[type_name].folder] if type_name else FOLDERS
    return Cache(root, tables.connected(root, wait, folders))


class Cache:
    """What all memories of a store say, as they are when it is opened."""

    def __init__(self, root: str, db: sqlite3.Connection) -> None:
        self._root = root
        self._db = db
        self._db.row_factory = Row
        self._hits: dict[Wanted, list[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def total(self, status: str = ACTIVE) -> int:
        """Count the memories of a status, or `all`."""
        if status == "all":
            return self._number("select count(*) from memories", [])
        return self._number("select count(*) from memories where status = ?", [status])

    def count(self, wanted: Wanted) -> int:
        """Count what is wanted, whatever the limit."""
        if wanted.is_said:
            return len(self._found(wanted))
        where, args = self._filtered(wanted)
        return self._number(f"select count(*) from memories where {where}", args)  # noqa: S608 -- our own words

    def rows(self, wanted: Wanted) -> list[Row]:
        """Give what is wanted, the best first."""
        if not wanted.is_said:
            where, args = self._filtered(wanted)
            sql = f"{_SELECT} where {where} order by {_BEST} limit ?"
            return self._ask(sql, [*args, wanted.limit or -1])
        ids = self._found(wanted)[: wanted.limit or None]
        rows: dict[str, Row] = {}
        for start in range(0, len(ids), _MANY):
            some = ids[start : start + _MANY]
            sql = f"{_SELECT} where id in ({', '.join('?' * len(some))})"
            rows.update((row["id"], row) for row in self._ask(sql, [*some]))
        return [rows[one] for one in ids if one in rows]

    def find(self, name: str) -> list[str]:
        """Give the ids that a name may mean; unreadable files have ids, too.

        An id means itself. Else it is one without the letter, then one without the
        date, then the beginning or the end of some.
        """
        if self._ask("select true from memories where id = ?", [name]):
            return [name]
        ids = sorted(self.ids()) if name else []
        for start in (0, len("d-"), len("d-2026-12-31-")):
            if found := [one for one in ids if one[start:] == name]:
                return found
        return [one for one in ids if one.startswith(name) or one.endswith(name)]

    def row(self, name: str) -> Row | None:
        """Give the memory of a whole id."""
        rows = self._ask(f"{_SELECT} where id = ?", [name])
        return rows[0] if rows else None

    def same(self, type_name: str, scope: str, title: str) -> list[Row]:
        """Give the memories of a title, archived ones too."""
        from apx.mem.ids import same  # noqa: PLC0415 -- few commands ask

        return self._ask(
            f"{_SELECT} where same = ? and type = ? and scope = ? order by {_BEST}",
            [same(title), type_name, scope],
        )

    def ids(self) -> set[str]:
        """Give all ids that are taken, also by files that cannot be read."""
        paths = [row["path"] for row in self._ask("select path from files", [])]
        return {tables.named(path) for path in paths} - {""}

    def unreadable(self) -> list[tuple[str, str]]:
        """Give the files that are no memories, by path below the store, and why."""
        rows = self._ask("select path, why from files where why <> '' order by path")
        told = [(f"{files.OBJECTS}/{row[0]}", row[1]) for row in rows]
        return files.closed(self._root) + files.nameless(self._root) + told

    def counts(self) -> list[Row]:
        """Count the memories of each type and status."""
        return self._ask(
            "select type, status, count(*) as count from memories"
            " group by type, status order by type, status"
        )

    def _found(self, wanted: Wanted) -> list[str]:
        """Give the ids of what is wanted by words, the best first; look once."""
        if wanted not in self._hits:
            if wanted.regex:
                ids = self._matching(wanted)
            else:
                ids = [row[0] for row in self._ask(*self._search(wanted))]
            self._hits[wanted] = ids
        return self._hits[wanted]

    def _search(self, wanted: Wanted) -> tuple[str, Args]:
        """Say in SQL what words are looked for where."""
        match, rest = [], []
        for text in wanted.phrases + wanted.words:
            parts = self._parts(text, begins=wanted.any)
            if parts is None:
                rest.append(text)
            else:
                match.append(f"({' OR '.join(map(_quoted, parts))})")
        source, order = "memories", _BEST
        where, args = self._filtered(wanted)
        if match:
            source, order = _INDEXED, _LIKELY if wanted.any else _BEST
            where = f"words match ? and {where}"
            args.insert(0, (" OR " if wanted.any else " AND ").join(match))
        if rest and not (match and wanted.any):
            each = (" or " if wanted.any else " and ").join([_HAS] * len(rest))
            where += f" and ({each})"
            args += [text for text in rest for _ in range(2)]
        return f"select id from {source} where {where} order by {order}", args  # noqa: S608 -- our own words

    def _filtered(self, wanted: Wanted) -> tuple[str, Args]:
        where: list[str] = ["true"]
        args: Args = []
        for name, value in (
            ("status = ?", wanted.status if wanted.status != "all" else None),
            ("type = ?", wanted.type),
            ("scope = ?", wanted.scope),
            ("priority >= ?", wanted.min_priority),
        ):
            if value is not None:
                where.append(name)
                args.append(value)
        for tag in wanted.tags:
            where.append("instr(char(10) || filed || char(10), ?)")
            args.append(f"\n{tag}\n")
        if wanted.sees is not None:
            scopes = self._ask("select distinct scope from memories")
            seen = [row[0] for row in scopes if wanted.sees(row[0])]
            where.append(f"scope in ({', '.join('?' * len(seen))})")
            args += seen
        return " and ".join(where), args

    def _parts(self, text: str, *, begins: bool) -> list[str] | None:
        """Give of what the index holds all that a text may be found by.

        None if that is too much: then the texts themselves are searched.
        """
        if len(text) >= _PART:
            return [text]
        if text.isascii():
            # So many words have these letters that the texts are read in less time.
            return [f" {text} "[:_PART]] if begins else None
        rows = self._ask(
            "select term from parts where term >= ? and term < ? limit ?",
            [text, text + _LAST, _PARTS + 1],
        )
        if len(rows) > _PARTS:
            return None
        return [row[0] for row in rows] or [text + _LAST * 2]

    def _matching(self, wanted: Wanted) -> list[str]:
        from apx.mem.pattern import matching  # noqa: PLC0415 -- few searches do

        where, args = self._filtered(wanted)
        rows = self._ask(f"{_SELECT} where {where} order by {_BEST}", args)
        found = matching(wanted.regex, [self._text(row) for row in rows])
        return [rows[at]["id"] for at in found]

    def _text(self, row: Row) -> str:
        """Give all that a pattern may be found in."""
        said = files.said(self._root, row["id"])
        heads = (row["title"], row["abstract"], row["tags"], row["id"])
        return "\n".join((*heads, said))

    def _number(self, sql: str, args: Args) -> int:
        return int(self._ask(sql, args)[0][0])

    def _ask(self, sql: str, args: Args | None = None) -> list[Row]:
        values = [_whole(value) for value in args or ()]
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            if tables.is_broken(error):
                tables.discard(self._root)
        # A cache that breaks while it is read costs time, never an answer.
        self._db.close()
        self._db = tables.in_memory(self._root)
        self._db.row_factory = Row
        return self._db.execute(sql, values).fetchall()


def _whole(value: str | int) -> str | int:
    """Give a text without half characters, which no text here has."""
    if isinstance(value, int) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode()


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
