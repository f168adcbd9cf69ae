"""The command line with three topics: `python -m tests.cli.few_topics …`.

A process that learns all of the catalogue first takes two seconds longer to begin.
"""

from bot.app import wiring
from bot.cli import main
from tests.houses import CATALOGUE

if __name__ == "__main__":
    wiring.catalogue = lambda: CATALOGUE
    main()
