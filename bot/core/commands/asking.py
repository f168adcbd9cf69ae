"""Questions to papers: `ask TOPIC: QUESTION`, answered in their own sentences."""

import re

from bot.core.commands.errand import Errand, refused
from bot.core.commands.papers.entries import entries
from bot.core.commands.papers.shelf import identifiers, papers_named
from bot.core.commands.words.lookup import followed, must_know, topic_at_end
from bot.core.naming import known
from bot.core.reply import Code, Quote, Reply, line
from bot.matching import cut
from bot.model import Breadth, Paper
from bot.text import plural
from bot.text.identifiers import only_ids

ASKED_AT_MOST = 2_000

_ASKED = re.compile(
    r"(?P<subject>(?:arxiv:\s?|(?:https?|cat|author|title|abstract):(?=\S))?[^:]*):"
    r"(?P<question>.*)",
    re.IGNORECASE,
)
"""A colon that is a part of a link, an identifier or a query does not end what is asked of."""

_LONGEST = 8  # words of a name before a question


def ask(errand: Errand, text: str) -> Reply:
    """`ask TOPIC: QUESTION` or `ask ID: QUESTION`: what the papers say, quoted word for word."""
    subject, question = _asked_in(errand, text)
    if not question:
        raise refused("Write ", Code("ask TOPIC: QUESTION"), " or ", Code("ask ID: QUESTION"), ".")
    papers = _asked_of(errand, subject)
    answer = errand.house.answerer.answer(question, papers, of_a_stranger=errand.actor.is_stranger)
    quoted = entries(errand, [paper for paper, _ in answer.quotes])
    lines = [line(answer.prose)] if answer.prose else []
    lines += [line(answer.remark)] if answer.remark else []
    if answer.found:
        lines.append(line(f"From {plural(answer.asked_of, 'paper')}:"))
    return errand.reply(
        *lines,
        quotes=tuple(
            Quote(entry, said) for entry, (_, said) in zip(quoted, answer.quotes, strict=True)
        ),
    )


def _asked_in(errand: Errand, text: str) -> tuple[str, str]:
    """The subject and the question; without a colon, a known name at either end is the subject."""
    if asked := _ASKED.match(text):
        return asked["subject"].strip(), asked["question"].strip()
    said = text.split()
    for count in range(min(len(said) - 1, _LONGEST), 0, -1):
        subject = " ".join(said[:count])
        if only_ids(subject) or followed(errand, subject) or known(errand.house, subject):
            return subject, " ".join(said[count:])
    at_end = topic_at_end(errand.house, text)
    return (at_end, text) if at_end else (text, "")


def _asked_of(errand: Errand, subject: str) -> list[Paper]:
    if known(errand.house, subject) is None and identifiers(subject):
        return papers_named(errand, subject)
    topic = must_know(errand, subject, "ask")
    found = errand.house.store.topics.best(topic.id, cut(Breadth.BALANCED), ASKED_AT_MOST)
    return errand.house.store.papers.some(m.seq for m in found)
