"""Chat platforms, one to a room; each turns its own messages into ours and back."""
