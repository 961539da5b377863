"""Names of conversations."""

import pytest

from apx.domain.errors import InputError
from apx.domain.thread import Thread
from tests.domain.test_secrets import made_up


@pytest.mark.parametrize("kind", ["aws", "github", "openai"])
@pytest.mark.parametrize("channel", ["", "terminal:"])
def test_a_password_is_no_name(kind, channel):
    """It would stand in every list; one that is there already can be read."""
    secret = made_up(9)[kind]

    with pytest.raises(InputError, match="looks like a password") as raised:
        Thread.named(channel + secret)

    assert secret not in str(raised.value)
    assert Thread.parse(channel + secret).place == secret


def test_other_names_are_names():
    """As they always were."""
    for name in ("other", "telegram:7:-1001234567890:4", "discord:1234567890123456789"):
        assert Thread.named(name) == Thread.parse(name)
