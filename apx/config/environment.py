"""`${NAME}` in config.json, filled from the environment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apx.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

# `$${` is a literal `${`; any other `${` must open a reference.
_REFERENCE: Final = re.compile(
    r"(?P<literal>\$\$\{)"
    r"|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^{}]*))?\}"
    r"|(?P<broken>\$\{)"
)


class UnsetVariable(ConfigError):
    """A text asks for a variable that the environment does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the environment variable {name} is not set; "
            f"set it, or write ${{{name}:-default}}"
        )
        self.name = name


def fill(text: str, environ: Mapping[str, str]) -> str:
    """Put values in place of `${NAME}` and `${NAME:-default}`, or say what lacks."""
    return _REFERENCE.sub(lambda found: _value(found, environ), text)


def _value(found: re.Match[str], environ: Mapping[str, str]) -> str:
    if found["literal"]:
        return "${"
    if found["broken"]:
        raise ConfigError(
            "${ opens the name of an environment variable, such as ${HOME}; "
            "write $${ to mean it literally"
        )
    name, default = found["name"], found["default"]
    value = environ.get(name)
    # For a default, an empty variable counts as one that is not set: as in a shell.
    if default is not None:
        return value or default
    if value is None:
        raise UnsetVariable(name)
    return value
