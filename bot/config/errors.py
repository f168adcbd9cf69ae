"""Why the configuration could not be used."""


class ConfigError(Exception):
    """The configuration cannot be used; the message names the key, the value and what to write."""


def remedy(error: Exception, otherwise: str) -> str:
    """What to do about a file that cannot be read: it may be there, and be another user's."""
    if isinstance(error, PermissionError):
        return "let the user who runs Paperround read it (chown, chmod)"
    return otherwise
