"""What an operator may set: read once, refused loudly, secrets from files and never shown."""

import os
from pathlib import Path

import pytest

from bot import config
from bot.config import ConfigError, load


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in [each for each in os.environ if each.upper().startswith(config.PREFIX)]:
        monkeypatch.delenv(name)
    return tmp_path


def written(here, text: str):
    path = here / "some.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_file_the_defaults_hold():
    assert load().digest.cadence == "weekly mon 09:00"


def test_the_environment_wins_over_the_file_and_a_secret_file_over_both(here, monkeypatch):
    path = written(here, '[mail]\nhost = "a"\nusername = "u"\npassword = "from the file"')
    (here / "secret").write_text("from a secret file\n")
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "b")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))
    mail = load(path).mail

    assert (mail.host, mail.username) == ("b", "u")
    assert mail.password.get_secret_value() == "from a secret file"


def test_an_empty_variable_sets_nothing(here, monkeypatch):
    path = written(here, '[mail]\nhost = "a"')
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "")
    monkeypatch.setenv("PAPERROUND_DATA", "")

    assert load(path).mail.host == "a"
    assert load(path).data == Path("paperround-data"), "not the folder that one is in"
    assert not config.overridden(path)


def test_a_key_of_the_file_that_a_variable_overrides_is_named(here, monkeypatch):
    path = written(here, '[mail]\nhost = "a"\nport = 25\npassword = "x"\nown_returns = false')
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "b")
    monkeypatch.setenv("PAPERROUND_MAIL__PORT", "25")
    monkeypatch.setenv("PAPERROUND_MAIL__OWN_RETURNS", "false")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))

    assert config.overridden(path) == {
        "mail.host": "PAPERROUND_MAIL__HOST",
        "mail.password": "PAPERROUND_MAIL__PASSWORD_FILE",
    }


@pytest.mark.parametrize("place", ["paperround.toml", "config/paperround.toml"])
def test_the_usual_places_are_looked_in(here, place):
    (here / place).parent.mkdir(exist_ok=True)
    (here / place).write_text("[web]\nport = 9000")

    assert load().web.port == 9000


def test_a_named_file_wins_over_the_usual_places(here, monkeypatch):
    (here / "paperround.toml").write_text("[web]\nport = 9000")
    monkeypatch.setenv("PAPERROUND_CONFIG", str(written(here, "[web]\nport = 9001")))

    assert load().web.port == 9001


def test_lists_in_the_environment_are_parted_by_commas(monkeypatch):
    monkeypatch.setenv("PAPERROUND_ARXIV__CATEGORIES", "cs.LG, math.CO,")

    assert load().arxiv.categories == ("cs.LG", "math.CO")


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PAPERROUND_MAIL__HOSTS", "x", "PAPERROUND_MAIL__HOSTS sets nothing"),
        ("PAPERROUND_ARXIV__GAP", "x", "there is no key “arxiv.gap”"),
        ("PAPERROUND_BOGUS", "x", "there is no key “bogus”"),
        ("PAPERROUND_MAIL__PORT", "many", "PAPERROUND_MAIL__PORT: mail.port is “many”"),
        ("PAPERROUND_MAIL__TLS", "yes", "mail.tls is “yes”: input should be 'starttls'"),
        ("PAPERROUND_MAIL__PASSWORD_FILE", "/nowhere", "PAPERROUND_MAIL__PASSWORD_FILE names"),
        ("PAPERROUND_MAIL", "x", "PAPERROUND_MAIL is a table"),
        ("PAPERROUND_CONFIG", "/nowhere.toml", "/nowhere.toml cannot be read"),
    ],
)
def test_a_variable_that_is_wrong_is_named(monkeypatch, variable, value, sentence):
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigError) as refused:
        load()
    assert sentence in str(refused.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/api", "http://localhost/api",
                                 "http://[::1]:1/api"])  # fmt: skip
def test_a_server_of_ones_own_may_be_asked_without_a_pause(here, url):
    path = written(here, f'[arxiv]\napi_url = "{url}"\ndelay_s = 0')

    assert load(path).arxiv.delay_s == 0


@pytest.mark.parametrize(
    "url", ["https://export.arxiv.org/api", "http://127.evil.example/", "http://localhost.evil/"]
)
def test_arxiv_may_not(here, url):
    path = written(here, f'[arxiv]\napi_url = "{url}"\ndelay_s = 1')

    with pytest.raises(ConfigError, match=r"arxiv\.delay_s is 1, and arXiv asks for 3 seconds"):
        load(path)


def test_nothing_can_be_changed_afterwards():
    with pytest.raises(ValueError, match="frozen"):
        load().mail.host = "x"


