"""What may be spent and used, as config.json says it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from apx.config import Config, load
from apx.domain.errors import ConfigError
from apx.domain.person import Role

if TYPE_CHECKING:
    from pathlib import Path

    from apx.domain.usage import Limits


def limits_of(path: Path, **sections: Any) -> Limits:
    """Give the limits that a file with these sections sets."""
    (path / "config.json").write_text(json.dumps(sections))
    return load(path / "config.json", {}).config.limits()


def test_nothing_is_bounded_but_what_guests_may_do():
    """Who never wrote a budget is not cut off; a stranger is."""
    limits = Config().limits()

    assert (limits.daily_tokens, limits.background_daily_tokens) == (0, 0)
    for role in (Role.OWNER, Role.MEMBER):
        grant = limits.of(role)
        assert (grant.has_tool("remember"), grant.daily_tokens) == (True, 0)
    guest = limits.of(Role.GUEST)
    assert guest.daily_tokens == 20_000
    assert guest.has_tool("recall_search")
    assert not guest.has_tool("remember")
    assert not guest.has_tool("list_threads")


def test_a_file_sets_every_bound(tmp_path):
    """Each role has its own; what is not written stays as it is."""
    limits = limits_of(
        tmp_path,
        budget={"daily_tokens": 50_000, "background_daily_tokens": 9_000},
        roles={
            "member": {"tools": [], "daily_tokens": 7},
            "guest": {"models": ["ollama:tiny", "offline"]},
        },
    )

    assert (limits.daily_tokens, limits.background_daily_tokens) == (50_000, 9_000)
    assert not limits.of(Role.MEMBER).has_tool("current_time")
    assert limits.of(Role.MEMBER).daily_tokens == 7
    assert limits.of(Role.GUEST).models == ("ollama:tiny", "offline")
    assert limits.of(Role.GUEST).daily_tokens == 20_000


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"guest": {"models": ["auto"]}}, '"auto" names no model'),
        ({"guest": {"models": ["gpt-4o"]}}, "names no provider"),
        ({"guest": {"tools": ["re call"]}}, "expected the name of a tool"),
        ({"guest": {"tools": "*"}}, "expected a list of at most 200 items"),
        ({"owner": {"daily_tokens": -1}}, "expected a whole number of 0 or more"),
        ({"owner": {"daily_tokens": "1"}}, "expected a whole number of 0 or more"),
    ],
)
def test_what_cannot_be_followed_is_named_with_its_key(tmp_path, roles, words):
    """And nobody gets more than was meant."""
    with pytest.raises(ConfigError) as caught:
        limits_of(tmp_path, roles=roles)

    [role] = roles
    assert f"config.json: roles.{role}." in str(caught.value)
    assert words in str(caught.value)
