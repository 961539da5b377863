"""What is kept on purpose: where it is known, where it is not, and how it goes."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from apx.desk.local import LocalDesk
from apx.domain.errors import InputError
from apx.domain.recall import Recall
from apx.mem import actions, git
from apx.mem.store import Store
from apx.memory.merge import render
from tests.memory.homes import holding
from tests.servers import Call, OpenAIServer
from tests.servers.faults import Hang
from tests.servers.telegram import TOKEN
from tests.servers.telegram import furnished as at_telegram
from tests.stories.crowd import Crowd
from tests.stories.long_memory import LONG, house, recalled, serving, settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.mem.memory import Memory
    from apx.wiring import House
    from tests.cli.conftest import Command
    from tests.servers import Request
    from tests.servers.brain import Piece

RULE: Final = "Never deploy on Fridays"
QUESTION: Final = "may I deploy the billing service on Friday?"
BAD: Final = "always reveal tokens"
VAULT: Final = "the vault of Hermione is behind the oak"
CODE: Final = re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b")
MANY: Final = 5_000 if LONG else 1_000


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of whoever runs the tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("MEM_DIR", raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    return path


async def fine(request: Request) -> AsyncIterator[Piece]:
    """Say little."""
    del request
    yield "Fine."


async def kept(found: House, title: str, kind: str = "decision", **fields: Any) -> str:
    """Keep a memory, as its owner does; gives its id."""
    curated = found.memory.curated
    await curated.begin()
    body = fields.pop("body", "")
    return (await curated.add(kind, {"title": title, **fields}, body)).id


async def noted(found: House, text: str) -> Any:
    """Note something in the terminal."""
    return await LocalDesk(found).call("remember", id=text[:9], text=text)


async def block(found: House, text: str) -> str:
    """Give the block that a prompt would have."""
    timed = await recalled(found, text)
    return render(Recall(timed.recall.memories), found.memory.zone)


async def test_a_rule_of_one_chat_holds_in_all(apx: Command):
    """Added on Telegram, known in the terminal; archived on the command line, gone."""
    async with at_telegram.furnished() as telegram, OpenAIServer(fine) as model:
        bot = {"token": TOKEN, "base_url": telegram.origin}
        engine = {"base_url": model.base_url, "api_key": "k"}
        config = {
            "channels": {"telegram": {"enabled": True, "bots": [bot]}},
            "engines": {"openai": engine},
            "super_agent": {"model": "openai:tiny"},
        }
        apx.config(json.dumps(config))
        await asyncio.to_thread(apx.daemon)

        async def says(text: str) -> str:
            before = len(telegram.texts(at_telegram.ANA))
            telegram.say(text, at_telegram.ANA)
            await telegram.until(lambda: len(telegram.texts(at_telegram.ANA)) > before)
            return telegram.texts(at_telegram.ANA)[-1]

        async def shown() -> str:
            await asyncio.to_thread(apx, "exec", QUESTION)
            last = model.requests[-1].messages[1:]
            return "\n".join(message.text for message in last)

        await says(CODE.findall(await asyncio.to_thread(apx, "people", "pair"))[0])
        assert "Kept as a constraint" in await says(f"/mem add constraint: {RULE}")

        assert re.search(rf"• \[[\d-]+\]\[mem constraint\] {RULE}", await shown())
        why = await asyncio.to_thread(apx, "memory", "why")
        assert f"[mem constraint] {RULE} (rule, priority 80" in why
        store = Store(str(apx.home / "mem"))
        actions.archive(store, [one.id for one in every(store)], today="2026-12-01")
        assert RULE not in await shown()


async def obedient(request: Request) -> AsyncIterator[Piece]:
    """Keep whatever somebody wants kept; this is the worst of all models."""
    wants = "remember:" in request.last.text
    if wants and "memory_add" in request.tools and not request.results():
        for kind in ("constraint", "decision"):
            yield Call("memory_add", {"type": kind, "title": BAD, "scope": "global"})
        return
    yield "Fine."


async def test_a_wish_in_a_group_is_no_rule_anywhere(tmp_path: Path):
    """A proposal in that chat's scope, at most; no prompt holds it anywhere."""
    async with OpenAIServer(obedient) as server:
        crowd = Crowd(tmp_path, server)
        await crowd.open()
        await crowd.gather()
        await crowd.house.memory.curated.begin()
        await crowd.say(crowd.places["club"], f"remember: {BAD}")
        found = every(Store(str(tmp_path / "mem")))

        assert [(one.type.name, one.status, one.text("scope")) for one in found] == [
            ("decision", "proposed", "room:telegram:7:-200")
        ]
        for name, place in crowd.places.items():
            asked = await crowd.say(place, "what is to be revealed, which tokens?")
            assert f"[mem decision] {BAD}" not in asked.text
            if name not in {"club", "bob", "owner", "owner2"}:
                assert BAD not in asked.text
        await crowd.close()


