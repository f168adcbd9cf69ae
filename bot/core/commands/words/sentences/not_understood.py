"""A sentence that is not understood: what can be done about the topic in it, or said at all."""

from itertools import combinations

from bot.core.commands.errand import Errand, Refused, rather, refused
from bot.core.commands.words.lookup import followed
from bot.core.naming import known, shown
from bot.core.reply import Code, Strong
from bot.digest import Action
from bot.model import Topic

_A_SENTENCE = 3  # words
_LONGEST = 40  # words: more are not looked through for a topic
_A_NAME = 6  # words
_QUOTED = 60  # characters


def not_understood(errand: Errand, text: str) -> Refused:
    """What to do about a text that nothing else reads: about its topic, or what can be said."""
    words = text.split()
    if len(words) < _A_SENTENCE:
        unknown = Strong(shown(words[0], 40)) if words else "that"
        return rather("help", "I don’t know ", unknown, ".", label="help", status=404)
    topic = _mentioned(errand, words[:_LONGEST])
    said = f"I don’t understand “{shown(text, _QUOTED)}”. "
    if topic is not None:
        return _about(errand, said, topic)
    return refused(
        said, "What can be said: ", Code("help"), ".", buttons=(Action("Help", "help"),), status=404
    )


def _mentioned(errand: Errand, words: list[str]) -> Topic | None:
    """The topic that stands in a sentence by the most words, a followed one first."""
    spans = sorted(combinations(range(len(words) + 1), 2), key=lambda span: span[0] - span[1])
    names = [
        " ".join(words[start:end]).strip(".,:;!?()")
        for start, end in spans
        if end - start <= _A_NAME
    ]
    theirs = (topic for name in names if (topic := followed(errand, name)))
    others = (topic for name in names if _is_telling(name) and (topic := known(errand.house, name)))
    return next(theirs, None) or next(others, None)


def _is_telling(name: str) -> bool:
    """Whether it can hardly be said of anything else: an abbreviation, or several words."""
    return " " in name or any(map(str.isupper, name[1:]))


def _about(errand: Errand, said: str, topic: Topic) -> Refused:
    name, look = topic.name, Action("Look at it", f"topic {topic.slug}")
    if followed(errand, topic.slug):
        ways = [
            (f"mute {name} for 2w", " silences it for a while, ", "Mute for two weeks"),
            (f"unfollow {name}", " ends it.", "Unfollow"),
        ]
    else:
        ways = [(f"follow {name}", " brings its papers.", "Follow it")]
    spans = [each for command, does, _ in ways for each in (Code(command), does)]
    buttons = (look, *(Action(label, command) for command, _, label in ways))
    return refused(
        said, "About ", Strong(name), ": ", Code(f"topic {name}"), " shows it, ", *spans,
        buttons=buttons, status=404,
    )  # fmt: skip
