"""Tests stand beside what they test: bot/web is tested in tests/web, and so on.

What they are made of, from the smallest to the whole:

makers          papers, digests and letters in a line
fakes           a clock that stands still, an inbox for a channel, an arXiv by hand
databases       databases that begin as copies, since thousands of tests need one
houses          a core over a real store with three topics: most tests need no more
arxiv_server    an arXiv on loopback, with faults to order; slack_server, a Slack
open_files      how many files are open, for whoever might forget to close one
year            a world in which readers live for a year; deeds, what they do meanwhile
oracle          what each of them was promised, as plain code that knows nothing of the product

A folder adds its own, in its conftest and beside it: app/house is a whole installation,
core/conftest a world that is spoken to, slack_app/conftest people in Slack, cli/typed the command
line, channels/smtp_server a mail server, web/invented a library with pages.

What people see is compared with golden; `pytest --accept` writes that anew.  recorded/schema
holds a database of each version before.  bench measures and is run by hand.
"""
