"""Which topics a paper belongs to, and why.  Pure.

name ─ derive ─▶ query ─ compile ─▶ Compiled ─ judge ─▶ score and reason
                                        └── Matcher: thousands of them in one pass

language     the front door: names to queries, queries to compiled topics
naming       a name read as facets; before it framing, wording and phrasing make it plain,
             compounds take words apart, otherwise gives further readings, and
             emphasis says what of a reading is asked for
facets       one thing that papers have in common; thesaurus, what the fields call it
grammar      queries: from tokens to a tree; condition and outside, what a paper has to meet;
             commonness, by which of its words a query is found
folding      text made comparable: stems and terms; sighting, which of them a paper holds
compiled     a topic ready to judge: scoring, reason, verdicts
scan         all topics meet a paper in one pass
learning     words that a topic learns, from bags of words; teaching, from papers at hand
sharing      what example papers are about; examples, the words that they share
likeness     names that are like a text; categories, those that somebody meant
"""

from bot.matching.compiled import Compiled
from bot.matching.language import Language
from bot.matching.scan import Matcher
from bot.matching.teaching import taught, untaught
from bot.matching.verdicts import Hit, QueryError, Verdict, cut

__all__ = ["Compiled", "Hit", "Language", "Matcher", "QueryError", "Verdict", "cut", "taught",
           "untaught"]  # fmt: skip
