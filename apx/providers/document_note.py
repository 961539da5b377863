"""Owns the remark with which the reading of a document ends; runs in the child."""


class Ended(Exception):
    """There is no more to be had; the message is for people."""
