"""The HTML of a mail: a template whose CSS was inlined beforehand, and a limit on its size.

Mail programs cut long messages off (Gmail at about 102 KB), and what is cut is the way out.  So
only so much is shown as fits, shared among the topics: each keeps its heading, its link and some
titles.  The text part always holds everything.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.channels.email.pieces import Pieces, left, more, template, with_links
from bot.digest import Digest, Notice, Section, shared
from bot.digest import reading as say

LIMIT = 80_000
"""Bytes of the HTML part as it travels, in quoted-printable."""

FEW = 12
"""At least so many papers stay in full before any loses its title."""


def digest_wire(digest: Digest, limit: int = LIMIT) -> bytes:
    """The digest as an HTML document in quoted-printable, of at most `limit` bytes.

    Up to 50 papers in full, the rest as titles.  Where that is too long, fewer in full; then
    fewer titles; then topics with little more than their names.  None is left out.
    """
    page: list[bytes] = []
    pieces = Pieces(digest)
    for room in _rooms(digest, pieces, limit):
        page = _page(digest, room, pieces)
        if _weight(page) <= limit:
            break
    return b"".join(page)


def notice_html(notice: Notice) -> str:
    """A notice as an HTML document."""
    return template("notice.html").render(
        d=notice,
        when=say.due_line(notice.due_at, notice.zone),
        doors=with_links(notice.actions),
        stop=say.STOP_ALL,
    )


# ------------------------------------------------------------------ what there is room for


@dataclass(frozen=True, slots=True)
class _Room:
    """How much is shown of a digest: papers in full, papers by title, what is said of a topic."""

    whole: int
    lines: int
    bare: bool = False  # topics without their momentum, and with one link
    unlinked: int = 0  # so many topics by name alone: the last ones of some hundred


def _rooms(digest: Digest, pieces: Pieces, limit: int) -> Iterator[_Room]:
    """Ways to share the room, the fullest first; the last one is taken even if it does not fit."""
    count, topics = len(digest.entries), len(digest.sections)

    def fits(room: _Room) -> bool:
        return _weight(_page(digest, room, pieces)) <= limit

    most = min(say.WHOLE, count)
    few = min(most, max(FEW, topics))
    yield _Room(most, count - most)
    whole = _most(most, lambda n: fits(_Room(n, count - n)))
    if whole >= few:
        yield _Room(whole, count - whole)
    fewer = _most(few, lambda n: fits(_Room(n, max(0, topics - n))))
    lines = _most(count - fewer, lambda n: fits(_Room(fewer, n)))
    if fewer + lines >= topics:  # something of each
        yield _Room(fewer, lines)
    yield _Room(0, _most(count, lambda n: fits(_Room(0, n, bare=True))), bare=True)
    linked = _most(topics, lambda n: fits(_Room(0, 0, bare=True, unlinked=topics - n)))
    yield _Room(0, 0, bare=True, unlinked=topics - linked)


def _weight(page: Iterable[bytes]) -> int:
    return sum(map(len, page))


def _page(digest: Digest, room: _Room, pieces: Pieces) -> list[bytes]:
    linked = len(digest.sections) - room.unlinked
    above, below = pieces.frame(linked)
    sections = [piece for part in _parts(digest, room, pieces)[:linked] for piece in part]
    return [above, *sections, below]


def _parts(digest: Digest, room: _Room, pieces: Pieces) -> list[list[bytes]]:
    """Every section, with what there is room for of it."""
    sizes = [len(section.entries) for section in digest.sections]
    whole = shared(room.whole, sizes)
    lines = shared(room.lines, [size - n for size, n in zip(sizes, whole, strict=True)], whole)
    return [
        _part(section, pieces, cards, titles, bare=room.bare)
        for section, cards, titles in zip(digest.sections, whole, lines, strict=True)
    ]


def _part(section: Section, pieces: Pieces, whole: int, lines: int, *, bare: bool) -> list[bytes]:
    shown = whole + lines
    part = [pieces.heading(section, told=whole > 0 and not bare, bare=bare)]
    part += map(pieces.card, section.entries[:whole])
    part += [more(lines, whole=whole > 0)] if lines else []
    part += map(pieces.title, section.entries[whole:shown])
    hidden = len(section.entries) - shown
    part += [left(hidden, section.tag.url)] if hidden else []
    return [*part, pieces.rest(section)] if section.rest else part


def _most(upper: int, works: Callable[[int], bool]) -> int:
    """The largest number up to `upper` that works, 0 if none does; all smaller ones must work."""
    low = 0
    while low < upper:
        asked = (low + upper + 1) // 2
        low, upper = (asked, upper) if works(asked) else (low, asked - 1)
    return low
