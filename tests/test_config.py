"""What an operator may set: read once, refused loudly, secrets from files and never shown."""

import os

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
        ("PAPERROUND_MAIL", "x", "the environment cannot be read"),
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