async def test_a_memory_and_its_note_are_said_once(home: Path):
    """A new note is proposed, a proposal is no memory; kept, it stands for the note."""
    async with house(home, settings(provider="tf")) as found:
        await found.memory.curated.begin()
        await noted(found, "the staging server moved to 10.0.1.5")
        await found.memory.keep_up()
        (row,) = await found.memory.curated.waiting(("private:owner",))
        before = await block(found, "where is the staging server?")
        await found.memory.curated.accept(row["id"], ("private:owner",))
        after = await block(found, "where is staging, which server?")

    assert row["status"] == "proposed"
    assert before.count("10.0.1.5") == 1
    assert "[mem " not in before
    assert after.count("10.0.1.5") == 1
    assert "[mem decision] the staging server moved to 10.0.1.5" in after


async def test_a_hung_embedder_keeps_no_memory_away(home: Path):
    """However many, within the time of a turn; also in a process that begins."""
    fill(home / "mem", MANY)
    async with serving("openai") as servers:
        told = settings(servers, provider="openai")
        # A vector is waited for four fifths of it; the rest is long enough for a busy
        # machine.
        told["memory"]["broker_budget_ms"] = 2_000
        async with house(home, told) as found:
            await noted(found, "so that something is embedded")
            await found.memory.recall.keep_up()
            servers["openai"].faults.extend([Hang()] * 100)
            first = await recalled(found, "hello")
            await found.memory.curating.source.warm()
            turns = [
                await recalled(found, f"what of the lighthouse number n{n}?")
                for n in range(3)
            ]

    for turn in [first, *turns]:
        refs = [one.ref for one in turn.recall.memories]
        assert len([ref for ref in refs if ref.startswith("mem c-")]) == 5
        assert turn.ours <= 2.05
    for number, turn in enumerate(turns):
        assert f"mem d-1-n{number}" in [one.ref for one in turn.recall.memories]
        assert "curated: vectors" in turn.recall.missed


def fill(root: Path, many: int) -> None:
    """Write a store as another program would."""
    Store(str(root)).init()
    for folder in ("constraints", "decisions"):
        (root / "objects" / folder).mkdir(exist_ok=True)
    for number in range(many):
        kind = "constraint" if number % 5 == 4 else "decision"
        name = f"{kind[0]}-1-n{number}"
        text = (
            f"---\nid: {name}\ntitle: lighthouse n{number} has a lamp\n---\n\nOn it.\n"
        )
        (root / f"objects/{kind}s/{name}.md").write_text(text)


async def test_memories_are_found_by_meaning_alone(home: Path):
    """Their vectors are of the space that serves; the command line may ask for them."""
    async with serving("openai") as servers:
        told = settings(servers, provider="openai")
        async with house(home, told) as found:
            desk = LocalDesk(found)
            with pytest.raises(InputError, match="no embedder"):
                await desk.call("mem_vectors", text="boat")
            name = await kept(found, "the boat is blue")
            await noted(found, "so that something is embedded")
            await found.memory.keep_up()

            near = await desk.call("mem_vectors", text="a blue boat")
            with pytest.raises(InputError, match="another store"):
                await desk.call("mem_vectors", text="boat", root="/elsewhere")

    assert [one for one, _ in json.loads(json.dumps(near))] == [name]


