"""What a message brings back, and that nothing comes when nothing fits."""

from dataclasses import replace

import pytest

from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.memory.recall.recalled import Patience
from apx.memory.recall.showing import Showing
from apx.testing import WordEmbedder
from tests.memory.rooms import Embedders, rooms, said

HASTY = Patience(loading=0.02, vector=0.03)
FACTS = (
    said("my dentist is Dr. Brandt in Rathausstrasse", 1),
    said("the boat is moored in Kiel", 2),
    said("the staging server moved to 10.0.1.5", 3),
)


@pytest.fixture
async def memory(tmp_path, history):
    async with rooms(tmp_path, history) as opened:
        await opened.engine.ready.wait()
        yield opened


WORK = [
    f"{what} {thing} {when}"
    for what in ("we shipped", "please review", "Ana deployed", "I rejected", "ok for")
    for thing in ("the invoice", "the build", "release 4", "the roadmap", "the mail")
    for when in ("today", "on Friday", "for Globex", "again", "with Tom")
]


@pytest.mark.parametrize("embeds", [False, True])
async def test_small_talk_brings_nothing(tmp_path, history, embeds):
    """Hundreds of memories about work have nothing to do with it."""
    who = Embedders(words=WordEmbedder()) if embeds else None
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        await memory.put(*(said(text, n) for n, text in enumerate(WORK * 4)))
        await memory.spaces.fill()

        for text in ("ok thanks", "thanks!", "👍", "haha yes", "gracias", "好的"):
            assert await memory.found(text) == []


@pytest.mark.parametrize("many", [1, 2, 5, 15])
async def test_in_a_store_of_few_words_they_are_found_too(memory, many):
    """On the first day each message says much of what is known."""
    await memory.put(*(said(f"my dentist is Dr. Brandt {n}", n) for n in range(many)))

    assert await memory.found("which dentist should I call tomorrow?") != []


async def test_what_has_nothing_to_do_with_it_is_not_found(memory):
    """One common word in a long question is no answer to it."""
    await memory.put(*(said(text, n) for n, text in enumerate(WORK)))
    asked = "which wine goes with roast lamb and rosemary potatoes today?"

    assert await memory.found(asked) == []


ODD = {
    "long": "who is my dentist? " + "and then of the " * 6_250,
    "long at the end": "and then of the " * 6_250 + " who is my dentist?",
    "one word": "dentist " + "x" * 100_000,
    "punctuation": "?!... --- ((( ''' \"\"\" *** ::: ;;;",
    "operators": 'dentist AND NOT (OR *) "dentist" dentist* ^dentist',
    "NUL": "dentist\x00 \x00",
    "half a character": "dentist \ud800 \udfff",
    "marks": "dentist" + "\u0301" * 5_000,
    "spaces": " \n\t\u3000 ",
    "empty": "",
}


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_odd_questions_are_questions(tmp_path, history, is_loaded):
    """Raw text reaches no parser; what can be read of it is looked up."""
    async with rooms(tmp_path, history, None, None, HASTY) as memory:
        await memory.engine.ready.wait()
        await memory.put(*FACTS)
        if not is_loaded:
            memory.engine.ready.clear()

        found = {name: await memory.found(text) for name, text in ODD.items()}

        silent = {"punctuation", "spaces", "empty"}
        assert found == {
            name: [] if name in silent else [FACTS[0].text] for name in ODD
        }


async def test_an_empty_store_answers(tmp_path, history):
    """On the first day there is nothing."""
    async with rooms(tmp_path, history, Embedders(w=WordEmbedder())) as memory:
        assert await memory.found("who is my dentist?") == []
        await memory.spaces.fill()
        assert await memory.found("who is my dentist?") == []
        assert await memory.found("who?", audiences=()) == []


async def test_what_the_prompt_holds_is_left_out(memory):
    """It would be there twice."""
    await memory.put(*(replace(one, turn=n) for n, one in enumerate(FACTS)))
    twice = said("my dentist moved", 30, turn=9)
    await memory.put(twice)

    assert await memory.found("dentist", known_turns=frozenset({0})) == [twice.text]


LONG = (
    "It rained all day and we stayed inside. " * 8
    + "The safe code is 4711. "
    + ("Then we played cards until midnight. " * 4)
)


@pytest.mark.parametrize("characters", [40, 60, 100, 160, 500])
async def test_of_a_long_text_the_part_that_matters_is_shown(
    tmp_path, history, characters
):
    """In as many characters as config.json allows, from the fewest on."""
    showing = Showing(characters=characters)
    async with rooms(tmp_path, history, None, showing) as memory:
        await memory.engine.ready.wait()
        await memory.put(said(LONG))
        [one] = (await memory.fetch("what is the safe code?")).memories

        assert "4711" in one.shown
        assert len(one.shown) <= characters


async def test_tokens_fill_the_block_with_whole_chunks(tmp_path, history):
    """Neither the number nor the characters count then; the budget holds."""
    texts = [f"tooth {n} is {'fine ' * 20}" for n in range(30)]
    async with rooms(tmp_path, history, None, Showing(tokens=400)) as memory:
        await memory.engine.ready.wait()
        await memory.put(*(said(f"{t}{n * 'x'}", n) for n, t in enumerate(texts)))
        memories = (await memory.fetch("fine tooth", limit=2)).memories

        assert len(memories) > 5
        assert all(one.shown == " ".join(one.text.split()) for one in memories)
        assert sum(-(-len(one.shown) // 3) for one in memories) <= 400


class Knowing(WordEmbedder):
    """Knows that two words mean the same."""

    async def query(self, text):
        return await super().query(text.replace("automobile", "car"))


async def test_a_hit_by_meaning_alone_is_found(tmp_path, history):
    """The question shares no word with the answer."""
    who = Embedders(w=Knowing(dims=256))
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        fact = said("the car needs new tyres", 1)
        await memory.put(fact, *(said(text, n + 2) for n, text in enumerate(WORK)))
        assert await memory.found("our automobile") == []
        await memory.spaces.fill()

        found = (await memory.fetch("our automobile")).memories

        assert found[0].text == fact.text
        assert "vector" in found[0].why
        assert "lexical" not in found[0].why


async def test_notes_messages_and_tool_results_go_one_way(memory):
    """The same normaliser, the same search: each kind is found by the same words."""
    texts = {
        Kind.NOTE: "Café Zürich öffnet um 8",
        Kind.MESSAGE: "GitHub备份脚本在周五",
        Kind.TOOL: "ticket INV-2231 closed",
    }
    roles = {Kind.TOOL: Role.TOOL}
    for kind in texts:
        await memory.put(
            *(
                said(
                    f"{text} {kind}",
                    n,
                    seq=100 + n,
                    kind=kind,
                    role=roles.get(kind, Role.USER),
                )
                for n, text in enumerate(texts.values())
            )
        )

    for asked, text in zip(
        ("cafe zurich", "备份", "inv-2231"), texts.values(), strict=True
    ):
        found = (await memory.fetch(asked, limit=9)).memories
        assert {one.kind for one in found} == set(texts)
        assert all(one.text.startswith(text) for one in found)
