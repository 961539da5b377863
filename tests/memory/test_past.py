"""Old facts beside those that hold now."""

from datetime import UTC, datetime, timedelta

from apx.domain.recall import Findings, Kind, Memory, Query
from apx.domain.thread import Thread
from apx.memory.past import over_time

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def told(text, days, number):
    at = NOW - timedelta(days=days)
    return Memory(Kind.MESSAGE, text, at, "terminal", f"turn {number}")


PARIS = told("I live in Paris", 400, 1)
ROME = told("I moved to Rome", 2, 2)
TALK = told("Where is it?", 1, 3)


class Known:
    """Finds the same for every question."""

    name = "recall"

    def __init__(self):
        self.asked: list[Query] = []

    async def fetch(self, query):
        self.asked.append(query)
        return Findings((ROME, TALK, *([PARIS] if query.history else [])))


def query(text, limit=10):
    return Query(text, Thread.parse("terminal:main"), ("a",), NOW, limit)


async def test_the_oldest_comes_first():
    """It is read as a story; one question is asked for what was, too."""
    known = Known()

    assert await over_time(known, query("home")) == [PARIS, ROME, TALK]
    assert [(one.text, one.history) for one in known.asked] == [("home", True)]


async def test_without_words_each_fact_of_the_person_is_shown_once():
    """And nothing that claims nothing."""
    known = Known()

    assert await over_time(known, query(" ")) == [PARIS, ROME]
    assert "Where do I live?" in [one.text for one in known.asked]


async def test_the_newest_are_shown_when_there_are_many():
    """As many as were asked for."""
    assert await over_time(Known(), query("", limit=1)) == [ROME]
