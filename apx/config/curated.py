"""Keys of config.json that say what becomes of curated memories."""

from pydantic import Field

from apx.config.kinds import Section


class Curated(Section):
    """The memories that are kept on purpose, as `apx mem` shows them."""

    enabled: bool = Field(
        default=True, description="Give the assistant the curated memories"
    )
    propose_notes: bool = Field(
        default=True,
        description="Propose new notes of the owner as curated memories",
    )
