"""The port of the pages: whom it believes, and how it treats those who dawdle."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import requests
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from bot import web
from bot.app.service import listening
from bot.config import Config, Web
from bot.web import people


async def told(request: Request) -> JSONResponse:
    """Who the pages believe is asking."""
    body = await request.body()
    assert request.client
    return JSONResponse([request.client.host, request.url.scheme, len(body)])


def told_app() -> Starlette:
    return Starlette(routes=[Route("/", told, methods=["GET", "POST"])])


@contextmanager
def served(
    *proxies: str, app: ASGIApp | None = None, host: str = "127.0.0.1"
) -> Iterator[tuple[str, int]]:
    server = listening.server(app or told_app(), proxies)
    bound = listening.listener(host, 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield bound.getsockname()
    finally:
        server.should_exit = True
        thread.join()


def ask(at: tuple[str, int], **headers: str) -> list:
    return requests.get(f"http://{at[0]}:{at[1]}/", headers=headers, timeout=60).json()


@pytest.fixture
def begun() -> Iterator[Callable[..., socket.socket]]:
    """Makes connections that have begun a request and go no further."""
    made = []

    def begin(at: tuple[str, int], said: bytes = b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "):
        made.append(socket.create_connection(at, timeout=60))
        made[-1].sendall(said)
        return made[-1]

    yield begin
    for each in made:
        each.close()


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def trickles(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"a")
    except OSError:
        return False
    return True


FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}


def test_a_named_proxy_is_believed():
    with served("127.0.0.0/8") as at:
        assert ask(at, **FORWARDED) == ["203.0.113.7", "https", 0]


def test_a_named_network_is_believed_with_the_bits_of_a_host_in_it():
    with served("127.0.0.5/8") as at:
        assert ask(at, **FORWARDED) == ["203.0.113.7", "https", 0]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 on this machine")
def test_who_listens_on_both_believes_a_proxy_of_ipv4():
    with served("127.0.0.0/8", host="::") as at:
        assert ask(("127.0.0.1", at[1]), **FORWARDED) == ["203.0.113.7", "https", 0]


def test_nobody_but_a_named_proxy_is_believed(monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    with served("192.0.2.1") as at:
        assert ask(at, **FORWARDED) == ["127.0.0.1", "http", 0]


@pytest.mark.parametrize(
    ("web", "believed"),
    [
        (Web(), ()),
        (Web(address="http://127.0.0.1:8460"), ()),
        (Web(address="https://papers.example.org"), ("127.0.0.0/8", "::1/128")),
        (Web(address="https://papers.example.org", proxies=("10.0.0.9",)), ("10.0.0.9",)),
    ],
)
def test_where_others_are_served_a_proxy_is_here_unless_it_is_named(web, believed):
    assert web.trusted_proxies == believed


def test_proxies_are_addresses_or_networks(monkeypatch):
    monkeypatch.setenv("PAPERROUND_WEB__PROXIES", "10.0.0.9, 192.168.0.0/16")
    assert Config().web.proxies == ("10.0.0.9", "192.168.0.0/16")
    with pytest.raises(ValueError, match="proxy"):
        Web(proxies=("proxy.example",))


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost:",
    ],
)
def test_a_request_that_does_not_arrive_is_given_up(begun, monkeypatch, said):
    monkeypatch.setattr(listening, "ARRIVES_S", 0.3)
    with served() as at:
        slow = begun(at, said)
        while slow.recv(4096):  # the answer to a first, whole one
            if not said.startswith(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
                break
        assert is_closed(slow)


def test_a_trickle_does_not_prolong_it(begun, monkeypatch):
    monkeypatch.setattr(listening, "ARRIVES_S", 0.5)
    with served() as at:
        slow, began = begun(at), time.monotonic()
        while trickles(slow) and time.monotonic() - began < 20:
            time.sleep(0.05)
        assert time.monotonic() - began < 10


def test_newcomers_are_answered_while_hundreds_dawdle(begun, monkeypatch, caplog):
    monkeypatch.setattr(listening, "MOST", 20)
    with served() as at:
        slow = [begun(at) for _ in range(200)]
        assert ask(at) == ["127.0.0.1", "http", 0]
        assert sum(is_closed(each) for each in slow[:150]) == 150
    assert caplog.records == []


def test_a_form_that_breaks_off_is_no_fault_of_ours(begun, rooms, caplog):
    app = web.create(rooms.core, routes=people.routes(rooms.core))
    with served(app=app) as at:
        begun(
            at,
            b"POST /join HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\naddress=",
        ).close()
        time.sleep(0.3)

    assert caplog.records == []
