"""Replies, App Home and windows as blocks: pure, within the limits, literal."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.block_kit.shapes import message_faults, view_faults
from bot.core.reply import (
    Code,
    Instant,
    Link,
    Overview,
    Quote,
    Reply,
    Strong,
    TopicCard,
    line,
)
from bot.digest import Action, Tag
from bot.model import (
    FOREVER,
    Breadth,
    Destination,
    DestinationState,
    Follow,
    Identity,
    Momentum,
    Mute,
    MuteKind,
    Topic,
    Week,
)
from bot.slack_app.looks import modals
from bot.slack_app.looks.home import home_view
from bot.slack_app.looks.messages import reply_message
from tests.makers import entry, paper
from tests.slack_app.conftest import labels, words

NOW = datetime(2026, 11, 30, 7, 30, tzinfo=UTC)
HEAT = Momentum(
    weeks=(
        *(Week(date(2026, 9, 7) + timedelta(weeks=n), 5 + n, 900) for n in range(12)),
        Week(date(2026, 11, 30), 1, 90, complete=False),
    ),
    current=58,
    previous=42,
    change=0.381,
    share=0.016,
)


def topic(name: str = "RL for LLM Agents", n: int = 1) -> Topic:
    return Topic(n, f"topic-{n}", name, name, description="Agents that learn by reward.")


def card(name: str = "RL for LLM Agents", **more) -> TopicCard:
    values = {
        "glossary": (("RL", "Reinforcement Learning"), ("LLM", "Large Language Model")),
        "momentum": HEAT,
        "related": ((Tag("Credit Assignment in RL", "credit"), HEAT),),
        **more,
    }
    return TopicCard(topic=topic(name), **values)


def papers(count: int, title: str = "Credit for an hour ago"):
    return tuple(
        entry(paper(f"2611.{n:05d}", f"{title} {n}"), "RL for LLM Agents", "World Models",
              actions=(Action("Save", f"save 2611.{n:05d}"),))
        for n in range(1, count + 1)
    )  # fmt: skip


def destination(n: int = 1, address: str = "T1:U1", **more) -> Destination:
    values = {
        "channel": "slack",
        "cadence": "weekly mon 09:00",
        "zone": "Europe/Berlin",
        "next_due_at": datetime(2026, 12, 7, 8, 0, tzinfo=UTC),
        **more,
    }
    return Destination(n, 1, address=address, **values)


def overview(count: int = 3) -> Overview:
    follows = tuple(
        Follow(n, 1, topic(f"Topic {n}", n), 0, Breadth.FOCUSED if n == 2 else Breadth.BALANCED,
               muted_until=NOW + timedelta(days=14) if n == 3 else None)
        for n in range(1, count + 1)
    )  # fmt: skip
    here, lab = destination(), destination(2, "T1:C9", state=DestinationState.PAUSED,
                                           reason="the conversation is archived")  # fmt: skip
    mail = destination(3, "ada@example.org", channel="email")
    return Overview(
        follows,
        (Mute(1, 1, MuteKind.AUTHOR, "Jun Li", FOREVER),),
        (here, lab, mail),
        papers(2),
        deliveries=((here, "last sent Mon 30 Nov 09:00"), (lab, "failed: is_archived")),
    )


def test_a_topic_card_can_be_followed_asked_and_shared(golden):
    reply = Reply(
        (line(Strong("RL for LLM Agents")), line("58 papers …")),
        card=card(),
        papers=papers(5),
        buttons=(Action("Follow", "follow topic-1"),),
        zone="Europe/Berlin",
    )
    shown = reply_message(reply, chart="F1", words="topic topic-1", share=True)

    assert message_faults(shown) == ()
    assert {"Follow", "Ask", "Share", "Credit Assignment in RL"} <= set(labels(shown))
    golden("slack/card.json", pretty(shown))


def test_a_topic_card_does_not_name_its_own_topic_beside_its_papers():
    own = Topic(1, "rl-for-llm-agents", "RL for LLM Agents", "RL")
    face = replace(card(), topic=own)
    shown = reply_message(Reply((line(Strong(own.name)),), card=face, papers=papers(1)))

    assert "also World Models — why: title: “attention”" in pretty(shown)
    assert "RL for LLM Agents ·" not in pretty(shown)


def test_a_follow_shows_its_papers_and_no_heading(golden):
    reply = Reply(
        (
            line("Following ", Strong("RL for LLM Agents"), ". It would have brought 58 papers."),
            line("Your digest comes ", Strong("Monday 09:00"), " (Europe/Berlin) here."),
        ),
        card=card(),
        papers=papers(5),
        buttons=(Action("Daily instead", "digest daily"), Action("Undo", "unfollow topic-1")),
    )
    shown = reply_message(reply)

    assert message_faults(shown) == ()
    assert "header" not in [block["type"] for block in shown["blocks"]]
    golden("slack/follow.json", pretty(shown))


def test_spans_are_what_they_are():
    reply = Reply(
        (
            line("Muted until ", Instant(datetime(2026, 12, 14, 9, tzinfo=UTC)), "."),
            line("Type ", Code("mute X for 2w"), " or ", Code('"a query"'), " in <#C1>, <@U1>"),
            line(Link("Read", "https://example.org/x"), Link("no", "javascript:alert(1)")),
            line(Strong("<@U9> *x*")),
        ),
        zone="Europe/Berlin",
    )
    shown = reply_message(reply)

    assert words(shown) == (
        'Muted until Mon 14 Dec.\nType /papers mute X for 2w or "a query" in <#C1>, <@U1>'
        "\nReadno\n<@U9> *x*"
    )
    assert json.dumps(shown).count('"type": "user"') == 1  # ours; the one in the name is text


@pytest.mark.parametrize(
    ("zone", "day"),
    [("Europe/Berlin", "Sun 25 Oct 02:30"), ("America/New_York", "Sat 24 Oct 20:30")],
)
def test_instants_are_in_the_readers_zone_on_the_night_the_clocks_go_back(zone, day):
    at = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    assert words(reply_message(Reply((line(Instant(at, clock=True)),), zone=zone))) == day


def test_many_papers_are_shown_ten_at_a_time():
    saved = Reply((line("Saved:"),), papers=papers(34))
    shown = reply_message(saved, words="saved")
    assert labels(shown)["Next 10 of 24 more"] == "10 saved"
    last = reply_message(saved, words="saved", first=30)
    assert "Credit for an hour ago 34" in words(last)
    assert " more" not in words(last)


def test_two_hundred_follows_fit_into_a_message():
    shown = reply_message(Reply((line("x"),), overview=overview(200)), words="list")

    assert message_faults(shown) == ()
    assert " more" in words(shown)


def test_an_answer_quotes_word_for_word(golden):
    quotes = tuple(Quote(each, ("It pays off.", "Twice.")) for each in papers(3))
    shown = reply_message(Reply((line("From 58 papers:"),), quotes=quotes))

    assert message_faults(shown) == ()
    golden("slack/answer.json", pretty(shown))


def test_a_conversations_list_is_about_the_conversation():
    where = Identity("slack", "T1", "C9")
    reply = Reply((line("x"),), overview=overview(), conversation=where)
    shown = reply_message(reply)

    assert labels(shown)["Unfollow"] == "unfollow topic-3 in <#C9>"
    assert "Change settings" not in labels(shown)


def test_app_home_is_shown_as_things_stand(golden):
    view = home_view(
        overview(), "Europe/Berlin", said=(line("Muted."),), undo=(Action("Undo", "unmute x"),)
    )

    assert view_faults(view) == ()
    golden("slack/home.json", pretty(view))


def test_a_home_of_two_hundred_topics_is_paged():
    first, last = (home_view(overview(200), "UTC", first=n) for n in (0, 180))

    assert view_faults(first) == view_faults(last) == ()
    assert len(first["blocks"]) < 60
    assert labels(first)["Next 20"] == "20"
    assert labels(last)["Previous"] == "160"
    assert "Topic 200" in words(last)


def test_every_window_is_one_that_slack_takes(golden):
    windows = [
        modals.settings(overview(), "UTC", {"conversation": "C1"}),
        modals.settings(Overview(), "Europe/Kyiv", {}),
        modals.mute_until("topic-1", "RL for LLM Agents", date(2026, 11, 30), {}),
        modals.ask("topic-1", {}),
        modals.follow({}),
        modals.loading("Settings"),
        modals.result("Ask", [{"type": "divider"}] * 3),
    ]

    assert [view_faults(each) for each in windows] == [()] * len(windows)
    golden("slack/settings.json", pretty(windows[0]))


def test_the_window_of_settings_offers_what_is_set_now_also_where_that_is_rare():
    shown = overview()
    own = replace(shown.destinations[0], cadence="weekly mon thu 09:00")
    window = modals.settings(replace(shown, destinations=(own,)), "UTC", {})

    assert view_faults(window) == ()
    (days,) = [each for each in window["blocks"] if each.get("block_id") == "days"]
    assert days["element"]["initial_option"]["value"] == "weekly mon thu"
    assert days["element"]["initial_option"]["text"]["text"] == "Monday and Thursday"


def test_a_topic_whose_name_is_gone_is_still_listed():
    gone = Overview((Follow(1, 1, topic(""), 0),))

    assert "(topic removed)" in words(reply_message(Reply((line("x"),), overview=gone)))


HOSTILE = st.text(max_size=300) | st.sampled_from(
    ["*b*", "_i_", "~s~", "`c`", ":smile:", "<!channel>", "<@U1>", "&amp;", "a|b>", "", "\u202e"]
)


@settings(max_examples=80, deadline=None)
@given(name=HOSTILE, said=HOSTILE, title=HOSTILE, reason=HOSTILE, command=st.text(max_size=300))
def test_whatever_is_said_slack_takes_it(name, said, title, reason, command):
    reply = Reply(
        (line(said, Strong(name), Code(said), Link(name, title), Instant(NOW)),),
        card=card(name, glossary=((name, said),), related=((Tag(name, "s"), HEAT),) * 7),
        papers=tuple(entry(paper("2611.00001", title), name, reason=reason) for _ in range(12)),
        quotes=(Quote(entry(paper("2611.00001", title)), (said, "", reason)),),
        buttons=(Action(name, command),) * 12,
        overview=Overview(
            (Follow(1, 1, topic(name), 0, muted_until=FOREVER),),
            (Mute(1, 1, MuteKind.PHRASE, said, NOW),),
            (destination(1, f"T1:{name}", reason=said), destination(2, name, channel="email")),
            (entry(paper("2611.00001", title)),),
        ),
    )
    shown = reply_message(reply, words=command, share=True)

    assert message_faults(shown) == ()
    assert reply.overview
    assert view_faults(home_view(reply.overview, "UTC", said=reply.lines, undo=reply.buttons)) == ()
    assert view_faults(modals.result(name, shown["blocks"])) == ()
    assert view_faults(modals.mute_until("s", name, NOW.date(), {"conversation": said})) == ()


def pretty(shown) -> str:
    return json.dumps(shown, ensure_ascii=False, indent=1) + "\n"
