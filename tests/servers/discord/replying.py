"""Routes about interactions: to take them, and to answer by follow-ups."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tests.servers.discord import drafts
from tests.servers.discord.drafts import EPHEMERAL, LOADING
from tests.servers.discord.interactions import COMMAND, PATIENCE, VALID
from tests.servers.discord.placing import announce, place, remove
from tests.servers.discord.refused import Refused, bad, invalid, unknown
from tests.servers.discord.shown import message_json

if TYPE_CHECKING:
    from tests.servers.discord.asked import Asked
    from tests.servers.discord.interactions import Interaction
    from tests.servers.discord.things import Json

NOW, LATER, QUIETLY, CHANGE = 4, 5, 6, 7


def callback(asked: Asked) -> Json | None:
    """Take an interaction, once and within three seconds."""
    world = asked.world
    one = world.interactions.get(asked.ids["token"])
    if one is None or asked.number("interaction") != one.id:
        raise unknown("interaction")
    if one.acked is not None:
        world.complain("an interaction was taken twice")
        raise bad(40060, "Interaction has already been acknowledged.")
    if time.monotonic() - one.at > PATIENCE:
        world.complain("an interaction was taken too late")
        raise unknown("interaction")
    told = asked.known("type", "data")
    kind = told.get("type")
    if kind not in ({NOW, LATER} | ({QUIETLY, CHANGE} if one.source else set())):
        raise invalid("type", "INTERACTION_TYPE_INVALID", f"{kind} is not known here")
    _take(asked, one, kind, told.get("data") or {})
    one.acked, one.callback = time.monotonic(), kind
    if asked.query.get("with_response") not in {"true", "1"}:
        return None
    return _response(asked, one, kind)


def _take(asked: Asked, one: Interaction, kind: int, data: Json) -> None:
    if kind == LATER:
        flags = LOADING | ((data.get("flags") or 0) & EPHEMERAL)
        one.original = _put(asked, one, {"flags": flags})
    elif kind == NOW:
        one.original = _say(asked, one, data)
    else:
        one.original = one.source
        if kind == CHANGE and one.source is not None:
            _change(asked, one, one.source, data)


def _response(asked: Asked, one: Interaction, kind: int) -> Json:
    told: Json = {"interaction": {"id": str(one.id), "type": one.kind}}
    if one.original is not None and kind != QUIETLY:
        shown = message_json(asked.world, one.channel, one.original)
        told["resource"] = {"type": kind, "message": shown}
    return told


def follow(asked: Asked) -> Json:
    """Answer an interaction; while it says that the bot thinks, in place of that."""
    one = _valid(asked)
    told = asked.known(*drafts.FIELDS, "username", "avatar_url")
    if one.is_loading:
        assert one.original is not None
        return _change(asked, one, one.original, told)
    return message_json(asked.world, one.channel, _say(asked, one, told))


def fetched(asked: Asked) -> Json:
    """Read an answer."""
    one = _valid(asked)
    return message_json(asked.world, one.channel, _found(asked, one))


def edited(asked: Asked) -> Json:
    """Change an answer."""
    one = _valid(asked)
    told = asked.known(*drafts.EDITABLE)
    return _change(asked, one, _found(asked, one), told)


def deleted(asked: Asked) -> None:
    """Take an answer away."""
    one = _valid(asked)
    message = _found(asked, one)
    one.said = [told for told in one.said if told is not message]
    if one.original is message:
        one.original = None
    if int(message["id"]) in one.channel.messages:
        remove(asked.world, one.channel, int(message["id"]))


def _valid(asked: Asked) -> Interaction:
    one = asked.world.interactions.get(asked.ids["token"])
    if one is None or asked.number("app") != one.bot.id or one.acked is None:
        raise unknown("Webhook")
    if asked.world.now() - one.made > VALID:
        raise Refused(401, 50027, "Invalid Webhook Token")
    return one


def _found(asked: Asked, one: Interaction) -> Json:
    number = asked.ids["message"]
    if number == "@original":
        message = one.original
    else:
        held = [*one.said, one.original]
        message = next((it for it in held if it and it["id"] == number), None)
    if message is None:
        raise unknown("Message")
    gone = int(message["id"]) not in one.channel.messages
    if gone and not message["flags"] & EPHEMERAL:
        raise unknown("Message")
    return message


def _say(asked: Asked, one: Interaction, told: Json) -> Json:
    draft = drafts.drafted(asked, one.channel, told, EPHEMERAL)
    drafts.ring(asked, one.channel, draft | {"id": 0}, told)
    return _put(asked, one, draft)


def _put(asked: Asked, one: Interaction, draft: Json) -> Json:
    world, author = asked.world, asked.world.users[one.bot.id]
    draft |= {
        "type": 20 if one.kind == COMMAND else 0,
        "webhook_id": str(one.bot.id),
        "application_id": str(one.bot.id),
        "interaction_metadata": {
            "id": str(one.id),
            "type": one.kind,
            "user": world.users[one.user],
            "authorizing_integration_owners": {},
        },
    }
    message = place(
        world, one.channel, author, draft, is_shown=not draft["flags"] & EPHEMERAL
    )
    one.said.append(message)
    return message


def _change(asked: Asked, one: Interaction, message: Json, told: Json) -> Json:
    told = {name: told[name] for name in told if name in drafts.EDITABLE}
    if message["flags"] & LOADING:
        told.setdefault("content", "")
    stays = message["flags"] & EPHEMERAL
    message |= drafts.changed(asked, one.channel, message, told)
    message["flags"] = message["flags"] & ~(LOADING | EPHEMERAL) | stays
    message["edited_timestamp"] = asked.world.iso()
    if not stays:
        announce(asked.world, one.channel, message, "MESSAGE_UPDATE")
    return message_json(asked.world, one.channel, message)


ROUTES: Final = {
    "POST /interactions/{interaction}/{token}/callback": callback,
    "POST /webhooks/{app}/{token}": follow,
    "GET /webhooks/{app}/{token}/messages/{message}": fetched,
    "PATCH /webhooks/{app}/{token}/messages/{message}": edited,
    "DELETE /webhooks/{app}/{token}/messages/{message}": deleted,
}
