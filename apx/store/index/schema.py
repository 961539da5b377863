"""The tables of memory.db, a script for each version; a landed one never changes."""

from __future__ import annotations

from typing import Final

# A file of before `GROWN` is not brought up to date: it is made anew.
_INDEX_1: Final = """
create table meta (key text primary key, value text not null) without rowid
"""

# Terms are made by apx/domain/text.py and stored apart by spaces. This tokenizer
# splits at nothing else: to it all of ASCII's punctuation is part of a word.
#
# Ids are never used twice, so that "all after this one" means the same for ever.
# `vector.data` is a float32 scale, then a signed byte for each number.
# `mean` and `spread` are of the cosines of unrelated texts.
# In a space, the chunks from `low` to `high` have been embedded or refused.
_INDEX_2: Final = r"""
insert into meta values ('id', lower(hex(randomblob(8))));
create table chunk (
    id       integer primary key autoincrement,
    seq      integer not null,
    kind     text not null,
    role     text not null,
    speaker  text not null,
    text     text not null,
    at       text not null,
    turn     integer not null,
    thread   text not null,
    channel  text not null,
    person   text not null,
    audience text not null
);
create index chunk_by_audience on chunk (audience, id);
create index chunk_by_seq on chunk (seq);
create virtual table chunk_fts using fts5 (
    terms, content = '',
    tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
create table space (
    id       integer primary key autoincrement,
    identity text not null,
    state    text not null check (state in ('filling', 'serving')),
    mean     real not null,
    spread   real not null,
    low      integer not null,
    high     integer not null
);
create table vector (
    id       integer primary key autoincrement,
    space    integer not null references space (id),
    chunk    integer not null,
    audience text not null,
    data     blob not null,
    unique (space, chunk)
);
create index vector_by_audience on vector (space, audience, id);
create index vector_by_chunk on vector (chunk);
create table spent (day text primary key, tokens integer not null) without rowid;
create table refused (
    space  integer not null references space (id),
    chunk  integer not null,
    reason text not null,
    primary key (space, chunk)
) without rowid
"""

_INDEX_3: Final = """
alter table chunk add column untrusted text not null default ''
"""

# Curated memories by their ids; `digest` is of the text that the vector is of, and
# `data` is empty for a text that the embedder does not take.
_INDEX_4: Final = """
create table memory_vector (
    space  integer not null references space (id),
    id     text not null,
    digest text not null,
    data   blob not null,
    primary key (space, id)
) without rowid
"""

INDEX: Final = (_INDEX_1, _INDEX_2, _INDEX_3, _INDEX_4)
# From this version on others only add tables. All that was embedded is kept then, as
# it may have cost money.
GROWN: Final = 3
