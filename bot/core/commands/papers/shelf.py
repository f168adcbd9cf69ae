"""Papers a reader keeps, does not want, or asks to see: save, saved, not-for-me, more."""

import json
import re
from dataclasses import replace

from bot.core.commands.errand import Errand, Refused, refused
from bot.core.commands.papers.entries import entries
from bot.core.naming import shown
from bot.core.pipeline.papers import learning
from bot.core.reply import Code, Instant, Overview, Reply, line
from bot.digest import Action
from bot.matching import QueryError
from bot.matching.spelling.folding import printed, words
from bot.model import Paper
from bot.text import plural, small
from bot.text.identifiers import find_ids, parse

_A_TITLE = 4  # words: fewer may be those of any paper
_LOOKED_AT = 500  # papers
_BEFORE = re.compile(r"^(?:papers\s+)?(?:about|for|on|with)\s+(?=\S)", re.IGNORECASE)


def save(errand: Errand, text: str) -> Reply:
    """Keep papers named by number or link."""
    papers = papers_named(errand, text)
    with errand.house.store.write():  # they may erase themselves at the same time
        errand.house.store.people.save(errand.enrolled(), [p.seq for p in papers], errand.now)
    _teach(errand, papers)
    ids = " ".join(p.arxiv_id for p in papers)
    return errand.reply(
        line(f"Saved {_what(papers)}. All of them: ", Code("saved")),
        buttons=(Action("Undo", f"unsave {ids}"),),
    )


def unsave(errand: Errand, text: str) -> Reply:
    """Keep them no longer."""
    papers = papers_named(errand, text, "unsave")
    errand.house.store.people.unsave(errand.subscriber, [p.seq for p in papers])
    _teach(errand, papers)
    ids = " ".join(p.arxiv_id for p in papers)
    return errand.reply(
        line(f"No longer saved: {_what(papers)}."), buttons=(Action("Undo", f"save {ids}"),)
    )


def saved(errand: Errand, text: str) -> Reply:
    """What was saved, the latest first; with words, only papers that hold them all."""
    seqs = errand.house.store.people.saved(errand.subscriber)
    wanted = set(words(_BEFORE.sub("", text)))
    papers = [
        paper
        for paper in errand.house.papers(seqs)
        if wanted <= set(words(f"{paper.title} {paper.abstract}"))
    ]
    if not papers:
        hint = f" hold “{shown(text)}”" if text and seqs else ""
        return errand.reply(line(f"No saved papers{hint}. Keep one with ", Code("save 2501.01234")))
    found = tuple(
        replace(entry, actions=(Action("Remove", f"unsave {entry.paper.arxiv_id}"),))
        for entry in entries(errand, papers)
    )
    return errand.reply(
        line(f"{plural(len(papers), 'saved paper')}. To take along: ", Code("export")),
        papers=found,
        overview=Overview(saved=found),
    )


def not_for_me(errand: Errand, text: str) -> Reply:
    """A paper is not what was meant: it comes no more, and teaches what to bring."""
    papers = papers_named(errand, text, "not-for-me")
    with errand.house.store.write():
        for paper in papers:
            errand.house.store.people.judge(errand.enrolled(), paper.seq, errand.now, liked=False)
    _teach(errand, papers)
    ids = " ".join(p.arxiv_id for p in papers)
    return errand.reply(
        line(f"Noted: {_what(papers)} was not for you."),
        buttons=(Action("Undo", f"undo not-for-me {ids}"),),
    )


def undo_not_for_me(errand: Errand, text: str) -> Reply:
    """Take a judgement back."""
    papers = papers_named(errand, text)
    for paper in papers:
        errand.house.store.people.judge(errand.subscriber, paper.seq, errand.now, liked=None)
    _teach(errand, papers)
    return errand.reply(line("Taken back."))


