"""The Slack channel against a server that breaks on command."""

import asyncio
import contextlib
import json
import socket
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from bot.channels import NOT_THERE, ChannelError, Fault
from bot.channels.slack import Slack
from bot.model import Part
from tests.slack_server import DROP, IN_ITS_PLACE, LOSE, RATE, Failure, SlackServer, slack_server

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
BLOCKS = [{"type": "header", "text": {"type": "plain_text", "text": "1 new paper"}}]


class Seconds:
    """Time that passes only in sleeps, and remembers them."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


@pytest.fixture
async def server():
    async with slack_server() as running:
        yield running


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def slack(server: SlackServer, seconds: Seconds) -> Slack:
    return Slack(
        {"T1": "xoxb-1", "T2": "xoxb-2"}.get,
        base_url=server.url,
        timeout_s=30,
        monotonic=seconds,
        sleep=seconds.sleep,
    )


def part(address: str = "T1:C1", page: int = 0, **more) -> Part:
    content = json.dumps({"text": "1 new paper", "blocks": more.pop("blocks", BLOCKS)}).encode()
    return Part(7, page, f"d1.20261130.0.{page}", address, content, **more)


async def refused(slack: Slack, part_: Part, do=Slack.send) -> ChannelError:
    with pytest.raises(ChannelError) as caught:
        await do(slack, part_)
    return caught.value


async def test_posts_quietly_with_its_key(slack, server):
    receipt = await slack.send(part())

    posted = server.messages[0]
    assert receipt == posted["ts"]
    assert posted["metadata"]["event_payload"] == {"key": "d1.20261130.0.0"}
    assert (posted["unfurl_links"], posted["unfurl_media"]) in ((False, False), ("0", "0"))


async def test_a_later_page_is_a_reply_that_is_not_broadcast(slack, server):
    await slack.send(part(page=1, parent="1795000001.000100"))

    assert server.messages[0]["thread_ts"] == "1795000001.000100"
    assert "reply_broadcast" not in server.messages[0]


async def test_opens_direct_messages_once(slack, server):
    await slack.send(part("T1:U1"))
    await slack.send(part("T1:W1"))
    await slack.send(part("T1:U1"))

    assert [m["channel"] for m in server.messages] == ["D1", "D1", "D1"]
    assert [call["users"] for call in server.called("conversations.open")] == ["U1", "W1"]


async def test_opens_them_anew_where_they_are_closed(slack, server):
    await slack.send(part("T1:U1"))
    server.script("chat.postMessage", "channel_not_found")
    server.conversations_open = lambda values: {"channel": {"id": "D2"}}
    await slack.send(part("T1:U1"))

    assert [m["channel"] for m in server.messages] == ["D1", "D2"]


async def test_two_who_find_them_closed_at_once_both_arrive(slack, server):
    await slack.send(part("T1:U1"))
    post, closed = server.chat_postMessage, {"error": "channel_not_found"}
    server.chat_postMessage = lambda said: closed if said["channel"] == "D1" else post(said)
    server.conversations_open = lambda values: {"channel": {"id": "D2"}}
    await asyncio.gather(slack.send(part("T1:U1", 1)), slack.send(part("T1:U1", 2)))

    assert [m["channel"] for m in server.messages] == ["D1", "D2", "D2"]


async def test_where_they_cannot_be_opened_anew_the_address_is_gone(slack, server):
    await slack.send(part("T1:U1"))
    server.script("chat.postMessage", "channel_not_found")
    server.script("conversations.open", "user_disabled")

    assert (await refused(slack, part("T1:U1"))).fault is Fault.ADDRESS


async def test_a_second_passes_between_messages_to_one_conversation(slack, seconds):
    for address in ("T1:C1", "T1:C2", "T2:C1", "T1:C1", "T1:C1"):
        await slack.send(part(address))

    assert seconds.slept == [1.0, 1.0]


async def test_a_dropped_connection_is_one_post_of_unknown_outcome(slack, server):
    server.script("chat.postMessage", DROP)

    error = await refused(slack, part())

    assert error.fault is Fault.UNKNOWN
    assert len(server.called("chat.postMessage")) == 1
    assert await slack.find(part(), NOW) == server.messages[0]["ts"]


async def test_what_never_arrived_is_not_found(slack, server):
    server.script("chat.postMessage", LOSE)

    assert (await refused(slack, part())).fault is Fault.UNKNOWN
    assert await slack.find(part(), NOW) == NOT_THERE


def said(server, count: int, *, apart_s: int = 60, **more) -> None:
    """Others say so much in the conversation, the last of it now."""
    for back in reversed(range(count)):
        ts = f"{NOW.timestamp() - back * apart_s:.6f}"
        server.messages.append({"channel": "C1", "text": "hello", "ts": ts, **more})


async def test_where_much_was_said_since_it_may_stand_further_back(slack, server):
    await slack.send(part())
    said(server, 101, apart_s=1)

    assert await slack.find(part(), NOW - timedelta(days=1)) is None


async def test_of_what_was_said_before_it_could_be_sent_nothing_needs_to_be_read(slack, server):
    said(server, 101, apart_s=300)

    assert await slack.find(part(), NOW) == NOT_THERE


async def test_in_a_long_thread_it_may_stand_further_down(slack, server):
    parent = await slack.send(part())
    said(server, 101, thread_ts=parent)

    assert await slack.find(part(page=1, parent=parent), NOW + timedelta(days=1)) is None


@pytest.mark.parametrize(
    "odd", [{"text": "no ts"}, {"ts": "soon"}, "hello", {"ts": "1.1", "metadata": "none"}]
)
async def test_in_a_history_of_another_shape_nothing_is_sure(odd, slack, server):
    server.conversations_history = lambda values: {"messages": [odd], "has_more": True}

    assert await slack.find(part(), NOW) is None


async def test_a_page_whose_thread_is_gone_is_not_there(slack, server):
    server.script("conversations.replies", "thread_not_found")

    assert await slack.find(part(page=1, parent="1.1"), NOW) == NOT_THERE


async def test_a_message_of_the_same_words_that_has_lost_its_key_may_be_it(slack, server):
    await slack.send(part())
    del server.messages[0]["metadata"]
    assert await slack.find(part(), NOW) is None

    server.messages[0]["text"] = "4 new papers"
    assert await slack.find(part(), NOW) == NOT_THERE


@pytest.mark.parametrize("failure", [DROP, LOSE, Failure(status=503), "internal_error"])
async def test_a_question_that_got_lost_is_asked_again_and_no_attempt(slack, server, failure):
    server.script("conversations.history", failure, failure)  # aiohttp repeats a GET once

    assert (await refused(slack, part(), partial(Slack.find, since=NOW))).fault is Fault.RETRY


async def test_a_page_in_a_thread_is_looked_for_there(slack, server):
    parent = await slack.send(part())
    receipt = await slack.send(part(page=1, parent=parent))

    assert await slack.find(part(page=1, parent=parent), NOW) == receipt
    assert await slack.find(part(page=2, parent=parent), NOW) == NOT_THERE


async def test_where_history_cannot_be_read_nothing_is_found(slack, server):
    server.unreadable.add("C1")
    await slack.send(part())

    assert await slack.find(part(), NOW) is None


async def test_429_closes_that_method_in_that_workspace_for_as_long_as_asked(
    slack, server, seconds
):
    server.script("chat.postMessage", RATE)

    error = await refused(slack, part())
    again = await refused(slack, part("T1:C2"))

    assert (error.fault, error.scope, error.retry_after) == (Fault.CHANNEL, "T1:", 7.0)
    assert (again.fault, again.retry_after) == (Fault.CHANNEL, 7.0)
    assert len(server.called("chat.postMessage")) == 1
    await slack.send(part("T2:C9"))
    assert await slack.find(part(), NOW) == NOT_THERE  # another method
    seconds.now += 7.1
    assert await slack.send(part())


@pytest.mark.parametrize(
    ("failure", "fault", "scope"),
    [
        ("token_revoked", Fault.CHANNEL, "T1:"),
        ("account_inactive", Fault.CHANNEL, "T1:"),
        ("invalid_auth", Fault.CHANNEL, "T1:"),
        ("not_authed", Fault.CHANNEL, "T1:"),
        ("missing_scope", Fault.CHANNEL, "T1:"),
        ("token_expired", Fault.CHANNEL, "T1:"),
        ("team_not_found", Fault.CHANNEL, "T1:"),
        ("org_login_required", Fault.CHANNEL, "T1:"),
        ("ekm_access_denied", Fault.CHANNEL, "T1:"),
        ("accesslimited", Fault.CHANNEL, "T1:"),
        ("message_limit_exceeded", Fault.CHANNEL, "T1:"),
        ("user_is_restricted", Fault.ADDRESS, ""),
        ("restricted_action_thread_only_channel", Fault.ADDRESS, ""),
        ("messages_tab_disabled", Fault.CHANNEL, "T1:U"),
        ("is_archived", Fault.ADDRESS, ""),
        ("channel_not_found", Fault.ADDRESS, ""),
        ("not_in_channel", Fault.ADDRESS, ""),
        ("user_disabled", Fault.ADDRESS, ""),
        ("restricted_action", Fault.ADDRESS, ""),
        ("msg_too_long", Fault.CONTENT, ""),
        ("internal_error", Fault.UNKNOWN, ""),
        ("fatal_error", Fault.UNKNOWN, ""),
        ("service_unavailable", Fault.RETRY, ""),
        ("an_error_of_next_year", Fault.RETRY, ""),
        (Failure(status=503), Fault.RETRY, ""),
        (Failure(status=502), Fault.UNKNOWN, ""),
    ],
    ids=str,
)
async def test_what_a_refusal_means(slack, server, failure, fault, scope):
    server.script("chat.postMessage", failure)

    error = await refused(slack, part())

    assert (error.fault, error.scope) == (fault, scope)
    assert len(server.called("chat.postMessage")) == 1


@pytest.mark.parametrize(
    ("code", "todo"),
    [
        ("token_expired", "without token rotation"),
        ("account_inactive", "install it again"),
        ("org_login_required", "ask an admin"),
        ("ekm_access_denied", "ask an admin"),
        ("restricted_action_read_only_channel", "ask an admin"),
        ("not_in_channel", "/invite @Papers"),
    ],
)
async def test_it_is_said_what_to_do_about_it(slack, server, code, todo):
    server.script("chat.postMessage", code)
    error = await refused(slack, part())

    assert code in str(error)
    assert todo in str(error)


@pytest.mark.parametrize("method", ["chat.postMessage", "conversations.open"])
@pytest.mark.parametrize("answer", IN_ITS_PLACE, ids=lambda each: repr(each.body))
async def test_whoever_answers_in_its_place_took_nothing_and_everybody_waits(
    slack, server, answer, method
):
    server.script(method, answer)

    error = await refused(slack, part("T1:U1"))

    assert (error.fault, error.scope) == (Fault.CHANNEL, "")
    assert "something else answers in Slack's place" in str(error)


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long"])
async def test_a_page_whose_blocks_are_refused_goes_as_plain_text(slack, server, error):
    server.script("chat.postMessage", error)

    await slack.send(part())

    first, second = server.called("chat.postMessage")
    assert "blocks" in first
    assert "blocks" not in second
    assert second["metadata"]["event_payload"] == {"key": "d1.20261130.0.0"}


async def test_blocks_that_slack_would_refuse_are_not_even_tried(slack, server):
    await slack.send(part(blocks=[{"type": "nonsense"}]))

    assert ["blocks" in call for call in server.called("chat.postMessage")] == [False]


async def test_a_workspace_without_installation_waits(slack):
    error = await refused(slack, part("T9:C1"))

    assert (error.fault, error.scope, error.reported) == (Fault.CHANNEL, "T9:", "not_installed")


async def test_slack_out_of_reach_closes_the_whole_channel(seconds):
    nowhere = Slack({"T1": "x"}.get, base_url="http://127.0.0.1:9/api/", monotonic=seconds)

    error = await refused(nowhere, part())

    assert (error.fault, error.scope) == (Fault.CHANNEL, "")


async def test_where_nobody_takes_the_connection_nothing_can_have_arrived(seconds):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        with contextlib.ExitStack() as callers:
            for _ in range(3):  # as many as it lets wait, and more
                caller = callers.enter_context(socket.socket())
                caller.setblocking(False)
                caller.connect_ex(address)
            url = f"http://127.0.0.1:{address[1]}/api/"
            silent = Slack({"T1": "x"}.get, base_url=url, timeout_s=1, monotonic=seconds)
            error = await refused(silent, part())

    assert (error.fault, error.scope) == (Fault.CHANNEL, "")
    assert "cannot be reached" in str(error)


async def test_a_connection_lost_while_opening_a_conversation_posted_nothing(slack, server):
    server.script("conversations.open", DROP)

    assert (await refused(slack, part("T1:U1"))).fault is Fault.RETRY


async def test_without_the_right_to_direct_messages_conversations_go_on(slack, server):
    server.script("conversations.open", "missing_scope")
    error = await refused(slack, part("T1:U1"))

    assert (error.fault, error.scope) == (Fault.CHANNEL, "T1:U")
