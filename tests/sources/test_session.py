"""Manners and judgement of the HTTP session.  Rows are those of the list of arXiv's faults."""

import socket
import ssl
import time
import zlib
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import trustme

from bot.model import utc_now
from bot.sources import SourceError, SourceFault
from bot.sources.limiter import PoliteLimiter
from bot.sources.session import Session
from bot.store.sqlite import open_store
from tests.arxiv_server import ArxivServer, atom, many
from tests.sources.conftest import HandClock, MakeSession, Turns

GOOD = atom(many(3, datetime(2026, 11, 20, tzinfo=UTC)), 3)


def fault_of(session: Session, arxiv: ArxivServer) -> SourceError:
    with pytest.raises(SourceError) as caught:
        session.get(arxiv.api_url, "feed")
    return caught.value


def test_a_good_answer_is_parsed_and_we_say_who_asks(session: Session, arxiv: ArxivServer):
    answer = session.get(arxiv.api_url, "feed")

    assert answer.document.tag.endswith("feed")
    assert "mailto:ops@example.org" in arxiv.requests[0].headers["User-Agent"]
    assert "gzip" in arxiv.requests[0].headers["Accept-Encoding"]


def test_row_1_a_429_stops_everything_after_one_request(
    session: Session, arxiv: ArxivServer, hand: HandClock
):
    arxiv.fail(status=429, body=b"Rate exceeded.", kind="text/plain")
    first = fault_of(session, arxiv)
    second = fault_of(session, arxiv)

    assert first.fault is second.fault is SourceFault.RATE_LIMITED
    assert 900 <= first.retry_after <= 990
    assert len(arxiv.requests) == 1
    assert hand.slept == []


def test_row_1_each_further_429_doubles_the_pause_up_to_two_hours(
    session: Session, arxiv: ArxivServer, hand: HandClock
):
    arxiv.fail(status=429, times=9)
    pauses = []
    for _ in range(5):
        pauses.append(fault_of(session, arxiv).retry_after)
        hand.forward(pauses[-1])

    assert [round(p / 900) for p in pauses[:3]] == [1, 2, 4]
    assert all(7200 <= p <= 7920 for p in pauses[3:])


def test_a_good_answer_makes_the_next_pause_a_short_one(
    session: Session, arxiv: ArxivServer, hand: HandClock, turns: Turns
):
    arxiv.fail(status=429, times=2)
    for _ in range(2):
        hand.forward(fault_of(session, arxiv).retry_after)
    session.get(arxiv.api_url, "feed")

    assert turns.pauses("arxiv.org") == 0


@pytest.mark.parametrize(
    ("header", "at_least", "at_most"),
    [
        ("30", 900, 990),
        ("5400", 5400, 5400),
        ("999999", 21_600, 21_600),
        ("soon", 900, 990),
        ("²", 900, 990),
    ],
)
def test_row_2_retry_after_in_seconds_counts_where_it_is_longer_than_ours(
    session: Session, arxiv: ArxivServer, header: str, at_least: int, at_most: int
):
    arxiv.fail(status=429, headers={"Retry-After": header})

    assert at_least <= fault_of(session, arxiv).retry_after <= at_most


@pytest.mark.parametrize("said", ["soon", "-5", "Mon, 1 Jan 99999999999 00:00:00 GMT"])
def test_row_2_a_retry_after_that_says_nothing_is_none(
    session: Session, arxiv: ArxivServer, said: str
):
    arxiv.fail(status=429, headers={"Retry-After": said})

    assert 900 <= fault_of(session, arxiv).retry_after < 1000


def test_row_2_retry_after_may_be_a_date(session: Session, arxiv: ArxivServer, hand: HandClock):
    until = datetime.fromtimestamp(hand.epoch, UTC) + timedelta(hours=3)
    arxiv.fail(status=429, headers={"Retry-After": f"{until:%a, %d %b %Y %H:%M:%S GMT}"})

    assert 10_700 <= fault_of(session, arxiv).retry_after <= 10_800


def test_row_3_two_503s_are_waited_out(session: Session, arxiv: ArxivServer, hand: HandClock):
    arxiv.fail(status=503, times=2)
    session.get(arxiv.api_url, "feed")

    assert len(arxiv.requests) == 3
    rests = [s for s in hand.slept if s > 5]
    assert 10 <= rests[0] <= 12.5
    assert 30 <= rests[1] <= 37.5


