"""arXiv's categories: its archives, and the subject classes of those that have any.

Source: https://arxiv.org/category_taxonomy.
"""

import re
from collections.abc import Sequence

_CLASSES = {
    "astro-ph": "CO EP GA HE IM SR",
    "cond-mat": "dis-nn mes-hall mtrl-sci other quant-gas soft stat-mech str-el supr-con",
    "cs": "AI AR CC CE CG CL CR CV CY DB DC DL DM DS ET FL GL GR GT HC IR IT LG LO MA MM MS NA NE "
    "NI OH OS PF PL RO SC SD SE SI SY",
    "econ": "EM GN TH",
    "eess": "AS IV SP SY",
    "math": "AC AG AP AT CA CO CT CV DG DS FA GM GN GR GT HO IT KT LO MG MP NA NT OA OC PR QA RA "
    "RT SG SP ST",
    "nlin": "AO CD CG PS SI",
    "physics": "acc-ph ao-ph app-ph atm-clus atom-ph bio-ph chem-ph class-ph comp-ph data-an ed-ph "
    "flu-dyn gen-ph geo-ph hist-ph ins-det med-ph optics plasm-ph pop-ph soc-ph space-ph",
    "q-bio": "BM CB GN MN NC OT PE QM SC TO",
    "q-fin": "CP EC GN MF PM PR RM ST TR",
    "stat": "AP CO ME ML OT TH",
}
_WITHOUT_CLASSES = "gr-qc hep-ex hep-lat hep-ph hep-th math-ph nucl-ex nucl-th quant-ph"


def classes(archive: str) -> tuple[str, ...]:
    """The categories of an archive, in full: "cs.AI", "cs.AR"."""
    return tuple(f"{archive}.{name}" for name in _CLASSES[archive].split())


def leaves(name: str) -> tuple[str, ...]:
    """The categories under a name, which is that of a category or of an archive."""
    return classes(name) if name in _CLASSES else (name,)


CATEGORIES = (
    *(category for archive in _CLASSES for category in classes(archive)),
    *_WITHOUT_CLASSES.split(),
)
"""What arXiv lists papers in today; papers of before 2008 may be listed elsewhere."""

ARCHIVES = (*_CLASSES, *_WITHOUT_CLASSES.split())
"""What the categories lie in; those without classes are categories themselves."""

_LISTED_AT = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)*arxiv\.org/(?:list|rss|atom)/([a-z-]+(?:\.[a-z-]+)?)(?:[/?#].*)?",
    re.IGNORECASE,
)

_CATEGORY = re.compile(r"[a-z][a-z-]*(\.[A-Za-z][A-Za-z-]*)?")


def known_categories(categories: Sequence[str]) -> tuple[str, ...]:
    """Each category once, in order.  Raises ValueError for what is not a category."""
    for category in categories:
        if not _CATEGORY.fullmatch(category):
            raise ValueError(
                f"“{category}” is not a category of arXiv; write it in full: cs.LG, quant-ph"
            )
    return tuple(sorted(set(categories)))


def listed_at(text: str) -> str:
    """The category whose list or feed at arXiv a link leads to, as arXiv writes it, or ""."""
    found = _LISTED_AT.fullmatch(text.strip())
    wanted = found[1].casefold() if found else ""
    return next((each for each in (*CATEGORIES, *ARCHIVES) if each.casefold() == wanted), "")
