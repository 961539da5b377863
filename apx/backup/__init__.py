"""Backups of a home: made while it is in use, and put back whole or not at all."""
