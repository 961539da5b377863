"""Homes for stories: real commands in front of loopback model servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Command
from tests.stories.scene import Story, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path


@pytest.fixture
def apx(tmp_path: Path) -> Iterator[Command]:
    command = Command(tmp_path / "home")
    yield command
    command.end()


@pytest.fixture
async def openai(apx: Command) -> AsyncIterator[Story]:
    """One provider, for what none of them has a part in."""
    async with told(apx, "openai") as story:
        yield story
