"""`apx run` without the pace of Discord, as `channel_daemon` says."""

from __future__ import annotations

from scripts.benchmarks.channel_daemon import lifted, main


def lift() -> None:
    """Take the pace out where the bot takes it from."""
    import channels.discord.bot as discord  # noqa: PLC0415 -- not for who only looks
    from channels.discord.pace import Pace  # noqa: PLC0415 -- the same

    discord.Pace = lifted(Pace)  # type: ignore[attr-defined,assignment]  # only in this process


if __name__ == "__main__":
    main(lift)
