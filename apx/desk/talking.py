"""The calls of a conversation: a message, a command, the wait for an answer."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from apx.domain.errors import InputError
from apx.domain.heard import Caller, Heard
from apx.domain.person import TERMINAL
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.turn import Turn
    from apx.wiring import House

Json = Any


async def hear(house: House, args: Mapping[str, Json]) -> Json:
    """Take a message: `key` names its request, `answer` is a chat command's.

    `follows` says that a turn comes for it, so that `settled` may wait for one;
    `behind` is the turn of another message that is running before it.
    """
    heard = _heard(house, args)
    thread = heard.caller.thread
    key = f"{thread}/{heard.external_id}"
    if heard.model:
        await house.status.models.get(heard.model)
    answer = await house.doors.of(thread.channel).hear(heard)
    follows = answer is None or await house.memory.ledger.knows(key)
    run, turn = house.gateway.runs.get(thread), None
    if follows:
        turn = await house.memory.ledger.turn_of(key)
    is_behind = run is not None and (turn is None or turn.id != run.turn.id)
    return {
        "key": key,
        "answer": answer,
        "follows": follows,
        "behind": run.turn.id if run and is_behind else 0,
    }


async def order(house: House, args: Mapping[str, Json]) -> Json:
    """Do a chat command and give its answer; null for any other text."""
    heard = _heard(house, args)
    return await house.doors.of(heard.caller.thread.channel).order(heard)


def _heard(house: House, args: Mapping[str, Json]) -> Heard:
    return Heard(
        caller=Caller(TERMINAL, terminal(args["thread"])),
        text=args["text"],
        at=house.memory.clock(),
        external_id=args["id"],
        model=args.get("model", ""),
    )


def terminal(name: str) -> Thread:
    """Read the name of a thread in the terminal; others are written elsewhere."""
    thread = Thread.named(name)
    if thread.channel != "terminal":
        raise InputError(
            f"{thread} is a thread of {thread.channel}; from here only terminal"
            " threads can be written to, such as `--thread other`"
        )
    return thread


async def settled(house: House, args: Mapping[str, Json]) -> Json:
    """Wait until a request was answered, was stopped, or has failed for good."""
    thread = terminal(args["thread"])
    turn = await house.gateway.settled(thread, args["key"])
    if turn is None:
        return {"turn": 0, "state": "stopped", "final": "", "error": "", "parts": []}
    parts = await house.memory.outbox.parts_of(turn.id)
    return {**as_json(turn), "parts": [part.id for part in parts]}


async def stop(house: House, args: Mapping[str, Json]) -> Json:
    """Stop the turn of a request, or have it never begin."""
    await house.gateway.stop(terminal(args["thread"]), args["key"])


def as_json(turn: Turn) -> dict[str, Json]:
    """Write a turn down."""
    return {
        "turn": turn.id,
        "thread": str(turn.thread),
        "state": turn.state,
        "request": turn.request,
        "final": turn.final,
        "partial": turn.partial,
        "error": turn.error,
        "model": turn.model,
        "usage": asdict(turn.usage),
        "retry_of": turn.retry_of,
    }
