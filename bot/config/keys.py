"""Every key by its whole name, as "mail.host"."""

from pydantic import SecretStr
from rapidfuzz import process

from bot.config.settings import Config


def _keys() -> list[str]:
    names = []
    for part, field in Config.model_fields.items():
        inner = getattr(field.annotation, "model_fields", None)
        names += [f"{part}.{name}" for name in inner] if inner else [part]
    return names


def _secrets() -> frozenset[str]:
    return frozenset(
        f"{part}.{name}"
        for part, field in Config.model_fields.items()
        for name, inner in getattr(field.annotation, "model_fields", {}).items()
        if inner.annotation is SecretStr
    )


KEYS = _keys()
"""Every key, in the order of the annotated file."""

SECRETS = _secrets()
"""The keys whose values are never shown."""


def no_key(name: str) -> str:
    """What is said of an unknown key: the nearest one that exists."""
    near = process.extractOne(name, KEYS, score_cutoff=60)
    hint = f"did you mean {near[0]}?" if near else "see the annotated paperround.toml"
    return f"there is no key “{name}”; {hint}"