def test_row_3_four_503s_are_a_passing_failure(session: Session, arxiv: ArxivServer):
    arxiv.fail(status=503, times=9)
    trouble = fault_of(session, arxiv)

    assert trouble.fault is SourceFault.TRANSIENT
    assert str(trouble) == "arXiv answered 503"
    assert len(arxiv.requests) == 4


def test_a_503_that_names_a_long_time_pauses_everyone(
    session: Session, arxiv: ArxivServer, turns: Turns, hand: HandClock
):
    arxiv.fail(status=503, headers={"Retry-After": "3600"})
    fault_of(session, arxiv)

    assert turns.until - hand.epoch == 3600
    assert len(arxiv.requests) == 1


def test_what_is_wrong_with_the_network_is_said(make_session: MakeSession, arxiv: ArxivServer):
    session = make_session(timeout=(1.0, 0.2))
    arxiv.fail(silent_s=0.6, times=9)
    with pytest.raises(SourceError, match="arXiv was silent for"):
        session.get(arxiv.api_url, "feed", tries=1)

    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with pytest.raises(SourceError, match=r"cannot be reached \(connection refused"):
        session.get(f"http://127.0.0.1:{port}/api/query", "feed", tries=1)


def test_rows_4_to_6_a_silent_peer_costs_a_timeout_and_a_fresh_connection(
    make_session: MakeSession, arxiv: ArxivServer
):
    session = make_session(timeout=(5.0, 1.5))
    session.get(arxiv.api_url, "feed")
    arxiv.fail(silent_s=2.0)
    session.get(arxiv.api_url, "feed")

    assert len(arxiv.requests) == 3


def test_row_7_a_body_that_never_ends_meets_the_deadline(
    make_session: MakeSession, arxiv: ArxivServer
):
    session = make_session(timeout=(5.0, 2.0), deadline_s=0.1)
    arxiv.fail(drip=True, times=9)
    with pytest.raises(SourceError, match="took longer"):
        session.get(arxiv.api_url, "feed", tries=1)


@pytest.mark.parametrize("part", ["head", "body"])
def test_row_7_a_peer_that_is_never_silent_for_long_meets_the_deadline(
    make_session: MakeSession, arxiv: ArxivServer, part: str
):
    session = make_session(timeout=(5.0, 2.0), deadline_s=0.4)
    arxiv.fail(trickle=part, times=9)
    began = time.monotonic()
    with pytest.raises(SourceError, match="took longer"):
        session.get(arxiv.api_url, "feed", tries=1)

    assert time.monotonic() - began < 10
    arxiv.faults.clear()
    assert session.get(arxiv.api_url, "feed", tries=1).root is not None


def test_row_8_a_reset_is_tried_again_with_a_rest(
    session: Session, arxiv: ArxivServer, hand: HandClock
):
    arxiv.fail(reset=True, times=3)
    session.get(arxiv.api_url, "feed")

    assert len(arxiv.requests) == 4
    assert sum(hand.slept) > 130


def test_row_9_a_short_body_is_read_again(session: Session, arxiv: ArxivServer):
    arxiv.fail(short=True)
    session.get(arxiv.api_url, "feed")

    assert len(arxiv.requests) == 2


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.995])
def test_rows_10_and_11_a_feed_cut_off_is_never_read(
    session: Session, arxiv: ArxivServer, kept: float
):
    body = GOOD.encode()
    arxiv.fail(body=body[: int(len(body) * kept)], times=9)

    assert "cut off" in str(fault_of(session, arxiv))


def test_row_27_too_many_requests_in_json_is_a_429(session: Session, arxiv: ArxivServer):
    arxiv.fail(body=b'{"error": "Too Many Requests"}', kind="application/json")

    assert fault_of(session, arxiv).fault is SourceFault.RATE_LIMITED


def test_row_27_rate_exceeded_in_plain_text_is_a_429(session: Session, arxiv: ArxivServer):
    arxiv.fail(body=b"Rate exceeded.", kind="text/plain")

    assert fault_of(session, arxiv).fault is SourceFault.RATE_LIMITED
    assert len(arxiv.requests) == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"<html><body>Are you human?</body></html>", "text/html"),
        (b"<html><body>Maintenance</body></html>", "application/xhtml+xml"),
        (b"<rss/>", "application/xml"),
        (b"down", "text/plain"),
    ],
)
def test_row_28_another_kind_of_page_is_no_success(
    session: Session, arxiv: ArxivServer, body: bytes, kind: str
):
    arxiv.fail(body=body, kind=kind, times=9)

    assert fault_of(session, arxiv).fault is SourceFault.TRANSIENT


