"""Names of fields in other languages, and what they are called in English."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from bot.matching.spelling.folding import words

_ARTICLE = re.compile(
    r"^(?:l['’]|(?:das|der|die|el|gli|il|l[aeio]|las|les|los|os|as)\s+)(?=\w)", re.IGNORECASE
)


class English:
    """English names of things, by their names in the languages of a table."""

    def __init__(self, table: Mapping[str, Iterable[str]]) -> None:
        self._names = {_key(each): name for name, others in table.items() for each in others}

    def of(self, text: str) -> str:
        """The English for a whole name, with or without its article; any other text as it is."""
        for typed in dict.fromkeys((text, _ARTICLE.sub("", text))):
            if found := self._names.get(_key(typed)):
                return found
        return text


def _key(text: str) -> str:
    """A name as anybody types it: without accents, in small letters, in its stems."""
    parts = unicodedata.normalize("NFKD", text)
    return " ".join(words("".join(each for each in parts if not unicodedata.combining(each))))
