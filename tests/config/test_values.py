"""What a value may be: refused at once where a socket, a header or a reader would stumble."""

import pytest

from bot.config import ConfigError, load


@pytest.mark.parametrize(
    "address",
    ["papers.example.org", "https://papers example.org", "https://", "ftp://papers.example.org",
     "https://papers.example.org/?a=b", "https://papers.example.org/#top", "https://[::1",
     "https://papers.example.org:port", "https://papers.example.org:99999"],
)  # fmt: skip
def test_a_web_address_without_its_scheme_would_leave_nobody_a_way_out(written, address):
    path = written(f'[web]\naddress = "{address}"')

    with pytest.raises(ConfigError, match=r"web\.address: “.+” is no web address"):
        load(path)


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_ipv6_host_may_stand_in_brackets_or_not(written, host):
    web = load(written(f'[web]\nhost = "{host}"')).web

    assert (web.host, web.local_url) == ("::1", "http://[::1]:8460")


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
def test_what_no_socket_and_no_header_takes_is_refused_at_once(written, text, sentence):
    with pytest.raises(ConfigError) as refused:
        load(written(text))
    assert sentence in str(refused.value)
