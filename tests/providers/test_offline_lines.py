"""What is wished for in a request of several lines, such as a burst of messages."""
# ruff: noqa: RUF001 - Chinese and Japanese have their own wide punctuation

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.intent import Wish, read
from apx.domain.message import Message, Options, Role, TextDelta, ToolCall
from apx.domain.tool import ToolSpec
from apx.providers.offline import OfflineModel
from apx.providers.offline_lines import wishes
from apx.providers.phrases import phrases

TOOLS = ("remember", "recall_search", "list_notes", "forget_note")
BURSTS = {
    "en": ("remember that item 1 is red", "remember item 2 is blue", "what is item 2?"),
    "es": ("recuerda que vivo en Lima", "recuerda que Ana baila", "¿quién baila?"),
    "pt": ("lembre-se que moro no Rio", "lembre-se que Ana dança", "quem dança?"),
    "fr": ("retiens que je vis à Lyon", "retiens qu'Ana danse", "qui danse ?"),
    "de": ("merk dir, dass Tom kommt", "merk dir, dass Ana tanzt", "wer tanzt?"),
    "it": ("ricorda che abito a Roma", "ricorda che Ana balla", "chi balla?"),
    "zh": ("请记住：我住在北京", "请记住：安娜吃素", "安娜吃什么？"),
    "ja": ("覚えておいて：犬はポチ", "アナは肉が嫌いだと覚えて", "アナは何が嫌い？"),
}
ONE_NOTE = [
    "remember this list:\n- milk\n- what is left",
    "remember the shopping list:\nmilk\nbread",
    "remember that\nI live in Rome",
    "remember that the code is 42\nand the door is blue",
    "remember to say:\nthanks",
    "hi\nremember that I ski",
    "Recuerda esta lista:\n1. pan\n2. leche",
    "lembre-se da lista:\n- pão\n- leite",
    "retiens cette liste :\n- pain\n- lait",
    "merk dir diese Liste:\n- Brot\n- Milch",
    "ricorda questa lista:\n- pane\n- latte",
    "记住这个清单：\n- 牛奶\n- 面包",
    "以下を覚えておいて：\n・牛乳\n・パン",
    "- 牛乳\n- パン\nを覚えて",
]


@pytest.mark.parametrize("language", BURSTS)
def test_each_line_of_a_burst_is_a_wish_of_its_own(language):
    """In the order in which they were said."""
    lines = BURSTS[language]

    assert wishes("\n".join(lines)) == [read(line) for line in lines]
    assert wishes("\n".join(reversed(lines))) == [read(line) for line in lines[::-1]]


@pytest.mark.parametrize("text", ONE_NOTE)
def test_lines_that_are_one_note_stay_one(text):
    """A list, or a sentence that goes on."""
    assert wishes(text) == [read(text)]
    assert wishes(text)[0].kind is Wish.REMEMBER


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        (
            "remember this list:\n- a\n- b\nwhat is on it?",
            ["this list:\n- a\n- b", "what is on it?"],
        ),
        (
            "remember the list:\nmilk\nbread\nremember that I ski",
            ["the list:\nmilk\nbread", "I ski"],
        ),
        ("remember that a is 1\n\nremember that b is 2\nthanks!", ["a is 1", "b is 2"]),
        ("I am at work\nremember that I ski", ["I ski"]),
        ("remember that I ski\nforget note 3", ["I ski", "note 3"]),
        ("remember a poem\nforget about work\nrelax", None),
        ("remember that I ski\nremember that I ski", ["I ski"]),
        ("犬はポチだと覚えて\n猫が好き", ["犬はポチだ"]),
        ("where is it?\nwho has it?", None),
        ("translate this:\nremember that I ski", None),
    ],
)
def test_what_belongs_to_which_wish(text, subjects):
    """None is for a text that is read as it always was."""
    found = [one.subject for one in wishes(text)]

    assert found == ([read(text).subject] if subjects is None else subjects)


@given(st.text())
def test_any_text_can_be_read(text):
    """Nothing that a person sends may break the reading; one line is one wish."""
    found = wishes(text)

    assert len(found) >= 1
    assert "\n" in text.strip() or found == [read(text)]


def test_many_lines_are_read_in_no_time():
    """Reading grows with the text, not with its square."""
    text = "\n".join(["remember that I ski", *["and so on and on"] * 198])
    began = time.process_time()

    wishes(text)

    assert time.process_time() - began < 1


async def answered(text, tools=TOOLS):
    """Let the model work until it speaks; give its rounds of calls and its answer."""
    messages, number = [Message(Role.USER, text)], 6
    rounds: list[list[str]] = []
    specs = [ToolSpec(name, name, {"type": "object"}) for name in tools]
    while True:
        stream = OfflineModel().stream(messages, specs, Options())
        deltas = [one async for one in stream]
        calls = tuple(one for one in deltas if isinstance(one, ToolCall))
        if not calls:
            said = "".join(one.text for one in deltas if isinstance(one, TextDelta))
            return rounds, said
        rounds.append([call.name for call in calls])
        messages.append(Message(Role.ASSISTANT, "", calls=calls))
        for call in calls:
            result = "nothing found"
            if call.name == "remember":
                number += 1
                fact = json.loads(call.arguments)["text"]
                result = f"saved as note {number}: {fact}"
            messages.append(Message(Role.TOOL, result, call_id=call.id))


@pytest.mark.parametrize("language", BURSTS)
async def test_all_notes_are_confirmed_and_the_question_is_answered(language):
    """With what was told in the same breath, which no search brings."""
    first, second, question = BURSTS[language]
    say = phrases(language)

    rounds, said = await answered(f"{first}\n{second}\n{question}")

    assert rounds == [["remember", "remember"], ["recall_search"]]
    fact = read(second).subject
    assert said.split("\n") == [
        say.saved.format(number=7, text=read(first).subject),
        say.saved.format(number=8, text=fact),
        say.found,
        f"• {fact} ({say.note.format(number=8)})",
    ]


async def test_each_of_several_questions_has_its_answer():
    """In the order of the messages, each below its question."""
    rounds, said = await answered("who is Tom?\nremember that I ski\nwho is Ana?")

    assert rounds == [["recall_search"], ["remember"], ["recall_search"]]
    say = phrases("en")
    assert said.split("\n") == [
        "who is Tom?",
        say.nothing_found,
        say.saved.format(number=7, text="I ski"),
        "who is Ana?",
        say.nothing_found,
    ]


async def test_what_cannot_be_done_does_not_take_the_rest_with_it():
    """A guest may ask, but has no notes."""
    rounds, said = await answered(
        "remember that I ski\nwhere is Tom?", tools=["recall_search"]
    )

    say = phrases("en")
    assert rounds == [["recall_search"]]
    assert said == f"{say.no_tool.format(tool='remember')}\n{say.nothing_found}"
