"""Which of some texts a pattern of a person's own is in."""

from __future__ import annotations

import marshal
import sys

from apx.mem.faults import MemFault, wrong

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

SECONDS: Final = 2.0
# Plain patterns read about ten times as much.
_BYTES_A_SECOND: Final = 10_000_000
_BAD: Final = 3

# Nothing ends a pattern that backtracks for ever but the end of its process.
_PROGRAM: Final = f"""
import marshal, re, sys
pattern, texts = marshal.load(sys.stdin.buffer)
try:
    search = re.compile(pattern, re.IGNORECASE | re.MULTILINE).search
except (re.error, RecursionError, OverflowError, MemoryError) as error:
    sys.stdout.buffer.write(str(error).encode("utf-8", "replace"))
    sys.exit({_BAD})
marshal.dump([at for at, text in enumerate(texts) if search(text)], sys.stdout.buffer)
"""


def matching(pattern: str, texts: Sequence[str], seconds: float = SECONDS) -> list[int]:
    """Give the places of the texts that a regular expression is found in.

    Case makes no difference, `^` and `$` are those of a line. One that takes too long
    is given up.
    """
    import subprocess  # noqa: PLC0415 -- few searches are patterns

    given = marshal.dumps((pattern, list(texts)))
    try:
        done = subprocess.run(  # noqa: S603 -- ourselves
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + len(given) / _BYTES_A_SECOND,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise wrong(
            "the pattern took too long: it repeats what repeats already, as (a+)+ does",
            "write it without a repetition inside of a repetition",
            "search for the words as they are, without --regex",
        ) from None
    if done.returncode == _BAD:
        raise wrong(
            f"no regular expression: {done.stdout.decode('utf-8', 'replace')}",
            r"write \( for a parenthesis that is meant as it stands",
            "search for the words as they are, without --regex",
        )
    if done.returncode:
        raise MemFault("regex", "the pattern could not be searched for")
    found: list[int] = marshal.loads(done.stdout)  # noqa: S302 -- what we wrote
    return found