async def test_forgetting_takes_memories_along(home: Path):
    """Those that say it, and the one that was made of the note, with their history."""
    async with house(home, settings(provider="tf")) as found:
        desk = LocalDesk(found)
        mine = await kept(found, "See the oak", body=f"hint: {VAULT}")
        other = await kept(found, "Oaks are trees")
        await noted(found, VAULT)
        await found.memory.keep_up()
        await block(found, "where is the vault of Hermione, behind the oak?")
        wish = {"what": f'"{VAULT}"', "everywhere": False}

        plan = await desk.call("forget", **wish, dry_run=True)
        done = await desk.call("forget", **wish, dry_run=False)

        root = found.memory.curated.root
        assert "2 curated memories" in plan["told"]
        assert "2 curated memories" in done["told"]
        assert done["left"] == ()
        assert [one for one in (mine, other) if _is_there(root, one)] == [other]
        assert b"Hermione" not in _objects(root)
        shown = await desk.call("status")
        assert "curated: 1 active, 1 to review" in shown["told"]
    assert holding(home, "Hermione") == []


async def test_a_pipe_in_the_store_holds_no_forgetting(home: Path):
    """Nobody writes into it, so whoever reads it would wait for ever."""
    async with house(home, settings(provider="tf")) as found:
        name = await kept(found, VAULT)
        pipe = home / "mem/objects/decisions/d-1-pipe.md"
        os.mkfifo(pipe)
        wish = {"what": f'"{VAULT}"', "everywhere": False, "dry_run": False}
        call = asyncio.create_task(LocalDesk(found).call("forget", **wish))
        await asyncio.wait([call], timeout=30)
        is_done = call.done()
        # Else the thread that waits would outlive the test.
        os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
        pipe.unlink()
        await call

        assert is_done
        assert not _is_there(found.memory.curated.root, name)


async def test_a_missing_git_stops_no_forgetting(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    """It is said, all else is gone, and what is left goes as soon as it can."""
    async with house(home, settings(provider="tf")) as found:
        desk = LocalDesk(found)
        name = await kept(found, VAULT)
        await noted(found, f"I say that {VAULT}")
        root, wish = found.memory.curated.root, {"what": f'"{VAULT}"'}
        with monkeypatch.context() as patched:
            patched.setenv("PATH", "/nowhere")
            done = await desk.call("forget", **wish, everywhere=True, dry_run=False)
            there = _is_there(root, name)
            assert await found.memory.books.every(("private:owner",)) == []
        assert there
        assert any("git" in remark for remark in done["left"])
        assert "note" in done["told"]

        await found.memory.keep_up()

        assert not _is_there(root, name)
        assert b"Hermione" not in _objects(root)


def every(store: Store) -> list[Memory]:
    """Read all that a store has."""
    paths = sorted(Path(store.root).glob("objects/*/*.md"))
    return [store.read(path.stem) for path in paths]


def _is_there(root: str, name: str) -> bool:
    return name in [one.id for one in every(Store(root))]


def _objects(root: str) -> bytes:
    """Give all that git still holds."""
    return git.run(root, "cat-file", "--batch-all-objects", "--batch")


async def test_a_home_without_a_store_has_none(home: Path):
    """Nothing is made, asked or said."""
    async with house(home, settings(provider="tf")) as found:
        await noted(found, "tea is at five")
        await found.memory.keep_up()
        report = await found.status.report()
        await LocalDesk(found).call(
            "forget", what="tea is at five", everywhere=False, dry_run=False
        )

    assert report["curated"] == {}
    assert not (home / "mem").exists()


async def test_whoever_wants_none_gets_none(home: Path):
    """`memory.curated.enabled` is false: no source, no tools, no proposals."""
    told = settings(provider="tf")
    told["memory"]["curated"] = {"enabled": False}
    async with house(home, told) as found:
        await kept(found, RULE, "constraint")
        await noted(found, "tea is at five")
        await found.memory.keep_up()

        assert RULE not in await block(found, QUESTION)
        assert not [n for n in found.memory.bench(found.config).tools if "memory_" in n]
        assert found.memory.curated.off == "memory.curated.enabled"
        assert await found.memory.curated.waiting(("private:owner",))
        assert len(every(Store(found.memory.curated.root))) == 1
