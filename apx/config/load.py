"""config.json from the disk: its values, or why they cannot be followed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.config.document import read
from apx.config.root import Config
from apx.config.verdict import Verdict, judge
from apx.domain.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Loaded:
    """A config that can be followed, and what its writer should be told."""

    config: Config
    warnings: tuple[str, ...] = ()


def check(path: Path, environ: Mapping[str, str] = os.environ) -> Verdict:
    """Find all that is wrong with a file; only one that is no JSON object raises."""
    document = read(path)
    return Verdict(Config()) if document is None else judge(document, environ)


def load(path: Path, environ: Mapping[str, str] = os.environ) -> Loaded:
    """Read config.json, or raise with a line for every key that is wrong."""
    verdict = check(path, environ)
    if verdict.config is None:
        raise ConfigError("\n".join(map(str, verdict.faults)))
    return Loaded(verdict.config, verdict.warnings)
