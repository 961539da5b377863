"""What `apx run` says of its channels while it runs."""

import json

from apx.cli.run_troubles import Troubles
from apx.testing import MemoryChannel
from tests.stories.scene import nobody

TOKEN = "123456:AAEabcdefghijklmnopqrstuvwxyz0123456"  # noqa: S105 -- nobody's


def test_each_trouble_is_told_once_and_that_it_is_over():
    """By its words: a count that grows is not worth another line."""
    channel, troubles = MemoryChannel("discord"), Troubles()
    channels = {"discord": channel}
    none: dict[str, str] = {}
    said = [troubles.news(channels, none)]
    for why in ("refused; 3 set aside", "refused; 4 set aside", "4 set aside"):
        channel.problems["main"] = why
        said.append(troubles.news(channels, none))
    channel.problems["second"] = "refused"
    said.append(troubles.news(channels, none))
    channel.problems.clear()
    said.append(troubles.news(channels, none))

    assert said == [
        [],
        ["discord, main: refused", "discord, main: 3 set aside"],
        [],
        ["over: discord, main: refused"],
        ["discord, second: refused"],
        ["over: discord, main: 3 set aside", "over: discord, second: refused"],
    ]


def test_a_channel_that_does_not_run_is_told_of():
    """What is wrong with config.json or with a model is for the status."""
    channels, troubles = {"discord": MemoryChannel("discord")}, Troubles()
    wrong = {"discord": "failed (KeyError)", "config.json": "changed"}

    assert troubles.news(channels, wrong) == ["discord: failed (KeyError)"]
    assert troubles.news(channels, wrong) == []
    assert troubles.news(channels, {}) == ["over: discord: failed (KeyError)"]


def test_a_daemon_says_what_is_wrong(apx):
    """Whoever started it looks at its terminal, not at `apx status`."""
    bot = {"token": TOKEN, "base_url": nobody()}
    apx.config(json.dumps({"channels": {"telegram": {"enabled": True, "bots": [bot]}}}))

    line = apx.daemon().stderr.readline()

    assert line.startswith(b"apx: telegram, main: no answer from the server since")
