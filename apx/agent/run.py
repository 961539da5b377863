"""A turn that runs: what may still join it, and how it is stopped."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from apx.domain.turn import Inbound, Turn


class Cut(Exception):
    """The work at hand is void: the turn was stopped, or its request grew."""


class Run:
    """The running turn as the gateway and the loop share it.

    All methods but `cuttable` are synchronous, so each is atomic on the loop.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.is_stopping = False
        self._is_open = True
        self._grew = False
        self._joined: set[str] = set()
        self._holds = False
        self._scope: asyncio.Timeout | None = None
        self._waits: list[Callable[[], None]] = []

    @property
    def request(self) -> str:
        """All that was asked by now."""
        return self.turn.request

    @property
    def is_open(self) -> bool:
        """Whether anything may still join."""
        return self._is_open and not self.is_stopping

    def join(self, heard: Inbound) -> bool:
        """Add a message once, unless something was shown or done already.

        Only of the same person in the same role, for the same eyes and the same model.
        """
        turn = self.turn
        theirs = (heard.person, heard.role, str(heard.audience))
        if theirs != (turn.person, turn.role, turn.audience):
            return False
        is_known = heard.key in self._joined
        if is_known or not self.is_open or heard.model not in ("", turn.wanted):
            return False
        self._joined.add(heard.key)
        self.turn = replace(
            turn,
            request="\n".join(filter(None, (turn.request, heard.text))),
            quoted=(*turn.quoted, *heard.quoted),
            files=(*turn.files, *heard.files),
        )
        self._grew = True
        self._cut()
        return True

    def stop(self) -> None:
        """Stop at once, or after the tool that is running."""
        self.is_stopping = True
        for give_up in tuple(self._waits):
            give_up()
        if not self._holds:
            self._cut()

    def end(self) -> None:
        """Take nothing more; the ending is being written down."""
        self._is_open = False

    def close(self) -> None:
        """Let nothing join from now on; call it before anything is shown or done.

        Raises `Cut` if something joined in the same moment.
        """
        if self.is_stopping or self._grew:
            raise Cut
        self._is_open = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Do not let go in the middle: what has begun outside is finished."""
        self.close()
        self._holds = True
        try:
            yield
        finally:
            self._holds = False
        self.close()

    @contextmanager
    def waiting(self, give_up: Callable[[], None]) -> Iterator[None]:
        """Have `stop` end a wait for a person, also in the middle of what is held."""
        self._waits.append(give_up)
        try:
            yield
        finally:
            self._waits.remove(give_up)

    @asynccontextmanager
    async def cuttable(self) -> AsyncIterator[None]:
        """Work that `stop` and `join` cut off; then it raises `Cut`."""
        self._grew = False
        if self.is_stopping:
            raise Cut
        try:
            async with asyncio.timeout(None) as self._scope:
                yield
        except TimeoutError:
            if self._scope is None or not self._scope.expired():
                raise
            raise Cut from None
        finally:
            self._scope = None

    def _cut(self) -> None:
        if self._scope is not None:
            self._scope.reschedule(asyncio.get_running_loop().time())
