"""Discord: a bot that is the assistant in private chats, guilds and threads."""
