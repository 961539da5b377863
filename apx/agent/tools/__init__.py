"""What the assistant can do, one subject a file."""
