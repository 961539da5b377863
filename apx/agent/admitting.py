"""Makes of what a platform says what the agent hears: clean, and somebody's."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

from apx.domain.errors import InputError
from apx.domain.person import Audience
from apx.domain.text import clean
from apx.domain.turn import Inbound
from apx.domain.untrusted import named

if TYPE_CHECKING:
    from apx.domain.heard import Heard
    from apx.domain.person import Person


def admitted(heard: Heard, person: Person) -> Inbound:
    """Say whose a message is and who will read the reply."""
    caller = heard.caller
    audience = Audience.private(person.key)
    if caller.group and not heard.is_aside:
        audience = Audience.room(caller.thread)
    return Inbound(
        thread=caller.thread,
        text=heard.text,
        at=heard.at,
        external_id=heard.external_id,
        person=person.key,
        audience=audience,
        role=person.role,
        speaker=(caller.name or person.name or caller.account.user)
        if caller.group
        else "",
        quoted=heard.quoted,
        model=heard.model,
        account=caller.account,
        files=heard.files,
        album=heard.album,
    )


def tidied(heard: Heard) -> Heard:
    """Give a message without what no text may hold, and its time with our zone."""
    if heard.at.tzinfo is None:
        raise InputError(f"{heard.caller.thread}: a time without a zone")
    caller = heard.caller
    name = named(caller.name) if caller.name else ""
    return replace(
        heard,
        caller=replace(caller, name=name),
        text=clean(heard.text).strip(),
        at=heard.at.astimezone(UTC),
    )
