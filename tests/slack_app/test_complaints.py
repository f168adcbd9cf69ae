"""What people complained of in other apps, each as a test that it is not so here.

The numbers are those of our list; the words in brackets say where the complaint was made.
"""

import dataclasses
import json
from datetime import UTC, datetime, timedelta

import pytest

from bot.block_kit.shapes import message_faults
from bot.channels.slack import pages as slack_pages
from bot.digest import Section, Tag
from bot.model import DeliveryState, DestinationState
from bot.slack_app import typed
from bot.slack_app.people import place_of
from tests.channels.test_slack_pages import read, slack_digest, titles
from tests.makers import entry, paper
from tests.slack_app.conftest import NOW, Person, some_papers, words

MONDAY = NOW.replace(day=7, month=12, hour=8, minute=1)


async def bring(core, source, clock, papers, at=MONDAY):
    """Announce papers, let their Monday come, and send."""
    source.waiting = papers
    core.ingest(source)
    clock.set(at)
    core.prepare()
    await core.deliver("slack")


# ------------------------------------------------------------------ parsing


@pytest.mark.parametrize("quote", "“”„‟«»", ids=lambda quote: f"{ord(quote):x}")
async def test_01_02_any_quotation_mark_will_do(ada, quote):
    """(GitHub: `+label:«help wanted«`; simple-poll: "change your macOS settings")"""
    seen = await ada.type(f"follow {quote}policy optimization{quote}")

    assert "Following" in words(seen)
    assert "read as" in words(seen)


async def test_03_an_em_dash_or_a_curly_apostrophe_breaks_nothing(ada):
    """(errbot: `--` and `'` as phones write them)"""
    assert "Following" in words(await ada.type("follow agents — that learn"))
    assert "Following" in words(await ada.type("follow what’s new in RL"))


@pytest.mark.parametrize(
    "text", ["follow ‘Übertragung’", "topic 強化学習", "folow ñandú", "mute \U0001f600"]
)
async def test_04_nothing_but_ascii_is_expected_of_nobody(ada, text):
    """(salt: "ascii codec")"""
    assert words(await ada.type(text))


async def test_05_both_apostrophes_name_the_same_topic(ada):
    """(pager-me: `who’s on call`)"""
    await ada.type("follow Parkinson's disease")

    assert "You already follow" in words(await ada.type("follow Parkinson’s disease"))


@pytest.mark.parametrize(
    "name", ["state_space models", "x-vectors", "what? a topic!", "R&amp;D agents"]
)
async def test_06_any_printable_topic_is_taken_and_how_it_was_read_is_said(ada, name):
    """(GitHub: a label with `_` "is not a valid argument" for five years)"""
    seen = words(await ada.type(f"follow {name}"))

    assert "Following" in seen
    assert "read as" in seen


async def test_07_a_sharp_is_a_sharp(ada):
    """(GitHub: `#foo` rejected)"""
    assert "C#" in words(await ada.type("follow C# compilers"))


@pytest.mark.parametrize("text", ["topic :priority:", "topic \U0001f525 models"])
async def test_08_emoji_come_in_either_form(ada, text):
    """(GitHub: `:priority:` replaced by an emoji)"""
    assert "I don’t know the topic" in words(await ada.type(text))


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("follow", "/papers follow RL for LLM agents"),
        ("mute", "/papers mute"),
        ("topic", "/papers topic"),
        ("ask", "/papers ask"),
        ("save", "/papers save"),
        ("email", ""),
    ],
)
async def test_09_half_a_command_is_met_with_a_whole_example(ada, text, example):
    """(GitHub: `/github subscribe owner`, a generic error)"""
    seen = words(await ada.type(text))

    assert seen
    assert example in seen


@pytest.mark.parametrize("mention", ["<#C1|vision-lab>", "<#C1>", "<#C1|>"])
async def test_10_a_conversation_mention_is_understood(ada, server, mention):
    """(errbot: `<#CHAN111|chan1-xyz>` silently ignored)"""
    await ada.type(f"follow world models in {mention}")

    assert server.messages[-1]["channel"] == "C1"


async def test_12_a_conversation_that_slack_left_as_a_name_is_asked_for(ada):
    """(bolt-js: raw names)"""
    seen = await ada.type("follow world models in #vision-lab")

    assert "choose it from Slack's list" in seen["text"]
    assert "Following" in words(await ada.type("follow compilers in C#"))


