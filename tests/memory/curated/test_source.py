"""What a turn is given of the curated memories, whatever hangs."""

import asyncio
import threading
from dataclasses import replace
from datetime import UTC
from typing import Any

import numpy as np
import pytest

from apx.domain.recall import Kind, Query
from apx.domain.space import Usual
from apx.domain.thread import Thread
from apx.memory.broker import Broker
from apx.memory.curated.source import Asked, CuratedMemories
from apx.memory.recall.recalled import Patience
from apx.memory.recall.search import Meaning
from tests.memory.curated.facts import FACTS, OWNERS, fact, named
from tests.memory.rooms import NOW

MAIN = Thread("terminal", "main")
SOON = Patience(vector=0.05)
ROOM = "room:telegram:7:-100"
MEANING = Meaning(1, np.zeros(4, np.float32), Usual(0.1, 0.1))


class Store:
    """Facts in memory; while `gate` is shut, reading them all takes for ever."""

    def __init__(self, facts, *, is_warm=True):
        self.known = facts
        self.is_warm = is_warm
        self.gate = threading.Event()
        self.gate.set()

    def is_there(self):
        return self.known is not None

    def rules(self):
        return {n: f for n, f in self.known.items() if f.is_rule}

    def facts(self):
        self.gate.wait(10)
        self.is_warm = True
        return self.known


class Vectors:
    """Gives cosines that were fixed before."""

    def __init__(self, **cosines):
        self.cosines_of = {name.replace("_", "-"): c for name, c in cosines.items()}

    async def cosines(self, meaning):
        assert meaning is MEANING
        return self.cosines_of


async def means(_text):
    return MEANING


async def nobody(_text):
    return None


async def hangs(_text):
    await asyncio.Event().wait()


def source(facts=FACTS, meaning=nobody, vectors=None, **more):
    store = facts if isinstance(facts, Store) else Store(facts)
    cosines: Any = vectors or Vectors()
    asked = Asked(meaning, cosines)
    return CuratedMemories(store, asked, UTC, more.pop("patience", SOON), **more)


def query(text, turn=0, **changes):
    known = frozenset({turn}) if turn else frozenset()
    made = Query(text, MAIN, (OWNERS,), NOW, known_turns=known)
    return replace(made, **changes)


async def ids(asked, text, turn=0, **changes):
    found = await asked.fetch(query(text, turn, **changes))
    return [one.ref.removeprefix("mem ") for one in found.memories]


async def test_rules_are_in_every_prompt():
    """Whatever is asked, small talk too, and at every turn."""
    asked = source()

    for turn, text in enumerate(["hello", "the weather?", "hello", "ok"], start=1):
        assert await ids(asked, text, turn) == ["c-lucia", "c-friday", "c-eu"]


async def test_the_five_rules_that_matter_most():
    """By priority, then the newest; more are found like all else."""
    rules = [fact(f"c-{n}", f"never paint wall {n}", priority=n) for n in range(1, 8)]
    odd = fact("c-x", "no smoking", priority=7, day="2026-12-01")
    asked = source(named(*rules, odd))

    assert await ids(asked, "hi") == ["c-x", "c-7", "c-6", "c-5", "c-4"]
    assert await ids(asked, "may I paint wall 2?") == [
        *("c-x", "c-7", "c-6", "c-5", "c-4"),
        *("c-2", "c-1", "c-3"),
    ]


async def test_what_fits_comes_after_the_rules():
    """Three at most, each with why it is there."""
    found = (await source().fetch(query("is redis logging people out?"))).memories

    assert found[-1].ref == "mem f-redis"
    assert found[-1].kind is Kind.CURATED
    assert found[-1].why == "words"
    assert found[-1].score
    assert found[0].why == "rule, priority 50"


async def test_what_was_shown_rests_for_five_turns():
    """The conversation has it by then; a turn that is run again counts once."""
    more = fact("h-more", "Bread to bake well")
    asked = source(named(fact("d-oven", "Bake the bread"), more))
    text = "how do I bake the bread?"

    async def shown(turn, said=""):
        return "h-more" in await ids(asked, said or f"{text} {turn}", turn)

    assert await shown(1)
    # Run again, as something joined; then a retry, a turn of its own.
    assert await shown(1, f"{text} more")
    assert await shown(2, f"{text} more")
    assert [await shown(turn) for turn in range(3, 9)] == [False] * 5 + [True]


