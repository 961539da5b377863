"""No credential becomes a curated memory, typed or passed to a tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from apx.agent.tools.memories import MemoryAdd, MemoryUpdate
from apx.domain.errors import InputError
from apx.mem import git
from tests.agent.test_mem_commands import chat, typed
from tests.agent.test_memory_tools import PROOF, Turn
from tests.domain.test_secrets import FRAMES, KINDS, SURROUNDED, made_up

# The fixtures.
assert chat
assert typed
WORD = "Hunter" + "#2211x"
# As people write them: what names it may stand above it.
PROSE = (
    f"The wifi password is\n{WORD}",
    f"Router\npassword: {WORD}",
    f"Log in\n1. say it\n2. Passwort: {WORD}",
    f"ключ, пароль: {WORD}",
)
SECRETS = [(kind, made_up(n)[kind]) for kind in KINDS for n in range(len(FRAMES))]
LINES = [
    FRAMES[n % len(FRAMES)].format(SURROUNDED.get(kind, "{}").format(secret))
    for n, (kind, secret) in enumerate(SECRETS)
]
FIELDS = ("title", "body", "abstract", "tags", *PROOF)


@pytest.fixture
def told(chat, caplog, capfd):
    """Give all that the store and the logs hold."""

    def every():
        root = chat.world.curated.root
        words = ("cat-file", "--batch-all-objects", "--batch")
        files = [path for path in Path(root).rglob("*") if path.is_file()]
        kept = [git.run(root, *words), *(path.read_bytes() for path in files)]
        said = [caplog.text, *capfd.readouterr()]
        return b"".join([*kept, *(text.encode() for text in said)])

    return every


def is_in(told):
    return [one for one in (*dict(SECRETS).values(), WORD) if one.encode() in told]


async def test_none_that_is_typed_is_kept(chat, typed, told):
    """In a title or a text, with a type or without; the refusal does not repeat it."""
    shapes = ("{}", "decision: {}", "howto: Tea\n{}")
    wishes = [shapes[n % 3].format(line) for n, line in enumerate(LINES)]
    for wish in [*wishes, *PROSE, *(f"preference: {text}" for text in PROSE)]:
        with pytest.raises(InputError) as refusal:
            await typed(f"/mem add {wish}")
        assert is_in(str(refusal.value).encode()) == [], wish

    assert is_in(told()) == []
    assert await chat.rows() == []


async def test_none_that_a_model_passes_on_is_kept(chat, clock, told):
    """In any field, of a new memory or of one that is there."""
    turn, name = Turn(chat.world.curated, clock), await chat.keep("Log", kind="howto")
    before = chat.subjects()
    for number, line in enumerate(LINES):
        field = FIELDS[number % len(FIELDS)]
        more = {"id": name} if number % 2 else {"type": "howto", "title": f"n{number}"}
        tool = MemoryUpdate if number % 2 else MemoryAdd
        done = await turn.runs(tool, **{**more, field: line})
        assert not done.ok, (field, line)
        assert is_in(done.text.encode()) == []

    assert is_in(told()) == []
    assert chat.subjects() == before
