"""Variables: each sets a key, or is refused; none is overlooked."""

import re

import pytest

from bot.config import ConfigError, load


@pytest.mark.parametrize(
    "written",
    ["cs.LG, math.CO,", '["cs.LG", "math.CO"]', "['cs.LG','math.CO',]", "[cs.LG,\n math.CO]",
     "cs.LG math.CO", "cs.LG; math.CO"],
)  # fmt: skip
def test_lists_in_the_environment_are_parted_as_people_part_them(monkeypatch, written):
    monkeypatch.setenv("PAPERROUND_ARXIV__CATEGORIES", written)

    assert load().arxiv.categories == ("cs.LG", "math.CO")


@pytest.mark.parametrize("password", ['"', "'a", 'a"b"', "\"a'"])
def test_a_secret_may_hold_quotes(monkeypatch, password):
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD", password)

    assert load().mail.password.get_secret_value() == password


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
        ("PAPERROUND_MAIL__HOST", '"relay"', "PAPERROUND_MAIL__HOST stands in quotes"),
        ("PAPERROUND_MAIL__PASSWORD", "'secret'", "PAPERROUND_MAIL__PASSWORD_FILE)"),
        ("PAPERROUND_DATA", '"/data"', "the value of PAPERROUND_DATA stands in quotes"),
        ("PAPERROUND_CONFIG", "/nowhere.toml", "/nowhere.toml cannot be read"),
    ],
)
def test_a_variable_that_is_wrong_is_named(monkeypatch, variable, value, sentence):
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigError) as refused:
        load()
    assert sentence in str(refused.value)


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
    written, monkeypatch, name, value, sentence
):
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError) as refused:
        load(written(""))
    assert str(refused.value).startswith(sentence)


def test_a_secret_file_that_is_no_text_is_named_and_not_shown(here, monkeypatch):
    (here / "secret").write_bytes(b"hush\xff\xfe")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))

    with pytest.raises(ConfigError, match=r"PASSWORD_FILE names .*cannot be read \(it is no text"):
        load()


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


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("PAPERROUND_WEB_PORT", "9000", "web.port"),
        ("PAPERROUND_WEB_ADDRESS", "https://papers.example.org", "web.address"),
    ],
)
def test_one_that_only_looks_like_them_is_refused(monkeypatch, name, value, meant):
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError, match=f"did you mean {re.escape(meant)}"):
        load()
