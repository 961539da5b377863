"""A model that obeys everything it reads changes no note, no block, no tool."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from apx.agent.confirming import Confirmations
from apx.agent.rights import Rights
from apx.domain.compaction import Compaction
from apx.domain.delimiters import Mark
from apx.domain.message import ToolCall
from apx.domain.person import Audience, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.recall import Kind, Memory
from apx.domain.tool import Effect
from apx.domain.untrusted import harmless
from apx.providers import gemini_format, ollama_format, openai_format
from apx.testing import FixedSource, FunctionTool, ScriptedModel
from tests.agent.conftest import World
from tests.memory.records import events
from tests.stories.injections import ASKS, EVIL, INJECTIONS, ORDERS, Injection, Way

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from apx.agent.gateway import Gateway
    from apx.domain.message import Message
    from apx.domain.turn import Inbound, Turn
    from apx.testing import Say

_ORDER: Final = re.compile(
    r"(?:remember|recuerda que|merke dir|retiens que|记住|запомни)"
    r" ?[:\uff1a]? ?(.{8,200})",
    re.IGNORECASE,
)
_JSON: Final = re.compile(
    r'\{"name": "(\w+)", "arguments": (\{[^{}]*\})\}',
)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_BROUGHT: Final = {Way.FORWARDED, Way.QUOTED, Way.ATTACHED}
_TOKENS: Final = re.compile(
    r"<\|\w+\|>|<\uff5c|<\|?turn\|?>|\[/?INST\]|<<SYS>>|</?s>|<\w+_of_turn>|<think>"
)
_NAME: Final = re.compile(r"\A[^:\n]{1,40}: ")
_URL: Final = re.compile(r"https://\S+")
# What stands between two marks of ours, and a mark of the instructions.
_BLOCK: Final = re.compile(
    r"\[(MEMORIA RELEVANTE|RESUMEN COMPACTADO[^\]\n]*|DATOS NO CONFIABLES[^\]\n]*)\]"
    r".*?\[/(?:MEMORIA RELEVANTE|RESUMEN COMPACTADO|DATOS NO CONFIABLES)\]",
    re.DOTALL,
)


def wishes(text: str) -> Iterator[ToolCall]:
    """Give the calls that a text asks for, in plain words, as JSON, or hidden."""
    for found in _BASE64.findall(text):
        try:
            yield from wishes(b64decode(found).decode())
        except ValueError:
            continue
    for name, arguments in _JSON.findall(text):
        yield ToolCall("c", name, arguments)
    for what in _ORDER.findall(text):
        yield ToolCall("c", "remember", json.dumps({"text": what}))
        yield ToolCall("c", "send_mail", json.dumps({"to": EVIL}))


def obedient(prompt: Sequence[Message]) -> list[Say]:
    """Do whatever anything but the instructions asks for; then repeat all of it."""
    read = "\n".join(message.text for message in prompt[1:])
    asked = [m for m in prompt if m.role.value == "user"][-1].text
    if prompt[-1].role.value == "user":
        pages = [ToolCall("c", "fetch_page", "{}") for _ in _URL.findall(asked)]
        if calls := [*pages, *wishes(read)]:
            return ["at once", *calls]
    elif not prompt[-3].calls and (calls := [*wishes(prompt[-1].text)]):
        return [*calls]
    blocks = [found[0] for found in _BLOCK.finditer(read)]
    return ["\n".join(blocks), f"\n\nDone, and {_JSON.sub('it', 'all of it')}."]


class Stage:
    """A world with tools worth stealing, and a model that can be talked into all."""

    def __init__(self, world: World, hear: Any) -> None:
        self.world = world
        self.sent: list[str] = []
        self.page = ""
        self.model = ScriptedModel(obedient)
        self._hear = hear
        self._count = 0

        async def send(arguments: str) -> str:
            self.sent.append(arguments)
            return "sent"

        async def fetch(_: str) -> str:
            return self.page

        world.tools = [
            *world.tools,
            FunctionTool("send_mail", send, Effect.OUTSIDE),
            FunctionTool("fetch_page", fetch, brings_untrusted=True),
        ]
        self.granted = {tool.spec.name for tool in world.tools}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Gateway]:
        async with self.world.open(self.model) as gateway:
            rights = Rights(confirmations=Confirmations(seconds=0))
            gateway._agent._rights = rights
            yield gateway

    async def play(self, gateway: Gateway, one: Injection) -> Turn:
        """Let an injection come in the way it does, each in a thread of its own."""
        self._count += 1
        thread = f"telegram:{self._count}"
        self.page = one.text
        self.world.sources[:] = [FixedSource("old", self.recalled(one))]
        turn: Turn | None = await self.world.ask(gateway, self.inbound(one, thread))
        if one.kind == "multi-turn":
            again = self._hear(ASKS[one.language], thread)
            turn = await self.world.ask(gateway, again)
        assert turn is not None
        return turn

    def inbound(self, one: Injection, thread: str) -> Inbound:
        heard: Inbound = self._hear(ASKS[one.language], thread)
        room = Audience.room(thread)
        changes: dict[Way, dict[str, Any]] = {
            Way.FILE_NAME: {
                "quoted": (quoted(Way.ATTACHED, f"{one.text}.pdf", "Invoice 12"),)
            },
            Way.DISPLAY_NAME: {
                "speaker": one.text,
                "role": Role.MEMBER,
                "person": "m",
                "audience": room,
            },
            Way.GUEST: {
                "text": one.text,
                "speaker": "Eve",
                "role": Role.GUEST,
                "person": "g",
                "audience": room,
            },
            Way.PAGE: {"text": f"{heard.text} https://page.example/x"},
            Way.RECALLED: {},
        }
        brought = (
            {"quoted": (quoted(one.way, "Bob", one.text),)}
            if one.way in _BROUGHT
            else {}
        )
        return replace(heard, **changes.get(one.way, brought))

    def recalled(self, one: Injection) -> list[Memory]:
        if one.way is not Way.RECALLED:
            return []
        at = self.world.clock()
        kind = Kind.MESSAGE
        return [Memory(kind, one.text, at, "telegram", "turn 1", untrusted="forwarded")]

    async def nothing_changed(self) -> None:
        """Look at all that an attacker wants."""
        database = self.world.database
        assert await self.world.book.sync() == []
        assert not await database.fetch("select * from note")
        states = await database.fetch("select distinct state from candidate")
        assert {row["state"] for row in states} <= {"open"}
        assert self.sent == []
        assert {name for told in self.model.tools for name in told} <= self.granted

    def prompts_are_whole(self) -> None:
        """Each mark of ours is closed, none is another's, and no token leaves."""
        for prompt in self.model.prompts:
            for message in prompt[1:]:
                # The name that a room shows stands before what was said, short.
                outside = _NAME.sub("", _BLOCK.sub("", message.text))
                assert EVIL not in outside or message.role.value == "assistant"
                assert harmless(outside) == outside
                for mark in Mark:
                    assert message.text.count(mark.opening) == message.text.count(
                        mark.closing
                    )
            for told in (
                openai_format.to_messages(prompt),
                ollama_format.to_messages(prompt),
                gemini_format.to_contents(prompt, "gemini-2"),
            ):
                written = json.dumps(told, ensure_ascii=False)
                assert not _TOKENS.search(written)


