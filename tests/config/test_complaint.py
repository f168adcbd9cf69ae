"""What is said of a wrong configuration: the key, the value, what to write; no password."""

import pytest

from bot.config import ConfigError, load


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('data = "~nobody-of-that-name/x"', "is in nobody's home; write the whole path"),
        ("[digest]\nkeep_days = 99999999999", "digest.keep_days is “99999999999”: input should"),
        ("[arxiv]\ndelay_s = nan", "arxiv.delay_s is “nan”"),
        ('[web]\nwatchers = ["home"]', "web.watchers: “home” is no network; write it like 10."),
        ("[arxiv]\nwindow_days = 3", "arxiv.window_days: “3” would leave out"),
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
def test_what_would_break_later_is_refused_at_once(written, text, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(text))
    assert sentence in str(refused.value)


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
def test_a_password_in_the_wrong_place_is_not_repeated(written, text):
    with pytest.raises(ConfigError) as refused:
        load(written(text))
    assert "hush" not in str(refused.value)
