"""The words that requests are made of, and how patterns are composed of them."""

import re

NEW = r"(?:(?:all|any|every|latest|more|new|newest|recent|the) )*"
"""What people say before "papers"."""
PAPERS = r"(?:articles?|papers?|preprints?|publications?|research|works?)"
ANY_PAPERS = rf"{NEW}(?:anything|everything|stuff|{PAPERS})"
ON = r"(?:about|around|concerning|on|regarding|related to)"
ABOUT = rf"(?:for|in|of|{ON})"
PLEASE = r"(?:please|pls)"
THANKS = r"(?:thanks|thank you|thx)"
HELLO = r"(?:hello|hey|hi)"
POLITE = (
    rf"(?:(?:{HELLO}|{PLEASE}|ok|so|now|papers|paperround)[\s,!.]+)*"
    rf"(?:(?:can|could|would|will) you (?:(?:please|kindly) )?)?(?:{PLEASE} )?"
)
"""What leads up to a wish."""
SIDE_BY_SIDE = re.compile(r"\s*[,;]\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+", re.IGNORECASE)
"""What stands between several names."""


def phrase(pattern: str) -> re.Pattern[str]:
    """A pattern written as people read it.

    A space is any white space, an apostrophe is straight or curled, and case does not count.
    """
    spaced = pattern.replace(" ?", r"\s?").replace(" ", r"\s+")
    return re.compile(spaced.replace("'", "['’]"), re.IGNORECASE)
