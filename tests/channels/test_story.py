"""From an address typed into a form to the last mail, as its reader lives it."""

import asyncio
import re
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from bot import web
from bot.core import Core
from bot.web import people
from tests.channels import days
from tests.channels.postman import announce, enrol, make_due, open_post_office
from tests.channels.smtp_server import SmtpServer
from tests.channels.test_email_bytes import read


class Reader:
    """Reads the mail that comes, and presses what stands in it."""

    def __init__(self, core: Core, server: SmtpServer) -> None:
        self.core, self.server = core, server
        app = web.create(core, routes=people.routes(core), follow_by_mail="/join")
        self.browser = TestClient(app, follow_redirects=False)

    async def mail(self) -> EmailMessage | None:
        """The mail that comes now, if one does."""
        before = len(self.server.bodies)
        self.core.prepare()
        await self.core.deliver("email")
        bodies = self.server.bodies[before:]
        return read(bodies[0].replace(b"\r\n..", b"\r\n.")) if bodies else None

    async def press(self, mail: EmailMessage, words: str) -> str:
        """Open the link of those words in the HTML part, and press the page's first button."""
        html = mail.get_body(("html",)).get_content()
        found = re.search(rf'href="([^"]+)"[^>]*>{re.escape(words)}<', html)
        assert found, words
        page = await self.get(urlsplit(found[1]).path)
        at = re.search(r'<form method="post" action="([^"]+)"', page)
        assert at
        return await self.post(at[1])

    async def get(self, path: str) -> str:
        return (await asyncio.to_thread(self.browser.get, path)).text

    async def post(self, path: str, **fields: str) -> str:
        answer = await asyncio.to_thread(self.browser.post, path, data=fields or None)
        assert answer.status_code == 200
        return answer.text


@pytest.fixture
async def reader(clock):
    clock.set(days.DUE)
    async with SmtpServer() as server:
        core = open_post_office(None, server.port, clock)
        enrol(core, 0)
        yield Reader(core, server)
        await core.house.channels["email"].close()
        core.house.store.close()


async def test_a_reader_joins_reads_mutes_and_leaves(reader, clock):
    await reader.post("/join", address="Ada@Example.org", topic="Language Agents")
    announce(reader.core, 2)
    make_due(reader.core)
    confirm = await reader.mail()
    assert confirm["Subject"].startswith("Confirm")
    assert confirm["To"] == "Ada@example.org"
    assert await reader.mail() is None  # and nothing else, until it is answered

    page = await reader.press(confirm, "Confirm")
    assert "Confirmed" in page

    announce(reader.core, 3)
    make_due(reader.core)
    first = await reader.mail()
    assert first["Subject"].endswith("Language Agents")
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

    page = await reader.press(first, "Mute for 2 weeks")
    assert "is muted until" in page
    announce(reader.core, 4)
    make_due(reader.core)
    assert await reader.mail() is None

    clock.forward(days=15)
    announce(reader.core, 1)
    make_due(reader.core)
    back = await reader.mail()
    assert "Language Agents is back. 4 passed while it was muted." in back.get_body().get_content()

    one_click = urlsplit(back["List-Unsubscribe"].strip("<>")).path
    await reader.get(one_click)
    announce(reader.core, 1)
    make_due(reader.core)
    assert await reader.mail() is not None  # looking at a link leaves nothing

    await reader.post(one_click, **{"List-Unsubscribe": "One-Click"})
    announce(reader.core, 5)
    make_due(reader.core)
    assert await reader.mail() is None
