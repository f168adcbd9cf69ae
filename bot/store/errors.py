"""Why the database could not be used or asked."""


class StoreError(Exception):
    """The database cannot be used; the message says what was wrong and what to do."""


class NewerSchema(StoreError):
    """The database was written by a newer Paperround."""


class StoreFull(StoreError):
    """There was no room on the disk; nothing was half-written."""


class TooBroad(StoreError):
    """A search would read too much of the database."""

    def __init__(self) -> None:
        super().__init__("That finds too many papers to list; add a word that is rarer.")
