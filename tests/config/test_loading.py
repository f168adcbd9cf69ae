"""Where the configuration comes from, and which of its origins wins."""

import os
from pathlib import Path

import pytest

from bot import config
from bot.config import ConfigError, load

NOBODY = 65534


def test_without_any_file_the_defaults_hold():
    assert load().digest.cadence == "weekly mon 09:00"


@pytest.mark.parametrize("place", ["paperround.toml", "config/paperround.toml"])
def test_the_usual_places_are_looked_in(here, place):
    (here / place).parent.mkdir(exist_ok=True)
    (here / place).write_text("[web]\nport = 9000")

    assert load().web.port == 9000


def test_a_named_file_wins_over_the_usual_places(here, written, monkeypatch):
    (here / "paperround.toml").write_text("[web]\nport = 9000")
    monkeypatch.setenv("PAPERROUND_CONFIG", str(written("[web]\nport = 9001")))

    assert load().web.port == 9001


def test_the_environment_wins_over_the_file_and_a_secret_file_over_both(here, written, monkeypatch):
    path = written('[mail]\nhost = "a"\nusername = "u"\npassword = "from the file"')
    (here / "secret").write_text("from a secret file\n")
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "b")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))
    mail = load(path).mail

    assert (mail.host, mail.username) == ("b", "u")
    assert mail.password.get_secret_value() == "from a secret file"


def test_an_empty_variable_sets_nothing(written, monkeypatch):
    path = written('[mail]\nhost = "a"')
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "")
    monkeypatch.setenv("PAPERROUND_DATA", "")

    assert load(path).mail.host == "a"
    assert load(path).data == Path("paperround-data"), "not the folder that one is in"
    assert not config.overridden(path)


def test_a_key_of_the_file_that_a_variable_overrides_is_named(here, written, monkeypatch):
    path = written('[mail]\nhost = "a"\nport = 25\npassword = "x"\nown_returns = false')
    monkeypatch.setenv("PAPERROUND_MAIL__HOST", "b")
    monkeypatch.setenv("PAPERROUND_MAIL__PORT", "25")
    monkeypatch.setenv("PAPERROUND_MAIL__OWN_RETURNS", "false")
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD_FILE", str(here / "secret"))

    assert config.overridden(path) == {
        "mail.host": "PAPERROUND_MAIL__HOST",
        "mail.password": "PAPERROUND_MAIL__PASSWORD_FILE",
    }


def test_nothing_can_be_changed_afterwards():
    with pytest.raises(ValueError, match="frozen"):
        load().mail.host = "x"


def test_a_secret_is_shown_nowhere(written):
    path = written('[mail]\npassword = "hush-hush"')

    assert "hush-hush" not in repr(load(path))
    assert "hush-hush" not in str(load(path).model_dump())


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


def test_a_folder_in_the_place_of_the_file_is_not_overlooked(here):
    """Docker makes one where a file that is not there is mounted."""
    (here / "paperround.toml").mkdir()

    with pytest.raises(ConfigError, match=r"paperround\.toml cannot be read \(Is a directory\)"):
        load()


def test_a_file_of_another_user_is_not_said_to_be_missing(tmp_path):
    path = tmp_path / "paperround.toml"
    path.touch(mode=0)
    if os.getuid() == 0:  # who may read everything
        os.seteuid(NOBODY)
    try:
        with pytest.raises(ConfigError, match=r"Permission denied\); let the user who runs"):
            load(path)
    finally:
        os.seteuid(os.getuid())
