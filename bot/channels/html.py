"""The HTML of a mail: a template whose CSS was inlined beforehand, and a limit on its size.

Mail programs cut long messages off (Gmail at about 102 KB), and what is cut is the way out.  So
only so much is shown as fits, shared among the topics: each keeps its heading, its link and some
titles.  The text part always holds everything.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from bot.channels.message import quoted_printable
from bot.channels.pieces import Hollow, Pieces, momentum_html, template, with_links
from bot.digest import Action, Digest, Notice, Section, Tag
from bot.digest import reading as say

LIMIT = 80_000
"""Bytes of the HTML part as it travels, in quoted-printable."""

FEW = 12
"""So many papers stay in full before any loses its title."""


def digest_html(digest: Digest, limit: int = LIMIT) -> str:
    """The digest as an HTML document of at most `limit` bytes on the wire.

    Up to 50 papers in full, the rest as titles.  Where that is too long, fewer in full; then
    fewer titles; then topics with little more than their names.  None is left out.
    """
    html, pieces = "", Pieces(digest)
    for room in _rooms(digest, pieces, limit):
        html = _page(digest, room, pieces)
        if _weight(html) <= limit:
            break
    return html


def notice_html(notice: Notice) -> str:
    """A notice as an HTML document."""
    return template("notice.html").render(
        d=notice,
        when=say.due_line(notice.due_at, notice.zone),
        doors=with_links(notice.actions),
        stop=say.STOP_ALL,
    )


# ------------------------------------------------------------------ what the template sees


@dataclass(frozen=True, slots=True)
class _Part:
    tag: Tag
    momentum: Markup | None
    doors: tuple[Action, ...]
    whole: tuple[Markup, ...]
    lines: tuple[Markup, ...]
    left: str  # what is not shown of it, and where it is


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

    def over(room: _Room) -> int:
        return _weight_of(digest, room, pieces) - limit

    def fits(room: _Room) -> bool:
        return over(room) <= 0

    most = min(say.WHOLE, count)
    few = min(most, max(FEW, topics))
    yield _Room(most, count - most)
    about = most - over(_Room(most, count - most)) // pieces.spared(digest.entries[:most])
    whole = _most(most, lambda n: fits(_Room(n, count - n)), about)
    if whole >= few:
        yield _Room(whole, count - whole)
    fewer = _most(few, lambda n: fits(_Room(n, max(0, topics - n))))
    lines = _most(count - fewer, lambda n: fits(_Room(fewer, n)))
    if fewer + lines >= topics:  # something of each
        yield _Room(fewer, lines)
    yield _Room(0, _most(count, lambda n: fits(_Room(0, n, bare=True))), bare=True)
    linked = _most(topics, lambda n: fits(_Room(0, 0, bare=True, unlinked=topics - n)))
    yield _Room(0, 0, bare=True, unlinked=topics - linked)


def _page(digest: Digest, room: _Room, pieces: Pieces | Hollow) -> str:
    return template("digest.html").render(_view(digest, room, pieces))


def _weight(html: str) -> int:
    return len(quoted_printable(html))


def _weight_of(digest: Digest, room: _Room, pieces: Pieces) -> int:
    """The weight of a page, found without drawing it: of its papers, and of what is around them."""
    hollow = Hollow(pieces)
    around = _weight(_page(digest, room, hollow))
    return around + hollow.weight


def _view(digest: Digest, room: _Room, pieces: Pieces | Hollow) -> dict[str, object]:
    count = len(digest.entries)
    return {
        "d": digest,
        "heading": f"{count:,} new paper{'' if count == 1 else 's'}" if count else "Nothing new",
        "when": say.due_line(digest.due_at, digest.zone),
        "doors": with_links(digest.actions),
        "muted": say.muted_line(digest),
        "sections": _parts(digest, room, pieces)[: len(digest.sections) - room.unlinked],
        "unlinked": digest.sections[len(digest.sections) - room.unlinked :],
        "reason": say.reason_line(digest),
        "thanks": say.THANKS,
        "disclaimer": say.DISCLAIMER,
    }


def _parts(digest: Digest, room: _Room, pieces: Pieces | Hollow) -> list[_Part]:
    """Every section, with what there is room for of it."""
    sizes = [len(section.entries) for section in digest.sections]
    whole = _shared(room.whole, sizes)
    lines = _shared(room.lines, [size - n for size, n in zip(sizes, whole, strict=True)], whole)
    return [
        _part(section, pieces, cards, titles, bare=room.bare)
        for section, cards, titles in zip(digest.sections, whole, lines, strict=True)
    ]


def _part(
    section: Section, pieces: Pieces | Hollow, whole: int, lines: int, *, bare: bool
) -> _Part:
    entries = iter(section.entries)
    cards = tuple(map(pieces.card, islice(entries, whole)))
    titles = tuple(map(pieces.title, islice(entries, lines)))
    shown = momentum_html(section.momentum) if section.momentum and cards and not bare else None
    page = Action("All papers", "", section.tag.url)
    doors = with_links((page, *(() if bare and page.url else section.actions)))
    left = _left(len(section.entries) - whole - lines, section.tag)
    return _Part(section.tag, shown, doors, cards, titles, left)


def _left(count: int, tag: Tag) -> str:
    """What is not shown of a topic, and where it is."""
    where = "on its page" if tag.url else "in the text part of this mail"
    return f"{count} more {where}" if count else ""


def _shared(room: int, sizes: Sequence[int], had: Sequence[int] = ()) -> list[int]:
    """How many places each topic gets of `room`: evenly, the first ones first, at most its size.

    Topics that `had` places already come after those that had fewer.
    """
    level = list(had) or [0] * len(sizes)
    begun, room = list(level), min(room, sum(sizes))
    while room:
        open_ = [n for n, size in enumerate(sizes) if level[n] - begun[n] < size]
        lowest = min(level[n] for n in open_)
        for n in [n for n in open_ if level[n] == lowest][:room]:
            level[n] += 1
            room -= 1
    return [now - before for now, before in zip(level, begun, strict=True)]


# ------------------------------------------------------------------ machinery


def _most(upper: int, works: Callable[[int], bool], about: int = 0) -> int:
    """The largest number up to `upper` that works, 0 if none does; all smaller ones must work.

    It is looked for around `about` first, farther and farther away.
    """
    low, asked, step = 0, about, 1
    while low < upper:
        if not low < asked <= upper:
            asked = (low + upper + 1) // 2
        if works(asked):
            low, asked = asked, asked + step
        else:
            upper, asked = asked - 1, asked - step
        step *= 2
    return low
