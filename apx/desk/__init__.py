"""The one process that owns a home, and how every command reaches it."""
