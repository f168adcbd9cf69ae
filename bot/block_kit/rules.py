"""The grammar that block rules are written in: each rule yields what is wrong, with its place."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Rule = Callable[[Any, str], Iterator[str]]

_PINGS = re.compile(r"<!(?:channel|here|everyone|group|subteam)", re.IGNORECASE)
_WEB = re.compile(r"(?:https?://|mailto:)[^\s<>|]+\Z")


def text(most: int, least: int = 1, *, blank: bool = False) -> Rule:
    """Words, `least` to `most` characters, not only spaces unless `blank`."""

    def rule(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, str):
            yield f"{at}: not text"
        elif not least <= len(value) <= most:
            yield f"{at}: {len(value):,} characters, from {least} to {most:,}"
        elif least and not blank and not value.strip():
            yield f"{at}: only spaces"
        elif "\x00" in value:
            yield f"{at}: holds a NUL"

    return rule


def quiet(value: str, at: str) -> Iterator[str]:
    """Nothing that pings a crowd."""
    if _PINGS.search(value):
        yield f"{at}: pings a whole conversation"


def plain(most: int) -> Rule:
    """A plain_text object."""
    return object_of({"type": exactly("plain_text"), "text": text(most)}, {"emoji": boolean})


def mrkdwn(most: int) -> Rule:
    """A mrkdwn object that pings nobody."""

    def words(value: Any, at: str) -> Iterator[str]:
        yield from text(most)(value, at)
        if isinstance(value, str):
            yield from quiet(value, at)

    needed = {"type": exactly("mrkdwn"), "text": words}
    return object_of(needed, {"verbatim": boolean})


def either(most: int) -> Rule:
    """A plain_text or mrkdwn object."""
    literal, marked = plain(most), mrkdwn(most)

    def rule(value: Any, at: str) -> Iterator[str]:
        yield from (marked if kind_of(value) == "mrkdwn" else literal)(value, at)

    return rule


def url(most: int) -> Rule:
    """An absolute http, https or mailto address."""

    def rule(value: Any, at: str) -> Iterator[str]:
        yield from text(most)(value, at)
        if isinstance(value, str) and not _WEB.match(value):
            yield f"{at}: {value[:40]!r} is no web address"

    return rule


def exactly(*allowed: Any) -> Rule:
    """One of these values."""

    def rule(value: Any, at: str) -> Iterator[str]:
        if value not in allowed:
            yield f"{at}: {value!r}, not {' or '.join(map(repr, allowed))}"

    return rule


def boolean(value: Any, at: str) -> Iterator[str]:
    """True or false."""
    if not isinstance(value, bool):
        yield f"{at}: not true or false"


def number(value: Any, at: str) -> Iterator[str]:
    """A number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        yield f"{at}: not a number"


def anything(value: Any, at: str) -> Iterator[str]:
    """No rule."""
    yield from ()


def object_of(
    needed: Mapping[str, Rule], may: Mapping[str, Rule] | None = None, *also: Rule
) -> Rule:
    """An object with exactly these keys, each obeying its rule, and obeying `also` as a whole."""

    def rule(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, Mapping):
            yield f"{at}: not an object"
            return
        known = {**needed, **(may or {})}
        for key in value:
            if key not in known:
                yield f"{at}.{key}: Slack knows no such key here"
        for key in needed:
            if key not in value:
                yield f"{at}.{key}: missing"
        for key, each in known.items():
            if key in value:
                yield from each(value[key], f"{at}.{key}")
        for each in also:
            yield from each(value, at)

    return rule


def list_of(most: int, each: Rule) -> Rule:
    """A list of one to `most` items that each obey a rule, without repeated action_ids."""

    def rule(value: Any, at: str) -> Iterator[str]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            yield f"{at}: not a list"
            return
        if not 1 <= len(value) <= most:
            yield f"{at}: {len(value)}, from 1 to {most}"
        for n, item in enumerate(value):
            yield from each(item, f"{at}[{n}]")
        ids = [item.get("action_id") for item in value if isinstance(item, Mapping)]
        yield from twice(ids, f"{at}: action_id")

    return rule


def one_of(kinds: Mapping[str, Rule]) -> Rule:
    """An object whose ``type`` names the rule that it obeys."""

    def rule(value: Any, at: str) -> Iterator[str]:
        kind = kind_of(value)
        if kind in kinds:
            yield from kinds[kind](value, at)
        else:
            yield f"{at}: {kind!r} has no place here"

    return rule


def kind_of(value: Any) -> str:
    """The ``type`` of an object; the name of its Python type where it is none."""
    return str(value.get("type")) if isinstance(value, Mapping) else type(value).__name__


def twice(ids: Sequence[Any], what: str) -> Iterator[str]:
    """No identifier occurs twice."""
    seen = set()
    for each in ids:
        if each is not None and each in seen:
            yield f"{what}: {each!r} occurs twice"
        seen.add(each)
