"""Whose account a call goes to, and how it is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.message import Usage
from apx.domain.usage import (
    Account,
    Call,
    Expense,
    Purpose,
    account,
    spending,
    spending_again,
    summed,
    tokens_of,
)
from apx.domain.usage_text import told, used

TEXTS = st.sampled_from(["", "a", "b"])
EXPENSES = st.lists(
    st.builds(
        Expense,
        day=st.sampled_from(["2026-11-29", "2026-11-30"]),
        purpose=st.sampled_from(list(Purpose)),
        person=TEXTS,
        model=TEXTS,
        calls=st.integers(0, 9),
        prompt=st.integers(0, 10**6),
        completion=st.integers(0, 10**6),
        cached=st.integers(0, 10**6),
        unknown=st.integers(0, 9),
    )
)


def test_a_call_of_nobody_is_seen_as_such():
    """A place that forgot to say what it spends for must not look like chat."""
    assert account() == Account(Purpose.OTHER, "")


def test_the_innermost_block_says_the_purpose_and_keeps_the_person():
    """A summary in the middle of a turn is still that person's."""
    with spending(Purpose.CHAT, "ana"):
        with spending(Purpose.SUMMARY):
            assert account() == Account(Purpose.SUMMARY, "ana")
        with spending(Purpose.EMBEDDING, ""):
            assert account() == Account(Purpose.EMBEDDING, "")
        assert account() == Account(Purpose.CHAT, "ana")
    assert account() == Account()


@pytest.mark.parametrize(
    ("purpose", "again"),
    [
        (Purpose.CHAT, Purpose.RETRY),
        (Purpose.RETRY, Purpose.RETRY),
        (Purpose.SUMMARY, Purpose.BACKGROUND_RETRY),
        (Purpose.BACKGROUND_RETRY, Purpose.BACKGROUND_RETRY),
    ],
)
def test_a_repetition_is_still_on_its_side_of_the_budget(purpose, again):
    """Else a first model that is down all day would free summaries of their bound."""
    with spending(purpose, "ana"), spending_again():
        assert account() == Account(again, "ana")


async def test_tasks_and_threads_inherit_the_account_and_do_not_share_it():
    """Two turns run side by side."""

    async def turn(person: str) -> tuple[Account, Account]:
        with spending(Purpose.CHAT, person):
            await asyncio.sleep(0)
            task = asyncio.ensure_future(asyncio.to_thread(account))
            return account(), await task

    found = await asyncio.gather(turn("ana"), turn("bob"))

    for person, both in zip(("ana", "bob"), found, strict=True):
        assert both == (Account(Purpose.CHAT, person),) * 2


@given(EXPENSES)
def test_to_add_up_loses_nothing(expenses):
    """Whatever comes in whatever order, a key stands once and sums stay."""
    sums = summed(expenses)

    assert all(key == one.key for key, one in sums.items())
    assert tokens_of(sums.values()) == tokens_of(expenses)
    assert sum(one.calls for one in sums.values()) == sum(o.calls for o in expenses)


def test_a_day_is_told_by_purpose_model_and_person():
    """Numbers that can be read, the largest first, and what was only estimated."""

    def spent(purpose, person, model, *tokens, known=True):
        usage = replace(Usage(*tokens), known=known)
        return Expense.of("2026-11-30", Call(Account(purpose, person), model, usage))

    said = told(
        [
            spent(Purpose.EMBEDDING, "", "openai:small", 1_300),
            spent(Purpose.CHAT, "ana", "openai:big", 10_000, 1_000, 4_520),
            spent(Purpose.RETRY, "ana", "ollama:x", 0, 7, known=False),
        ]
    )

    assert said == (
        "today: 12,307 tokens (40 % of what was read was cached) in 3 calls\n"
        "by purpose: chat 11,000, embedding 1,300, retry 7\n"
        "by model: openai:big 11,000, openai:small 1,300, ollama:x 7\n"
        "by person: ana 11,007, the home 1,300\n"
        "1 of these calls were estimated: nobody told more"
    )


def test_nothing_spent_is_said_in_one_line():
    """And no bound is no line at all."""
    assert told([]) == "today: nothing was spent"
    assert used("budget.daily_tokens", 5, 0) == ""
    assert used("x", 5, 1_000) == "x: 5 of 1,000 tokens today"
