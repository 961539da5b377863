"""Literal search over what was said."""

import pytest

from apx.domain.ending import Ending
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.search import MessageSearch

MINE = ("private:owner", "shared")


async def said(ledger, clock, heard, final):
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    await ledger.end(turn, Ending(TurnState.COMPLETED, final=final), clock())


@pytest.mark.parametrize(
    ("wanted", "request_text"),
    [
        ("ñandú", "Vi un ÑANDÚ ayer"),
        ("STRASSE", "Wir wohnen in der Hauptstraße 4"),
        ("100 %", "it is 100 % sure"),
        ("a_b", "the file a_b.txt"),
        ('say "hi"', 'he would say "hi" to all'),
        ("備", "今日は備忘録を書く"),
        ("it's", "it's here"),
        ("k8", "the k8s cluster"),
    ],
)
async def test_words_are_found_as_they_look(
    ledger, database, clock, hear, wanted, request_text
):
    """Case, accents and width do not matter; signs of SQL mean themselves."""
    await said(ledger, clock, hear(request_text), "fine")
    await said(ledger, clock, hear("axb 100 pct"), "fine")

    found = await MessageSearch(database.path).search(wanted, MINE, None, 10)

    assert [(hit.field, hit.text) for hit in found] == [("person", request_text)]


async def test_it_says_which_side_said_it(ledger, database, clock, hear):
    """The words may be the assistant's."""
    await said(ledger, clock, hear("where?"), "in the Black Forest")
    await said(ledger, clock, hear("x", thread="terminal:b"), "black forest cake")
    search = MessageSearch(database.path)

    found = await search.search("black forest", MINE, None, 10)
    one = await search.search("black forest", MINE, Thread("terminal", "b"), 10)
    nobody = await search.search("black forest", ("private:eve",), None, 10)

    assert [hit.field for hit in found] == ["assistant", "assistant"]
    assert [hit.text for hit in one] == ["black forest cake"]
    assert nobody == []
