"""Telegram: a bot that is the assistant in private chats, groups and topics."""
