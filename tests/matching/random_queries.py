"""Queries that nobody would write, and some that somebody did."""

import random

_PIECES = (
    "agents", "LLM", "RL", '"world model"', '"', "(", ")", "AND", "OR", "NOT", "-", "-survey",
    "title:", "abstract:", "author:", "cat:", "cat:cs.LG", 'author:"Jun Li"', "agent*", "*", "a*",
    "“policy”", "„x“", "«y»", "C++", "3D", "τ-bench", "GPT-4", "NEAR(", "^", "{", "}", "[", "]",
    ":", "::", ",", ";", "'", "''", "\\", "/", "|", "||", "&&", "&", "%", "_", "$x$", "\\alpha",
    "é", "ﬁ", "日本語", "العربية", "हिन्दी", "🤖", "\u200b", "\u202e", "\x00", "\n", "\t", "\ufeff",
    "and", "or", "not", "the", "of", "for", "1", "0x", "1e9", "<b>", "&amp;", "' OR 1=1 --",
    "ti:", "zz:", "title:title:x", "--x", "- -", "NOT NOT x", "AND AND",
)  # fmt: skip


def random_query(chance: random.Random) -> str:
    """Pieces of queries thrown together."""
    glue = (" ", " ", " ", "", "  ")
    return "".join(
        chance.choice(_PIECES) + chance.choice(glue) for _ in range(chance.randint(0, 14))
    )


def hostile() -> list[str]:
    """Five hundred queries that aim at limits, escapes and recursion."""
    found = ["", " ", '"', '""', "()", "(())", "NOT", "AND", "OR", "*", "-", "a" * 100_000]
    for piece in _PIECES:
        found += [piece, piece * 50, f"({piece})", f'"{piece}"', f"agents {piece}", f"-{piece}"]
    for depth in (10, 24, 26, 500, 5_000):
        found += ["(" * depth + "x" + ")" * depth, "(" * depth, "-" * depth + "x"]
        found += ["NOT " * depth + "x", "title:" * depth + "x", "a AND (" * depth]
    for count in (10, 299, 301, 3_000):
        found += ["w " * count, "a OR " * count + "b", "x* " * count, '"a b" ' * count]
        found += [" ".join(f"word{n}*" for n in range(count)), "LLM agents " * count]
    chance = random.Random(7)
    while len(found) < 500:
        letters = (chr(chance.choice((chance.randint(1, 127), chance.randint(128, 0xFFFF))))
                   for _ in range(chance.randint(1, 60)))  # fmt: skip
        found.append("".join(c for c in letters if not 0xD800 <= ord(c) <= 0xDFFF))
    return found