def test_11_12_13_a_person_is_an_id_or_plain_words():
    """(rota-slackbot: `|name` kept; bolt-js: raw `@name`; hubot: names with `-` and `.`)"""
    assert typed.plain("ask <@U1|ada-b.c>") == "ask @ada-b.c"
    assert typed.plain("ask @ada-b.c") == "ask @ada-b.c"


async def test_14_links_and_addresses_that_slack_made_are_unwrapped(ada):
    """(Slack's own formatting)"""
    seen = await ada.type("save <https://arxiv.org/abs/2611.00001v2|arxiv.org/abs/2611.00001v2>")
    assert "Saved" in words(seen)
    seen = await ada.type("email <mailto:A+b@X.org|A+b@X.org>")
    assert "A+b@x.org" in words(seen) or "no web address is set" in words(seen)


# ------------------------------------------------------------------ where it is typed


@pytest.mark.parametrize("channel", ["D9", "C404", "G404"])
async def test_15_personal_commands_work_everywhere_and_nobody_is_told_to_invite(ada, channel):
    """(GitHub: in a direct message, "invite @GitHub")"""
    seen = words(await ada.type("follow world models", channel_id=channel))

    assert "ollow" in seen
    assert "/invite" not in seen


async def test_16_the_name_of_a_conversation_decides_nothing(ada):
    """(GitHub: `channel_name: "directmessage"`)"""
    seen = await ada.type("list", channel_id="C1", channel_name="directmessage")

    assert "You follow nothing yet" in words(seen)
    assert place_of(ada.command_body("x", channel_id="C1")).conversation == "C1"


async def test_17_membership_is_looked_at_when_a_digest_is_set_up(ada, server):
    """(GitHub: "Subscribed #unknown-channel", and nothing came)"""
    seen = await ada.type("follow world models in <#C404>")

    assert "I can't see that channel" in seen["text"]
    assert "Following" not in words(seen)


async def test_18_a_refused_delivery_deletes_nothing(ada, core, source, clock, server, store):
    """(GitHub, six issues: the first event deletes the subscription silently)"""
    await ada.type("follow world models in <#C1>")
    server.script("chat.postMessage", "channel_not_found")
    await bring(core, source, clock, some_papers(2, "world models", first=300))
    (destination,) = store.people.at("slack", "T1:C1")

    assert destination.state is DestinationState.PAUSED
    assert "/invite" in destination.reason
    listed = words(await ada.type("list in <#C1>"))
    assert "*World Models*" in listed
    assert "paused" in listed


async def test_19_a_private_conversation_gets_the_words_that_help(ada, server):
    """(sentry, awx: `channel_not_found`)"""
    assert "/invite @Papers" in (await ada.type("follow world models in <#G404>"))["text"]


async def test_20_being_a_member_is_asked_of_slack(ada, server):
    """(bolt-python: "already in this channel" while it is not)"""
    server.conversations["C1"]["is_member"] = False

    assert "I'm not in <#C1>" in (await ada.type("follow world models in <#C1>"))["text"]


async def test_21_the_list_shows_what_became_of_each_destination(ada, core, source, clock, server):
    """(GitHub: works in one channel, silent in a second)"""
    await ada.type("follow world models in <#C1>")
    await bring(core, source, clock, some_papers(2, "world models", first=300))

    assert "last sent" in words(await ada.type("list in <#C1>"))


async def test_22_in_a_thread_a_mention_does_what_the_command_cannot(ada, server):
    """(Slack refuses slash commands there)"""
    await ada.event("app_mention", channel="C1", text="<@UBOT> list", thread_ts="5.5")

    assert server.ephemerals[-1]["thread_ts"] == "5.5"


async def test_23_people_of_other_workspaces_get_a_sentence(ada):
    """(bolt-python: "AuthorizeResult not found")"""
    seen = await ada.press(
        "mute world-models for 2w in <#C1>", user={"id": "U7", "team_id": "T9"}, team={"id": "T9"}
    )

    assert "You are in another workspace" in seen["text"]


async def test_24_ids_of_a_grid_are_ids_and_repeats_are_told_by_event(app, server):
    """(slack-go: `W…` ids, duplicates in shared channels)"""
    grid = Person(app, server, user="W0123ABC")
    assert "Following" in words(await grid.type("follow world models"))
    for _ in range(2):
        await grid.event("message", "EvSame", channel="D7", channel_type="im", text="list")
    assert len(server.messages) == 1