def test_row_29_an_empty_body_is_no_success(session: Session, arxiv: ArxivServer):
    arxiv.fail(body=b"", times=9)

    assert "empty" in str(fault_of(session, arxiv))


def test_row_30_a_403_closes_the_door_for_a_day(
    session: Session, arxiv: ArxivServer, hand: HandClock
):
    arxiv.fail(status=403, body=b"Access Denied", kind="text/html")
    trouble = fault_of(session, arxiv)
    hand.forward(86_000)
    later = fault_of(session, arxiv)
    hand.forward(500)
    session.get(arxiv.api_url, "feed")

    assert trouble.fault is later.fault is SourceFault.BLOCKED
    assert len(arxiv.requests) == 2


def test_a_400_is_not_tried_again_and_says_what_arxiv_said(session: Session, arxiv: ArxivServer):
    arxiv.fail(status=400, body=b"<feed><entry><summary>bad &amp; wrong</summary></entry></feed>")
    trouble = fault_of(session, arxiv)

    assert trouble.fault is SourceFault.PERMANENT
    assert str(trouble) == "arXiv answered 400: bad & wrong"
    assert len(arxiv.requests) == 1


def test_row_35_illegal_characters_are_taken_out_once(session: Session, arxiv: ArxivServer):
    broken = GOOD.encode().replace(b"invented", b"inv\x00\xff\x0bented&#x1;")
    arxiv.fail(body=broken)
    answer = session.get(arxiv.api_url, "feed")

    assert answer.mended
    assert len(arxiv.requests) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_row_36_a_document_type_is_refused(session: Session, arxiv: ArxivServer, encoding: str):
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa">'
        '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><feed>&b;</feed>'
    )
    arxiv.fail(body=bomb.encode(encoding), times=9)

    assert "document type" in str(fault_of(session, arxiv))


def test_a_gigantic_answer_is_not_kept(make_session: MakeSession, arxiv: ArxivServer):
    session = make_session(max_bytes=1 << 16)
    bomb = zlib.compress(b" " * (1 << 20))
    arxiv.fail(body=bomb, headers={"Content-Encoding": "deflate"}, times=9)

    assert "larger than" in str(fault_of(session, arxiv))


def test_an_unchanged_feed_costs_nothing(session: Session, arxiv: ArxivServer):
    arxiv.fail(status=304, headers={"ETag": '"e1"'})
    answer = session.get(arxiv.api_url, "feed", etag='"e1"')

    assert answer.root is None
    assert arxiv.requests[0].headers["If-None-Match"] == '"e1"'


def test_an_unchanged_feed_that_nobody_had_is_no_answer(session: Session, arxiv: ArxivServer):
    arxiv.fail(status=304, times=9)

    assert fault_of(session, arxiv).fault is SourceFault.TRANSIENT


def test_every_redirection_waits_for_its_turn(
    session: Session, arxiv: ArxivServer, hand: HandClock
):
    arxiv.fail(status=301, headers={"Location": f"{arxiv.url}/rss/cs.LG"}, match="/api")
    session.get(arxiv.api_url, "rss")

    assert [request.path for request in arxiv.requests] == ["/api/query", "/rss/cs.LG"]
    assert sum(hand.slept) >= 3.5


@pytest.mark.parametrize(
    "place", ["/api/query", "http://[::1", f"http://{'a' * 70}.org/", "/\u00e9\u00ff", "file:///x"]
)
def test_a_redirection_that_leads_nowhere_is_a_lasting_failure(
    session: Session, arxiv: ArxivServer, place: str
):
    arxiv.fail(status=302, headers={"Location": place}, times=99)

    assert fault_of(session, arxiv).fault is SourceFault.PERMANENT
    with pytest.raises(SourceError, match="cannot be asked"):
        session.page(arxiv.api_url)


def test_no_redirection_leads_out_of_tls(
    session: Session, arxiv: ArxivServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "ca.pem"))

    with ArxivServer(tls=tls) as trusted:
        trusted.fail(status=301, headers={"Location": f"{arxiv.url}/api"}, times=99)
        with pytest.raises(SourceError, match="away from https"):
            session.get(trusted.api_url, "feed")
    assert arxiv.requests == []


def test_nobody_there_is_a_passing_failure(make_session: MakeSession):
    with pytest.raises(SourceError, match="cannot be reached") as caught:
        make_session().get("http://127.0.0.1:9/api/query", "feed", tries=1)

    assert caught.value.fault is SourceFault.TRANSIENT


