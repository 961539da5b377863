"""Links and blocks of documents are the same whichever way they came in."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.memory.recall import around
from apx.memory.recall.columns import BLOCK, NOBODY, Columns, NewDocument, chained

HOUR = 3600


def document(chunk, thread=1, at=0):
    return NewDocument(
        chunk=chunk,
        thread=thread,
        speaker=3,
        text=chunk,
        turn=chunk,
        at=at,
        length=5,
        content=4,
        marks=2,
    )


def filled(*batches):
    columns = Columns()
    for batch in batches:
        columns.append(batch)
    return columns


@st.composite
def documents(draw):
    """Some threads that cross, with pauses; thread 0 is none."""
    steps = draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.sampled_from([0, 60, HOUR, 5 * HOUR])),
            max_size=40,
        )
    )
    at, found = 0, []
    for number, (thread, pause) in enumerate(steps):
        at += pause
        found.append(document(number + 1, thread, at))
    return found


def cut(items, places):
    ends = sorted({0, len(items), *(place % (len(items) + 1) for place in places)})
    return [items[a:b] for a, b in pairwise(ends)]


def everything(columns):
    names = ("chunk", "thread", "at", "place", "before", "after", "dead")
    return {name: columns[name].tolist() for name in names}


def neighbours(columns):
    """Give for each living chunk the living chunks around it, by their ids."""
    living = np.flatnonzero(~columns["dead"]).astype(np.int32)
    ids = np.append(columns["chunk"], -1)
    return {
        int(columns["chunk"][doc]): ids[row].tolist()
        for doc, row in zip(living, around.near(living, columns).T, strict=True)
    }


def blocks(columns):
    living = np.flatnonzero(~columns["dead"]).astype(np.int32)
    ids = np.append(columns["chunk"], -1)
    starts = around.block_starts(living, columns)
    return {
        int(columns["chunk"][doc]): ids[row].tolist()
        for doc, row in zip(living, around.members(starts, columns).T, strict=True)
    }


def expected_links(items):
    """Link each thread by hand."""
    before: list[int] = []
    last: dict[int, int] = {}
    for doc, item in enumerate(items):
        before.append(last.get(item.thread, NOBODY) if item.thread else NOBODY)
        last[item.thread] = doc
    return before


@given(documents(), st.lists(st.integers(0, 100), max_size=5))
def test_batches_make_no_difference(items, places):
    """A thread goes on over the end of a batch."""
    columns = filled(*cut(items, places))

    assert everything(columns) == everything(filled(items))
    assert columns["before"].tolist() == expected_links(items)


@given(documents())
def test_after_is_the_other_way_of_before(items):
    """Both are read."""
    columns = filled(items)

    for doc, before in enumerate(columns["before"].tolist()):
        if before != NOBODY:
            assert columns["after"][before] == doc


@given(
    documents(), st.sets(st.integers(0, 39)), st.lists(st.integers(0, 100), max_size=4)
)
def test_what_files_give_back_is_linked_as_the_living_were(items, gone, places):
    """Also where the dead stood between, or last; and later ones follow alike."""
    head, tail = items[: len(items) // 2], items[len(items) // 2 :]
    dead = sorted(doc for doc in gone if doc < len(head))
    live = filled(head)
    live.kill(dead)
    ends = [0, *sorted(place % (len(head) + 1) for place in places), len(head)]
    parts = [live.living(a, b) for a, b in pairwise(ends)]
    loaded = Columns(chained(parts))

    assert neighbours(loaded) == neighbours(live)
    live.append(tail)
    loaded.append(tail)
    assert neighbours(loaded) == neighbours(live)
    assert blocks(loaded) == blocks(live)


@given(documents(), st.sets(st.integers(0, 39)))
def test_the_dead_stand_around_nobody(items, gone):
    """What is forgotten speaks for no other."""
    head, tail = items[: len(items) // 2], items[len(items) // 2 :]
    columns = filled(head)
    dead = [doc for doc in gone if doc < len(head)]
    columns.kill(dead)
    columns.append(tail)

    forgotten = {doc + 1 for doc in dead}
    for ids in (*neighbours(columns).values(), *blocks(columns).values()):
        assert forgotten.isdisjoint(ids)


@pytest.mark.parametrize(
    ("pauses", "places"),
    [
        ([0, HOUR, HOUR], [0, 1, 2]),
        ([0, 5 * HOUR, 60], [0, 0, 1]),
        ([0] * (BLOCK + 2), [*range(BLOCK), 0, 1]),
    ],
)
def test_a_pause_ends_a_block_and_so_does_its_size(pauses, places):
    """A block is what was said in one go."""
    times = np.cumsum(pauses).tolist()
    columns = filled([document(n + 1, 1, at) for n, at in enumerate(times)])

    assert columns["place"].tolist() == places


def test_a_block_is_found_from_each_of_its_documents():
    """Across another thread that is between."""
    items = [document(1), document(2, 2), document(3), document(4, 1, 9 * HOUR)]
    found = blocks(filled(items))

    assert [one for one in found[3] if one > 0] == [1, 3]
    assert [one for one in found[1] if one > 0] == [1, 3]
    assert [one for one in found[4] if one > 0] == [4]


def test_documents_are_found_by_their_chunks():
    """And those that are not there are told apart."""
    columns = filled([document(2), document(5), document(9)])

    docs, known = columns.doc_of(np.array([9, 1, 5, 10]))

    assert known.tolist() == [True, False, True, False]
    assert docs[known].tolist() == [2, 1]


def test_long_and_wordy_documents_fit_their_columns():
    """Numbers are held at what a column can hold."""
    large = replace(document(1), length=1_000_000, content=1_000)

    columns = filled([large])

    assert columns["length"].tolist() == [65_535]
    assert columns["content"].tolist() == [255]


def test_a_reader_keeps_what_it_saw():
    """Arrays only grow; a view taken before stays as it was."""
    columns = filled([document(n) for n in range(1, 1_025)])
    view = columns["chunk"]

    columns.append([document(n) for n in range(1_025, 5_000)])

    assert view.tolist() == list(range(1, 1_025))
