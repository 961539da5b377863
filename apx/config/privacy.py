"""Keys of config.json that say what is kept of what people say."""

from pydantic import Field

from apx.config.kinds import Section


class Privacy(Section):
    """What is kept, and what is not."""

    keep_secrets: bool = Field(
        default=False,
        description="Keep passwords and keys that people write in the ledger as they "
        "are; notes, the index and everything else never hold them",
    )