def of_the_last_digest(errand: Errand) -> Reply:
    """The papers of the digest that was sent last, to whichever of the subscriber's addresses."""
    store = errand.house.store
    own = store.people.destinations(errand.subscriber)
    history = (each for one in own for each in store.outbox.history(one.id))
    sent = sorted(((at, each.delivery) for each in history if (at := each.sent_at)),
                  key=lambda each: each[0], reverse=True)  # fmt: skip
    digests = ((at, told) for at, each in sent if (told := store.outbox.contents(each)).topics)
    last = next(digests, None)
    if last is None:
        return errand.reply(line("No digest has been sent yet."))
    at, told = last
    papers = errand.house.papers(told.papers)
    return errand.reply(
        line("The digest of ", Instant(at, clock=True),
             f" brought {plural(len(papers), 'paper')}:"),
        papers=entries(errand, papers),
    )  # fmt: skip


def more(errand: Errand, text: str) -> Reply:
    """A further page of a digest that was offered behind a button or a link.

    Of a conversation's digest, to whoever asks there.
    """
    key, _, page = text.partition(" ")
    number = small(page.strip(), otherwise=-1)
    here, outbox = errand.actor.conversation, errand.house.store.outbox
    readers = (errand.subscriber, errand.house.store.people.find(here) if here else None)
    for each in filter(None, readers):
        if (content := outbox.page(key, number, each)) is not None:
            return _offered(errand, content)
        if told := outbox.told_on(key, number, each):  # its bytes are forgotten, a link is not
            return _further(errand, errand.house.papers(told))
    raise _not_kept()


def _offered(errand: Errand, content: bytes) -> Reply:
    if content[:1] not in b"{[":  # a whole mail was not offered
        raise _not_kept()
    kept = json.loads(content)
    if isinstance(kept, dict):  # a message as it was made
        return errand.reply(line("The next papers:"), data={"page": content})
    return _further(errand, [p for each in kept if (p := errand.house.store.papers.get(each))])


def _further(errand: Errand, papers: list[Paper]) -> Reply:
    return errand.reply(line(plural(len(papers), "more paper")), papers=entries(errand, papers))


def _not_kept() -> Refused:
    return refused("That page is not kept any more.", status=404)


def papers_named(errand: Errand, text: str, verb: str = "save") -> list[Paper]:
    """Stored papers named in a text by number, link or `arXiv:` form.

    Raises Refused, with an example of the verb.
    """
    ids = identifiers(text)
    if not ids and (found := titled(errand, text)):
        return found
    if not ids:
        raise refused("Which paper? Give its arXiv number or link: ", Code(f"{verb} 2501.01234"))
    papers = [errand.house.store.papers.get(arxiv_id) for arxiv_id in ids]
    missing = [arxiv_id for arxiv_id, paper in zip(ids, papers, strict=True) if paper is None]
    if missing:
        raise refused(f"{', '.join(missing)} is not stored here; nothing changed.", status=404)
    return [paper for paper in papers if paper]


def is_of_papers(errand: Errand, text: str) -> bool:
    """Whether a text names papers, by number, link or title."""
    return bool(identifiers(text) or titled(errand, text))


def titled(errand: Errand, text: str) -> list[Paper]:
    """The one stored paper whose title begins with these words, as an answer or a mail shows it."""
    wanted = words(text.rstrip("… ."))
    if len(wanted) < _A_TITLE:
        return []
    try:
        topic = errand.house.language.compile(f'title:"{" ".join(printed(text))}"')
    except QueryError:
        return []
    proposed = errand.house.store.papers.candidates(topic.candidates or "", _LOOKED_AT)
    found = [p for batch in proposed for p in batch if words(p.title)[: len(wanted)] == wanted]
    return found if len(found) == 1 else []


def identifiers(text: str) -> list[str]:
    """The arXiv identifiers in a text, without versions, each once, in order.

    A bare number of the old four digits counts only if there is nothing else in the text.
    """
    alone = [parse(word) for word in re.split(r"[\s,;]+", text) if word]
    found = find_ids(text) if None in alone else alone
    return list(dict.fromkeys(each.arxiv_id for each in found if each))


def _teach(errand: Errand, papers: list[Paper]) -> None:
    learning.heard(errand.house, errand.subscriber, [paper.seq for paper in papers])


def _what(papers: list[Paper]) -> str:
    return f"“{shown(papers[0].title, 80)}”" if len(papers) == 1 else plural(len(papers), "paper")
