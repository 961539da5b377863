"""Keys of config.json that say who writes down what is said in recordings."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from apx.config.assistant import OpenAI
from apx.config.kinds import Credential, Expect, OptionalAddress, Section

LocalOrNamed = Annotated[
    str,
    Expect("the name of a model, or the directory of one"),
    Field(pattern=r"^[^\x00-\x1f]*$", max_length=1000),
]
SpokenLanguage = Annotated[
    str,
    Expect('the code of a language such as es, or ""'),
    Field(pattern=r"^([a-z]{2,3})?$"),
]


@dataclass(frozen=True, slots=True)
class Server:
    """Who takes recordings, and the section of config.json that says so."""

    base_url: str
    api_key: str
    section: str


class Transcription(Section):
    """What is said in recordings, as text."""

    provider: Literal["", "openai", "local"] = Field(
        default="",
        description="Who writes down recordings: openai (or a server that speaks its"
        " protocol), local (Whisper on this machine), or empty for nobody",
    )
    model: LocalOrNamed = Field(
        default="",
        description="Its model; empty is whisper-1 of openai, base of local. For local"
        " a directory does too",
    )
    base_url: OptionalAddress = Field(
        default="",
        description="Address of a server for recordings; empty is engines.openai's, or"
        " OpenAI itself where api_key is written here",
    )
    api_key: Credential = Field(
        default="",
        description="Its key; empty is engines.openai's, unless base_url is"
        " written here",
    )
    language: SpokenLanguage = Field(
        default="", description="The language spoken, such as es; empty finds out"
    )
    max_seconds: int = Field(
        default=1800,
        ge=1,
        le=14_400,
        description="Longer recordings are not listened to, in seconds",
    )

    def server(self, engine: OpenAI) -> Server:
        """Give the server for recordings; a key goes to the address it is written with.

        So a key of engines.openai is not sent to whoever else base_url names.
        """
        if self.base_url:
            return Server(self.base_url, self.api_key, "transcription")
        if self.api_key:
            return Server("", self.api_key, "transcription")
        return Server(engine.base_url, engine.api_key, "engines.openai")
