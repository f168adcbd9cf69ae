"""Slack's Block Kit as plain dictionaries: how papers look in it, and what Slack would refuse.

Pure, and shared by the digests that go out (`bot.channels`) and the answers of the Slack door.
Whatever a person or an author wrote travels in `rich_text` or `plain_text`, where nothing is
markup, so that a title can neither ping anybody nor become a link of its own.
"""
