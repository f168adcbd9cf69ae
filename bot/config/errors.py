"""Why the configuration could not be used."""


class ConfigError(Exception):
    """The configuration cannot be used; the message names the key, the value and what to write."""
