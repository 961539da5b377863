"""How the figures are printed: what aiogram takes, what apx takes, the ratio."""

from __future__ import annotations

from typing import Final

_LABEL: Final = 48


def heading() -> None:
    """Print what the columns are."""
    print(f"{'':{_LABEL}}{'aiogram':>12}{'apx':>12}{'ratio':>8}")


def line(name: str, bare: float, ours: float) -> None:
    """Print what both have."""
    ratio = f"{ours / bare:8.1f}" if bare else ""
    print(f"{name:{_LABEL}}{bare:12.2f}{ours:12.2f}{ratio}")


def one(name: str, value: float, ratio: str = "") -> None:
    """Print what apx alone has."""
    print(f"{name:{_LABEL}}{'':12}{value:12.2f}{ratio:>8}", flush=True)
