"""Which topics a paper belongs to, and why.  Pure.

name ─ derive ─▶ query ─ compile ─▶ Compiled ─ judge ─▶ score and reason
                                        └── Matcher: thousands of them in one pass
"""

from bot.matching.compiled import Compiled
from bot.matching.language import Language
from bot.matching.scan import Matcher
from bot.matching.teaching import taught, untaught
from bot.matching.verdicts import Hit, QueryError, Verdict, cut

__all__ = ["Compiled", "Hit", "Language", "Matcher", "QueryError", "Verdict", "cut", "taught",
           "untaught"]  # fmt: skip
