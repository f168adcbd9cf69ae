"""Words of the core on a page where nobody types.  Pure."""

import re

from bot.core.reply import Code, Line

_SENTENCE = re.compile(r"(?<=[.!?])\s(?=[^.!?]*$)")  # before the last one that is not over


def said(spoken: Line) -> Line:
    """A line without what it would have people type: here there is no place for that."""
    at = next((n for n, span in enumerate(spoken) if isinstance(span, Code)), None)
    if at is None:
        return spoken
    before = list(spoken[:at])
    while before and not (isinstance(before[-1], str) and _SENTENCE.search(before[-1])):
        before.pop()
    if not before:
        return spoken
    return (*before[:-1], _SENTENCE.split(str(before[-1]))[0])
