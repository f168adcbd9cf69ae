"""Who asks, and where: Slack's payloads as an Actor, with what users.info knows of the person.

Names are never looked at; ids are.  A person's profile is kept for a day, so that most requests
need no call to Slack.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.core.reply import Actor
from bot.model import Clock, Identity
from bot.slack_app.trouble import TROUBLE, trouble_of

KEPT = timedelta(hours=24)
MOST = 10_000
PATIENCE_S = 2.0

_PERSON = re.compile(r"[UW][A-Z0-9]+\Z")

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request comes from.

    `workspace` is the team, or the organisation where a whole organisation installed us; with
    `user` it names the person.  `conversation` is "" in direct messages and in App Home.
    `team` is the team whose token answers.
    """

    workspace: str
    team: str
    user: str
    enterprise: str = ""  # of the team, where it belongs to an organisation
    conversation: str = ""
    outside: bool = False  # of another workspace, as the payload alone shows


@dataclass(frozen=True, slots=True)
class Profile:
    """What Slack knows of a person."""

    zone: str
    guest: bool
    belongs: frozenset[str] = frozenset()  # to teams and an organisation, as far as Slack says
    known: bool = True


def place_of(body: Mapping[str, Any]) -> Place:
    """The place a payload of any kind (command, event, button, view, shortcut) comes from."""
    event = body.get("event") or {}
    team, enterprise, for_all = _installed(body)
    user = _first(body.get("user_id"), _id(body.get("user")), _id(event.get("user")))
    channel = _first(
        body.get("channel_id"),
        _id(body.get("channel")),
        event.get("channel"),
        (body.get("container") or {}).get("channel_id"),
    )
    # A message of ours names our team, also where someone of another team pressed its button.
    named = "" if body.get("authorizations") else (body.get("message") or {}).get("team")
    home = _first(named, team)
    theirs = asker_team(body)
    return Place(
        workspace=enterprise if for_all and enterprise else home,
        team=home or enterprise,
        user=user,
        enterprise=enterprise,
        conversation=channel if Identity("slack", home, channel).is_conversation else "",
        outside=bool(theirs and home and theirs != home and not for_all and not enterprise),
    )


def asker_team(body: Mapping[str, Any]) -> str:
    """The team (or organisation) of whoever asks, "" where the payload does not say."""
    event, user = body.get("event") or {}, body.get("user")
    return _first(
        user.get("team_id") if isinstance(user, Mapping) else "",
        event.get("user_team"),
        event.get("team") if body.get("is_ext_shared_channel") else "",
    )


def _installed(body: Mapping[str, Any]) -> tuple[str, str, bool]:
    """The team and organisation of the installation that got a payload, and whether it serves
    the whole organisation.

    An event and a window say so in a place of their own; the team beside it may be the asker's.
    """
    said = next(iter(body.get("authorizations") or ()), body)
    team = _first(
        said.get("team_id"),
        (body.get("view") or {}).get("app_installed_team_id"),
        body.get("team_id"),
        _id(body.get("team")),
    )
    enterprise = _first(
        said.get("enterprise_id"), body.get("enterprise_id"), _id(body.get("enterprise"))
    )
    return team, enterprise, str(said.get("is_enterprise_install")).lower() == "true"


def is_person(user: str) -> bool:
    """Whether an id is a person's: U… or, of a Grid, W…"""
    return bool(_PERSON.match(user))


class People:
    """Actors of one Slack app."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._profiles: dict[tuple[str, str], tuple[datetime, Profile]] = {}

    async def actor(self, place: Place, client: AsyncWebClient) -> Actor:
        """Who asks.  Where Slack does not say who is a guest, nobody may change a conversation."""
        profile = await self.profile(place, client)
        conversation = (
            Identity("slack", place.workspace, place.conversation) if place.conversation else None
        )
        outside = place.outside or _is_foreign(profile, place)
        return Actor(
            Identity("slack", place.workspace, place.user),
            conversation,
            zone=profile.zone,
            may_configure=profile.known and not profile.guest and not outside,
            unknown=not profile.known,
        )

    async def profile(self, place: Place, client: AsyncWebClient) -> Profile:
        """What users.info says, at most a day old; older where it says nothing just now."""
        key = (place.workspace, place.user)
        kept = self._profiles.get(key)
        if kept and self._clock() - kept[0] < KEPT:
            return kept[1]
        profile = await _asked(place.user, client)
        if profile.known:
            if len(self._profiles) >= MOST:
                self._profiles.clear()
            self._profiles[key] = (self._clock(), profile)
        return kept[1] if kept and not profile.known else profile

    async def is_outside(self, place: Place, client: AsyncWebClient) -> bool:
        """Whether somebody comes from another company, through Slack Connect.

        In an organisation the payload does not say, but their profile does.
        """
        return place.outside or _is_foreign(await self.profile(place, client), place)


def _is_foreign(profile: Profile, place: Place) -> bool:
    """Inside an organisation a person's home team may differ from the workspace they are in."""
    return bool(profile.belongs) and profile.belongs.isdisjoint((place.team, place.enterprise))


async def _asked(user: str, client: AsyncWebClient) -> Profile:
    try:
        answer = await asyncio.wait_for(client.users_info(user=user), PATIENCE_S)
    except TROUBLE as exc:
        log.warning("slack_profile_unknown", user=user, error=trouble_of(exc))
        return Profile("", guest=False, known=False)
    data = answer.data if isinstance(answer.data, dict) else {}
    who = data.get("user") or {}
    guest = bool(who.get("is_restricted") or who.get("is_ultra_restricted"))
    grid = who.get("enterprise_user") or {}
    return Profile(
        zone=str(who.get("tz") or ""),
        guest=guest or bool(who.get("is_stranger")),
        belongs=frozenset(
            {who.get("team_id"), grid.get("enterprise_id"), *(grid.get("teams") or ())} - {None, ""}
        ),
    )


def _first(*candidates: Any) -> str:
    return next((str(each) for each in candidates if each), "")


def _id(value: Any) -> str:
    return str(value.get("id") or "") if _is_map(value) else str(value or "")


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping)
