"""What an examination asks of Slack, where it has a token; nothing is sent to anybody."""

from slack_sdk.errors import SlackApiError

from bot.app.doctor.findings import Check, State
from bot.app.service.line import advice
from bot.slack_app.trouble import PASSING, TROUBLE, trouble_of
from bot.slack_client import Client, error_of

SCOPES = {"chat:write", "commands", "im:write", "users:read"}


async def offered(token: str, base_url: str) -> Check:
    """Whether Slack opens a line for this token."""
    try:
        await Client("", base_url, 20).apps_connections_open(app_token=token)
    except TROUBLE as wrong:
        trouble = trouble_of(wrong)
        passing = not isinstance(wrong, SlackApiError) or trouble in ("", *PASSING)
        return Check("slack line", State.WARN if passing else State.BAD,
                     f"Slack opens none to us ({trouble})", advice(trouble))  # fmt: skip
    return Check("slack line", State.OK, "Slack opens one to us")


async def recognised(name: str, token: str, base_url: str) -> Check:
    """Whether Slack knows this token, and lets it do what the app does."""
    try:
        answer = await Client(token, base_url, 20).auth_test()
    except TROUBLE as wrong:
        error = error_of(wrong) if isinstance(wrong, SlackApiError) else ""
        if error and error not in PASSING:
            return Check("slack", State.BAD, f"{name}: {error}",
                         "install the app again, or set slack.bot_token")  # fmt: skip
        return Check("slack", State.WARN, f"{name}: Slack cannot be reached ({error or wrong})",
                     advice(trouble_of(wrong)))  # fmt: skip
    granted = set(str(answer.headers.get("x-oauth-scopes", "")).split(","))
    missing = SCOPES - granted if granted != {""} else set()
    if missing:
        return Check("slack", State.WARN, f"{name}: lacks {', '.join(sorted(missing))}",
                     "update the app from slack-manifest.yaml and install it again")  # fmt: skip
    return Check("slack", State.OK, f"{name}: {answer.get('team')} knows us")
