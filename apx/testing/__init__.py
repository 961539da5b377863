"""Doubles that behave: for our tests, and for the tests of whoever extends apx."""

from apx.testing.channels import MemoryChannel, MemoryDrawer, RecordingLive
from apx.testing.models import (
    FixedSource,
    FunctionTool,
    Say,
    ScriptedModel,
    TickingClock,
    WordEmbedder,
    until,
)

__all__ = [
    "FixedSource",
    "FunctionTool",
    "MemoryChannel",
    "MemoryDrawer",
    "RecordingLive",
    "Say",
    "ScriptedModel",
    "TickingClock",
    "WordEmbedder",
    "until",
]
