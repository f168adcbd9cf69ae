"""The words people write for days, months and numbers."""

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ELSEWHERE = (
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
    *("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
)
"""German and French, in full: their short forms are words of English."""
MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_COUNTING = (
    *("one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
NUMBERS = {word: number for number, word in enumerate(_COUNTING, start=1)} | {"a": 1, "an": 1}


def weekday(word: str) -> int | None:
    """0 for "mon", "Mondays", "mo.", "Montag", "lundi"; None for a word that names no weekday."""
    word = word.lower().rstrip(".")
    if word in _ELSEWHERE:
        return _ELSEWHERE.index(word) % 7
    return _position(word, WEEKDAY_NAMES, shortest=2)


def month(word: str) -> int | None:
    """1 for "jan", "January", "Jan."; None for a word that names no month."""
    position = _position(word.lower().rstrip("."), MONTH_NAMES, shortest=3)
    return None if position is None else position + 1


def _position(word: str, names: tuple[str, ...], *, shortest: int) -> int | None:
    """Where the one name stands that begins with the word."""
    if len(word) > shortest and word.endswith("s") and word[:-1] in {n.lower() for n in names}:
        word = word[:-1]
    found = [i for i, name in enumerate(names) if name.lower().startswith(word)]
    return found[0] if len(word) >= shortest and len(found) == 1 else None
