"""Which addresses Telegram takes as links: one that it refuses costs the message."""

from __future__ import annotations

import re
from typing import Final

# As Telegram's server reads them: a host needs a point, `localhost` is refused, and
# `mailto:` would be read as the password of a web address.
_WEB: Final = re.compile(
    r"https?://(?:[a-z0-9_-]+\.)+[a-z0-9_-]+(?::(\d{1,5}))?(?:[/?#][!-~]*)?",
    re.IGNORECASE,
)
_OWN: Final = re.compile(r"tg://[a-z0-9_-]+(?:[/?#][!-~]*)?", re.IGNORECASE)
_SCRIPT: Final = re.compile(r"\s*(?:vbscript|javascript|file|data):", re.IGNORECASE)
_MEANT: Final = re.compile(r"[/.]|^(?:mailto|tg):", re.IGNORECASE)
_LONGEST: Final = 2_000
_PORTS: Final = range(1, 65_536)


def is_address(text: str) -> bool:
    """Whether a text is meant as an address, so that what it is behind is a label."""
    is_safe = _SCRIPT.match(text) is None
    return is_safe and bool(_MEANT.search(text))


def is_link(address: str) -> bool:
    """Whether a text may be a link to an address."""
    if len(address) > _LONGEST:
        return False
    web = _WEB.fullmatch(address)
    if web is None:
        return _OWN.fullmatch(address) is not None
    return web[1] is None or int(web[1]) in _PORTS
