"""config.json as a tree of checked values; only the top floors know it."""

from apx.config.edit import put
from apx.config.keys import asked, leaves, masked, value_at
from apx.config.load import Loaded, check, load
from apx.config.root import Config
from apx.config.verdict import Verdict

__all__ = [
    "Config",
    "Loaded",
    "Verdict",
    "asked",
    "check",
    "leaves",
    "load",
    "masked",
    "put",
    "value_at",
]
