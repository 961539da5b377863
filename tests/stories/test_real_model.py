"""A real, small and rather silly model behind a real llama.cpp server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from apx.desk.client import RemoteDesk
from apx.domain.claims import claims_saved
from apx.domain.thread import Thread
from channels.terminal.signs import Arrived, Shown
from tests.stories.llama import missing
from tests.stories.scene import ASK, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.terminal.signs import Sign
    from tests.cli.conftest import Command

pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}"),
]


@contextmanager
def llama(window: int) -> Iterator[str]:
    """Run the server in a process of its own: it may crash; gives its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.stories.llama", str(window)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().decode().strip()
        finally:
            process.stdin.close()
            process.wait(20)


@pytest.fixture(scope="module")
def wide() -> Iterator[str]:
    with llama(4096) as address:
        yield address


@pytest.fixture(scope="module")
def narrow() -> Iterator[str]:
    with llama(256) as address:
        yield address


def configure(apx: Command, address: str) -> None:
    config = {
        "super_agent": {"model": "openai:smollm2"},
        "engines": {"openai": {"base_url": f"{address}/v1"}},
    }
    apx.config(json.dumps(config))


async def test_it_answers_and_it_streams(apx: Command, wide: str):
    """Real tokens, one after the other, and a real count of them."""
    configure(apx, wide)
    await asyncio.to_thread(apx.daemon)
    signs: list[Sign] = []
    async with RemoteDesk(apx.home).watch(Thread.parse("terminal:main")) as watch:
        asking = asyncio.ensure_future(
            asyncio.to_thread(apx, "exec", "What is the capital of France?")
        )
        while not signs or not isinstance(signs[-1], Arrived):
            signs.append(await watch.next())

    assert len([sign for sign in signs if isinstance(sign, Shown)]) > 1
    assert (await asking).strip()
    [(state, usage)] = rows(apx.home, "select state, usage from turn")
    assert state == "completed"
    assert json.loads(usage)["known"]
    assert json.loads(usage)["prompt"] > json.loads(usage)["completion"] > 0


def test_what_it_claims_is_true(apx: Command, wide: str):
    """It calls no tool; if it says that it saved something, then we did."""
    configure(apx, wide)

    said = apx("exec", ASK)

    has_note = "10.0.1.5" in apx("memory", "notes")
    assert has_note or "Correction" in said or not claims_saved(said)


def test_a_window_that_is_too_small_is_said(apx: Command, narrow: str):
    """Not even the instructions fit: they are cut, and it is told what was."""
    configure(apx, narrow)

    assert apx("exec", "hi").strip()
    told = apx.err

    assert "the instructions are longer than it reads and were cut" in told
    assert "reads too little to be given tools" in told
