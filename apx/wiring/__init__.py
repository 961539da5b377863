"""Puts the parts together, once, at the top; nothing below knows this room."""

from apx.wiring.house import House, opened

__all__ = ["House", "opened"]
