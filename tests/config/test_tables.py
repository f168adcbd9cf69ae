"""What the tables of the file hold together, and what would leave somebody without a way."""

import pytest

from bot.config import ConfigError, load


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/api", "http://localhost/api",
                                 "http://[::1]:1/api"])  # fmt: skip
def test_a_server_of_ones_own_may_be_asked_without_a_pause(written, url):
    path = written(f'[arxiv]\napi_url = "{url}"\ndelay_s = 0')

    assert load(path).arxiv.delay_s == 0


@pytest.mark.parametrize(
    "url", ["https://export.arxiv.org/api", "http://127.evil.example/", "http://localhost.evil/"]
)
def test_arxiv_is_never_asked_faster_than_it_wishes(written, url):
    path = written(f'[arxiv]\napi_url = "{url}"\ndelay_s = 1')

    with pytest.raises(ConfigError, match=r"arxiv\.delay_s is 1, and arXiv asks for 3 seconds"):
        load(path)


@pytest.mark.parametrize(
    "address", ["https://x.org/papers", "http://intranet:80/a/b/", "http://x//a"]
)
def test_pages_below_a_path_of_another_site_would_lead_into_that_site(written, address):
    with pytest.raises(ConfigError, match=r"web\.address: “.+” has a path.+a host of their own"):
        load(written(f'[web]\naddress = "{address}"'))


def test_a_login_in_the_address_of_the_pages_would_stand_in_every_mail(written):
    with pytest.raises(ConfigError, match=r"“https://\*\*\*@x\.org” holds a login.+leave it out"):
        load(written('[web]\naddress = "https://me:hush@x.org"'))


@pytest.mark.parametrize("address", ["", "https://papers.example.org", "http://127.0.0.1:8460"])
@pytest.mark.parametrize("end", ["", "/"])
def test_a_whole_web_address_stands_as_it_is_but_for_its_last_slash(written, address, end):
    written_so = address + end if address else ""

    assert load(written(f'[web]\naddress = "{written_so}"')).web.address == address


@pytest.mark.parametrize(
    ("host", "asked"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("", "127.0.0.1")]
)
def test_a_service_that_listens_everywhere_is_asked_here(written, host, asked):
    web = load(written(f'[web]\nhost = "{host}"')).web

    assert web.local_url == f"http://{asked}:8460"


@pytest.mark.parametrize(
    "slack",
    ['bot_token = "xoxb-1"\napp_token = "xapp-1"',
     'bot_token = "xoxb-1"\nmode = "http"\nsigning_secret = "s"'],
)  # fmt: skip
def test_a_whole_slack_app_is_accepted(written, slack):
    assert load(written(f"[slack]\n{slack}")).slack.is_on


@pytest.mark.parametrize(
    ("slack", "sentence"),
    [
        ('bot_token = "xoxb-1"', "slack.app_token is empty"),
        ('client_id = "1.2"', "slack.app_token is empty"),
        ('bot_token = "xoxb-1"\nmode = "http"', "slack.signing_secret is empty"),
        ('client_id = "1.2"\napp_token = "xapp-1"', "slack.client_secret is empty"),
        ('client_id = "1.2"\nclient_secret = "s"\napp_token = "xapp-1"', "web.address is empty"),
    ],
)
def test_a_slack_app_that_nobody_could_reach_is_refused(written, slack, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(f"[slack]\n{slack}"))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("bot_token", "xapp-1-a", "slack.bot_token begins with xapp-, which is the other token"),
        ("app_token", "xoxb-1-a", "slack.app_token begins with xoxb-, which is the other token"),
    ],
)
def test_tokens_of_slack_that_were_swapped_are_named(written, key, value, sentence):
    with pytest.raises(ConfigError, match=sentence):
        load(written(f'[slack]\n{key} = "{value}"'))
