"""The whole of config.json as one checked value."""

from collections.abc import Iterator

from pydantic import Field

from apx.config.assistant import Engines, SuperAgent, User
from apx.config.hearing import Transcription
from apx.config.kinds import PROVIDERS, Section
from apx.config.limits import Budget, Roles, limits
from apx.config.places import Channels
from apx.config.privacy import Privacy
from apx.config.remembering import Consolidation, Memory
from apx.domain.secrets import names_a_secret
from apx.domain.usage import Limits


class Config(Section):
    """All of config.json; `Config()` is what holds without a file."""

    super_agent: SuperAgent = Field(
        default=SuperAgent(), description="The assistant that people talk to"
    )
    engines: Engines = Field(default=Engines(), description="The providers of models")
    user: User = Field(default=User(), description="The person who owns this home")
    memory: Memory = Field(default=Memory(), description="How apx remembers")
    consolidation: Consolidation = Field(
        default=Consolidation(), description="Lasting facts, found while nobody writes"
    )
    channels: Channels = Field(
        default=Channels(), description="Where people reach the assistant"
    )
    transcription: Transcription = Field(
        default=Transcription(),
        description="Who writes down what is said in recordings",
    )
    budget: Budget = Field(
        default=Budget(), description="What the home may spend in a day"
    )
    roles: Roles = Field(
        default=Roles(), description="What the people of each role may use"
    )

    privacy: Privacy = Field(
        default=Privacy(), description="What is kept of what people say"
    )

    def limits(self) -> Limits:
        """Give what may be spent, and what each role may use."""
        return limits(self.budget, self.roles)

    def configured_engines(self) -> tuple[str, ...]:
        """Name the providers that `auto` may contact, first choice first.

        Ollama needs no key, so that its section is written at all is the sign.
        """
        engines = self.engines
        configured = {
            "ollama": "ollama" in engines.model_fields_set,
            "openai": bool(engines.openai.api_key or engines.openai.base_url),
            "gemini": bool(engines.gemini.api_key),
        }
        return tuple(name for name in PROVIDERS if configured[name])

    def secrets(self) -> tuple[str, ...]:
        """Give every credential that is set, for the log to leave out."""
        return tuple(_credentials(self.model_dump()))


def _credentials(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _credentials(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _credentials(inner, key)
    elif value and names_a_secret(key):
        yield str(value)
