"""Digests of days: an ordinary one, an ugly one, a flood.  Every paper is invented."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from bot.digest import Action, Digest, Entry, Section, Tag
from bot.links import Links
from bot.model import Author, Momentum, Paper, Week
from tests.makers import digest, paper

WEB = "https://digest.example.org"
LINKS = Links(WEB, b"an invented key of enough bytes")
DUE = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

_FIRST = [
    "Ada",
    "Mary",
    "Emmy",
    "Sofia",
    "Rosalind",
    "Hypatia",
    "Chien",
    "Lise",
    "Grace",
    "Vera",
    "Maryam",
    "Katherine",
]
_LAST = [
    "Northcote",
    "Somerby",
    "Brandt",
    "Kovar",
    "Fernhill",
    "Marino",
    "Oduya",
    "Lindqvist",
    "Tanaka",
    "Okafor",
]
_NOUNS = [
    "credit assignment",
    "long rollouts",
    "a shared cache",
    "sparse rewards",
    "tool calls",
    "verifier feedback",
    "self-play",
    "curriculum pacing",
    "token budgets",
    "value baselines",
    "episode length",
    "delayed feedback",
]
_VERBS = [
    "Learning from",
    "Rethinking",
    "Budgeting",
    "Scaling",
    "Probing",
    "Distilling",
    "Pacing",
    "Measuring",
]
_SENTENCES = (
    "We study how {a} changes what an agent learns once {b} spans several hundred steps.",
    "A simple baseline that treats {a} and {b} as one quantity turns out to be hard to beat.",
    "On four families of tasks the method needs a third of the samples and keeps its accuracy.",
    "We release the traces of every run, so that the comparison with {b} can be repeated.",
    "An ablation shows that most of the gain comes from {a}, not from the larger model.",
)


def momentum(now: int = 70, before: int = 29, *, observed: bool = True) -> Momentum:
    """Twelve whole weeks and a running one that end before the day of the digest."""
    monday = date(2026, 9, 7)
    shape = [4, 5, 6, 5, before // 4 - 2, before // 4, before // 4 + 1, before - 3 * (before // 4)]
    shape += [now // 4 - 3, now // 4, now // 4 + 1, now - 3 * (now // 4) + 2]
    counts = [max(0, count) for count in shape] + [6]
    weeks = tuple(
        Week(monday + timedelta(weeks=n), count, 2400, complete=n < 12, observed=observed or n > 9)
        for n, count in enumerate(counts)
    )
    change = (now - before) / before if before >= 5 and now >= 5 and observed else None
    return Momentum(weeks, now, before, change, now / 9800, observed=observed)


def invented(number: int) -> Paper:
    """The same paper for the same number."""
    dice = random.Random(number)
    a, b = dice.sample(_NOUNS, 2)
    names = [f"{dice.choice(_FIRST)} {dice.choice(_LAST)}" for _ in range(dice.randint(1, 7))]
    authors = tuple(
        Author(name, ("Institute of Invented Results",) if n == 0 and number % 3 == 0 else ())
        for n, name in enumerate(dict.fromkeys(names))
    )
    at = DUE - timedelta(days=1 + number % 6)
    return paper(
        f"2611.{10000 + number:05}",
        f"{dice.choice(_VERBS)} {a.title()}: When {b.title()} Matters for Language Agents",
        abstract=" ".join(s.format(a=a, b=b) for s in dice.sample(_SENTENCES, 4)),
        authors=authors,
        categories=(dice.choice(("cs.LG", "cs.CL", "cs.AI")), "stat.ML"),
        submitted_at=at,
        updated_at=at,
    )


def tag(name: str) -> Tag:
    slug = name.lower().replace(" ", "-")
    return Tag(name, slug, f"{WEB}/topics/{slug}")


def action(label: str, command: str) -> Action:
    return Action(label, command, LINKS.url("act", 42, 3, command))


def entry(paper_: Paper, *tags: Tag, reason: str = "title: “credit assignment”; LLM agents ×4"):
    doors = (
        action("Save", f"save {paper_.arxiv_id}"),
        action("Not for me", f"not-for-me {paper_.arxiv_id}"),
    )
    return Entry(paper_, tags, reason, 0.8, doors)


def section(name: str, papers: list[Paper], *also: Tag, m: Momentum | None = None) -> Section:
    first = tag(name)
    entries = tuple(entry(p, first, *(also if n % 3 == 0 else ())) for n, p in enumerate(papers))
    doors = (
        action("Mute for 2 weeks", f"mute {first.slug} for 2w"),
        action("Unfollow", f"unfollow {first.slug}"),
    )
    return Section(first, entries, m, doors)


DOORS = (
    Action("Change", "settings", LINKS.url("person", 42, 3)),
    Action("Mute", "mute", LINKS.url("act", 42, 3, "mute all for 2w")),
    Action("Leave", "leave", LINKS.url("leave", 42, 3)),
    Action("one-click", "leave", LINKS.url("one-click", 42, 3)),
    Action("Stop all mail", "", LINKS.url("stop-all", 42, 3)),
)


def day(*sections: Section, **more) -> Digest:
    count = sum(len(s.entries) for s in sections)
    fields = {
        "key": "d42.20261130.0",
        "title": f"{count} new: {', '.join(s.tag.name for s in sections[:2])}",
        "preheader": f"{sections[0].entries[0].paper.title}, and {count - 1} more",
        "list_id": "d42",
        "actions": DOORS,
        **more,
    }
    return digest(*sections, **fields)


def ordinary() -> Digest:
    """Twelve papers of two topics, a topic that is back, one that is muted."""
    other = tag("Credit Assignment in RL")
    return day(
        section("RL for LLM Agents", [invented(n) for n in range(7)], other, m=momentum()),
        section("KV-Cache Compression", [invented(n) for n in range(20, 25)], m=momentum(18, 24)),
        notes=("World Models is back. 31 passed while it was muted.",),
        muted=("muted until Mon 14 Dec: Diffusion Language Models",),
    )


def ugly() -> Digest:
    """Whatever a title, a name or a topic may hold, on one day."""
    loud = replace(
        invented(2),
        title='<img src=x onerror=alert(1)> & "Sparse" </style><script>1</script> $\\alpha$_i',
        abstract='A <a href="javascript:alert(1)">link</a> &lt;b&gt; {{ digest }} {% raw %} ' * 9,
        authors=(Author("O'Neil & Sons <x@y.org>", ('"Lab" <b>A&M</b>',)), Author("李 明")),
    )
    lines = replace(invented(3), title="Sarah's\nScribbles\r\nBcc: victim@example.org\x00\x1b[31m")
    long = replace(invented(4), title="Supercalifragilistic" * 20, abstract="word" * 400)
    right = replace(
        invented(5),
        title="למידה עמוקה של סוכנים ממשוב מושהה",
        authors=(Author("נועה כהן"), Author("يوسف حداد")),
        abstract="מודל פשוט שלומד מעט דוגמאות. " * 8,
    )
    bare = replace(invented(6), title="?", abstract="", authors=(), categories=(), withdrawn=True)
    odd = replace(invented(7), title="Half a pair \ud800 and an emoji 🧪 — naïve Ω≠∅")
    dots = replace(invented(8), title=".", abstract=".\r\n.\r\n" + "From here\n.\n" * 5)
    name = 'R&D <b>"world" models</b>'
    return day(
        section(name, [loud, lines, long], tag("Übergrößenträger"), m=momentum(3, 2)),
        section("强化学习", [right, bare, odd, dots], m=momentum(17, 0, observed=False)),
        title='7 new: R&D <b>"world" models</b>, 强化学习\r\nBcc: victim@example.org',
        address="o'neil+papers@xn--bcher-kva.example",
        notes=('<script>"back"</script> is back. 1 passed while it was muted.',),
        muted=tuple(f"muted until Mon 14 Dec: Topic {n}" for n in range(30)),
        zone="Pacific/Kiritimati",
        sample=True,
    )


def flood(papers: int = 200, topics: int = 8) -> Digest:
    """More papers than a mail should hold."""
    each = papers // topics
    return day(
        *(
            section(
                f"Topic Number {t + 1}",
                [invented(1000 * t + n) for n in range(each)],
                m=momentum(40 + t, 29),
            )
            for t in range(topics)
        )
    )


def single() -> Digest:
    """One paper, no momentum, no web address."""
    lone = replace(section("Attention", [invented(1)]), actions=())
    lone = replace(lone, tag=Tag("Attention", "attention"))
    lone = replace(
        lone, entries=tuple(replace(e, tags=(lone.tag,), actions=()) for e in lone.entries)
    )
    return day(lone, actions=(Action("Leave", "", ""),), title="1 new: Attention")
