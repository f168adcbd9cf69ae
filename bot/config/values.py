"""The kinds of value that keys take: web addresses, hosts, networks, lists, folders.

Each refuses with a ValueError that quotes what stands there and says what to write instead.
"""

import re
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator
from pydantic_settings import NoDecode

_PLAIN = re.compile(r"[!$-;=@-~]+")  # nothing that a header in <> cannot hold; no query
_LOGIN = re.compile(r"(?<=//)[^/@]*@")
_UNBRACKETED = re.compile(r"\s*\[(.*)\]\s*", re.DOTALL)
_OF_A_LIST = re.compile(r"[^,;\s\"']+")
_NOT_OF_A_HOST = re.compile(r"[\s/@\[\]]")


def folder(name: str) -> Path:
    """The folder of that name.  Raises ValueError for one that cannot be meant."""
    if not name.strip():  # to Python it would be the current one
        raise ValueError(f"“{name}” is no folder; write its path, or leave it out")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"“{name}” is in nobody's home; write the whole path") from None


def veiled(url: str) -> str:
    """A web address as it may be shown: a login in it is starred."""
    return _LOGIN.sub("***@", url)


def is_loopback(url: str) -> bool:
    """Whether a web address leads to this machine."""
    return is_here(urlsplit(url).hostname or "")


def is_here(host: str) -> bool:
    """Whether a host is this machine, and nobody else's."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _url(value: str) -> str:
    """Where something is reached: mail and requests carry it as it stands."""
    if value and not (_PLAIN.fullmatch(value) and _is_whole(value)):
        raise ValueError(
            f"“{veiled(value)}” is no web address; write it with its scheme: "
            "https://papers.example.org"
        )
    return value


def _is_whole(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_port = parts.port != 0
    except ValueError:  # half an IPv6 address, a port in words
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and has_port


def _given(value: str) -> str:
    if not value:
        raise ValueError("“” is no web address; delete the line, and the usual one holds")
    return value


def _bare(host: str) -> str:
    """As sockets take it: an IPv6 address has no brackets, and nothing has its port."""
    bare = host.strip("[]")
    if _NOT_OF_A_HOST.search(bare) or bare.count(":") == 1:
        raise ValueError(
            f"“{veiled(host)}” is no host; write its name or address alone, and the port by itself"
        )
    return bare


def _listed(value: Any) -> Any:
    """The environment separates what a list holds by commas; as in the file will do as well."""
    if isinstance(value, str):
        return tuple(_OF_A_LIST.findall(_UNBRACKETED.sub(r"\1", value)))
    return value


def _networks(value: Any) -> Any:
    listed = _listed(value)
    for each in listed if isinstance(listed, list | tuple) else ():
        _network(str(each))
    return listed


def _network(text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"“{text}” is no network; write it like 10.0.0.0/8") from None


Url = Annotated[str, AfterValidator(_url)]
"""A web address, or nothing."""

Place = Annotated[str, AfterValidator(_given), AfterValidator(_url)]
"""A web address that there has to be."""

Host = Annotated[str, AfterValidator(_bare)]
"""The name or address of a machine, or nothing."""

Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
"""Words in a list."""

Networks = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_networks)]
"""Networks in CIDR notation, or single addresses."""
