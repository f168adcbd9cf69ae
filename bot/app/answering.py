"""Who answers questions: the papers in their own words, or a language model that reads them."""

from bot.answers import Answerer
from bot.answers.extractive import Extractive
from bot.config import Config
from bot.model import Clock


def answerer(settings: Config, clock: Clock) -> Answerer:
    """Whoever answers; what speaks to a model is imported where one is configured."""
    ask = settings.ask
    if not ask.url:
        return Extractive()
    from bot.answers.language_model import LanguageModel  # noqa: PLC0415 - needs `requests`

    return LanguageModel(
        Extractive(),
        url=ask.url,
        model=ask.model,
        key=ask.key.get_secret_value(),
        timeout_s=ask.timeout_s,
        daily_tokens=ask.daily_tokens,
        clock=clock,
    )
