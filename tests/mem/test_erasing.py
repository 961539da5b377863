"""What of the curated memories says that which is forgotten."""

import asyncio
from pathlib import Path

import pytest

from apx.domain.erasing_lines import Told
from apx.domain.memory_file import key_of
from apx.domain.passage import Needle
from apx.mem import git
from apx.mem.erasing import Erasing
from apx.mem.faults import MemFault
from apx.mem.importing import note_source
from apx.mem.memory import Memory
from apx.mem.store import Store

OWNERS, ROOM = "private:owner", "room:telegram:7:-1"
VAULT = "the vault of Hermione"
ALL = (OWNERS, ROOM, "private:anna", "shared")


class Home:
    def __init__(self, path):
        self.store = Store(str(path / "mem"))
        self.store.init()
        self.gone = []
        self.erasing = Erasing(self.store.root, asyncio.Lock(), self._heard)

    async def _heard(self, names):
        self.gone += names

    def put(self, *memories):
        with self.store.writing() as writing:
            for one in memories:
                writing.put(one)
            writing.commit("mem: some")

    async def telling(self, audiences=ALL, noted=(), **told):
        told = {"holds": Needle(VAULT).holds, **told}
        return sorted(await self.erasing.telling(Told(**told), audiences, noted))

    def write(self, name, text):
        """Write a file as a person does."""
        Path(self.store.root, f"objects/decisions/{name}.md").write_text(text)

    def bytes(self):
        """Give all bytes of the store, those of git unpacked."""
        words = ("cat-file", "--batch-all-objects", "--batch")
        files = [p for p in Path(self.store.root).rglob("*") if p.is_file()]
        told = b"".join(path.read_bytes() for path in files)
        return told + git.run(self.store.root, *words)


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def memory(name, title="x", body="", **fields):
    return Memory({"id": f"d-1-{name}", "title": title, **fields}, body.encode())


async def test_it_is_found_wherever_a_memory_says_it(home):
    """Fields, text, lines that we do not know, the id; of any status."""
    home.put(
        memory("a", f"see {VAULT}"),
        memory("b", body=f"first\nthe **Vault**\nof Hermione {'x' * 9000}"),
        memory("c", abstract=VAULT, status="archived"),
        memory("d", tags=("vault", VAULT), status="proposed"),
        memory("the-vault-of-hermione", "renamed since"),
        memory("no", "the vault of Hermione's"[:12]),
    )
    found = await home.telling()
    home.write("d-1-no", f"---\nid: d-1-no\ntitle: y\nhint: {VAULT}\n---\n\n")

    every = ["d-1-a", "d-1-b", "d-1-c", "d-1-d", "d-1-the-vault-of-hermione"]
    assert found == every
    assert await home.telling() == [*every[:4], "d-1-no", every[4]]


async def test_only_where_the_asker_may(home):
    """Others keep what they know; in a room only what was made of one's own note."""
    home.put(
        memory("a", VAULT),
        memory("b", VAULT, scope="private:anna"),
        memory("c", VAULT, scope=ROOM),
        memory("d", VAULT, scope="global"),
    )

    assert await home.telling(["private:anna"]) == ["d-1-b"]
    assert await home.telling([ROOM, "private:anna"], mixed={ROOM}) == ["d-1-b"]
    home.put(memory("e", "x", scope=ROOM, source="untrusted person:anna"))
    assert sorted(await home.erasing.of_person("anna")) == ["d-1-b", "d-1-e"]
    assert await home.erasing.of_person("bob") == []


async def test_what_was_made_of_a_note_is_found_by_it(home):
    """By its text, or by its source when it says something else by now."""
    note = "Ö: the tea is green"
    home.put(
        memory("a", "the TEA  is green"),
        memory("b", body="the tea is green"),
        memory("c", "green tea", source=note_source(note)),
        memory("d", "green tea"),
    )
    keys = {key_of("the tea is green")}

    found = await home.telling(noted=[note], holds=lambda _: False, keys=keys)

    assert found == ["d-1-a", "d-1-b", "d-1-c"]


async def test_nothing_of_it_is_left(home):
    """Not in files, history or messages; its vectors hear of it."""
    home.put(memory("a", VAULT), memory("b", "kept"))

    assert await home.erasing.purge(["d-1-a"], []) == 1

    assert b"Hermione" not in home.bytes()
    assert b"kept" in home.bytes()
    assert home.gone == ["d-1-a"]
    assert await home.erasing.unreached() == []


async def test_earlier_versions_that_said_it_go_too(home):
    """What it says today stays."""
    home.put(memory("a", VAULT))
    home.put(memory("a", "nothing of it"))

    assert await home.erasing.purge([], [VAULT]) == 1

    assert b"Hermione" not in home.bytes()
    assert home.store.read("d-1-a").title == "nothing of it"


async def test_remotes_are_named(home):
    """Nothing of ours reaches them."""
    git.run(home.store.root, "remote", "add", "origin", "/nowhere")
    home.put(memory("a", VAULT))

    await home.erasing.purge(["d-1-a"], [])

    (told,) = await home.erasing.unreached()
    assert "origin" in told


async def test_a_missing_git_is_said(home, monkeypatch):
    """And nothing is half gone."""
    home.put(memory("a", VAULT))
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(MemFault, match="git"):
        await home.erasing.purge(["d-1-a"], [])

    assert home.gone == []
    assert home.store.read("d-1-a").title == VAULT


async def test_without_a_store_nothing_is_asked(tmp_path):
    """Most people have none."""
    erasing = Erasing(str(tmp_path / "mem"), asyncio.Lock(), _nobody)

    assert await erasing.telling(Told(), ALL, ["x"]) == []
    assert await erasing.of_person("anna") == []
    assert await erasing.purge([], [VAULT]) == 0
    assert list(tmp_path.iterdir()) == []


async def _nobody(_names):
    """Take note of nothing."""
