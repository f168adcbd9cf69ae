"""Forms as they arrive: small ones only, whatever they say of themselves."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message, Receive

_LARGEST = 65_536  # bytes
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


async def fields_of(request: Request) -> dict[str, str]:
    """The texts of a form; {} for a body that is none.  Raises HTTPException."""
    if int(request.headers.get("content-length") or 0) > _LARGEST:
        raise HTTPException(413, "That form is too large.")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _FORMS:
        return {}
    bounded = Request(request.scope, _at_most(_LARGEST, request.receive))
    try:
        async with bounded.form(max_files=0, max_fields=20, max_part_size=_LARGEST) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
            "".join((*fields, *fields.values())).encode()  # some charsets make halves of letters
            return fields
    except UnicodeError as odd:
        raise HTTPException(400, "That form cannot be read; send it in UTF-8.") from odd


def _at_most(most: int, receive: Receive) -> Receive:
    """A body of so many bytes at most: it need not say how long it is, nor come to an end."""
    left = most

    async def received() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, "That form is too large.")
        return message

    return received
