"""Keys of config.json that say which model answers, and whom."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from apx.config.kinds import (
    Address,
    Credential,
    Duration,
    Expect,
    FallbackModel,
    ModelName,
    OptionalAddress,
    Section,
    Zone,
    refused,
)


def _window(tokens: int) -> int:
    if tokens and not _LEAST <= tokens <= _MOST:
        raise refused(f"got {tokens}, expected 0, or {_LEAST} to {_MOST} tokens")
    return tokens


_LEAST: Final = 1024
_MOST: Final = 20_000_000


class SuperAgent(Section):
    """The assistant that people talk to."""

    model: ModelName = Field(
        default="auto",
        description="The model that answers: provider:model, `offline`, or `auto`: the "
        "first of ollama, openai and gemini that has a section under `engines` and "
        "answers, else offline",
    )
    fallback_models: tuple[FallbackModel, ...] = Field(
        default=(),
        max_length=8,
        description="Models to ask, in turn, when the first one fails",
    )
    max_iterations: int = Field(
        default=16, ge=1, le=100, description="How many model calls a turn may make"
    )
    instructions: str = Field(
        default="",
        max_length=20_000,
        description="What to tell the model about its task",
    )


class Ollama(Section):
    """An Ollama server; `auto` considers it once this section is written."""

    base_url: Address = Field(
        default="http://127.0.0.1:11434", description="Where the Ollama server listens"
    )
    num_ctx: int = Field(
        default=8192, ge=2048, le=2_097_152, description="Window to ask for, in tokens"
    )
    keep_alive: Duration = Field(
        default="30m", description="How long the server keeps an idle model loaded"
    )


class OpenAI(Section):
    """OpenAI, or a server that speaks its protocol."""

    api_key: Credential = Field(
        default="",
        description='The key; write "${OPENAI_API_KEY}" to take the environment\'s',
    )
    base_url: OptionalAddress = Field(
        default="", description="Address of a compatible server; empty is OpenAI itself"
    )
    num_ctx: Annotated[
        int,
        Expect("0, or a whole number from 1024 to 20000000"),
        AfterValidator(_window),
    ] = Field(
        default=0,
        description="Window of the models, in tokens; 0 is what the server tells, "
        "else 128000",
    )
    sees_pictures: bool = Field(
        default=True, description="Whether its models are sent pictures"
    )


class Gemini(Section):
    """Google's Gemini."""

    api_key: Credential = Field(
        default="",
        description='The key; write "${GEMINI_API_KEY}" to take the environment\'s',
    )
    base_url: OptionalAddress = Field(
        default="", description="Address of a compatible server; empty is Google itself"
    )


class Engines(Section):
    """The providers of models."""

    ollama: Ollama = Field(default=Ollama(), description="A local or remote Ollama")
    openai: OpenAI = Field(
        default=OpenAI(), description="OpenAI or a compatible server"
    )
    gemini: Gemini = Field(default=Gemini(), description="Google's Gemini")


class User(Section):
    """The person who owns this home."""

    language: Annotated[str, Expect('a language such as "es" or "Spanish", or ""')] = (
        Field(
            default="",
            pattern=r"^[^\x00-\x1f]*$",
            max_length=40,
            description="Language of the answers; empty is what the person writes",
        )
    )
    timezone: Zone = Field(
        default="", description="Such as Europe/Madrid; empty is the machine's"
    )
