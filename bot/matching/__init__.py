"""Which topics a paper belongs to, and why.  Pure.

name ─ derive ─▶ query ─ compile ─▶ Compiled ─ judge ─▶ score and reason
                                        └── Matcher: thousands of them in one pass

language     the front door: names to queries, queries to compiled topics
teaching     names that learn their words from papers at hand
scan         all topics meet a paper in one pass
compiled     a topic ready to judge: a reason and a verdict for each paper
names        a bare name understood: what its papers have to show
examples     what papers have in common, and what a topic learns from them
queries      the topic language: from text to what a paper has to meet
evidence     which terms a paper holds, and how surely it shows facets
concepts     what the fields call things
spelling     text made comparable
"""

from bot.matching.compiled import Compiled
from bot.matching.language import Language
from bot.matching.scan import Matcher
from bot.matching.teaching import taught, untaught
from bot.matching.verdicts import Hit, QueryError, Verdict, cut

__all__ = ["Compiled", "Hit", "Language", "Matcher", "QueryError", "Verdict", "cut", "taught",
           "untaught"]  # fmt: skip
