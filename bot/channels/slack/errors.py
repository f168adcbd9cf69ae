"""What Slack's refusals mean: an installation that is gone, an address, our message, bad luck."""

from collections.abc import Mapping
from typing import Any

from bot.channels import ChannelError, Fault

PAUSE_S = 30.0  # where a 429 names no time

GONE = frozenset(
    {
        "token_revoked",
        "account_inactive",
        "invalid_auth",
        "not_authed",
        "token_expired",
        "app_uninstalled",
        "team_access_not_granted",
        "team_not_found",
        "team_disabled",
    }
)
BARRED = frozenset(
    {
        "ekm_access_denied",
        "accesslimited",
        "enterprise_is_restricted",
        "two_factor_setup_required",
        "message_limit_exceeded",
        "org_login_required",
        "team_added_to_org",
    }
)
"""The workspace takes nothing from anybody, or from any app, until its admins change that."""

ADDRESS = frozenset(
    {
        "is_archived",
        "channel_not_found",
        "not_in_channel",
        "user_disabled",
        "user_not_found",
        "users_not_found",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel",
        "cannot_dm_bot",
        "user_not_visible",
        "channel_is_limited_access",
        "not_allowed_in_channel",
        "posting_to_general_channel_denied",
        "no_permission",
        "user_is_restricted",
        "invalid_user_combination",
        "is_inactive",
        "channel_type_not_supported",
        "method_not_supported_for_channel_type",
    }
)
TOO_MUCH = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"})
CONTENT = TOO_MUCH | frozenset(
    {
        "msg_too_long",
        "no_text",
        "invalid_arguments",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "metadata_too_large",
    }
)
SCOPES = frozenset({"missing_scope", "not_allowed_token_type", "access_denied"})
NO_DIRECT = frozenset({"messages_tab_disabled"})
UNREADABLE = SCOPES | ADDRESS
PERHAPS = frozenset({"internal_error", "fatal_error", "request_timeout"})

_TODO = {
    "token_expired": "do without token rotation, which cannot be switched off once it is on: "
    "create the app anew from config/slack-manifest.yaml"
}
_WORDS = {
    "is_archived": "the conversation is archived (is_archived); digests go on once it is not",
    "channel_not_found": "the conversation is private, deleted or Paperround is not in it "
    "(channel_not_found); type /invite @Papers there",
    "not_in_channel": "Paperround is not in the conversation (not_in_channel); "
    "type /invite @Papers there",
    "user_disabled": "the person's Slack account is closed (user_disabled)",
    "user_not_found": "Slack does not know that person (user_not_found)",
    **{
        each: f"a workspace setting keeps Paperround from posting there ({each}); "
        "ask an admin of the workspace"
        for each in ADDRESS
        if each.startswith("restricted_action")
    },
}


def limited(team: str, method: str, wait: float) -> ChannelError:
    """The error for a 429: this method waits in this workspace, everything else goes on."""
    return ChannelError(
        f"Slack asks workspace {team} to wait {wait:.0f} s before the next {method}",
        Fault.CHANNEL,
        retry_after=wait,
        scope=f"{team}:",
        reported="ratelimited",
    )


def pause(headers: Mapping[str, Any]) -> float:
    """The seconds that a 429 asks for."""
    said = next((str(v) for k, v in headers.items() if str(k).lower() == "retry-after"), "")
    return float(said) if said.strip().isdecimal() else PAUSE_S


def refusal(team: str, method: str, status: int, error: str) -> ChannelError:
    """The error for any other refusal, by Slack's error code, else by the HTTP status."""
    said = error or f"HTTP {status}"
    if words := _closed(team, method, error):
        no_direct = error in NO_DIRECT or (error in SCOPES and method == "conversations.open")
        # What keeps us from direct messages closes those to everybody there, and no conversation.
        scope = f"{team}:U" if no_direct else f"{team}:"
        return ChannelError(words, Fault.CHANNEL, scope=scope, reported=said)
    if error in ADDRESS:
        words = _WORDS.get(error, f"Slack takes no message there ({said})")
        return ChannelError(words, Fault.ADDRESS, reported=said)
    if error in CONTENT:
        return ChannelError(f"Slack refuses the message ({said})", Fault.CONTENT, reported=said)
    # Slack says of these that some of the work may have been done; so may a gateway.
    if error in PERHAPS or (not error and status in (500, 502, 504)):
        words = f"Slack failed during {method} ({said}); the message may have arrived"
        return ChannelError(words, Fault.UNKNOWN, reported=said)
    words = f"Slack does not accept {method} now ({said})"
    return ChannelError(words, Fault.RETRY, reported=said)


def _closed(team: str, method: str, error: str) -> str:
    """Why nobody of a workspace can be reached, or nobody directly, and what to do; else ""."""
    if error in GONE:
        todo = _TODO.get(error, "install it again")
        return f"Slack workspace {team} no longer accepts Paperround ({error}); {todo}"
    if error in BARRED:
        return f"Slack workspace {team} takes no messages now ({error}); ask an admin of it"
    if error in NO_DIRECT:
        return (
            f"the app's messages tab is off in workspace {team} ({error}); compare the app with "
            "config/slack-manifest.yaml"
        )
    if error in SCOPES:
        return (
            f"Slack refuses {method} in workspace {team} ({error}); compare the app's scopes "
            "with config/slack-manifest.yaml and install it again"
        )
    return ""
