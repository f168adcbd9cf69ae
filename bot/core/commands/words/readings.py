"""What somebody types is tried against one reading after another; the first that fits answers."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from bot.core.commands.errand import Errand, Refused
from bot.core.reply import Code, Reply, Span

Answer = Reply | Refused
Reading = Callable[[Errand, str], Answer | None]
"""The answer to words that mean what it looks for, or None."""
Some = TypeVar("Some", bound=Answer)


def answered(
    readings: Iterable[Callable[[Errand, str], Some | None]], errand: Errand, text: str
) -> Some | None:
    """The answer of the first reading that fits, or None."""
    answers = (read(errand, text) for read in readings)
    return next((each for each in answers if each), None)


def spans_of(answer: str) -> tuple[Span, ...]:
    """An answer with what to type in it, which stands between backquotes."""
    return tuple(Code(p) if n % 2 else p for n, p in enumerate(answer.split("`")) if p)
