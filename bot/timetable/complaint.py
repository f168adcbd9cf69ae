"""What is said about a time that cannot be understood."""


class TimetableError(ValueError):
    """A time, day or zone as somebody typed it is not one.

    The message is one sentence: what was typed, quoted, and what to write instead.
    """


def quoted(text: str, limit: int = 40) -> str:
    """What somebody typed, in quotation marks, on one line, cut where it is long."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"“{flat if len(flat) <= limit else flat[: limit - 1] + '…'}”"
