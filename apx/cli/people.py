"""`apx people`: who may talk to apx, and as whom."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from apx.cli.erase import DryRun, Yes, erased, sure
from apx.cli.start import ask, print_json
from apx.domain.errors import InputError

app = typer.Typer(help="Who may talk to apx.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Argument(min=1, help="As `apx people list` says.")]
Who = Annotated[
    str,
    typer.Argument(
        metavar="PERSON", help="A key or an account, as `apx people list` has them."
    ),
]


class GivenRole(StrEnum):
    """What a person other than the owner may be."""

    MEMBER = "member"
    GUEST = "guest"


@app.command("list")
def list_people(as_json: AsJson = False) -> None:
    """List persons with their accounts, and who waits for your yes."""
    found = ask("apx people list", "people")
    if as_json:
        print_json(found)
        return
    for person in found["people"]:
        accounts = ", ".join(person["accounts"]) or (
            "the terminal" if person["key"] == "owner" else "no account"
        )
        print(f"{person['key']}  {person['role']}  {person['name']}  {accounts}")
    for one in found["waiting"]:
        print(f"waits as {one['number']}: {one['name']!a} {one['account']} {one['at']}")


@app.command()
def pair() -> None:
    """Print a code: the account that enters it is you, the owner."""
    _print(
        ask("apx people pair", "pair", person="", role="", called=""), "you, the owner"
    )


@app.command()
def link(person: Who) -> None:
    """Print a code: the account that enters it is this person's."""
    if not person.strip():
        raise InputError("whose? `apx people list` has keys and accounts")
    _print(ask("apx people link", "pair", person=person, role="", called=""), person)


@app.command()
def invite(
    role: Annotated[GivenRole, typer.Option(help="What they may do.")] = (
        GivenRole.MEMBER
    ),
    name: Annotated[str, typer.Option(help="How to call them here.")] = "",
) -> None:
    """Print a code: the account that enters it is a new person's."""
    code = ask("apx people invite", "pair", person="", role=role.value, called=name)
    _print(code, f"a new {role.value}")


def _print(code: str, whose: str) -> None:
    print(code)
    print(
        f"Send it to the bot in a private chat within ten minutes; the account that"
        f" does so first is {whose}."
    )


@app.command()
def approve(
    number: Number,
    guest: Annotated[bool, typer.Option("--guest", help="As a guest.")] = False,
) -> None:
    """Let somebody in who waits."""
    role = "guest" if guest else ""
    print(ask("apx people approve", "settle", number=number, word="approve", role=role))


@app.command()
def refuse(number: Number) -> None:
    """Refuse somebody who waits; for a month they cannot ask again."""
    print(ask("apx people refuse", "settle", number=number, word="refuse"))


@app.command()
def role(person: Who, role: GivenRole) -> None:
    """Change what a person may do."""
    found = ask("apx people role", "set_role", person=person, role=role.value)
    print(f"{found['key']} is a {found['role']} now")


@app.command()
def remove(
    what: Annotated[str, typer.Argument(metavar="PERSON|ACCOUNT")],
) -> None:
    """Let an account in no more, or all of a person's; what was said is kept."""
    for account in ask("apx people remove", "remove", what=what):
        print(f"{account} is nobody's now; a bot that is open lets it in as new")


@app.command()
def erase(
    person: Who,
    dry_run: DryRun = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Erase a person for good: their conversations, notes and words in rooms."""
    sure(person, yes=yes, dry_run=dry_run)
    erased(
        "apx people erase",
        "erase_person",
        person=person,
        dry_run=dry_run,
        as_json=as_json,
    )
