"""The terminal: a channel whose screens come and go."""
