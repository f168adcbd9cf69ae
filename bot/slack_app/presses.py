"""What a pressed button or menu means, and the way back to who pressed it."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.slack_app.desk import seen_as
from bot.slack_app.people import place_of
from bot.slack_app.replying import ByUrl, InWindow, ToPerson, Way

Body = Mapping[str, Any]


def chosen(body: Body) -> str:
    """The command that the pressed button or menu means."""
    action = _pressed(body)
    option = action.get("selected_option") or {}
    return str(option.get("value") or action.get("value") or "")


def press_key(body: Body) -> str:
    """What two deliveries of one press have in common."""
    return seen_as("press", body.get("trigger_id"), _pressed(body).get("action_ts"))


def _pressed(body: Body) -> Body:
    action: Body = (body.get("actions") or [{}])[0]
    return action


def way_from(body: Body, client: AsyncWebClient) -> Way:
    """The way back from a press: beside the message, in the window, or by direct message."""
    place = place_of(body)
    otherwise = ToPerson(client, place.user)
    view = body.get("view") or {}
    if view.get("type") == "modal":
        title = str((view.get("title") or {}).get("text") or "Papers")
        return InWindow(client, str(view.get("id")), title)
    url = str(body.get("response_url") or "")
    # Of a message that one person alone sees, only its container is told.
    beside = body.get("message") or body.get("container") or {}
    thread = str(beside.get("thread_ts") or "")
    return ByUrl(url, thread=thread, otherwise=otherwise) if url else otherwise
