"""Prompts, as text files beside the code that uses them."""

from __future__ import annotations

from importlib.resources import files
from string import Template


def load(name: str, package: str = __name__) -> Template:
    """Read a prompt of a package; `$names` in it are filled in at each use."""
    return Template(files(package).joinpath(f"{name}.md").read_text("utf-8"))
