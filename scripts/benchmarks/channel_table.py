"""How the figures are printed: the smallest bot's, apx's, the ratio."""

from __future__ import annotations

from typing import Final

_LABEL: Final = 52


def heading(rival: str) -> None:
    """Print what the columns are."""
    print(f"{'':{_LABEL}}{rival:>12}{'apx':>12}{'ratio':>8}")


def line(name: str, bare: float, ours: float) -> None:
    """Print what both have."""
    ratio = f"{ours / bare:8.1f}" if bare else ""
    print(f"{name:{_LABEL}}{bare:12.2f}{ours:12.2f}{ratio}", flush=True)


def one(name: str, value: float, ratio: str = "") -> None:
    """Print what apx alone has."""
    print(f"{name:{_LABEL}}{'':12}{value:12.2f}{ratio:>8}", flush=True)
