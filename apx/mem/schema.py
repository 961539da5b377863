"""The tables of the cache, in SQL; what puts a memory into them, what takes it out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_COLUMNS: Final = (
    "id, type, title, scope, status, priority, confidence, version, created, updated,"
    " verified, tags, abstract, source, supersedes, start, size, mtime, fresh, same,"
    " filed"
)
TABLES: Final = f"""
create table state (form integer not null, glances text not null);
create table files (path text primary key, mark integer, digest blob, why text)
  without rowid;
create table memories (number integer primary key, {_COLUMNS});
create unique index named on memories (id);
create index alike on memories (same);
create index ranked on memories
  (status, priority desc, fresh desc, created desc, mtime desc, id);
create table texts (number integer primary key, head text, body text);
create virtual table words using fts5 (head, body, content='texts',
  content_rowid='number', tokenize='trigram case_sensitive 1');
create virtual table parts using fts5vocab (words, row);
"""
PUT: Final = (
    f"insert into memories values (:number, :{_COLUMNS.replace(', ', ', :')})",  # noqa: S608 -- our own names
    "insert into texts values (:number, :head, :body)",
    "insert into words (rowid, head, body) values (:number, :head, :body)",
)
DROP: Final = (
    "insert into words (words, rowid, head, body) select 'delete', number, head, body"
    " from texts where number = (select number from memories where id = ?)",
    "delete from texts where number = (select number from memories where id = ?)",
    "delete from memories where id = ?",
)
