"""A researcher in Slack: what is typed and pressed, and what is seen."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.slack_app.conftest import NOW, labels, some_papers, words
from tests.slack_server import IN_ITS_PLACE, LOSE, RATE


async def test_following_says_what_it_brings_and_when(ada):
    seen = await ada.type("follow rl for llm agents")

    assert "Following RL for LLM Agents" in words(seen)
    assert "Your digest comes Monday 09:00 (Europe/Berlin) here." in words(seen)
    assert "part 1" in words(seen)
    assert labels(seen)["Undo"] == "unfollow rl-for-llm-agents"
    assert seen["response_type"] == "ephemeral"


async def test_a_repeat_is_met_calmly(ada):
    await ada.type("follow rl for llm agents")

    assert "You already follow RL for LLM Agents" in words(
        await ada.type("follow RL-for-LLM agents")
    )


async def test_a_slip_is_met_with_the_nearest_right_command(ada):
    seen = await ada.type("folow kv cach")

    assert "I don’t know folow. Did you mean" in words(seen)
    assert "/papers follow KV-Cache Compression" in words(seen)
    assert labels(seen)["Follow it"] == "follow KV-Cache Compression"


async def test_a_question_is_answered_in_words_where_it_was_asked(ada):
    await ada.write("folow kv cach")
    assert "Following KV-Cache Compression" in words(await ada.write("Yes, please :+1:"))
    assert "No longer following KV-Cache Compression" in words(await ada.write("undo"))

    await ada.type("follow world models, diffusion models")
    seen = await ada.type("both")
    assert "Following World Models" in words(seen)
    assert "Following Diffusion Models" in words(seen)


async def test_a_mute_has_an_end_and_a_way_back(ada):
    await ada.type("follow rl for llm agents")
    seen = await ada.type("mute RL for LLM agents for 2w")

    assert "RL for LLM Agents is muted until Mon 14 Dec" in words(seen)
    unmuted = await ada.press(labels(seen)["Unmute"])
    assert "is heard again from now on" in words(unmuted)


async def test_undo_takes_it_back(ada):
    followed = await ada.type("follow world models")

    assert "No longer following World Models" in words(await ada.press(labels(followed)["Undo"]))


async def test_the_list_has_what_to_do_beside_each_topic(ada):
    await ada.type("follow world models")
    await ada.type("follow diffusion models")
    seen = await ada.type("list")

    assert "*World Models*" in words(seen)
    assert labels(seen)["Unfollow"].startswith("unfollow ")
    assert "Direct messages" in words(seen)


async def test_a_topic_card_shows_numbers_chart_papers_and_what_to_do(ada, server):
    seen = await ada.type("topic rl for llm agents", channel_id="C1")

    kinds = [block["type"] for block in seen["blocks"]]
    assert kinds[0] == "header"
    assert "image" in kinds
    assert len(server.files) == 1
    assert {"Follow", "Ask", "Share", "Save"} <= set(labels(seen))


async def test_the_chart_is_uploaded_once(ada, bea, server):
    for person in (ada, ada, bea):
        await person.type("topic rl for llm agents")

    assert len(server.files) == 1


async def test_a_chart_that_cannot_be_uploaded_becomes_a_line_of_bars(ada, server):
    full = server.url.replace("/api/", "/full")
    server.files_getUploadURLExternal = lambda values: {"file_id": "F1", "upload_url": full}

    assert "▁▁" in words(await ada.type("topic rl for llm agents"))


async def test_a_chart_that_slack_does_not_show_yet_becomes_a_line_of_bars(ada, server):
    from tests.slack_server import Failure

    server.script("response_url", Failure("invalid_blocks", 400))
    seen = await ada.type("topic rl for llm agents")

    assert "image" not in [block["type"] for block in seen["blocks"]]
    assert "header" in [block["type"] for block in seen["blocks"]]


async def test_without_files_the_card_still_comes(ada, server):
    server.script("files.getUploadURLExternal", "missing_scope")
    seen = await ada.type("topic rl for llm agents")

    assert "header" in [block["type"] for block in seen["blocks"]]


async def test_share_shows_to_everyone(ada):
    seen = await ada.type("topic rl for llm agents", channel_id="C1")
    shared = await ada.press(labels(seen)["Share"], "share:0", channel={"id": "C1"})

    assert shared["response_type"] == "in_channel"
    assert words(shared).startswith("<@U1> shows /papers topic rl for llm agents")
    assert "Share" not in labels(shared)


async def test_what_is_shown_to_everyone_tells_nothing_of_who_shows_it(ada):
    await ada.type("follow rl for llm agents")
    await ada.type("mute rl for llm agents for 2w")
    seen = await ada.type("topic rl for llm agents", channel_id="C1")
    assert "Unfollow" in labels(seen)
    shared = await ada.press(labels(seen)["Share"], "share:0", channel={"id": "C1"})

    assert labels(shared)["Follow"] == "follow rl-for-llm-agents"
    assert "Unfollow" not in labels(shared)
    assert "Muted" not in words(shared)


async def test_a_question_is_shown_with_its_answer(ada):
    seen = await ada.type("ask rl for llm agents: does it pay off?", channel_id="C1")
    shared = await ada.press(labels(seen)["Share"], "share:0", channel={"id": "C1"})

    assert "<@U1> shows /papers ask rl for llm agents: does it pay off?" in words(shared)
    assert "pays off" in words(shared)


async def test_where_slack_asks_for_patience_an_answer_comes_after_the_pause(ada, server):
    from tests.slack_server import Failure

    server.script("chat.postMessage", Failure("ratelimited", 429, {"Retry-After": "0"}))

    assert "You follow nothing yet" in words(await ada.write("list"))


async def test_what_is_saved_can_be_removed_and_not_saved_again(ada, core, source):
    source.waiting = some_papers(1, first=500)
    core.ingest(source)
    await ada.type("save 2611.00500")
    seen = await ada.type("saved")

    assert "Save" not in labels(seen)
    await ada.press(labels(seen)["Remove"])
    assert "No saved papers" in words(await ada.type("saved"))


async def test_why_names_a_place_in_slack_as_a_reader_would(ada, core, source):
    source.waiting = some_papers(1, first=500)
    core.ingest(source)
    await ada.type("follow world models")
    seen = words(await ada.type("why 2611.00500"))

    assert "Slack: not told" in seen
    assert "T1:" not in seen


async def test_what_does_not_fit_comes_on_request(ada, core, source):
    source.waiting = some_papers(20, first=500)
    core.ingest(source)
    await ada.type("save " + " ".join(f"2611.{n:05d}" for n in range(500, 515)))
    seen = await ada.type("saved")
    more = await ada.press(labels(seen)["5 more"], "next:0")

    assert "15 saved papers" in words(more)
    assert more["text"].count("https://arxiv.org/abs/") == 5


@pytest.mark.parametrize("value", ["² list", "³ list", "x list", "9999999 list"])
async def test_a_button_that_nobody_made_is_answered_all_the_same(ada, value):
    assert "You follow nothing yet" in words(await ada.press(value, "next:0"))


@pytest.mark.parametrize("value", ["²", "x", "", "9" * 5_000])
async def test_a_page_of_app_home_that_is_none_is_its_first(ada, server, value):
    await ada.press_at_home(value, "home:next")

    assert server.homes[ada.user]


async def shortcut(ada, server, text: str) -> str:
    """*Save paper* on a message of that text: what its reader is told."""
    message = {"ts": "1.1", "text": text}
    body = {**ada.press_body(""), "type": "message_action", "callback_id": "save_paper"}
    await ada.dispatch({**body, "message": message})
    await ada.settle()
    return words(server.answers[-1])


async def test_papers_are_saved_from_a_message_shortcut(ada, server):
    seen = await shortcut(ada, server, "see <https://arxiv.org/abs/2611.00003v2|this>")

    assert "Saved “Rl for llm agents, part 3”" in seen
    assert "link" not in seen


async def test_whatever_leads_to_a_paper_is_saved_and_what_does_not_is_counted(ada, server):
    seen = await shortcut(
        ada,
        server,
        "<https://arxiv.org/abs/2611.00001> <https://doi.org/10.48550/arXiv.2611.00002> and "
        "<https://huggingface.co/papers/2611.00003|this> of <https://x.org> <https://y.org|y>",
    )

    assert "Saved 3 papers" in seen
    assert "2 other links in it name no paper." in seen


async def test_of_many_papers_the_rest_is_offered(ada, server, core, source):
    source.waiting = some_papers(20, first=500)
    core.ingest(source)
    seen = await shortcut(ada, server, " ".join(f"arXiv:2611.{n:05d}" for n in range(500, 512)))

    assert "Saved 10 papers" in seen
    assert "It names 2 more papers: /papers save 2611.00510 2611.00511" in seen


async def test_a_message_without_links_says_so(ada, server):
    seen = await shortcut(ada, server, "see <https://x.org>")

    assert seen == "I see no link to an arXiv paper in that message."


async def test_a_name_copied_in_bold_is_that_name(ada):
    assert "Following World Models" in words(await ada.write("follow *world models*"))
    await ada.write("mute _World Models_")

    assert "World Models is heard again" in words(await ada.write("unmute “World Models”"))
    assert "was not muted" in words(await ada.write("unmute “other words”"))


async def test_direct_messages_understand_the_same_words(ada, server):
    seen = await ada.write("follow “RL for LLM agents”")
    assert "Following" in words(seen)
    assert seen["channel"] == "D1"
    seen = await ada.write("/papers list", thread_ts="5.5")
    assert seen["thread_ts"] == "5.5"


async def test_the_bot_does_not_answer_itself_nor_edits_nor_joins(ada, server):
    for event in (
        {"bot_id": "B9"},
        {"subtype": "message_changed"},
        {"subtype": "channel_join"},
        {"channel_type": "channel"},
        {"user": ""},
    ):
        await ada.event("message", **{"channel": "D1", "channel_type": "im", "text": "x", **event})

    assert server.messages == []


@pytest.mark.parametrize("where", ["", " in <#C1>"])
async def test_a_query_that_begins_like_a_command_is_none(ada, where):
    seen = words(await ada.type(f"follow mute swans{where}"))

    assert "read as mute AND swans\nChange it with /papers edit mute swans" in seen


@pytest.mark.parametrize("event", [{"bot_id": "B9"}, {"user": ""}, {"edited": {"user": "U1"}}])
async def test_a_mention_by_a_bot_or_changed_later_is_no_request(ada, server, event):
    await ada.event(
        "app_mention", **{"channel": "C1", "text": "<@UBOT> list", "ts": "7.7", **event}
    )

    assert server.ephemerals == server.messages == []


async def test_a_mention_amid_a_sentence_is_a_request_too(ada, server):
    await ada.event("app_mention", channel="C1", text="hey <@UBOT>, follow world models", ts="7.7")

    assert words(server.ephemerals[-1]).startswith("Following World Models")


async def test_in_direct_messages_a_mention_is_no_part_of_the_words(ada):
    assert "You follow nothing yet" in words(await ada.write("<@UBOT> list"))


@pytest.mark.parametrize("verb", ["email", "digest", "topics cat:", "follow agents without"])
async def test_a_ping_that_was_typed_letter_by_letter_pings_nobody(ada, verb):
    answer = await ada.type(f"{verb} &lt;@U2&gt;")

    assert "@U2" in words(answer)
    assert "<@U2>" not in answer["text"]
    assert '"user_id"' not in json.dumps(answer)


async def test_a_mention_in_a_thread_is_answered_there_for_one_person(ada, server):
    await ada.event("app_mention", channel="C1", text="<@UBOT> list", ts="7.7", thread_ts="5.5")

    seen = server.ephemerals[-1]
    assert (seen["user"], seen["channel"], seen["thread_ts"]) == ("U1", "C1", "5.5")
    assert "You follow nothing yet" in words(seen)


async def test_what_cannot_be_said_beside_a_mention_comes_as_a_direct_message(ada, server):
    server.script("chat.postEphemeral", "user_not_in_channel")
    await ada.event("app_mention", channel="C1", text="<@UBOT> list", ts="1.1")

    assert server.messages[-1]["channel"] == "D1"
    assert "You follow nothing yet" in words(server.messages[-1])


async def test_a_press_in_a_thread_is_answered_there(ada):
    """What one person alone sees comes without its message, with its container."""
    where = {"type": "message", "channel_id": "C1", "is_ephemeral": True, "thread_ts": "7.7"}
    seen = await ada.press("list", container=where, message=None)

    assert seen["thread_ts"] == "7.7"


async def test_what_people_wrote_never_pings_when_it_is_said_back(ada):
    for text in (
        "follow <!channel> models",
        "topic <!here>",
        "<!everyone>",
        "folow *b* `c` <@U9|x>",
    ):
        seen = await ada.type(text)
        assert "<!" not in seen["text"]
        assert '"broadcast"' not in str(seen)


async def test_a_conversation_gets_its_own_digest_and_one_visible_line(ada, server):
    seen = await ada.type("follow world models in <#C1|vision-lab>")

    assert "in the conversation" in words(seen)
    line = server.messages[-1]
    assert line["channel"] == "C1"
    assert words(line).startswith(
        "<@U1> set a digest here (Monday 09:00 Europe/Berlin): World Models."
    )
    assert "/papers digest off" in words(line)
    assert labels(seen)["Undo"] == "unfollow world-models in <#C1>"
    assert labels(seen)["Daily instead"] == "digest daily in <#C1>"


async def test_a_button_about_a_conversation_never_changes_the_person(ada, core):
    await ada.type("follow diffusion models")
    seen = await ada.type("follow world models in <#C1>")
    await ada.press(labels(seen)["Daily instead"])

    mine = await ada.type("settings")
    assert "Monday 09:00" in words(mine)
    assert "every day 09:00" in words(await ada.type("settings in <#C1>"))


async def test_a_personal_button_in_a_conversation_never_changes_the_conversation(ada, server):
    await ada.type("follow world models in <#C1>")
    ada.channel = "C1"
    seen = await ada.type("follow diffusion models")
    before = len(server.messages)
    pressed = await ada.press(labels(seen)["Daily instead"])

    assert "every day 09:00" in words(pressed)
    assert len(server.messages) == before
    assert "Monday 09:00" in words(await ada.type("settings in <#C1>"))


async def test_lines_that_are_requests_of_their_own_are_offered_one_by_one(ada):
    seen = await ada.write("follow world models\nfollow diffusion models")

    assert "These are 2 requests" in words(seen)
    assert "follow diffusion models" in labels(seen).values()


async def test_where_we_are_not_a_member_the_words_say_how_to_invite(ada, server):
    server.conversations["C2"] = {"id": "C2", "is_member": False}
    server.conversations["C3"] = {"id": "C3", "is_member": True, "is_archived": True}
    server.members["C2"] = {"U1"}

    assert "/invite @Papers" in words(await ada.type("follow world models in <#C2>"))
    assert "/invite @Papers" in words(await ada.type("follow world models in <#C404>"))
    assert "archived" in words(await ada.type("follow world models in <#C3>"))


@pytest.mark.parametrize(
    "typed", ["unsubscribe world models", "snooze world models", "pause for 2w", "schedule off"]
)
async def test_letting_go_by_any_word_works_in_an_archived_conversation(ada, server, typed):
    await ada.type("follow world models in <#C1>")
    server.conversations["C1"]["is_archived"] = True

    assert "archived" not in words(await ada.type(f"{typed} in <#C1>"))


async def test_letting_go_works_where_a_conversation_is_lost(ada, server):
    await ada.type("follow world models in <#C1>")
    del server.conversations["C1"], server.members["C1"]
    server.script("conversations.members", "channel_not_found")

    seen = await ada.type("unfollow world models in <#C1>")
    assert "No longer following World Models" in words(seen)


@pytest.mark.parametrize("asked", ["list", "settings", "status", "resume", "unmute all"])
async def test_nobody_looks_into_a_conversation_that_is_lost(ada, server, asked):
    await ada.type("follow world models in <#C1>")
    del server.conversations["C1"], server.members["C1"]
    server.script("conversations.members", "channel_not_found")

    seen = words(await ada.type(f"{asked} in <#C1>"))
    assert "Slack does not say just now whether you are in" in seen
    assert "World Models" not in seen


async def test_only_members_of_a_conversation_change_its_digest(ada, server):
    server.members["C1"] = {"U2"}

    seen = await ada.type("follow world models in <#C1>")
    assert seen["text"] == "Only members of <#C1> can change its digests."


@pytest.mark.parametrize("words_typed", ["follow world models", "mute all", "list"])
@pytest.mark.parametrize("failure", [RATE, "internal_error", LOSE])
async def test_while_slack_does_not_say_who_is_a_member_nothing_happens(
    ada, server, store, words_typed, failure
):
    server.members["C1"] = {"U2"}
    server.script("conversations.members", failure, failure)  # aiohttp asks again by itself

    seen = await ada.type(f"{words_typed} in <#C1>")
    assert "Slack does not say just now whether you are in <#C1>" in words(seen)
    assert not store.people.at("slack", "T1:C1")


async def test_among_very_many_members_nobody_is_called_a_stranger(ada, server, monkeypatch):
    monkeypatch.setattr("bot.slack_app.permission.PAGES", 0)

    assert "type this in <#C1> itself" in words(await ada.type("follow world models in <#C1>"))
    seen = await ada.type("follow world models in <#C1>", channel_id="C1")
    assert "in the conversation" in words(seen)


async def test_only_what_stops_a_digest_is_letting_go(ada, server):
    server.conversations["C1"]["is_member"] = False

    seen = await ada.type("follow on and off policy learning in <#C1>")
    assert "/invite @Papers" in words(seen)


async def test_whose_standing_slack_does_not_say_is_asked_to_try_again(ada, server):
    server.script("users.info", RATE, RATE)
    await ada.type("follow world models in <#C1>")
    refused = words(server.answers[-1])
    elsewhere = words(await ada.type("digest", channel_id="C1"))

    assert "It is not known just now whether you are a full member" in refused
    assert "Only members" not in elsewhere
    assert "in the conversation" in words(await ada.type("follow world models in <#C1>"))


async def test_who_was_known_yesterday_is_known_while_slack_says_nothing(ada, server, clock):
    await ada.type("list")
    clock.forward(hours=25)
    server.script("users.info", RATE)

    assert "in the conversation" in words(await ada.type("follow world models in <#C1>"))


async def test_guests_read_for_themselves_but_change_no_conversation(app, server):
    from tests.slack_app.conftest import Person

    guest = Person(app, server, user="UGUEST")
    assert "Following" in words(await guest.type("follow world models"))
    refused = await guest.type("follow world models in <#C1>")
    assert "Only members of this workspace" in words(refused)


async def test_somebody_of_another_workspace_gets_a_polite_sentence(ada):
    pressed = await ada.press("save 2611.00001", user={"id": "U77", "team_id": "T2"})

    assert "You are in another workspace" in pressed["text"]


async def test_nor_does_one_whose_words_come_through_a_shared_conversation(ada, server, store):
    ada.user = "U9"
    server.users["U9"] = {"team_id": "T9", "is_stranger": True}
    await ada.event(
        "app_mention", channel="C1", text="<@UBOT> follow world models", ts="1.1", user_team="T9",
        envelope={"team_id": "T9", "is_ext_shared_channel": True,
                  "authorizations": [{"team_id": "T1", "is_enterprise_install": False}]},
    )  # fmt: skip

    assert "You are in another workspace" in words(server.ephemerals[-1])
    assert not store.people.at("slack", "T9:U9")


@pytest.mark.parametrize("here", [
    "in here", "here", "in this channel", "for this group", "in this thread",
])  # fmt: skip
async def test_here_is_the_conversation_it_is_typed_in(ada, store, here):
    seen = await ada.type(f"follow world models {here}, focused", channel_id="C1")

    assert "Following World Models" in words(seen)
    assert "in the conversation" in words(seen)
    assert store.people.at("slack", "T1:C1")


@pytest.mark.parametrize("here", ["in here", "here"])
async def test_among_ourselves_here_is_for_me(ada, store, here):
    assert "Following World Models" in words(await ada.type(f"follow world models {here}"))
    assert store.people.at("slack", "T1:U1")


async def test_a_channel_is_asked_for_where_there_is_none(ada):
    assert "Which conversation?" in words(await ada.type("follow world models in this channel"))


async def test_here_too_we_must_be_a_member(ada, server):
    server.conversations["C2"] = {"id": "C2", "is_member": False}
    seen = await ada.type("follow world models in here", channel_id="C2")

    assert "I'm not in <#C2>" in words(seen)


async def test_a_question_about_here_stays_whole(ada):
    seen = await ada.type("ask rl-for-llm-agents: what is studied here", channel_id="C1")

    assert "Name one conversation" not in words(seen)
    assert "Which" not in words(seen)


async def test_an_old_button_gets_a_sentence(ada):
    assert "old message" in (await ada.press("x", "subscribe_v0"))["text"]
    assert "old message" in (await ada.press(""))["text"]


async def test_another_command_of_the_manifest_is_acknowledged(ada):
    answer = await ada.dispatch({**ada.command_body("x"), "command": "/other"})

    assert "I only know /papers" in answer.body


async def test_what_is_delivered_twice_is_done_once(ada, server):
    body = ada.command_body("follow world models")
    for _ in range(3):
        await ada.dispatch(body)
    await ada.settle()
    assert len(server.answers) == 1
    await ada.event("message", "Ev9", channel="D1", channel_type="im", text="list")
    await ada.event("message", "Ev9", channel="D1", channel_type="im", text="list")
    assert len(server.messages) == 1


async def test_a_repeat_after_a_restart_is_known_from_the_database(
    ada, core, store, clock, server, app
):
    from bot.slack_app import Workspaces, build

    body = ada.command_body("follow world models")
    await ada.dispatch(body)
    await ada.settle()
    workspaces = Workspaces(store.slack, clock, token="xoxb-1", base_url=server.url)
    ada.app = build(core, store, workspaces, clock)
    await ada.dispatch(body)
    await ada.settle()
    await ada.app.finish()

    assert len(server.answers) == 1


async def test_our_failure_is_told_with_a_reference_and_changes_nothing(ada, core, monkeypatch):
    def fails(actor, text):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(core, "execute", fails)
    seen = await ada.type("list")

    assert seen["text"].startswith("Something broke (ref ")
    assert seen["text"].endswith("Nothing was changed.")
    assert "ZeroDivision" not in str(seen)


async def test_a_used_up_response_url_becomes_a_direct_message(ada, server):
    body = ada.command_body("list")
    server.uses[body["trigger_id"]] = 5
    await ada.dispatch(body)
    await ada.settle()

    assert server.messages[-1]["channel"] == "D1"


async def test_a_digest_is_brought_and_its_next_page_comes_on_request(
    ada, core, source, clock, server
):
    await ada.type("follow rl for llm agents")
    source.waiting = some_papers(12, first=100)
    core.ingest(source)
    clock.set(NOW.replace(day=7, month=12, hour=8, minute=1))
    core.prepare()
    assert await core.deliver("slack") == 1

    digest = server.messages[-1]
    assert digest["channel"] == "D1"
    assert "12 new papers" in words(digest)
    more = await ada.press(labels(digest)["Next 7"])
    assert "Papers 6–12 of 12" in words(more)
    saved = await ada.press(labels(more)["Save"])
    assert "Saved" in words(saved)


async def test_a_conversations_digest_mutes_for_the_conversation(
    ada, bea, core, source, clock, server
):
    await ada.type("follow rl for llm agents in <#C1>")
    source.waiting = some_papers(12, first=100)
    core.ingest(source)
    clock.set(NOW.replace(day=7, month=12, hour=8, minute=1))
    core.prepare()
    await core.deliver("slack")

    first, second = server.messages[-2:]
    assert second["thread_ts"] == first["ts"]
    muted = await bea.press(labels(first)["Mute for 2 weeks"], channel={"id": "C1"})
    assert "is muted until" in words(muted)
    assert words(server.messages[-1]).startswith("<@U2> muted RL for LLM Agents here until")


async def test_a_slow_answer_is_announced(ada, core, monkeypatch, server):
    import time

    from bot.slack_app import desk

    execute = core.execute

    def slowly(actor, text):
        time.sleep(0.05)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", slowly)
    monkeypatch.setattr(desk, "LATE_S", 0.01)
    await ada.type("list")

    assert server.answers[0]["text"] == "Looking …"
    assert len(server.answers) == 2


async def test_a_person_with_too_much_under_way_is_asked_to_wait(ada, core, monkeypatch, server):
    import threading

    gate = threading.Event()
    execute = core.execute

    def held(actor, text):
        gate.wait(60)
        return execute(actor, text)

    monkeypatch.setattr(core, "execute", held)
    for _ in range(12):
        await ada.dispatch(ada.command_body("list"))
    await server.wait(lambda: len(server.answers) == 2)
    gate.set()
    await ada.settle()

    assert sum("One moment" in each["text"] for each in server.answers) == 2
    assert len(server.answers) == 12


async def test_a_reply_that_cannot_be_shown_is_no_silence(ada, monkeypatch):
    from bot.slack_app import door

    def fails(*args, **more):
        raise KeyError("a fault of ours")

    monkeypatch.setattr(door, "reply_message", fails)

    assert "It was done, but cannot be shown" in (await ada.type("list"))["text"]


async def test_what_is_typed_in_a_conversation_comes_to_the_person(ada):
    seen = await ada.type("follow world models", channel_id="C1")

    assert "Your digest comes Monday 09:00 (Europe/Berlin) in your direct messages." in words(seen)


async def test_the_door_never_posts_twice_by_itself_either(ada, server):
    from tests.slack_server import DROP

    server.script("chat.postMessage", DROP)
    await ada.event("message", channel="D1", channel_type="im", text="list")

    assert len(server.called("chat.postMessage")) == 1


async def test_what_passed_while_a_topic_was_muted_can_be_shown(ada, core, source, clock, server):
    await ada.type("follow rl for llm agents")
    await ada.type("follow world models")
    await ada.type("mute world models for 1w")
    for monday, first in ((NOW.replace(hour=8, minute=1), 700), (NOW + timedelta(days=8), 800)):
        source.waiting = [*some_papers(2, first=first)]
        if first == 700:
            source.waiting += [
                replace(each, abstract="What comes next, imagined.")
                for each in some_papers(2, "world models", first=750)
            ]
        core.ingest(source)
        clock.set(monday)
        core.prepare()
        await core.deliver("slack")

    told = server.messages[-1]
    assert "World Models is back. 2 passed while it was muted." in words(told)
    shown = await ada.press(labels(told)["Show World Models"])
    assert "World Models passed while it was muted" in words(shown)


@pytest.mark.parametrize("method", [
    "users.info", "conversations.info", "conversations.members", "chat.postEphemeral",
])  # fmt: skip
@pytest.mark.parametrize("answer", IN_ITS_PLACE, ids=lambda each: repr(each.body))
async def test_whoever_answers_in_slacks_place_keeps_nobody_from_a_reply(
    ada, server, method, answer
):
    server.script(method, answer)
    await ada.event("app_mention", channel="C9", ts="1.1",
                    text="<@UBOT> follow world models in <#C1>")  # fmt: skip

    assert server.ephemerals or server.messages


async def test_nor_does_one_who_answers_that_question_of_who_we_are(ada, server):
    server.script("auth.test", IN_ITS_PLACE[0])

    assert "You follow nothing" in words(await ada.type("list"))
