"""The manifest that people paste asks for what the door uses, and for nothing else."""

import re
from pathlib import Path

from bot.slack_app import COMMAND
from bot.slack_app.workspaces import install, lifecycle

MANIFEST = (Path("config") / "slack-manifest.yaml").read_text()


def listed(under: str) -> set[str]:
    lines = MANIFEST.split(f"{under}:\n", 1)[1].splitlines()
    items = []
    for line in lines:
        found = re.match(r"\s+- (\S+)$", line)
        if not found:
            break
        items.append(found[1])
    return set(items)


def test_scopes_are_those_that_the_installation_page_asks_for():
    assert listed("bot") == set(install.SCOPES)


def test_events_are_those_that_somebody_listens_to():
    """Of its own removal Slack tells an app by *_left; member_left_channel is of others."""
    heard = {*lifecycle.PAUSING, *lifecycle.RESUMING}

    assert heard <= listed("bot_events")
    assert {"app_home_opened", "app_mention", "message.im", "tokens_revoked"} <= listed(
        "bot_events"
    )


def test_the_command_and_the_limits_of_slack():
    assert f"- command: {COMMAND}\n" in MANIFEST
    for key, most in (("name", 35), ("description", 140)):
        shown = re.search(rf"^  {key}: (.*)$", MANIFEST, re.MULTILINE)
        assert shown
        assert len(shown[1]) <= most
    assert len(re.search(r"long_description: >-\n((?:    .*\n)+)", MANIFEST)[1]) >= 175
