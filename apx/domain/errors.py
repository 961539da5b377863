"""Every error that apx raises on purpose.

ApxError
├─ ConfigError               the person must edit config.json
├─ InputError                the person asked for something that cannot be
├─ HomeError                 the home cannot be used: read-only, held by another
├─ StoreError                the database is newer, locked or broken
│  ├─ Conflict               the same operation id came with other contents
│  └─ DamagedStore           what the file holds cannot be read
├─ ProviderError             a model or an embedder let us down
│  ├─ ProviderUnavailable    try again, or ask the next one in the chain
│  ├─ ProviderMisconfigured  auth or bad request: the config must change
│  ├─ ProviderRefused        the provider's own rules stopped the answer
│  ├─ ContextOverflow        the prompt is too long: shorten, then ask again
│  └─ TextsRefused           not these texts together: embed fewer at a time
└─ ChannelError              a message could not be sent
   ├─ Unreachable            nobody listens there now: keep it for later
   ├─ Undeliverable          it will never arrive there: tell, and keep it no longer
   └─ Exhausted              nothing that this process could do helps any more
"""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink, and everything raises these.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from apx.domain.message import Usage


class ApxError(Exception):
    """Anything that apx itself decided to refuse."""


class ConfigError(ApxError):
    """config.json says something that apx cannot follow."""


class InputError(ApxError):
    """What was asked cannot be done as asked."""


class Expired(InputError):
    """It could be done once, and cannot be any more, whoever asks."""


class HomeError(ApxError):
    """The home directory cannot be used now."""


class StoreError(ApxError):
    """The database cannot be used as it is."""


class Conflict(StoreError):
    """An operation id was used before, for something else."""


class DamagedStore(StoreError):
    """What a database file holds cannot be read."""


class ProviderError(ApxError):
    """A provider failed; `provider` says which."""

    def __init__(self, message: str, *, provider: str) -> None:
        super().__init__(message)
        self.provider = provider
        # What an answer cost that came to nothing; None where there was none.
        self.usage: Usage | None = None


class ProviderUnavailable(ProviderError):
    """The provider cannot serve now.

    `retry_after` is what it asked us to wait, in seconds. `refused` means that
    nobody listens at its address, so asking again at once is pointless.
    """

    def __init__(
        self,
        message: str,
        *,
        provider: str,
        retry_after: float | None = None,
        refused: bool = False,
    ) -> None:
        super().__init__(message, provider=provider)
        self.retry_after = retry_after
        self.refused = refused


class ProviderMisconfigured(ProviderError):
    """The provider rejects our key, model or request; `key` names what to fix."""

    def __init__(self, message: str, *, provider: str, key: str) -> None:
        super().__init__(message, provider=provider)
        self.key = key


class ProviderRefused(ProviderError):
    """The provider's safety rules stopped the answer."""


class ContextOverflow(ProviderError):
    """The prompt does not fit the model's window.

    `window` is how many tokens the provider says that it has, 0 if it does not say.
    """

    def __init__(self, message: str, *, provider: str, window: int = 0) -> None:
        super().__init__(message, provider=provider)
        self.window = window


class TextsRefused(ProviderError):
    """An embedder does not take these texts, or not so many at once."""


class ChannelError(ApxError):
    """A chat platform refused a message."""


class Unreachable(ChannelError):
    """Nobody listens at that place now."""


class Exhausted(ChannelError):
    """A channel tried all it could; a fresh process may do better."""


class Undeliverable(ChannelError):
    """The platform will never take a message for that place, such as a block."""