def test_a_secret_is_shown_nowhere(here):
    path = written(here, '[mail]\npassword = "hush-hush"')

    assert "hush-hush" not in repr(load(path))
    assert "hush-hush" not in str(load(path).model_dump())


# -------------------------------------------------------------- what could not work


@pytest.mark.parametrize(
    "address",
    ["papers.example.org", "https://papers example.org", "https://", "ftp://papers.example.org",
     "https://papers.example.org/?a=b", "https://papers.example.org/#top", "https://[::1",
     "https://papers.example.org:port", "https://papers.example.org:99999"],
)  # fmt: skip
def test_a_web_address_without_its_scheme_would_leave_nobody_a_way_out(here, address):
    path = written(here, f'[web]\naddress = "{address}"')

    with pytest.raises(ConfigError, match=r"web\.address: “.+” is no web address"):
        load(path)


@pytest.mark.parametrize(
    "address", ["https://x.org/papers", "http://intranet:80/a/b/", "http://x//a"]
)
def test_pages_below_a_path_of_another_site_would_lead_into_that_site(here, address):
    with pytest.raises(ConfigError, match=r"web\.address: “.+” has a path.+a host of their own"):
        load(written(here, f'[web]\naddress = "{address}"'))


def test_a_login_in_the_address_of_the_pages_would_stand_in_every_mail(here):
    with pytest.raises(ConfigError, match=r"“https://\*\*\*@x\.org” holds a login.+leave it out"):
        load(written(here, '[web]\naddress = "https://me:hush@x.org"'))


@pytest.mark.parametrize("address", ["", "https://papers.example.org", "http://127.0.0.1:8460"])
@pytest.mark.parametrize("end", ["", "/"])
def test_a_whole_web_address_stands_as_it_is_but_for_its_last_slash(here, address, end):
    written_so = address + end if address else ""

    assert load(written(here, f'[web]\naddress = "{written_so}"')).web.address == address


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
def test_a_slack_app_that_nobody_could_reach_is_refused(here, slack, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(here, f"[slack]\n{slack}"))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    "slack",
    ['bot_token = "xoxb-1"\napp_token = "xapp-1"',
     'bot_token = "xoxb-1"\nmode = "http"\nsigning_secret = "s"'],
)  # fmt: skip
def test_a_whole_slack_app_is_accepted(here, slack):
    assert load(written(here, f"[slack]\n{slack}")).slack.is_on


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('data = "~nobody-of-that-name/x"', "is in nobody's home; write the whole path"),
        ("[digest]\nkeep_days = 99999999999", "digest.keep_days is “99999999999”: input should"),
        ("[arxiv]\ndelay_s = nan", "arxiv.delay_s is “nan”"),
        ('[web]\nwatchers = ["home"]', "web.watchers: “home” is no network; write it like 10."),
        ("[arxiv]\ncategories = [7]", "arxiv.categories is “7”: write it between quotes"),
        ("[arxiv]\ncategories = 7", "arxiv.categories is “7”: write a list"),
        ('[web]\npublic = "perhaps"', "web.public is “perhaps”: write true or false"),
        ('[web]\nport = "http"', "web.port is “http”: write a whole number"),
        ("[ask]\ndaily_tokens = -1", "ask.daily_tokens is “-1”: input should"),
        ('[arxiv]\napi_url = ""', "arxiv.api_url: “” is no web address; delete the line"),
        ('[slack]\napi_url = ""', "slack.api_url: “” is no web address; delete the line"),
        ('[slack]\napp_token = "xapp-1"', "slack.bot_token is empty, so Slack would stay off"),
        ('[slack]\nsigning_secret = "s"', "slack.bot_token is empty, so Slack would stay off"),
        ('data = ""', "data: “” is no folder"),
    ],
)
def test_what_would_break_later_is_refused_at_once(here, text, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(here, text))
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[mail]\nhost = "relay.example.org:587"', "mail.host: “relay.example.org:587” is no host"),
        ('[mail]\nhost = "smtp://relay.example.org"', "is no host; write its name or address"),
        ('[mail]\nhost = "[::1]:25"', "is no host"),
        ('[web]\nhost = "0.0.0.0:8460"', "web.host: “0.0.0.0:8460” is no host"),
        ('[arxiv]\ncontact = "ада@пример.рф"', "cannot be sent; write a mail address or page in A"),
        ('[arxiv]\ncontact = "a\\nb"', "cannot be sent"),
    ],
)
def test_what_no_socket_and_no_header_takes_is_refused_at_once(here, text, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(here, text))
    assert sentence in str(refused.value)


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_ipv6_host_may_stand_in_brackets_or_not(here, host):
    web = load(written(here, f'[web]\nhost = "{host}"')).web

    assert (web.host, web.local_url) == ("::1", "http://[::1]:8460")


