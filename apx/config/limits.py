"""Keys of config.json that say what may be spent, and what each role may use."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from apx.config.kinds import Expect, ModelName, Section, refused
from apx.domain.person import Role
from apx.domain.usage import Grant, Limits


def _named(model: str) -> str:
    if model == "auto":
        raise refused('"auto" names no model; write one, or leave the list empty')
    return model


ToolName = Annotated[
    str,
    Expect('the name of a tool such as recall_search, or "*" for all'),
    Field(pattern=r"^(\*|[a-zA-Z0-9_-]{1,64})$"),
]
GrantedModel = Annotated[
    ModelName,
    Expect('"offline" or provider:model such as ollama:llama3.2'),
    AfterValidator(_named),
]

_TOOLS: Final = 'Tools that they may have used; "*" is all'
_MODELS: Final = "Models that may answer them, first choice first; an empty list is any"
_TOKENS: Final = (
    "Tokens that each of them may spend in a day, then the offline model answers; "
    "0 is no bound"
)
_MOST_TOOLS: Final = 200
_MOST_MODELS: Final = 20
# What reads, and of that only what their own conversation holds.
_GUESTS: Final = ("current_time", "recall_search", "search_messages")


class Budget(Section):
    """What the home may spend in a day of its person, embedding included."""

    daily_tokens: int = Field(
        default=0,
        ge=0,
        description="Tokens a day, then the offline model answers until midnight;"
        " 0 is no bound",
    )
    background_daily_tokens: int = Field(
        default=0,
        ge=0,
        description="Of these, tokens a day for what nobody waits for: summaries and"
        " the embedding of messages; 0 is no bound",
    )


class OwnerRole(Section):
    """The person who owns this home."""

    tools: tuple[ToolName, ...] = Field(
        default=("*",), max_length=_MOST_TOOLS, description=_TOOLS
    )
    models: tuple[GrantedModel, ...] = Field(
        default=(), max_length=_MOST_MODELS, description=_MODELS
    )
    daily_tokens: int = Field(default=0, ge=0, description=_TOKENS)


class MemberRole(OwnerRole):
    """People who were let in as members."""


class GuestRole(OwnerRole):
    """People who were let in as guests."""

    tools: tuple[ToolName, ...] = Field(
        default=_GUESTS, max_length=_MOST_TOOLS, description=_TOOLS
    )
    daily_tokens: int = Field(default=20_000, ge=0, description=_TOKENS)


class Roles(Section):
    """What the people of each role may use."""

    owner: OwnerRole = Field(
        default=OwnerRole(), description="The person who owns this home"
    )
    member: MemberRole = Field(
        default=MemberRole(), description="People who were let in as members"
    )
    guest: GuestRole = Field(
        default=GuestRole(), description="People who were let in as guests"
    )


def limits(budget: Budget, roles: Roles) -> Limits:
    """Give what may be spent and used, in the words of the domain."""
    by_role = {
        Role.OWNER: roles.owner,
        Role.MEMBER: roles.member,
        Role.GUEST: roles.guest,
    }
    return Limits(
        daily_tokens=budget.daily_tokens,
        background_daily_tokens=budget.background_daily_tokens,
        roles={
            role: Grant(said.tools, said.models, said.daily_tokens)
            for role, said in by_role.items()
        },
    )
