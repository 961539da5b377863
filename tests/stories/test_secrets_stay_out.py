"""What people type by mistake: no file of the home holds a password or a key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.domain.test_secrets import SURROUNDED, made_up
from tests.servers import Call, OpenAIServer
from tests.stories.crowd import Crowd

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.servers import Request
    from tests.servers.brain import Piece

PROSE = {
    "my password is {}": "Tiger#4471cub",
    "la contraseña del wifi es {}": "Casa!Verde88",
    "das Passwort lautet {}": "Brot7$Wurst",
    "пароль: {}": "Zima2026!x",
    "密码是 {}": "Hao123!Yun",
}


def lines() -> dict[str, str]:
    """Give messages that hold a credential, by the credential."""
    found = {}
    for kind, secret in made_up(77).items():
        found[secret] = "use this: " + SURROUNDED.get(kind, "{}").format(secret)
    for frame, secret in PROSE.items():
        found[secret] = frame.format(secret)
    return found


async def careless(request: Request) -> AsyncIterator[Piece]:
    """Note whatever was said, and say it again, a piece at a time."""
    said = next(m.text for m in reversed(request.messages) if m.role == "user")
    if not request.results():
        yield Call("remember", {"text": said})
        return
    for start in range(0, len(said), 7):
        yield said[start : start + 7]


@pytest.fixture
async def crowd(tmp_path: Path) -> AsyncIterator[Crowd]:
    async with OpenAIServer(careless) as server:
        crowd = Crowd(tmp_path, server)
        await crowd.open()
        try:
            await crowd.gather()
            yield crowd
        finally:
            await crowd.close()


def held(home: Path, secrets: dict[str, str]) -> dict[str, list[str]]:
    """Name the secrets that stand in a file, and the files."""
    raw = {path.name: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    # A key of several lines is looked for line by line.
    pieces = {secret: secret.splitlines()[-1].encode() for secret in secrets}
    return {
        secret: [name for name, data in raw.items() if piece in data]
        for secret, piece in pieces.items()
        if any(piece in data for data in raw.values())
    }


async def test_no_file_holds_what_was_typed_by_mistake(crowd: Crowd):
    """Nor did a model see it; the message says that something was masked."""
    secrets = lines()
    owner = crowd.places["owner"]

    asked = [await crowd.say(owner, text) for text in secrets.values()]
    await crowd.say(owner, "/remember " + next(iter(secrets.values())))
    await crowd.house.memory.recall.keep_up()
    await crowd.house.memory.daily.catch_up()

    assert held(crowd.home, secrets) == {}
    for traffic, secret in zip(asked, secrets, strict=True):
        piece = json.dumps(secret.splitlines()[-1], ensure_ascii=False)[1:-1]
        assert piece not in traffic.text
        assert "[secret: " in traffic.text


async def test_a_person_may_want_them_kept(crowd: Crowd):
    """Then the ledger has them, and nothing else: no note, no index, no daily log."""
    await crowd.house.memory.ledger.keep_secrets(keeps=True)
    crowd.house.doors._redact = str
    secrets = lines()
    for text in secrets.values():
        await crowd.say(crowd.places["owner"], text)
    await crowd.house.memory.recall.keep_up()
    await crowd.house.memory.daily.catch_up()

    where = held(crowd.home, secrets)
    assert set(where) == set(secrets)
    names = {name.partition("-")[0] for found in where.values() for name in found}
    assert names == {"ledger.db"}, where
