"""Somebody in Slack, and where people are reached."""

from bot.model import Identity
from tests.houses import ADA

SLACK = Identity("slack", "T1", "U1")


def destinations(world, who=ADA):
    return world.store.people.destinations(world.store.people.find(who))