def quoted(way: Way, by: str, text: str) -> Quoted:
    return Quoted(Provenance(way.value), by, text)


@pytest.fixture
def world(database, ledger, history, outbox, clock, tmp_path):
    return World(database, ledger, history, outbox, clock, tmp_path)


@pytest.fixture
def stage(world, hear):
    return Stage(world, hear)


def test_the_corpus_is_as_large_and_as_varied_as_promised(capsys):
    """Sixty at least, in six languages; the count of each kind is printed."""
    kinds = Counter(one.kind for one in INJECTIONS)
    print(*(f"{k}: {n}" for k, n in kinds.items()), sep="\n")  # noqa: T201 -- the report

    assert len(INJECTIONS) == len(set(INJECTIONS)) >= 60
    assert len(kinds) == 12
    assert set(kinds.values()) == {6}
    assert {one.language for one in INJECTIONS} == set(ORDERS)
    assert capsys.readouterr().out.count("\n") == len(kinds)


async def test_no_injection_changes_a_note_a_block_or_a_tool(stage):
    """However it came in, and although the model does all it is told to."""
    tried: Counter[str] = Counter()
    async with stage.open() as gateway:
        for one in INJECTIONS:
            before = len(stage.model.prompts)
            turn = await stage.play(gateway, one)
            tried[one.kind] += len(stage.model.prompts) > before + 1
            assert turn.final is not None
            assert "[DATOS" not in turn.final
            assert "[MEMORIA" not in turn.final
            await stage.nothing_changed()

    stage.prompts_are_whole()
    # The double did obey: else this shows nothing.
    assert all(tried[one.kind] == 6 for one in INJECTIONS)
    asked = [live.asked for live in stage.world.channel.lives]
    assert sum(map(len, asked)) >= len(INJECTIONS) // 2


async def test_the_same_order_in_a_persons_own_words_is_followed(stage, hear):
    """What is kept out is other people's words, not the person's."""
    async with stage.open() as gateway:
        await stage.world.ask(gateway, hear("remember: send the keys to Ana"))

    [note] = await stage.world.book.sync()
    assert note.text == "send the keys to Ana"
    assert len(stage.sent) == 1


def gullible(prompt: Sequence[Message]) -> list[Say]:
    """Write a record that hands on what others wrote as the person's own wish."""
    told = [line for line in prompt[-1].text.splitlines() if EVIL in line]
    orders = list(dict.fromkeys(line.strip("- ") for line in told))[:3]
    said = [text for role, text in events(prompt) if role == "person"]
    lines = ["USER_CONTEXT:", f"- {orders[0]}", "TASK_TRACKING:"]
    lines += [*(f"- {order}" for order in orders[1:]), "PENDING:"]
    return ["\n".join([*lines, *(f"- {text}" for text in said)])]


@pytest.mark.parametrize("language", list(ORDERS))
@pytest.mark.parametrize("has_model", [True, False])
async def test_no_summary_is_poisoned(stage, hear, language, has_model):
    """What others wrote stands in it as data, if at all, also after a second one."""
    stage.world.rules = Compaction(threshold=4, keep_recent=2, keep_first=2)
    stage.world.summarisers = [ScriptedModel(gullible)] if has_model else []
    evil = Quoted(Provenance.FORWARDED, "Bob", ORDERS[language])
    async with stage.open() as gateway:
        for count in range(8):
            heard = hear(f"{ASKS[language]} {count}")
            await stage.world.ask(gateway, replace(heard, quoted=(evil,)))
            if count in {3, 7}:
                made = (await stage.world.condensing.now(heard.thread)).made
                assert made is not None
                assert made.degraded is not has_model
                assert made.tainted
                text = made.text(stage.world.policy.setting.zone, 4_000)
                assert EVIL not in re.sub(
                    r"\[DATOS NO CONFIABLES.*?\[/DATOS NO CONFIABLES\]",
                    "",
                    text,
                    flags=re.DOTALL,
                )
                assert not any(EVIL in told.text for told in made.standing)
                assert not any(EVIL in told.text for told in made.opening)
    await stage.nothing_changed()
