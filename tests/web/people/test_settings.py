"""One's own settings as a page: what is set, and a button for each change."""

import asyncio
import re
from email import message_from_bytes
from email.policy import default

from lxml import html

from bot.core.reply import Actor, text_of
from bot.model import DestinationState, Identity
from tests.fakes import ArxivByHand
from tests.web import invented
from tests.web.people.reader import ADA, WEB, save_all, text


def test_whoever_passed_a_mail_on_makes_its_links_new_by_themselves(desk):
    old, leave = desk.link("person"), desk.link("leave")
    asked = desk.press(desk.client.get(old).text, "New links")
    assert desk.client.get(old).status_code == 200, "nothing is done before the second button"

    assert "The next digest has new ones" in text(desk.press(asked, "Yes, make new ones"))
    assert desk.client.get(old).status_code == 400
    assert desk.client.get(desk.link("person")).status_code == 200
    assert desk.client.post(leave).status_code == 200


def test_the_personal_page_shows_everything_that_was_set(desk):
    desk.core.execute(Actor(ADA), 'mute author:"Jun Li" for 1w')
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 1w")
    page = text(desk.client.get(desk.link("person")).text)

    assert "a…@example.org" in page
    assert "E-mail: active" in page
    assert "RL for LLM Agents" in page
    assert "KV-Cache Compression muted until" in page
    assert "The author Jun Li" in page
    assert "Europe/Berlin" in page


def test_the_personal_page_says_until_which_hour_something_is_silent(desk):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression until fri 5pm")
    page = text(desk.client.get(desk.link("person")).text)

    assert re.search(r"KV-Cache Compression muted until Fri \d+ \w+ 17:00", page)


def test_the_personal_page_names_a_day_of_these_months_without_its_year(desk):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 4 weeks")
    desk.core.execute(Actor(ADA), 'mute author:"Jun Li" for 1 year')
    page = text(desk.client.get(desk.link("person")).text)

    assert re.search(r"KV-Cache Compression muted until \w{3} \d+ \w{3}\s+Unmute", page)
    assert re.search(r"The author Jun Li muted until \w{3} \d+ \w{3} \d{4}", page)


def test_a_mute_that_has_ended_offers_mutes_again(desk, clock):
    desk.core.execute(Actor(ADA), "mute kv-cache-compression for 1w")
    clock.forward(days=10)
    page = desk.client.get(desk.link("person")).text

    assert "muted until" not in text(page)
    assert "Unmute" not in text(page)


def test_a_topic_is_muted_and_unmuted_there(desk):
    page = desk.client.get(desk.link("person")).text
    page = desk.press(page, "Mute 1 week")
    assert "is muted until" in text(page)

    desk.press(page, "Unmute")
    assert all(follow.muted_until is None for follow in desk.follows.values())


def test_the_day_is_changed_and_the_change_undone(desk):
    before = desk.destination
    page = desk.client.post(
        desk.link("person"), data={"day": "weekly fri", "time": "07:30", "zone": "Asia/Tokyo"}
    ).text
    changed = desk.destination
    assert (changed.cadence, changed.zone) == ("weekly fri 07:30", "Asia/Tokyo")
    assert "Friday 07:30" in text(page)

    desk.press(page, "Undo")
    assert (desk.destination.cadence, desk.destination.zone) == (before.cadence, before.zone)


def test_of_several_addresses_the_page_says_which_is_which(desk):
    desk.core.execute(Actor(ADA, operator=True), "email ada@home.example")

    page = text(desk.client.get(desk.link("person")).text)
    assert "E-mail to a…@example.org: active" in page
    assert "E-mail to a…@home.example: active" in page


def test_how_many_papers_come_is_chosen_there(desk):
    when = {"day": "weekly mon", "time": "09:00", "zone": "UTC"}
    desk.client.post(desk.link("person"), data={**when, "most": "20"})
    page = desk.client.get(desk.link("person")).text
    assert desk.destination.most == 20
    assert '<option value="20" selected>at most 20' in page

    desk.client.post(desk.link("person"), data=when)
    assert desk.destination.most == 20, "a page that was opened before knows nothing of it"
    desk.client.post(desk.link("person"), data={**when, "most": "0"})
    assert desk.destination.most == 0


def test_a_short_digest_leads_to_the_papers_that_it_does_not_show(desk):
    desk.core.execute(Actor(ADA), "digest at most 2")
    arxiv = ArxivByHand()
    arxiv.announce(*list(invented.papers())[60:90])
    desk.core.ingest(arxiv)
    desk.clock.forward(days=8)
    desk.core.prepare()
    asyncio.run(desk.core.deliver("email"))
    sent = desk.store.outbox.last(desk.destination.id)
    told = desk.store.papers.some(desk.store.outbox.contents(sent.delivery).papers)
    mail = message_from_bytes(desk.store.outbox.page(sent.key, 0, desk.subscriber), policy=default)
    plain = mail.get_body(("plain",)).get_content()
    doors = re.findall(rf"\d+ more +{WEB}(/l/\S+)", plain)
    pages = [html.fromstring(desk.client.get(each).text) for each in doors]
    behind = [a.get("href") for page in pages for a in page.xpath("//ol[@class='rows']//a")]

    shown = [paper.url for paper in told if paper.url in plain]
    assert f"The best 2 of {len(told)} papers." in plain
    assert len(shown) == len(doors) == 2
    assert sorted(behind + shown) == sorted(paper.url for paper in told)


