"""Remembering: notes, recall within a budget, and the index that serves it."""
