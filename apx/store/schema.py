"""The ledger's tables, as one script for each version; a landed one never changes.

`event` is the authority. `thread`, `request`, `turn`, `outbox`, `note`, `condensation`,
`candidate`, `person`, `account` are its projection (apx/store/projection.py), written
in the same transaction. `notebook` holds what apx last saw of each memory.md.
"""

from __future__ import annotations

from typing import Final

from apx.store.schema_channels import LEDGER_4
from apx.store.schema_people import LEDGER_3

_LEDGER_1: Final = """
create table meta (key text primary key, value text not null) without rowid;
insert into meta values ('ledger_id', lower(hex(randomblob(16))));

create table event (
    seq      integer primary key,
    op       text not null unique,
    kind     text not null,
    thread   text not null,
    turn     integer not null,
    person   text not null,
    audience text not null,
    at       text not null,
    body     text not null
);
create index event_by_turn on event (turn, seq) where turn > 0;
create trigger event_is_kept before delete on event begin
    select raise(abort, 'the log is append-only');
end;
create trigger event_is_not_replaced before insert on event
when exists (select 1 from event where seq = new.seq or op = new.op) begin
    select raise(abort, 'the log is append-only');
end;
create trigger event_is_fixed before update on event begin
    select raise(abort, 'the log is append-only');
end;

create table thread (
    name      text primary key,
    person    text not null,
    audience  text not null,
    fresh     integer not null default 0,
    last_turn integer not null default 0,
    turns     integer not null default 0
) without rowid;
create index thread_by_last on thread (last_turn);

create table request (
    key      text primary key,
    seq      integer not null,
    thread   text not null references thread (name),
    text     text not null,
    at       text not null,
    person   text not null,
    audience text not null,
    model    text not null,
    retry_of integer,
    turn     integer,
    unwanted integer not null default 0
);
create index request_waiting on request (thread, seq)
    where turn is null and unwanted = 0;
create index request_by_retry on request (retry_of) where retry_of is not null;
create index request_by_turn on request (turn) where turn is not null;

create table turn (
    id       integer primary key,
    thread   text not null references thread (name),
    ordinal  integer not null,
    state    text not null check (state in
             ('running', 'completed', 'failed', 'stopped', 'interrupted')),
    request  text not null,
    person   text not null,
    audience text not null,
    began_at text not null,
    ended_at text,
    final    text,
    partial  text not null default '',
    error    text not null default '',
    wanted   text not null default '',
    model    text not null default '',
    usage    text not null default '{}',
    retry_of integer references turn (id)
);
create index turn_by_thread on turn (thread, ordinal);
create index turn_by_retry on turn (retry_of) where retry_of is not null;
create unique index one_running_turn on turn (thread) where state = 'running';
create trigger ended_turn_is_fixed before update on turn
when old.state <> 'running' begin
    select raise(abort, 'the turn has ended');
end;
create trigger turn_is_not_replaced before insert on turn
when exists (select 1 from turn where id = new.id) begin
    select raise(abort, 'turns are kept');
end;
create trigger turn_is_kept before delete on turn begin
    select raise(abort, 'turns are kept');
end;

create table outbox (
    id         integer primary key,
    turn       integer not null references turn (id),
    number     integer not null,
    thread     text not null references thread (name),
    text       text not null,
    plain      integer not null,
    person     text not null,
    audience   text not null,
    state      text not null check (state in
               ('pending', 'sending', 'sent', 'unknown', 'expired')),
    attempts   integer not null default 0,
    message_id text not null default '',
    error      text not null default '',
    created_at text not null,
    sent_at    text,
    unique (turn, number)
);
create index outbox_open on outbox (thread, id) where state <> 'sent';

create table note (
    id       integer primary key,
    text     text not null,
    at       text not null,
    channel  text not null,
    thread   text not null,
    turn     integer not null,
    person   text not null,
    audience text not null,
    origin   text not null,
    state    text not null check (state in ('live', 'forgotten')),
    restored integer not null default 0
);
create index note_live on note (audience, id) where state = 'live';

create table notebook (audience text primary key, text text not null) without rowid
"""

# `thread.counted` is the ordinal after which messages count towards the next
# condensation, `begins` that after which its view begins. `turn.hidden` is the event
# that rewound a turn; all else of an ended turn stays fixed. A condensation stands in
# for the turns up to its `last` ordinal.
_LEDGER_2: Final = """
alter table thread add column counted integer not null default 0;
alter table thread add column begins integer not null default 0;
update thread set begins = (select coalesce(max(t.ordinal), 0) from turn t
    where t.thread = thread.name and t.id < thread.fresh) where fresh > 0;
alter table turn add column hidden integer not null default 0;
create index turn_shown on turn (thread, ordinal) where hidden = 0;
drop trigger ended_turn_is_fixed;
create trigger ended_turn_is_fixed before update of id, thread, ordinal, state, request,
    person, audience, began_at, ended_at, final, partial, error, wanted, model, usage,
    retry_of on turn
when old.state <> 'running' begin
    select raise(abort, 'the turn has ended');
end;

create table condensation (
    id       integer primary key,
    thread   text not null references thread (name),
    first    integer not null,
    last     integer not null,
    degraded integer not null,
    state    text not null check (state in ('valid', 'undone', 'revoked'))
);
create index condensation_valid on condensation (thread, id) where state = 'valid';

create table candidate (
    id       integer primary key,
    text     text not null,
    key      text not null,
    at       text not null,
    thread   text not null,
    turn     integer not null,
    person   text not null,
    audience text not null,
    state    text not null check (state in ('open', 'kept', 'dropped')),
    unique (audience, key)
);
create index candidate_open on candidate (audience, id) where state = 'open';
create index note_forgotten on note (audience, id) where state = 'forgotten'
"""

LEDGER: Final = (_LEDGER_1, _LEDGER_2, LEDGER_3, LEDGER_4)
