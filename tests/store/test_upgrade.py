"""Ledgers of earlier versions are brought up to date, or left alone."""

import sqlite3

import pytest

from apx.domain.ending import Ending
from apx.domain.errors import StoreError
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.database import Database
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.schema import LEDGER
from apx.store.verify import verify

MAIN = Thread("terminal", "main")

OLD = """
insert into event values (1, 'accept/a', 'accept', 'terminal:main', 0, 'owner',
  'private:owner', '2026-11-01T10:00:00+00:00',
  '{"key":"terminal:main/a","text":"tea is at five"}');
insert into thread (name, person, audience, last_turn, turns)
  values ('terminal:main', 'owner', 'private:owner', 2, 1);
insert into request values ('terminal:main/a', 1, 'terminal:main', 'tea is at five',
  '2026-11-01T10:00:00+00:00', 'owner', 'private:owner', '', null, 2, 0);
insert into event values (2, 'begin/a', 'begin', 'terminal:main', 2, 'owner',
  'private:owner', '2026-11-01T10:00:01+00:00',
  '{"keys":["terminal:main/a"],"text":"tea is at five"}');
insert into event values (3, 'end/2', 'end', 'terminal:main', 2, 'owner',
  'private:owner', '2026-11-01T10:00:02+00:00', '{"state":"completed","final":"noted",
  "error":"","model":"m","usage":{},"parts":[],"plain":true}');
insert into turn (id, thread, ordinal, state, request, person, audience, began_at,
  ended_at, final, model) values (2, 'terminal:main', 1, 'completed', 'tea is at five',
  'owner', 'private:owner', '2026-11-01T10:00:01+00:00', '2026-11-01T10:00:02+00:00',
  'noted', 'm');
"""


@pytest.fixture
def old(tmp_path):
    """A ledger as the first version left it."""
    path = tmp_path / "ledger.db"
    connection = sqlite3.connect(path)
    connection.executescript(f"{LEDGER[0]}; pragma user_version = 1; {OLD}")
    connection.close()
    return path


async def test_a_ledger_of_the_first_version_goes_on(old, clock, hear):
    """With a copy of it beside; what was said is shown, and more can be said."""
    async with Database.open(old, LEDGER) as database:
        ledger, history = Ledger(database), History(database)
        before = await history.view(MAIN)
        await ledger.accept(hear("when is tea?"))
        turn = await ledger.begin(MAIN, clock())
        assert turn is not None
        await ledger.end(turn, Ending(TurnState.COMPLETED, final="at five"), clock())
        after = await history.view(MAIN)

    assert [past.turn.request for past in before.past] == ["tea is at five"]
    assert [past.turn.ordinal for past in after.past] == [1, 2]
    assert await verify(old) == []
    assert old.with_name("ledger.db.schema-1").exists()


@pytest.mark.parametrize("column", ["final", "state", "ordinal", "request"])
async def test_an_ended_turn_is_still_fixed(old, column):
    """Only that it was rewound may be written on it."""
    async with Database.open(old, LEDGER) as database:
        change = f"update turn set {column} = 'failed'"  # noqa: S608 -- names of ours
        with pytest.raises(StoreError, match="has ended"):
            await database.write(lambda tx: tx.execute(change))
        await database.write(lambda tx: tx.execute("update turn set hidden = 9"))


async def test_an_older_ledger_may_hold_passwords(old, tmp_path):
    """Nothing masked them; a new one has none, until it keeps them."""
    async with Database.open(old, LEDGER) as database:
        assert await Ledger(database).may_hold_secrets()
    async with Database.open(tmp_path / "new.db", LEDGER) as database:
        ledger = Ledger(database)
        await ledger.keep_secrets(keeps=False)
        assert not await ledger.may_hold_secrets()
        await ledger.keep_secrets(keeps=True)
        await ledger.keep_secrets(keeps=False)
        assert await ledger.may_hold_secrets()
