"""What the offline model tells of the curated memories that its prompt brings."""

from datetime import UTC

import pytest

from apx.domain.curated import Fact
from apx.domain.message import Message, Options, Role, TextDelta, ToolCall
from apx.domain.recall import Recall
from apx.domain.tool import ToolSpec
from apx.memory.curated.fitting import fitted, memory
from apx.memory.merge import render
from apx.providers.offline import OfflineModel

TOOLS = [ToolSpec("recall_search", "", {}), ToolSpec("remember", "", {})]
NOTHING = "nothing found"
NOTE = "• [2026-11-29][telegram] the heron nests in the old mill (note 3)"


def fact(title, kind="decision", body="", source=""):
    day, audience = "2026-11-30", "private:owner"
    name = f"{kind[0]}-{day}-{len(title)}"
    foreign = source.startswith("untrusted")
    return Fact(name, kind, title, "", body, (), audience, 70, day, source, foreign)


def block(*facts):
    """Give the block as a prompt has it."""
    every = [memory(one, UTC, "words") for one in facts]
    rules = [one for one in every if one.channel == "mem constraint"]
    found = [one for one in every if one not in rules]
    known = render(Recall(fitted(rules, found, UTC)), UTC)
    return Message(Role.USER, f"[Monday, in terminal:main]\n\n{known}")


async def answers(asked, *facts, results=(NOTHING,), past=()):
    """Give what it says in the end, with what its tools brought."""
    model = OfflineModel()
    messages = [*past, block(*facts), Message(Role.USER, f"Bob: {asked}", own=asked)]
    for result in results:
        stream = model.stream(messages, TOOLS, Options())
        calls = [one async for one in stream if isinstance(one, ToolCall)]
        messages.append(Message(Role.ASSISTANT, "", calls=tuple(calls)))
        messages += [
            Message(Role.TOOL, one, call_id=call.id)
            for call, one in zip(calls, result.split("\n\n"), strict=True)
        ]
    stream = model.stream(messages, TOOLS, Options())
    said = [one.text async for one in stream if isinstance(one, TextDelta)]
    return "".join(said).split("\n")


RULE = fact("Never feed the heron bread", "constraint")
MILL = fact("the heron nests in the old mill", body="Since the flood")
TAX = fact("税金は三月に払う")


@pytest.mark.parametrize(
    ("asked", "known", "told"),
    [
        (
            "where does the heron nest?",
            MILL,
            "• the heron nests in the old mill — Since the flood (2026-11-30 · /mem)",
        ),
        ("税金はいつ払いますか？", TAX, "• 税金は三月に払う (2026-11-30 · /mem)"),  # noqa: RUF001 -- as it is typed
        # Found by its meaning: no word is the same.
        ("which bird lives by the river?", MILL, "• the heron nests in the old mill"),
    ],
)
async def test_what_was_found_is_told(asked, known, told):
    """Though no note and no message says it."""
    (_, line) = await answers(asked, known)

    assert line.startswith(told)


@pytest.mark.parametrize(
    ("asked", "is_told"),
    [
        ("may I give the heron some bread?", True),
        ("where is my coat?", False),
        ("what can you do?", False),
    ],
)
async def test_a_rule_is_told_where_it_is_about_the_question(asked, is_told):
    """It is in every prompt, whatever is asked."""
    told = "\n".join(await answers(asked, RULE))

    assert ("Never feed the heron bread (2026-11-30 · /mem)" in told) == is_told


async def test_what_it_was_made_of_is_not_told_beside_it():
    """The memory stands first, the note once, what else was found after it."""
    other = NOTE.replace("heron nests in", "owl sleeps in")
    said = await answers(
        "where does the heron nest?", MILL, results=[f"{NOTE}\n{other}"]
    )
    short = await answers("heron?", fact("heron"), results=[NOTE])
    alone = await answers("where does the heron nest?", MILL, results=[NOTE])

    assert ["/mem" in said[1], "owl" in said[2], len(said)] == [True, True, 3]
    assert (len(alone), len(short)) == (2, 3)


async def test_of_several_questions_each_has_its_own():
    """What was found for all of them goes where it has a word."""
    asked = (
        "remember that tea is at five\nwhere does the heron nest?\nwhere is my coat?"
    )
    said = await answers(
        asked,
        MILL,
        fact("The coat is in the hall"),
        results=["saved as note 4: tea is at five", f"{NOTHING}\n\n{NOTHING}"],
    )

    nest, coat = (said.index(q) for q in asked.split("\n")[1:])
    assert "old mill" in "\n".join(said[nest:coat])
    assert "hall" not in "\n".join(said[nest:coat])
    assert "hall" in "\n".join(said[coat:])


async def test_others_words_are_told_as_such():
    """A proposal that its owner kept may still be somebody else's sentence."""
    theirs = fact("the heron is a spy", source="untrusted person:eve")

    assert "(others' words) the heron is a spy" in (await answers("heron?", theirs))[1]


async def test_only_what_came_along_counts():
    """Neither an old prompt's block nor a wish or a failure has an answer in it."""
    past = [block(MILL), Message(Role.USER, "hm"), Message(Role.ASSISTANT, "yes")]
    old = await answers("where does the heron nest?", past=past)
    saved = await answers(
        "remember that the heron nests in the old mill",
        MILL,
        results=["saved as note 3: x"],
    )

    assert "old mill" not in "\n".join(old)
    assert "/mem" not in "\n".join(saved)
