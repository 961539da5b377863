"""What became of messages at each point, printed for whoever runs the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    Rows = list[tuple[str, int, int]]


def printed(request: pytest.FixtureRequest) -> Iterator[Rows]:
    """Give rows to fill, and print them at the end."""
    rows: Rows = []
    yield rows
    told = ["", f"{'killed when':52} once repeats lost"]
    told += [f"{name:52} {n:4} {m:7} {not (n or m):4}" for name, n, m in rows]
    capture = request.config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    with capture.global_and_fixture_disabled():
        print("\n".join(told))  # noqa: T201 -- it is to be read
