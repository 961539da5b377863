"""A process that reads for us is heard while it speaks, and gone when we are."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

from apx.providers.child import running, said
from apx.testing import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HANGS = "print('{\"n\": 1}', flush=True)\nimport time\ntime.sleep(600)"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Make a module that a process can run; `/dev/null` is its input."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def made(code: str) -> str:
        (tmp_path / "speaker.py").write_text(code)
        return "speaker"

    return made


@pytest.fixture
def nothing() -> Iterator[BinaryIO]:
    with Path(os.devnull).open("rb") as file:
        yield file


async def heard(name: str, file: BinaryIO, most: int = 10_000) -> list[object]:
    async with running(name, ["word"], file) as process:
        return [told async for told in said(process, most)]


async def test_each_line_is_an_object(module, nothing):
    """What is no object is left out, and a line without an end too."""
    name = module(
        "import sys\n"
        'print(\'{"arguments": "%s"}\' % sys.argv[1])\n'
        "print('no json')\nprint('[1]')\nprint('[' * 100000)\n"
        "print('{\"last\": 1}')\nprint('{\"half\":', end='')"
    )

    assert await heard(name, nothing, 1_000_000) == [{"arguments": "word"}, {"last": 1}]


async def test_who_never_stops_speaking_is_cut_off(module, nothing):
    """However much there is, memory has room for it."""
    name = module("while True: print('{\"more\": \"' + 'x' * 1000 + '\"}')")

    before = os.listdir("/dev/fd")  # noqa: PTH208 -- a device

    async with asyncio.timeout(20):
        assert 0 < len(await heard(name, nothing, 500_000)) < 1000
    # The loop closes its end of a pipe a step after it has heard of the other.
    await until(lambda: os.listdir("/dev/fd") == before)  # noqa: PTH208 -- as above


async def test_who_is_not_listened_to_is_ended_too(module, nothing):
    """What it has said by then would keep the pipe open, and us waiting for it."""
    name = module("while True: print('x' * 1000)")

    async with asyncio.timeout(20), running(name, [], nothing) as process:
        pipe: Any = process.stdout
        while not pipe._paused:  # noqa: ASYNC110 -- nobody tells of it
            await asyncio.sleep(0)

    assert process.returncode == -9


@pytest.mark.parametrize("how", ["cancelled", "late", "left"])
async def test_after_the_block_the_process_is_gone(module, nothing, how: str):
    """Whoever is cancelled, late or content leaves nothing behind."""
    name, started, spoken = module(HANGS), [], asyncio.Event()

    async def listen() -> None:
        async with running(name, [], nothing) as process:
            started.append(process)
            async for _ in said(process, 1000):
                spoken.set()
                if how == "left":
                    return

    task = asyncio.ensure_future(listen())
    await spoken.wait()
    if how == "cancelled":
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    elif how == "late":
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(task, 0.01)
    else:
        await task

    assert started[0].returncode == -9
    with pytest.raises(ProcessLookupError):
        os.kill(started[0].pid, 0)


async def test_no_key_of_ours_stands_in_its_environment(
    module, nothing, monkeypatch: pytest.MonkeyPatch
):
    """What reads strangers' files knows nothing that is worth telling."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    name = module("import json, os\nprint(json.dumps(dict(os.environ)))")

    (environment,) = await heard(name, nothing)

    assert isinstance(environment, dict)
    assert "PATH" in environment
    assert "OPENAI_API_KEY" not in environment