@pytest.mark.parametrize(
    ("host", "asked"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("", "127.0.0.1")]
)
def test_a_service_that_listens_everywhere_is_asked_here(here, host, asked):
    web = load(written(here, f'[web]\nhost = "{host}"')).web

    assert web.local_url == f"http://{asked}:8460"


# -------------------------------------------------------------- where it is read from


def test_a_file_that_windows_marked_is_read(here, monkeypatch):
    path = here / "some.toml"
    path.write_bytes(b'\xef\xbb\xbf[mail]\r\nhost = "relay"\r\n')
    (here / "secret").write_bytes(b"\xef\xbb\xbfhush\r\n")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))
    mail = load(path).mail

    assert (mail.host, mail.password.get_secret_value()) == ("relay", "hush")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_in_another_encoding_is_said_to_be(here, encoding):
    path = here / "some.toml"
    path.write_bytes('[mail]\nsender = "Jürgen <a@b.org>"'.encode(encoding))

    with pytest.raises(ConfigError, match=r"some\.toml is not in UTF-8 .+; save it again, encoded"):
        load(path)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PAPERROUND_ARXIV__DELAY_S", "0", "PAPERROUND_ARXIV__DELAY_S: arxiv.delay_s is 0"),
        ("PAPERROUND_SLACK__BOT_TOKEN", "xapp-1", "PAPERROUND_SLACK__BOT_TOKEN: slack.bot_token"),
        ("PAPERROUND_MAIL", "relay", "PAPERROUND_MAIL is a table; unset it, and set its keys one"),
        ("PAPERROUND_DIGEST_FILE", "x", "the variable PAPERROUND_DIGEST_FILE sets nothing"),
        ("paperround_mail__password_file", "/no", "paperround_mail__password_file names “/no”"),
    ],
)
def test_the_variable_that_is_wrong_is_named_and_not_the_file(
    here, monkeypatch, name, value, sentence
):
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError) as refused:
        load(written(here, ""))
    assert str(refused.value).startswith(sentence)


def test_a_folder_in_the_place_of_the_file_is_not_overlooked(here):
    """Docker makes one where a file that is not there is mounted."""
    (here / "paperround.toml").mkdir()

    with pytest.raises(ConfigError, match=r"paperround\.toml cannot be read \(Is a directory\)"):
        load()


def test_a_secret_file_that_is_no_text_is_named_and_not_shown(here, monkeypatch):
    (here / "secret").write_bytes(b"hush\xff\xfe")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))

    with pytest.raises(ConfigError, match=r"PASSWORD_FILE names .*cannot be read \(it is no text"):
        load()


@pytest.mark.parametrize(
    "text",
    [
        '[[mail]]\npassword = "hush-hush"',
        'mail = "hush-hush"',
        '[mail]\npassword = ["hush-hush"]',
        '[mail]\nhost = {password = "hush-hush"}',
        '[ask]\nurl = "ftp://me:hush-hush@models.example.org"',
        '[ask]\nurl = ["hush-hush"]',
    ],
)
def test_a_password_in_the_wrong_place_is_not_repeated(here, text):
    with pytest.raises(ConfigError) as refused:
        load(written(here, text))
    assert "hush" not in str(refused.value)


def test_variables_of_kubernetes_for_a_service_of_our_name_are_not_ours(monkeypatch):
    for name, value in {
        "PAPERROUND_SERVICE_HOST": "10.0.0.9",
        "PAPERROUND_SERVICE_PORT": "8460",
        "PAPERROUND_SERVICE_PORT_HTTP": "8460",
        "PAPERROUND_PORT": "tcp://10.0.0.9:8460",
        "PAPERROUND_PORT_8460_TCP": "tcp://10.0.0.9:8460",
        "PAPERROUND_PORT_8460_TCP_PROTO": "tcp",
        "PAPERROUND_WEB_PORT": "tcp://10.0.0.9:8460",
    }.items():
        monkeypatch.setenv(name, value)

    assert load().web.port == 8460


def test_one_that_only_looks_like_them_is_refused(monkeypatch):
    monkeypatch.setenv("PAPERROUND_WEB_PORT", "9000")

    with pytest.raises(ConfigError, match=r"did you mean web\.port"):
        load()


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("bot_token", "xapp-1-a", "slack.bot_token begins with xapp-, which is the other token"),
        ("app_token", "xoxb-1-a", "slack.app_token begins with xoxb-, which is the other token"),
    ],
)
def test_tokens_of_slack_that_were_swapped_are_named(here, key, value, sentence):
    with pytest.raises(ConfigError, match=sentence):
        load(written(here, f'[slack]\n{key} = "{value}"'))
