"""The third version of the ledger's tables: persons, and leave to erase."""

from __future__ import annotations

from typing import Final

# `speaker` is the name that a room shows, `role` what its person was allowed then,
# `quoted` what the message brought along of other people's words, as JSON.
# `code`, `guess`, `stranger` and `spent` are no projection: they pass, or only count.
# Only who erases may change the log, in one transaction with `erasing` in `meta`.
LEDGER_3: Final = """
alter table request add column speaker text not null default '';
alter table request add column role text not null default 'owner';
alter table request add column quoted text not null default '[]';
alter table turn add column speaker text not null default '';
alter table turn add column role text not null default 'owner';
alter table turn add column quoted text not null default '[]';
alter table turn add column tainted integer not null default 0;
drop trigger event_is_kept;
create trigger event_is_kept before delete on event
when not exists (select 1 from meta where key = 'erasing') begin
    select raise(abort, 'the log is append-only');
end;
drop trigger event_is_fixed;
create trigger event_is_fixed before update on event
when not exists (select 1 from meta where key = 'erasing') begin
    select raise(abort, 'the log is append-only');
end;
drop trigger turn_is_kept;
create trigger turn_is_kept before delete on turn
when not exists (select 1 from meta where key = 'erasing') begin
    select raise(abort, 'turns are kept');
end;
drop trigger ended_turn_is_fixed;
create trigger ended_turn_is_fixed before update of id, thread, ordinal, state, request,
    person, audience, began_at, ended_at, final, partial, error, wanted, model, usage,
    retry_of, speaker, role, quoted, tainted on turn
when old.state <> 'running'
and not exists (select 1 from meta where key = 'erasing') begin
    select raise(abort, 'the turn has ended');
end;

create table person (
    key  text primary key,
    role text not null check (role in ('owner', 'member', 'guest')),
    name text not null,
    at   text not null
) without rowid;
insert into person values ('owner', 'owner', '', '');
create table account (
    channel text not null,
    bot     text not null,
    user    text not null,
    person  text not null references person (key),
    home    text not null,
    paired  integer not null,
    was_paired integer not null,
    name    text not null,
    at      text not null,
    primary key (channel, bot, user)
) without rowid;
create index account_by_person on account (person);

create index thread_by_audience on thread (audience, last_turn);
create index thread_rooms on thread (name)
    where audience >= 'room:' and audience < 'room;';

create table code (
    hash    text primary key,
    person  text not null,
    role    text not null,
    name    text not null,
    vouched integer not null,
    until   text not null
) without rowid;
create table guess (account text not null, at text not null);
create index guess_by_account on guess (account, at);
create table stranger (
    channel text not null,
    bot     text not null,
    user    text not null,
    number  integer not null unique,
    name    text not null,
    thread  text not null,
    state   text not null check (state in ('met', 'pending', 'refused')),
    at      text not null,
    told    text not null,
    primary key (channel, bot, user)
) without rowid;
create table spent (
    day        text not null,
    purpose    text not null,
    person     text not null,
    model      text not null,
    calls      integer not null,
    prompt     integer not null,
    completion integer not null,
    cached     integer not null,
    unknown    integer not null,
    primary key (day, purpose, person, model)
) without rowid;
-- Earlier versions masked nothing.
insert into meta select 'kept_secrets', '1' where exists (select 1 from event)
"""