def test_the_page_keeps_several_days_where_only_the_hour_is_changed(desk):
    desk.client.post(desk.link("person"), data={"do": "digest mon and thu 9"})
    page = desk.client.get(desk.link("person")).text
    (chosen,) = re.findall(r'<option value="([^"]+)" selected>Monday and Thursday<', page)
    desk.client.post(desk.link("person"), data={"day": chosen, "time": "07:30", "zone": "UTC"})

    assert desk.destination.cadence == "weekly mon thu 07:30"


def test_the_page_of_a_shared_mailbox_is_about_its_own_digest(desk):
    """The mailbox is Ada's, and a colleague in Slack has a digest of their own in it."""
    bob = Identity("slack", "T1", "U2")
    desk.core.execute(
        Actor(Identity("slack", "T1", "U1"), operator=True), f"email {ADA.external_id}"
    )
    desk.core.execute(Actor(bob), "follow lighthouses")
    desk.core.execute(Actor(bob, operator=True), "email other@example.org")
    desk.core.execute(Actor(bob, operator=True), f"email {ADA.external_id}")
    here, other, theirs = desk.store.people.destinations(desk.store.people.find(bob))
    assert theirs.subscriber_id != desk.subscriber
    page = f"/l/{desk.core.house.links.token('person', theirs.id, theirs.epoch)}"
    changed = desk.client.post(page, data={"day": "daily", "time": "06:30"}).text

    assert "a…@example.org" in changed
    assert [desk.store.people.destination(d.id).cadence for d in (here, other, theirs)] == [
        "weekly mon 09:00", "weekly mon 09:00", "daily 06:30",
    ]  # fmt: skip
    desk.press(changed, "Undo")
    assert desk.store.people.destination(theirs.id).cadence == "weekly mon 09:00"


def test_a_paused_digest_is_resumed_there_and_brings_what_was_missed(desk):
    due = desk.destination.next_due_at
    desk.store.people.set_state(
        desk.destination.id, DestinationState.PAUSED, "550 5.2.1 mailbox disabled"
    )
    page = desk.client.get(desk.link("person")).text
    assert "Stop the digest" in page

    resumed = desk.press(page, "Turn the digest on")
    assert "Nothing was lost meanwhile" in text(resumed)
    assert desk.destination.state is DestinationState.ACTIVE
    assert desk.destination.next_due_at == due
    assert "Turn the digest on" not in resumed


def test_a_stopped_digest_is_turned_on_there(desk):
    stopped = desk.press(desk.client.get(desk.link("person")).text, "Stop the digest")
    desk.press(stopped, "Turn the digest on")

    assert desk.destination.state is DestinationState.ACTIVE


def test_a_zone_that_is_none_is_refused_in_words(desk):
    answer = desk.client.post(
        desk.link("person"), data={"day": "daily", "time": "07:30", "zone": "Mars/Olympus"}
    )

    assert answer.status_code == 400
    assert "Mars/Olympus" in text(answer.text)
    assert desk.destination.cadence == "weekly mon 09:00"


def test_a_topic_is_followed_there(desk):
    desk.client.post(desk.link("person"), data={"topic": "World Models"})

    assert "world-models" in desk.follows


def test_a_question_about_a_topic_is_answered_there_by_a_button(desk):
    asked = desk.client.post(desk.link("person"), data={"topic": "World Models, daily"})

    assert asked.status_code == 400
    assert 'value="World Models, daily"' in asked.text
    desk.press(asked.text, "Follow it")
    assert "world-models" in desk.follows


def test_a_silence_that_ends_before_the_digest_can_be_made_longer_there(desk):
    said = desk.client.post(desk.link("person"), data={"do": "mute all for 1h"}).text

    desk.press(said, "Keep it out of that one")
    (mute,) = desk.store.people.mutes(desk.subscriber)
    assert mute.until > desk.destination.next_due_at


def test_no_form_stands_where_only_words_may(desk):
    """What HTML forbids, browsers mend in their own ways: a form within a span."""
    desk.core.execute(Actor(ADA), 'mute "round robin" for 2w')
    save_all(desk)
    page = html.fromstring(desk.client.get(desk.link("person")).text)

    assert len(page.xpath("//li//form")) > 10
    assert not page.xpath("//span//form") + page.xpath("//p//form")
    assert all(page.xpath("//li//*[@class='doors']/@aria-label"))


def test_who_asks_in_words_to_be_forgotten_hears_of_the_button_of_their_page(desk):
    reply = desk.core.execute(Actor(ADA, operator=True), "erase")
    page = text(desk.client.get(desk.link("person")).text)

    assert "“Forget everything”" in text_of(reply.lines[1], "UTC")
    assert "Forget everything" in page


def test_everything_kept_can_be_taken_along(desk):
    answer = desk.client.get(f"{desk.link('person')}/export")

    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.json()["identities"] == ["email:ada@example.org"]


def test_erasing_asks_first_and_forgets_wholly(desk):
    link = desk.link("person")
    asked = desk.press(desk.client.get(link).text, "Forget everything")
    assert desk.subscriber

    forgotten = desk.press(asked, "Yes, forget everything")
    assert "forgotten" in text(forgotten)
    assert desk.subscriber == 0
    assert desk.client.get(link).status_code == 400
