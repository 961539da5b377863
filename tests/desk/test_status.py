"""What `apx status` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.desk.conftest import owner

if TYPE_CHECKING:
    from pathlib import Path


async def test_passwords_that_were_kept_once_are_told_of(tmp_path: Path, config: Any):
    """While they are wanted there is nothing to tell."""
    privacy = config.privacy.model_copy(update={"keep_secrets": True})
    keeping = config.model_copy(update={"privacy": privacy})
    said = []
    for now in (config, keeping, config):
        async with owner(tmp_path, now) as house:
            said.append("passwords and keys" in await house.status.told())
    assert said == [False, False, True]


async def test_a_used_up_budget_is_told_once(house: Any):
    """Not once more by all that waits for it."""
    status = house.status
    used_up = "the 100 tokens are used up"
    status.budgets = type("Budgets", (), {"trouble": used_up})()
    status.remembering.recall.spaces.trouble = used_up
    assert list(status.problems().values()).count(used_up) == 1

    status.remembering.recall.spaces.trouble = "it did not embed"
    assert status.problems()["embedding"] == "it did not embed"