def test_25_false_is_a_string_in_a_form_and_a_truth_in_json():
    """(slash payloads)"""
    body = {"team_id": "T1", "enterprise_id": "E1", "user_id": "U1"}
    places = [
        place_of({**body, "is_enterprise_install": said}).workspace
        for said in ("false", False, None, "true", True)
    ]

    assert places == ["T1", "T1", "T1", "E1", "E1"]


# ------------------------------------------------------------------ life


async def test_26_an_archived_conversation_pauses_and_resumes(ada, store):
    """(GitHub: `is_archived` for ever)"""
    await ada.type("follow world models in <#C1>")
    await ada.event("channel_archive", channel="C1")
    (paused,) = store.people.at("slack", "T1:C1")
    await ada.event("channel_unarchive", channel="C1")
    (again,) = store.people.at("slack", "T1:C1")

    assert (paused.state, again.state) == (DestinationState.PAUSED, DestinationState.ACTIVE)


async def test_27_28_conversations_are_kept_by_id_and_named_by_slack(ada, server, store):
    """(metabase: a rename kills it; highlight: the old name stays)"""
    await ada.type("follow world models in <#C1|old-name>")
    await ada.event("channel_rename", channel={"id": "C1", "name": "new-name"})

    assert store.people.at("slack", "T1:C1")
    shown = json.dumps(await ada.type("list in <#C1|new-name>"))
    assert "old-name" not in shown
    assert '"channel_id": "C1"' in shown


async def test_29_everything_can_be_let_go_at_once_by_whoever_is_there(ada, bea):
    """(GitHub: 200 subscriptions whose creators left)"""
    for name in ("world models", "diffusion models"):
        await ada.type(f"follow {name} in <#C1>")

    assert "No longer following anything (2 topics)" in words(
        await bea.type("unfollow all in <#C1>")
    )
    assert "Stopped." in words(await bea.type("digest off in <#C1>"))


async def test_30_unfollowing_looks_at_nothing_first(ada, server):
    """(GitHub: cannot unsubscribe what was renamed)"""
    await ada.type("follow world models in <#C1>")
    server.conversations.clear()
    server.members.clear()
    server.script("conversations.members", "channel_not_found")

    assert "No longer following" in words(await ada.type("unfollow world models in <#C1>"))


async def test_31_one_missing_topic_spoils_no_list(ada, store):
    """(GitHub: one deleted item breaks `list`)"""
    await ada.type("follow world models")
    await ada.type("follow something of my own")
    store.engine.run("UPDATE topics SET name = '' WHERE slug LIKE 'something%'")
    seen = words(await ada.type("list"))

    assert "(topic removed)" in seen
    assert "*World Models*" in seen


async def test_32_unfollowed_is_unfollowed(ada, core, source, clock, server):
    """(GitHub: the `reviews` feature stays on)"""
    await ada.type("follow rl for llm agents without survey, author:Li")
    await ada.type("mute rl for llm agents for 1d")
    await ada.type("unfollow rl for llm agents")
    server.messages.clear()
    await bring(core, source, clock, some_papers(3, first=300))

    assert server.messages == []


@pytest.mark.parametrize(
    "error", ["account_inactive", "invalid_auth", "token_revoked", "not_authed"]
)
async def test_33_34_a_workspace_that_is_gone_waits_and_keeps_everything(
    ada, core, source, clock, server, store, error
):
    """(bolt-python, superlog: four names for one thing; slack-sdk: an active customer purged)"""
    await ada.type("follow rl for llm agents")
    server.script("chat.postMessage", error)
    await bring(core, source, clock, some_papers(3, first=300))
    (waiting,) = store.outbox.waiting(clock())

    assert waiting.deliveries == 1
    assert "install it again" in waiting.error
    assert store.people.at("slack", "T1:U1")[0].state is DestinationState.ACTIVE
    clock.forward(hours=1)
    assert await core.deliver("slack") == 1


