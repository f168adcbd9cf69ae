"""A researcher in Slack: what is typed and pressed, and what is seen."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.slack_app.conftest import NOW, labels, some_papers, words


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


async def test_an_old_button_gets_a_sentence(ada):
    assert "old message" in (await ada.press("x", "subscribe_v0"))["text"]
    assert "old message" in (await ada.press(""))["text"]


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
