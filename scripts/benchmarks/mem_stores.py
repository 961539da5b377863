"""Stores of curated memories that look like real ones, of any size."""

from __future__ import annotations

import os
import random
import subprocess
from datetime import date, timedelta
from typing import TYPE_CHECKING

from apx.mem.frontmatter import render
from apx.mem.ids import new
from apx.mem.memory import TYPES, Memory

if TYPE_CHECKING:
    from pathlib import Path

# What people decide about, in the words of four languages; each with what they say.
_SUBJECTS = (
    ("the invoice service", "retries", "queue", "timeout", "ledger", "batch"),
    ("la tienda", "pago", "envío", "cliente", "factura", "almacén"),
    ("der Bauplan", "Statik", "Termin", "Lieferung", "Firma", "Abnahme"),
    ("在线商店", "支付", "库存", "发货", "客户", "发票"),
    ("the garden", "watering", "seeds", "fence", "compost", "frost"),
    ("el servidor", "copia", "disco", "puerto", "clave", "registro"),
)
_BEGINNINGS = ("Use", "Never change", "Check", "Prefer", "Why we left", "Restart")
_SENTENCES = 12
_TAGS = ("ops", "shop", "casa", "budget", "backup", "日常")
_BODY_SEED = 7
_DAYS = 700


def made(root: Path, size: int) -> Path:
    """Make a store of so many memories, in one packed commit."""
    chance = random.Random(_BODY_SEED)  # noqa: S311 -- the same store each time
    for kind in TYPES.values():
        (root / "objects" / kind.folder).mkdir(parents=True)
    taken: set[str] = set()
    for number in range(size):
        memory = _memory(chance, number, taken)
        (root / memory.path).write_bytes(render(memory))
    (root / ".gitignore").write_text(".cache/\n")
    _git(root, "init", "--quiet", "--initial-branch=main")
    _git(root, "add", "--all")
    commit(root, "mem: import")
    _git(root, "repack", "-adq")
    return root


def commit(root: Path, subject: str) -> None:
    """Commit what was added."""
    _git(root, *WHO, "commit", "--quiet", "-m", subject)


WHO = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True, env=CLEAN)  # noqa: S603, S607 -- git itself


CLEAN = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


def _memory(chance: random.Random, number: int, taken: set[str]) -> Memory:
    kind = chance.choice(list(TYPES.values()))
    subject, *words = chance.choice(_SUBJECTS)
    begins = chance.choice(_BEGINNINGS)
    title = f"{begins} {chance.choice(words)} {chance.choice(words)} {subject} {number}"
    day = (date(2025, 1, 1) + timedelta(days=chance.randrange(_DAYS))).isoformat()
    name = new(kind, day, title, taken.__contains__)
    taken.add(name)
    said = " ".join(
        f"{chance.choice(_BEGINNINGS)} {chance.choice(words)}, {chance.choice(words)}."
        for _ in range(chance.randrange(1, 2 * _SENTENCES))
    )
    fields = {
        "id": name,
        "type": kind.name,
        "title": title,
        "scope": chance.choice(["", "", "shop", "global"]),
        "status": "active",
        "priority": chance.randrange(100),
        "confidence": chance.choice([0.3, 0.7, 0.9]),
        "version": 1,
        "created": day,
        "updated": day,
        "tags": tuple(chance.sample(_TAGS, 2)),
    }
    kept = {key: value for key, value in fields.items() if value != ""}
    return Memory(kept, f"{said}\n".encode())  # type: ignore[arg-type]  # the fields of a file