async def test_35_an_organisations_installation_is_found(store, clock):
    """(bolt-python: "your installation … is no longer available")"""
    from bot.slack_app import Workspaces
    from bot.store import Installation

    store.slack.install(Installation("E1", "", "Org", "xoxb-o", "B1", "U0", "W1", clock()))
    workspaces = Workspaces(store.slack, clock)

    found = await workspaces.async_find_bot(
        enterprise_id="E1", team_id="T5", is_enterprise_install=True
    )
    assert found.bot_token == "xoxb-o"
    assert (await workspaces.authorize("E1", "T5")).bot_token == "xoxb-o"
    assert await workspaces.authorize("E2", "T5") is None


# ------------------------------------------------------------------ noise


async def test_36_everything_can_be_muted_until_a_day(ada, core, source, clock, server):
    """(GitHub: bots cannot be muted; people uninstall)"""
    await ada.type("follow rl for llm agents")
    assert "until Mon 14 Dec" in words(await ada.type("mute all until 14 Dec"))
    server.messages.clear()
    await bring(core, source, clock, some_papers(3, first=300))

    assert server.messages == []


async def test_37_commands_are_private_and_changes_leave_one_line(ada, server):
    """(GitHub: command and answer public; others want a record)"""
    assert (await ada.type("follow world models in <#C1>"))["response_type"] == "ephemeral"
    assert [m["channel"] for m in server.messages] == ["C1"]


async def test_37_the_line_names_who_it_was_and_calls_nobody_whom_a_topic_names(ada, server):
    """(a notification shows the text, where an id says nothing)"""
    await ada.type("follow &lt;@U2&gt; robots in <#C1>")

    assert server.messages[0]["text"].startswith("<@U1> set a digest here")
    assert ": @U2 robots" in server.messages[0]["text"]


def test_38_a_paper_is_two_lines_and_a_reason():
    """(GitHub: previews fill the screen)"""
    long = entry(paper(title="A" * 150, abstract="An abstract. " * 100))
    message = read(slack_pages.pages(slack_digest(Section(Tag("A", "a"), (long,))),
                                     conversation=True)[0])  # fmt: skip

    assert "An abstract." not in json.dumps(message)


async def test_39_40_nothing_is_broadcast(ada, core, source, clock, server):
    """(GitHub: threads flood; that nothing unfurls is looked at in every message)"""
    await ada.type("follow rl for llm agents in <#C1>")
    await bring(core, source, clock, some_papers(12, first=300))

    for message in server.messages:
        assert "reply_broadcast" not in message


async def test_41_a_second_version_is_no_news(ada, core, source, clock, server):
    """(feeds: 34 repeats of one item)"""
    await ada.type("follow rl for llm agents")
    first = some_papers(1, first=300)[0]
    await bring(core, source, clock, [first])
    server.messages.clear()
    again = dataclasses.replace(first, version=2, updated_at=clock())
    await bring(core, source, clock, [again], at=clock() + timedelta(days=7))

    assert server.messages == []


async def test_42_a_new_follow_shows_papers_now_and_says_when(ada):
    """(subscribed, nothing for days, no error)"""
    seen = words(await ada.type("follow rl for llm agents"))

    assert "part 1" in seen
    assert "Your digest comes Monday 09:00 (Europe/Berlin) here." in seen


async def test_43_papers_of_one_date_all_come(ada, core, source, clock, server):
    """(the RSS app drops items with equal dates)"""
    await ada.type("follow rl for llm agents in <#C1>")
    same = [dataclasses.replace(p, submitted_at=NOW, updated_at=NOW)
            for p in some_papers(14, first=300)]  # fmt: skip
    await bring(core, source, clock, same[::-1])
    shown = [t for m in server.messages[-2:] for t in titles_of(m)]

    assert len(shown) == len(set(shown)) == 14


# ------------------------------------------------------------------ limits and trust


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long", "msg_too_long"])
async def test_44_46_a_message_that_is_refused_is_not_lost(
    ada, core, source, clock, server, store, error
):
    """(kibana, sourcegraph: the whole message lost; nao: frozen mid-sentence)"""
    await ada.type("follow rl for llm agents")
    server.script("chat.postMessage", error)
    await bring(core, source, clock, some_papers(3, first=300))

    if error == "msg_too_long":
        assert store.outbox.queue([DeliveryState.HELD])
    else:
        assert "part 300" in server.messages[-1]["text"]


