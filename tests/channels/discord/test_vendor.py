"""What of discord.py's own words reaches the log."""

import logging

import channels.discord.vendor

_HUSHED = channels.discord.vendor  # by being imported


def test_only_lines_that_mean_something_are_logged(caplog):
    """No payload, no stack of the whole loop, no alarm of a good connection."""
    log = logging.getLogger("discord.gateway")
    log.debug("For Shard ID %s: WebSocket Event: %s", None, {"content": "private"})
    log.warning("Can't keep up, shard ID %s websocket is %.1fs behind.", None, 41.3)
    log.warning("Shard ID %s heartbeat blocked for %s s.\nLoop thread:\n x", None, 10)

    assert caplog.messages == ["Shard ID None heartbeat blocked for 10 s."]