async def test_what_fits_best_never_rests():
    """Asked in other words, it would be told as if nothing were known."""
    asked = source({n: f for n, f in FACTS.items() if n == "h-bread"})
    assert await ids(asked, "how do I bake the bread?", 1) == ["h-bread"]

    again = await ids(asked, "tell me how the bread is baked", 2)

    assert again == ["h-bread"]


async def test_other_conversations_know_nothing_of_that():
    """Their prompts are others."""
    asked = source()
    await ids(asked, "how hot is the bread baked?", 1)

    there = await ids(
        asked, "how hot is the bread baked?", 9, thread=Thread("telegram", "7:1")
    )

    assert "h-bread" in there


async def test_nobody_is_given_what_others_keep():
    """Filtered before anything is ranked; what is withheld is counted alone."""
    facts = named(
        fact("c-mine", "never tell the PIN"),
        fact("d-mine", "the PIN is in the safe"),
        fact("d-all", "the PIN of the door is public", audience="shared"),
        fact("c-room", "the PIN is never said here", audience=ROOM),
        fact("c-else", "the PIN is 4", audience="room:telegram:7:-200"),
    )
    asked = source(facts)
    room = query("where is the PIN?", audiences=(ROOM, "shared"), withheld=(OWNERS,))

    found = await asked.fetch(room)

    assert [one.ref for one in found.memories] == ["mem c-room", "mem d-all"]
    assert found.withheld == 2


@pytest.mark.parametrize("meaning", [hangs, nobody])
async def test_words_and_rules_never_wait_for_a_vector(meaning):
    """An embedder that hangs, or is not there, costs nothing else."""
    asked = source(meaning=meaning)
    broker = Broker([asked], budget=20)

    recall = await broker.recall(query("redis?"))

    assert [one.ref for one in recall.memories][-1] == "mem f-redis"
    assert recall.missed == (("curated: vectors",) if meaning is hangs else ())
    assert recall.spent_ms < 10_000


async def test_a_store_that_is_still_being_read_gives_its_rules():
    """Thousands of files, in a process that has just begun; the next turn has all."""
    store = Store(FACTS, is_warm=False)
    store.gate.clear()
    asked = source(store)

    found = await asked.fetch(query("redis?"))

    assert [one.ref for one in found.memories] == [
        *("mem c-lucia", "mem c-friday", "mem c-eu")
    ]
    assert found.missed == ("curated: loading",)
    store.gate.set()
    await asked.aclose()
    assert (await ids(asked, "redis?"))[-1] == "f-redis"


async def test_meaning_finds_what_no_word_does():
    """More alike than unrelated texts are; a little closer is nothing."""
    facts = {name: FACTS[name] for name in ("f-redis", "h-bread", "d-bills")}
    vectors = Vectors(f_redis=0.9, h_bread=0.2)
    asked = source(facts, means, vectors)

    found = (await asked.fetch(query("why was the whole team kicked out?"))).memories

    assert [(one.ref, one.why) for one in found] == [("mem f-redis", "meaning")]


async def test_meaning_puts_in_order_what_words_found():
    """Both together, as was measured: words most, meaning between equals."""
    facts = named(fact("d-1", "the boat is old"), fact("d-2", "the boat is new"))
    asked = source(facts, means, Vectors(d_1=0.1, d_2=0.6))

    assert await ids(asked, "the boat") == ["d-2", "d-1"]


async def test_whoever_wants_nothing_unasked_has_the_rules():
    """`passive_inject` is about finds; a rule is none."""
    asked = source(finds=False)

    assert await ids(asked, "redis?") == ["c-lucia", "c-friday", "c-eu"]


async def test_no_store_is_nothing():
    """Most people have none; nobody is asked for anything."""

    async def never(_text):
        raise AssertionError

    assert (await source(Store(None), never).fetch(query("redis?"))).memories == ()
