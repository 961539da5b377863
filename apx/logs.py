"""The log file: JSON lines that hold what happened, and nothing that was said.

A module says `log = structlog.get_logger(__name__)` and then, for example,
`log.info("turn ended", turn=12)`. The rule for callers: the event is a fixed text,
the fields are ids, names, counts and times. Never what a person, a model or a tool
wrote, not even a part of it. What slips through is caught here as far as it can be:
credentials are masked, and an exception that is not ours is logged without its
message, which may quote somebody.

Until `configure` is called, nothing is logged anywhere. Importing this module is
what keeps structlog from printing to the terminal.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import os
import re
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import structlog

from apx.domain.errors import ApxError
from apx.domain.secrets import HIDDEN, mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from io import TextIOWrapper
    from pathlib import Path
    from types import TracebackType

_OURS: Final = ("apx", "channels")
_BYTES: Final = 5_000_000
_OLD_FILES: Final = 3
# A shorter one is hardly a secret, and would blot out ordinary words.
_SHORTEST: Final = 6
_DEEPEST: Final = 8
_NEXT_TO_NOTHING: Final = 3


def configure(path: Path, *, secrets: Iterable[str]) -> None:
    """Log to a file from now on, without the given credentials in any form."""
    close()
    handler = _PrivateFile(
        path, maxBytes=_BYTES, backupCount=_OLD_FILES, encoding="ascii", delay=True
    )
    handler.setFormatter(_JsonLines(_redactor(secrets)))
    handler.addFilter(_is_wanted)
    logging.getLogger().addHandler(handler)
    for name in _OURS:
        logging.getLogger(name).setLevel(logging.INFO)


def close() -> None:
    """Stop logging and close the file."""
    root = logging.getLogger()
    for handler in [
        known for known in root.handlers if isinstance(known, _PrivateFile)
    ]:
        root.removeHandler(handler)
        with suppress(OSError):  # what the disk had no room for is lost
            handler.close()


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A log file for its owner's eyes, which may fail without harm."""

    def _open(self) -> TextIOWrapper:
        handle = os.open(
            self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode=0o600
        )
        os.fchmod(handle, 0o600)
        return os.fdopen(handle, "a", encoding=self.encoding)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  logging's name
        """Lose the line: a full disk must not end a conversation."""


class _JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        """Write a record of ours, or of a library, in the same form."""
        message: object = record.msg
        fields: dict[str, Any] = (
            {**message} if isinstance(message, dict) else {"event": _foreign(record)}
        )
        error = _error(fields.pop("exc_info", record.exc_info))
        line: dict[str, Any] = {
            "time": _time(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": fields.pop("event", ""),
            **{key: value for key, value in fields.items() if key not in _RESERVED},
        }
        if error is not None:
            line["exception"] = [_described(known) for known in _chain(error)]
        return json.dumps(self._safe(line))

    def _safe(self, value: object) -> object:
        if isinstance(value, dict):
            return {self._redact(str(k)): self._safe(v) for k, v in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self._safe(inner) for inner in value]
        if value is None or isinstance(value, bool | int | float):
            return value
        return self._redact(_as_text(value))


_RESERVED: Final = frozenset({"time", "level", "logger", "exception"})


def _is_wanted(record: logging.LogRecord) -> bool:
    """Keep libraries to warnings: at INFO they log URLs, tokens and messages."""
    ours = record.name.partition(".")[0] in _OURS
    return ours or record.levelno >= logging.WARNING


def _redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    forms = {form for secret in secrets for form in (secret, quote(secret, safe=""))}
    known = sorted((f for f in forms if len(f) >= _SHORTEST), key=len, reverse=True)
    if not known:
        return mask
    pattern = re.compile("|".join(map(re.escape, known)))
    return lambda text: mask(pattern.sub(HIDDEN, text))


def _foreign(record: logging.LogRecord) -> str:
    """Word a library's record, without the messages of the errors that it quotes."""
    text = record.getMessage()
    given = record.args.values() if isinstance(record.args, dict) else record.args
    for error in map(_error, (*(given or ()), record.exc_info)):
        for known in _chain(error) if error else ():
            if not isinstance(known, ApxError):
                for quoted in (repr(known), str(known)):
                    # Next to nothing is no message, and stands everywhere.
                    if len(quoted) > _NEXT_TO_NOTHING:
                        text = text.replace(quoted, _as_text(known))
    return text


def _error(given: object) -> BaseException | None:
    """Find the exception in any of the forms that `exc_info` comes in."""
    if given is True:
        return sys.exc_info()[1]
    if isinstance(given, tuple):
        given = given[1]
    return given if isinstance(given, BaseException) else None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an error, what it was raised from, and what a group holds."""
    waiting: list[BaseException] = [error]
    seen: list[BaseException] = []
    while waiting and len(seen) < _DEEPEST:
        known = waiting.pop(0)
        if any(known is other for other in seen):
            continue
        seen.append(known)
        yield known
        below = known.__cause__ or known.__context__
        waiting += [below] if below else []
        if isinstance(known, BaseExceptionGroup):
            waiting += known.exceptions


def _described(error: BaseException) -> Mapping[str, Any]:
    return {"error": _as_text(error), "frames": [*_frames(error.__traceback__)]}


def _frames(traceback: TracebackType | None) -> Iterator[str]:
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}"
        traceback = traceback.tb_next


def _as_text(value: object) -> str:
    """Write a value that says of itself how; of any other, only the kind.

    The `repr` that a dataclass gets for free would show all it holds.
    """
    if isinstance(value, ApxError):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, BaseException):
        return type(value).__name__
    if isinstance(value, bytes | bytearray) or type(value).__str__ is object.__str__:
        return f"<{type(value).__name__}>"
    return str(value)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _route() -> None:
    """Send structlog's records through the standard library, for good."""
    logging.getLogger().addHandler(logging.NullHandler())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )


_route()