def test_45_47_a_page_stays_within_characters_and_blocks_and_loses_nothing():
    """(bolt-js: 13,172 characters; PerformanceMonitor: the 51st block)"""
    many = tuple(entry(paper(f"2611.{n:05d}", "word " * 45)) for n in range(60))
    pages = slack_pages.pages(slack_digest(Section(Tag("A", "a"), many)), conversation=True)

    assert [message_faults(read(page)) for page in pages] == [()] * len(pages)
    assert sum(len(titles(page)) for page in pages) == 60


async def test_48_a_dropped_connection_posts_once(ada, core, source, clock, server):
    """(openclaw: twice, 77 ms apart)"""
    from tests.slack_server import DROP

    await ada.type("follow rl for llm agents")
    server.script("chat.postMessage", DROP)
    await bring(core, source, clock, some_papers(3, first=300))
    clock.forward(hours=1)
    await core.deliver("slack")

    digests = [m for m in server.messages if "new paper" in words(m)]
    assert len(digests) == 1


async def test_49_a_slow_answer_is_one_answer(ada, server):
    """(bolt-python, four issues: two to four answers when slow)"""
    body = ada.command_body("follow world models")
    for _ in range(4):
        await ada.dispatch(body)
    await ada.settle()

    assert len(server.answers) == 1


async def test_50_a_window_opens_before_anything_is_looked_up(ada, server, core, monkeypatch):
    """(expired_trigger_id because a query ran first)"""
    opened = []
    execute = core.execute

    def watched(actor, text):
        opened.append(len(server.called("views.open")))
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", watched)
    await ada.press("settings", "open:settings")

    assert opened == [1]


async def test_51_conversations_are_never_listed(ada, server):
    """(sentry, argo: paging conversations.list hits 429)"""
    await ada.type("follow world models in <#C1>")
    await ada.type("list in <#C1>")

    assert server.called("conversations.list") == []


@pytest.mark.parametrize(
    ("now", "due"),
    [
        pytest.param("2026-10-24T12:00", "Sun 25 Oct 09:00", id="clocks go back that night"),
        pytest.param("2027-03-27T12:00", "Sun 28 Mar 09:00", id="clocks go forward that night"),
    ],
)
async def test_52_nine_is_nine_in_the_readers_zone(ada, clock, now, due):
    """(standup-slack-bot: UTC, server zone, summer time)"""
    clock.set(datetime.fromisoformat(now).replace(tzinfo=UTC))
    await ada.type("follow world models")
    seen = await ada.type("digest daily at 9")

    assert due in words(seen)
    assert "Europe/Berlin" in words(seen)


# ------------------------------------------------------------------ more input


ANYTHING = ["", "   ", "HELP", "\u00a0", "\u200b", "\u200f", "&lt;script&gt;", "&amp;", "x" * 8_000,
     "follow\nworld models", "follow follow", "mute x for 0d", "mute world models for -1d",
     "mute world models for 99999d", "mute world models until 31 Feb",
     "mute world models until yesterday", "save 2401.00001v3", "save arXiv:hep-th/9901001",
     "save https://arxiv.org/pdf/2401.00001v3.pdf", "digest at 24:00", "digest at 9",
     "digest 9am", "digest 09.00", "digest tz CEST", "digest tz Europe/Kyiv",
     "email <mailto:A+b@X.org|A+b@X.org>", "follow C++", "follow *bold*", r"follow $\alpha_s$",
     "follow <!channel>", "<!here>", "more", "more x 1", "undo", "undo unfollow 99999999999999",
     "resume", "resume 1", "ask", "ask :", "ask x", "ask 2611.00001: why?", "passed x",
     "not-for-me", "topics heating", "like 1", "edit x: y", "unsave", "settings now", "status",
     "digest now", "digest off", "digest sdfsdf", "unmute all", "unfollow all", "email off",
     "follow (a OR", "follow -", "follow AND", "mute author:", "\U0001f600" * 500]  # fmt: skip


async def test_any_input_is_met_with_a_sentence(ada):
    for text in ANYTHING:
        seen = words(await ada.type(text))
        assert seen.strip(), text
        assert "Something broke" not in seen, text
        assert "Traceback" not in seen, text


def titles_of(message) -> list[str]:
    return [
        leaf["text"]
        for block in message["blocks"]
        if block["type"] == "rich_text"
        for leaf in block["elements"][0]["elements"]
        if leaf["type"] == "link"
    ]
