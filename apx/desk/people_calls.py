"""What may be asked of the owner about people: who they are, who may talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from apx.domain.errors import InputError
from apx.domain.person import OWNER, Account, Role
from apx.store.codes import Wanted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.person import Person
    from apx.wiring import House

Json = Any


async def people(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """List persons with their accounts, and who waits to be let in."""
    accounts = await house.who.people.accounts()
    return {
        "people": [
            {
                "key": person.key,
                "role": person.role,
                "name": person.name,
                "accounts": [
                    str(kept.account) for kept in accounts if kept.person == person.key
                ],
            }
            for person in await house.who.people.every()
        ],
        "waiting": [
            {
                "number": one.number,
                "account": str(one.account),
                "name": one.name,
                "at": one.at.astimezone(house.memory.zone).isoformat(
                    timespec="minutes"
                ),
            }
            for one in await house.who.newcomers.waiting()
        ],
    }


async def pair(house: House, args: Mapping[str, Json]) -> Json:
    """Make a code: for a person that there is, or with a role for a new one."""
    at, codes = house.memory.clock(), house.who.codes
    if args["role"]:
        wish = Wanted("", Role(args["role"]), args["called"])
        return shown(await codes.issue(at, wish))
    person = await person_of(house, args["person"] or OWNER)
    return shown(await codes.issue(at, Wanted(person.key)))


async def settle(house: House, args: Mapping[str, Json]) -> Json:
    """Let somebody in who waits, or refuse them."""
    newcomers, word = house.who.newcomers, args["word"]
    number, role = int(args["number"]), args.get("role", "")
    if number not in {one.number for one in await newcomers.waiting()}:
        raise InputError(f"nobody waits as number {number}; `apx people list` says who")
    owner = await person_of(house, OWNER)
    return await newcomers.settle(owner, f"{number} {role}", word)


async def set_role(house: House, args: Mapping[str, Json]) -> Json:
    """Change what a person may do."""
    person = await person_of(house, args["person"])
    if person.key == OWNER:
        raise InputError("the owner stays the owner")
    role = Role(args["role"])
    await house.who.people.set_role(person.key, role, house.memory.clock())
    return {"key": person.key, "role": role, "name": person.name}


async def remove(house: House, args: Mapping[str, Json]) -> Json:
    """Let one account in no more, or all of a person's; what was said stays."""
    wanted, at = args["what"], house.memory.clock()
    if wanted == OWNER:
        raise InputError("name the owner's account, such as telegram:7:123456789")
    accounts = await house.who.people.accounts()
    found = [k for k in accounts if wanted in {str(k.account), k.person}]
    if not found:
        raise InputError(
            f"{wanted[:80]!a}: no such person or account; `apx people list` names them"
        )
    for kept in found:
        await house.who.parting.remove(kept.account, at, uuid4().hex)
    return [str(kept.account) for kept in found]


async def person_of(house: House, name: str) -> Person:
    """Find a person by key or by account; a name is nobody's proof."""
    channel, _, rest = name.partition(":")
    bot, _, user = rest.partition(":")
    known = await house.who.people.known(Account(channel, bot, user))
    found = known.person if known else await house.who.people.person(name)
    if found is None:
        raise InputError(
            f"{name[:80]!a}: no such person; `apx people list` has keys and accounts"
        )
    return found
