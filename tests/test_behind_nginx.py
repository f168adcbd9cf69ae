"""The pages behind a real nginx that is set up in the README's own words."""

import re
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import trustme
from requests.adapters import HTTPAdapter

from bot import web
from bot.app.service.clockwork import Service
from bot.app.service.vitals import Vitals
from bot.config import Web
from bot.model import DestinationState
from bot.web import health, people
from tests.app.house import ADA, follow, open_rooms
from tests.app.service.test_listening import served
from tests.channels.peers import free_port, needed, program_path, running

README = Path(__file__).parent.parent / "README.md"
HOST = "papers.example.org"
A_MINUTE = 30


class ToNginx(HTTPAdapter):
    """Speaks to loopback as if the host's name led there."""

    def __init__(self, port: int, bundle: Path) -> None:
        self._at = f"https://127.0.0.1:{port}"
        self._context = ssl.create_default_context(cafile=str(bundle))
        super().__init__()

    def init_poolmanager(self, *args, **kwargs):
        super().init_poolmanager(
            *args, ssl_context=self._context, server_hostname=HOST, assert_hostname=HOST, **kwargs
        )

    def send(self, request, **kwargs):
        request.url = request.url.replace(f"https://{HOST}", self._at, 1)
        request.headers["Host"] = HOST
        return super().send(request, **kwargs)


@pytest.fixture
def rooms(tmp_path, clock):
    rooms, _ = open_rooms(tmp_path / "data", clock, web=Web(address=f"https://{HOST}", public=True))
    yield rooms
    rooms.close()


@pytest.fixture
def visitor(rooms, tmp_path) -> Iterator[requests.Session]:
    """A browser before nginx, with the pages behind it."""
    needed("nginx", root=True)
    settings = rooms.config.web
    vitals = Vitals(rooms, Service(rooms), None)
    watched = health.routes(vitals, settings.watchers, settings.trusted_proxies)
    pages = [*people.routes(rooms.core), *watched]
    app = web.create(rooms.core, routes=pages, a_minute=A_MINUTE)
    with served(*settings.trusted_proxies, app=app) as (_, behind):
        port, bundle = free_port(), tmp_path / "authority.pem"
        written, log = _written(tmp_path, port, behind, bundle), tmp_path / "nginx.log"
        nginx = str(program_path("nginx"))
        with running(nginx, "-c", str(written), port=port, log=log), requests.Session() as session:
            session.mount(f"https://{HOST}", ToNginx(port, bundle))
            session.trust_env = False
            yield session


def test_a_page_comes_through_narrow_and_whole(visitor):
    page = visitor.get(f"https://{HOST}/")

    assert page.status_code == 200
    assert page.headers["Content-Encoding"] == "gzip"
    assert page.headers["Strict-Transport-Security"]
    marks = {"If-None-Match": page.headers["ETag"]}
    assert visitor.get(f"https://{HOST}/", headers=marks).status_code == 304
    head = visitor.head(f"https://{HOST}/")
    assert (head.status_code, head.content) == (200, b"")


def test_whoever_leaves_with_one_click_has_left(visitor, rooms):
    follow(rooms)
    (there,) = rooms.store.people.destinations(rooms.store.people.find(ADA))
    link = rooms.core.house.links.url("one-click", there.id, there.epoch)

    assert visitor.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    (there,) = rooms.store.people.destinations(there.subscriber_id)
    assert there.state is DestinationState.OFF


def test_figures_are_for_nobody_outside(visitor):
    assert visitor.get(f"https://{HOST}/metrics").status_code == 403
    assert visitor.get(f"https://{HOST}/healthz").json() == {"ok": True, "reason": ""}


def test_a_visitor_who_names_other_addresses_is_counted_as_one(visitor):
    answers = [
        visitor.get(
            f"https://{HOST}/robots.txt", headers={"X-Forwarded-For": f"9.9.9.{n}"}
        ).status_code
        for n in range(A_MINUTE + 1)
    ]

    assert answers == [200] * A_MINUTE + [429]


def _written(folder: Path, port: int, behind: int, bundle: Path) -> Path:
    """The README's server, on other ports and with a certificate of ours."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(bundle)
    issued = authority.issue_cert(HOST)
    issued.private_key_and_cert_chain_pem.write_to_path(folder / "papers.pem")
    blocks = re.findall(r"^```\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)
    server = next(block for block in blocks if "proxy_pass" in block)
    for said, here in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        (":8460", f":{behind}"),
        ("/etc/ssl/papers.key", str(folder / "papers.pem")),
        ("/etc/ssl/papers.pem", str(folder / "papers.pem")),
    ):
        assert said in server
        server = server.replace(said, here)
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/body;\n"
        f"proxy_temp_path {folder}/proxy;\n{server}}}\n"
    )
    return path
