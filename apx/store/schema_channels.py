"""The fourth version of the ledger's tables: attachments, edits, what channels keep."""

from __future__ import annotations

from typing import Final

# A request is `held` while something of it is still to come. `correction` is what its
# person made of it after a turn had taken it; the next turn is shown that.
# `overheard` and `drawer` are no projection: the one passes, the other is a channel's.
LEDGER_4: Final = """
alter table request add column files text not null default '[]';
alter table request add column album text not null default '';
alter table request add column held integer not null default 0;
alter table request add column correction text not null default '';
alter table turn add column files text not null default '[]';
alter table thread add column model text not null default '';
create index request_held on request (seq) where held = 1;
create index request_filed on request (seq) where files <> '[]';
create index turn_filed on turn (id) where files <> '[]';
create index request_corrected on request (thread, seq) where correction <> '';
drop trigger ended_turn_is_fixed;
create trigger ended_turn_is_fixed before update of id, thread, ordinal, state, request,
    person, audience, began_at, ended_at, final, partial, error, wanted, model, usage,
    retry_of, speaker, role, quoted, tainted, files on turn
when old.state <> 'running'
and not exists (select 1 from meta where key = 'erasing') begin
    select raise(abort, 'the turn has ended');
end;

create table overheard (
    thread      text not null,
    external_id text not null,
    account     text not null,
    speaker     text not null,
    text        text not null,
    at          text not null,
    primary key (thread, external_id)
) without rowid;
create table drawer (
    channel text not null,
    key     text not null,
    value   text not null,
    primary key (channel, key)
) without rowid
"""
