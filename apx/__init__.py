"""A chat assistant that remembers you across every channel you talk to it on."""

__version__ = "0.1.0"
