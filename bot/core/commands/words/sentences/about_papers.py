"""Sentences that name papers: what is done with them depends on what is said beside them."""

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.vocabulary import phrase
from bot.core.reply import Code
from bot.text.identifiers import find_ids, only_ids

_NOT_LIKED = phrase(
    r"\b(?:irrelevant|not? (?:\w+ )?(?:for me|interested|interesting|relevant|useful)"
    r"|(?:do not|don't) like|thumbs down|wrong)\b"
)


def papers_in(text: str) -> list[str]:
    """The papers that a text names, by number or link."""
    return [each.arxiv_id for each in find_ids(text)] or list(only_ids(text))


def not_for_me(errand: Errand, text: str) -> Refused | None:
    """The question whether papers are rejected: "2501.01234 is not relevant"; or None."""
    papers = papers_in(text) if _NOT_LIKED.search(text) else []
    command = f"not-for-me {' '.join(papers)}"
    return rather(command, label="Not for me", status=404) if papers else None


def which_paper(errand: Errand, text: str) -> Refused | None:
    """The question which paper somebody judges who names none; or None."""
    if not _NOT_LIKED.search(text):
        return None
    return refused("Which paper? Press “Not for me” beside it, or write ",
                   Code("not-for-me 2501.01234"), ".")  # fmt: skip
