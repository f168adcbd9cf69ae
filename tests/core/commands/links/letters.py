"""Links of letters, and the letters that somebody was sent."""

from bot.model import Identity

MAIL = Identity("email", "", "ada@example.org")


def link(world, purpose, destination, command="", epoch=0):
    url = world.core.house.links.url(purpose, destination, epoch, command)
    return url.rpartition("/")[2]


def join(world, address="ada@example.org", topic="tides", where="192.0.2.1", zone="Europe/Berlin"):
    return world.core.join(address, topic, zone, where)


def letters(world):
    return [address for address, papers, _ in world.inboxes["email"].arrived if not papers]
