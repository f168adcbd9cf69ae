"""What marks of LaTeX stand for in a text: braces and their partners, dollars, ties."""

import re

_ALNUM = re.compile("[0-9A-Za-z]")


def pairs(text: str) -> dict[int, int]:
    """Where each opening brace is closed; braces without a partner are not there."""
    closed: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            closed[opened.pop()] = match.start()
    return closed


def closing(text: str, mark: str, start: int, end: int) -> int:
    """Where the next such mark stands that is not escaped, or -1."""
    at = text.find(mark, start, end)
    while at > 0 and text[at - 1] == "\\" and text[at - 2 : at - 1] != "\\":
        at = text.find(mark, at + 1, end)
    return at


def is_math(text: str, start: int, close: int) -> bool:
    """Whether dollars enclose math, not "from $5 to $10"."""
    inside = text[start:close]
    if not inside.strip() or "\n\n" in inside:
        return False
    if any(c in inside for c in "\\^_"):
        return True
    spaced = inside[0].isspace() or inside[-1].isspace()
    is_sign = not _ALNUM.search(inside)  # "$>$95%" is no money
    return not spaced and (is_sign or not text[close + 1 : close + 2].isdigit())


def is_tie(text: str, at: int) -> bool:
    """Whether a tilde is LaTeX's tie ("Table~2") and not "about" or "to" ("10~20")."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    return (before.isalpha() or before == ".") and (after.isalnum() or after == "\\")
