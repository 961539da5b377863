"""When a thread is condensed, and what of it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.compaction import Compaction, is_due, is_overdue, plan
from apx.domain.digest import digest
from apx.domain.fitting import measured
from apx.domain.turn import TurnState
from tests.domain.talk import talk, turn, view

ROOM = 100_000
RULES = Compaction(threshold=60, keep_recent=40)


@pytest.mark.parametrize(("turns", "due"), [(30, False), (31, True)])
def test_more_messages_than_the_threshold_are_condensed(turns, due):
    """Two a turn: 60 are not more than 60."""
    assert is_due(view(turns), RULES, ROOM) is due


def test_only_messages_since_the_last_time_count():
    """What was kept then does not count again, however slow the chat."""
    seen = replace(view(45), counted=20)

    assert seen.new_messages == 50
    assert not is_due(seen, RULES, ROOM)
    assert is_due(replace(seen, counted=10), RULES, ROOM)


def test_a_thread_that_costs_too_much_is_condensed_however_short():
    """Tokens count as well as messages."""
    seen = view(8, **{f"n{n}": "word " * 2_000 for n in range(1, 6)})

    assert not is_due(seen, RULES, ROOM)
    assert is_due(seen, RULES, 1_500)
    assert is_overdue(seen, RULES, 1_500)


def test_stopped_turns_are_no_messages():
    """Their person did not want them."""
    past = tuple(turn(n, state=TurnState.STOPPED) for n in range(1, 100))

    assert not is_due(replace(view(1), past=past), RULES, ROOM)
    assert plan(replace(view(1), past=past), RULES, ROOM) is None


def test_without_a_model_a_thread_may_grow_to_twice_the_threshold():
    """Then a rule folds it, or it would grow without end."""
    assert not is_overdue(view(60), RULES, ROOM)
    assert is_overdue(view(61), RULES, ROOM)


def test_the_newest_messages_stay():
    """The rest is folded, in order, without a gap."""
    chosen = plan(view(71), RULES, ROOM)

    assert chosen is not None
    assert [p.turn.ordinal for p in chosen.turns] == list(range(1, 52))
    assert [p.turn.ordinal for p in chosen.kept] == list(range(52, 72))
    assert chosen.messages == 102


def test_a_short_thread_has_nothing_to_fold():
    """All of it is among the newest."""
    assert plan(view(20), RULES, ROOM) is None


def test_of_long_messages_fewer_stay():
    """What stays takes at most half of the room."""
    seen = replace(view(1), past=tuple(turn(n, "w " * 900) for n in range(1, 21)))
    chosen = plan(seen, RULES, 4_000)

    assert chosen is not None
    assert 0 < len(chosen.kept) < 5


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 80),
    st.integers(0, 80),
    st.integers(1, 60),
    st.integers(300, 20_000),
    st.data(),
)
def test_every_turn_is_folded_or_kept(count, condensed, keep, room, data):
    """Between the condensation, what is folded and what stays there is no gap."""
    sizes = data.draw(st.lists(st.integers(1, 900), min_size=count, max_size=count))
    past = tuple(
        turn(condensed + n, "w " * size) for n, size in enumerate(sizes, start=1)
    )
    base = digest(None, talk(condensed)) if condensed else None
    seen = replace(view(1), past=past, condensation=base)
    rules = Compaction(threshold=60, keep_recent=keep)

    chosen = plan(seen, rules, room)

    if chosen is None:
        assert measured(replace(seen, condensation=None), room) <= room
        return
    assert (*chosen.turns, *[p.turn for p in chosen.kept])[: len(chosen.turns)]
    ordinals = [p.turn.ordinal for p in (*chosen.turns, *chosen.kept)]
    assert ordinals == list(range(condensed + 1, condensed + count + 1))
    after = replace(seen, past=chosen.kept, condensation=digest(base, chosen.turns))
    assert measured(after, room) <= room
