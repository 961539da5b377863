"""Owns the words for what goes wrong between us and a vendor."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MODEL_KEY: Final = "super_agent.model"

# A code is shown when it can be nothing but a code: no digits, so never a key.
PLAIN_CODE: Final = re.compile(r"[a-z_]{3,40}|[A-Z_]{3,40}")

# Three HTTP libraries say the same, and none of them may be imported here.
_NOBODY: Final = frozenset(
    {"ConnectError", "ConnectTimeout", "ClientConnectorError"}
    | {"ConnectionRefusedError", "gaierror"}
)
_NO_ADDRESS: Final = frozenset({"UnsupportedProtocol", "InvalidURL"})
_LATE: Final = frozenset({"TimeoutException", "TimeoutError", "APITimeoutError"})


@dataclass(frozen=True, slots=True)
class Asked:
    """Who was asked, and where config.json says so."""

    engine: str
    model: str = ""
    base_url: str = ""
    has_key: bool = True
    model_key: str = MODEL_KEY

    @property
    def name(self) -> str:
        """`engine:model`, or the engine alone when no model was asked for."""
        return f"{self.engine}:{self.model}" if self.model else self.engine

    @property
    def url_key(self) -> str:
        """The config key of the address."""
        return f"engines.{self.engine}.base_url"

    @property
    def auth_key(self) -> str:
        """The config key of what opens the door; a local server has no key of ours."""
        return f"engines.{self.engine}.api_key" if self.has_key else self.url_key

    @property
    def place(self) -> str:
        """The host and the port, without any login that an address may carry."""
        try:
            address = urlsplit(self.base_url)
            port = f":{address.port}" if address.port else ""
        except ValueError:
            return "its address"
        return f"{address.hostname}{port}" if address.hostname else "its address"


def transport(asked: Asked, error: BaseException) -> ProviderError:
    """Give the error for a connection that failed, broke off, or never was."""
    kinds = frozenset(_kinds(error))
    if kinds & _NO_ADDRESS:
        return misaddressed(asked)
    if kinds & _NOBODY:
        return nobody(asked)
    what = "did not answer in time" if kinds & _LATE else "dropped the connection"
    return ProviderUnavailable(f"{asked.name} {what}", provider=asked.name)


def nobody(asked: Asked) -> ProviderUnavailable:
    """Say that there is no connection to be had."""
    return ProviderUnavailable(
        f"{asked.name} cannot be reached at {asked.place}: is it running? "
        f"Otherwise change {asked.url_key}",
        provider=asked.name,
        refused=True,
    )


def unreadable(asked: Asked, *, began: bool) -> ProviderError:
    """Give the error for what is not the vendor's format.

    From the first byte on, it is another server; later, it is a broken stream.
    """
    if not began:
        return misaddressed(asked)
    return ProviderUnavailable(
        f"{asked.name} sent something that cannot be read", provider=asked.name
    )


def misaddressed(asked: Asked) -> ProviderMisconfigured:
    """Say that the address leads to something else."""
    return ProviderMisconfigured(
        f"{asked.name}: {asked.place} does not answer as {asked.engine} does: "
        f"check {asked.url_key}",
        provider=asked.name,
        key=asked.url_key,
    )


def blocked(asked: Asked, why: str) -> ProviderRefused:
    """Say that the vendor's own rules stopped the answer."""
    shown = f" ({why})" if PLAIN_CODE.fullmatch(why) else ""
    return ProviderRefused(
        f"{asked.name} would not answer this: its provider's rules stopped it{shown}",
        provider=asked.name,
    )


def overflow(asked: Asked, window: int = 0) -> ContextOverflow:
    """Say that the prompt does not fit, and into what, where that is known."""
    return ContextOverflow(
        f"{asked.name}: the conversation is longer than this model can read",
        provider=asked.name,
        window=window,
    )


def check_key(asked: Asked, key: str) -> None:
    """Refuse a key that no header can carry, before a library quotes it."""
    if key and key.isascii() and key.isprintable() and " " not in key:
        return
    empty = "is empty (or its variable is not set)"
    what = "holds characters that no key has" if key else empty
    raise ProviderMisconfigured(
        f"{asked.name}: {asked.auth_key} {what}",
        provider=asked.name,
        key=asked.auth_key,
    )


def _kinds(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield from (kind.__name__ for kind in type(error).__mro__)
        error = error.__cause__