def test_whoever_is_waited_for_has_one_try(make_session: MakeSession, arxiv: ArxivServer):
    arxiv.fail(status=503, times=9)
    with pytest.raises(SourceError):
        make_session(tries=1).get(arxiv.api_url, "feed", tries=8)

    assert len(arxiv.requests) == 1


def test_no_proxy_stands_between_us_and_this_machine(
    session: Session, arxiv: ArxivServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert session.get(arxiv.api_url, "feed").root is not None


@pytest.mark.parametrize(
    ("proxy", "said", "fault"),
    [
        ("http://127.0.0.1:9", "HTTPS_PROXY does not lead to arXiv", SourceFault.TRANSIENT),
        ("127.0.0.1:9", "HTTPS_PROXY does not lead to arXiv", SourceFault.TRANSIENT),
        ("nonsense://127.0.0.1:9", "name one as http://host:port", SourceFault.PERMANENT),
    ],
)
def test_a_proxy_that_does_not_lead_out_is_named(
    session: Session, monkeypatch: pytest.MonkeyPatch, proxy: str, said: str, fault: SourceFault
):
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    for name in ("https_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SourceError, match=said) as caught:
        session.get("https://arxiv.invalid/api/query", "feed", tries=1)

    assert caught.value.fault is fault


def test_a_wrong_address_is_a_lasting_one(session: Session):
    with pytest.raises(SourceError) as caught:
        session.get("htp://export.arxiv.org", "feed")

    assert caught.value.fault is SourceFault.PERMANENT


# ---------------------------------------------------------------------- the limiter


def test_requests_are_three_and_a_half_seconds_apart(limiter: PoliteLimiter, hand: HandClock):
    for _ in range(5):
        limiter.wait()

    assert len(hand.slept) == 4
    assert all(3.5 <= s <= 4.5 for s in hand.slept)


def test_row_52_a_clock_set_back_costs_no_hour(limiter: PoliteLimiter, hand: HandClock):
    limiter.wait()
    hand.epoch -= 3600
    limiter.wait()

    assert hand.slept[0] < 5


def test_a_clock_set_forward_gives_no_burst(limiter: PoliteLimiter, hand: HandClock):
    limiter.wait()
    hand.epoch += 3600
    limiter.wait()

    assert hand.slept[0] >= 3.5


def test_row_53_two_processes_share_one_queue(hand: HandClock, tmp_path: Path):
    both = [
        PoliteLimiter(
            open_store(tmp_path).turns,
            epoch=lambda: hand.epoch,
            monotonic=lambda: hand.steady,
            sleep=hand.sleep,
        )
        for _ in range(2)
    ]
    asked = []
    for n in range(6):
        both[n % 2].wait()
        asked.append(hand.epoch)

    assert all(later - earlier >= 3.5 for earlier, later in pairwise(asked))
    both[0].pause(900, "arXiv asked for fewer requests (429)")
    with pytest.raises(SourceError, match="15 minutes"):
        both[1].wait()


def test_a_pause_met_by_another_process_holds_for_us_too(
    limiter: PoliteLimiter, turns: Turns, hand: HandClock
):
    turns.pause("arxiv.org", hand.epoch + 900, "arXiv asked for fewer requests (429)")
    with pytest.raises(SourceError, match="asking again in 15 minutes"):
        limiter.wait()


def test_a_loopback_server_may_be_asked_without_spacing(turns: Turns, hand: HandClock):
    limiter = PoliteLimiter(
        turns, gap_s=0, epoch=lambda: hand.epoch, monotonic=lambda: hand.steady, sleep=hand.sleep
    )
    for _ in range(5):
        limiter.wait()

    assert hand.slept == []


@pytest.mark.parametrize("days", [-2000, -2, 2, 2000])
def test_while_our_clock_is_off_by_days_nothing_is_believed(days: int):
    off = timedelta(days=days)
    with ArxivServer(many(3, datetime(2026, 11, 20, tzinfo=UTC))) as arxiv:
        session = Session(
            PoliteLimiter(Turns(), gap_s=0.0),
            user_agent="tests",
            tries=1,
            doubted=lambda: utc_now() + off,
        )
        assert "clock of this machine" in str(fault_of(session, arxiv))
        assert session.clock_is_off

        session.doubted = utc_now
        session.get(arxiv.api_url, "feed")
        assert not session.clock_is_off
