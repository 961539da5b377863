"""`apx run` without the pace of Telegram, as `channel_daemon` says."""

from __future__ import annotations

from scripts.benchmarks.channel_daemon import lifted, main


def lift() -> None:
    """Take the pace out where the bot takes it from."""
    from channels.telegram.vendor import loaded  # noqa: PLC0415 -- as the channel does

    loaded()  # before anything of aiogram is imported
    import channels.telegram.bot as telegram  # noqa: PLC0415 -- as said
    from channels.telegram.pace import Pace  # noqa: PLC0415 -- as said

    telegram.Pace = lifted(Pace)  # type: ignore[attr-defined,assignment]  # only in this process


if __name__ == "__main__":
    main(lift)
