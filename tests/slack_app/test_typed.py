"""Input as people really type it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.commands.papers.shelf import identifiers
from bot.slack_app import typed

WORDS = [
    ("follow “RL for LLM agents”", 'follow "RL for LLM agents"', "curly quotes"),
    ("follow „help wanted‟", 'follow "help wanted"', "low quotes"),
    ("follow «help wanted«", 'follow "help wanted"', "guillemets (PR 927)"),
    ("mute X — for 7d", "mute X -- for 7d", "em dash is two hyphens (errbot 1145)"),
    ("follow KV–cache", "follow KV-cache", "en dash"),
    ("follow Parkinson’s disease", "follow Parkinson's disease", "apostrophe (pager-me 45)"),
    ("follow ‘world models’", "follow 'world models'", "single quotes (salt 40653)"),
    ("mute\u00a0world\u00a0models", "mute world models", "NBSP"),
    ("mute\u2003world models", "mute world models", "em space"),
    ("\u200bmute\u200b X", "mute X", "zero width space"),
    ("\u200fmute X\u202e", "mute X", "direction marks"),
    ("mute\nX\r\nfor\t7d", "mute\nX\nfor 7d", "Shift+Enter"),
    ("follow X in <#C0123|general>", "follow X in <#C0123>", "conversation with its name"),
    ("follow X in <#C0123>", "follow X in <#C0123>", "conversation alone"),
    ("follow X in <#C0123|>", "follow X in <#C0123>", "private conversation without a name"),
    ("follow C# and F#", "follow C# and F#", "a sharp is no conversation (GH 1488)"),
    ("follow #foo", "follow #foo", "a hash tag is no conversation"),
    ("ask <@U1|ada>: why?", "ask @ada: why?", "person with a name (rota 18)"),
    ("ask <@W1ABC>", "ask @W1ABC", "person of a Grid"),
    ("follow <!channel>", "follow @channel", "ping"),
    ("follow <!here|here>", "follow @here", "ping with label"),
    ("follow <!subteam^S1|@ml-team>", "follow @ml-team", "user group"),
    ("until <!date^1795998383^{date}|14 Dec>", "until 14 Dec", "date"),
    (
        "save <https://arxiv.org/abs/2611.00001|arxiv.org/abs/2611.00001>",
        "save https://arxiv.org/abs/2611.00001",
        "link that Slack made",
    ),
    ("save <https://arxiv.org/abs/2611.00001>", "save https://arxiv.org/abs/2611.00001", "link"),
    (
        "save <https://arxiv.org/pdf/2611.00001v3.pdf|this one>",
        "save https://arxiv.org/pdf/2611.00001v3.pdf",
        "link with a person's words",
    ),
    ("follow <http://Node.js|Node.js>", "follow Node.js", "a word that looks like a host"),
    ("email <mailto:A+b@x.org|A+b@x.org>", "email A+b@x.org", "address"),
    ("email <mailto:a%2Bb@x.org?subject=x|a>", "email a+b@x.org", "address with a subject"),
    ("follow <tel:+4930|030>", "follow 030", "telephone"),
    ("follow R&amp;D", "follow R&D", "ampersand"),
    ("follow &lt;script&gt;", "follow <script>", "angle brackets"),
    ("follow &amp;lt;b&amp;gt;", "follow &lt;b&gt;", "entities are undone once"),
    ("follow :priority:", "follow :priority:", "emoji name (PR 1958)"),
    ("follow 🔥 models", "follow 🔥 models", "emoji"),
    ("follow C++", "follow C++", "plus signs"),
    ("follow *world models*", "follow world models", "bold, as copied from an answer"),
    ("*follow world models*", "follow world models", "all bold"),
    ("unmute _world models_ ~now~", "unmute world models now", "italic and struck out"),
    ("mute *_X_*, _*Y*_ for `7d`", "mute X, Y for 7d", "marks within marks"),
    ("&gt; follow X", "follow X", "quoted"),
    ("• World Models\n• X", "World Models\nX", "list items"),
    ("follow agent* AND (tool* OR model*)", "follow agent* AND (tool* OR model*)", "prefixes"),
    ("follow C*-algebras and a * b", "follow C*-algebras and a * b", "stars of mathematics"),
    ("email _x_@y.org", "email _x_@y.org", "underscores of an address"),
    ("follow snake_case and x_1", "follow snake_case and x_1", "underscores within words"),
    (r"follow $\alpha_s$", r"follow $\alpha_s$", "LaTeX"),
    ("follow Erdo\u030bs", "follow Erdős", "composed letters"),
    ("HELP", "HELP", "capitals stay"),
    ("", "", "empty"),
    ("   \u00a0 ", "", "only spaces"),
    ("/papers mute X", "mute X", "the command in a direct message"),
    ("`/papers mute X for 7d`", "mute X for 7d", "pasted as code"),
    ("```mute X\nfollow Y```", "mute X\nfollow Y", "a block of code"),
    ("```\nmute X for 7d\n```", "mute X for 7d", "a block of code by itself"),
    ("follow ```world models```", "follow world models", "words as a block of code"),
    ("/paperstack", "/paperstack", "another word"),
    ("a < b > c", "a < b > c", "loose brackets"),
    ("<https://[::1|x>", "x", "no address"),
    ("save arXiv:hep-th/9901001", "save arXiv:hep-th/9901001", "old identifier"),
    ("follow a\x00b", "follow a b", "NUL"),
    ("follow \ud800x", "follow x", "half a character"),
    ("follow wait…", "follow wait...", "dots"),
]


@pytest.mark.parametrize(
    ("raw", "meant"), [pytest.param(raw, meant, id=name) for raw, meant, name in WORDS]
)
def test_words_are_read_as_they_were_meant(raw, meant):
    assert typed.plain(raw) == meant


def test_eight_thousand_characters_take_no_time_and_more_is_cut():
    assert len(typed.plain("x" * 9_000)) == typed.LONGEST
    for nasty in ("<" * 8_000, "<@" * 4_000, "<a|" * 2_600, "&amp;" * 1_600, "`" * 8_000):
        typed.plain(nasty)


def test_a_mention_of_the_bot_is_not_part_of_the_words():
    assert typed.said_to("<@UBOT> mute X", "UBOT") == "mute X"
    assert typed.said_to("hey <@UBOT|papers>: tides", "UBOT") == "hey tides"
    assert typed.said_to("<@UBOT> ask <@UBOT>", "UBOT") == "ask @UBOT"
    assert typed.said_to("<@UBOT> <@UBOT> list", "UBOT") == "list"
    assert typed.said_to("list", "UBOT") == "list"
    assert typed.said_to("ask <@U2>", "") == "ask @U2"


@pytest.mark.parametrize(
    ("raw", "meant"),
    [
        ("hey <@UBOT>, Follow world models", "Follow world models"),
        ("Ada, <@UBOT>\nlist", "list"),
        ("follow world models <@UBOT>", "follow world models"),
        ("follow <@UBOT> mute", "follow mute"),
        ("could <@UBOT> tell us of world models?", "could tell us of world models?"),
        ("thanks <@UBOT>", "thanks"),
    ],
)
def test_in_the_middle_of_a_sentence_what_stands_behind_a_mention_is_meant(raw, meant):
    assert typed.said_to(raw, "UBOT") == meant


def test_names_the_conversations_it_mentions():
    assert typed.mentioned(typed.plain("follow X in <#C1|a> or <#G2> or <#C1>")) == ("C1", "G2")
    assert typed.mentioned("follow #general") == ()


@pytest.mark.parametrize(
    ("message", "ids"),
    [
        ("see <https://arxiv.org/abs/2611.00001>", ("2611.00001",)),
        ("<https://arxiv.org/pdf/2611.00001v3.pdf|pdf>, nice.", ("2611.00001",)),
        ("arXiv:2611.00001, arxiv:2611.00002.", ("2611.00001", "2611.00002")),
        ("<http://www.arxiv.org/abs/hep-th/9901001>", ("hep-th/9901001",)),
        ("https://arxiv.org/abs/math.GT/0611800", ("math/0611800",)),
        ("twice https://arxiv.org/abs/2611.00001 arXiv:2611.00001v2", ("2611.00001",)),
        ("<https://doi.org/10.48550/arXiv.2611.00001>", ("2611.00001",)),
        ("<https://huggingface.co/papers/2611.00001|x>", ("2611.00001",)),
        ("<https://alphaxiv.org/abs/2611.00001?a=b&amp;c=d>", ("2611.00001",)),
        ("<https://ar5iv.org/html/2611.00001>", ("2611.00001",)),
        ("<https://x.org/?u=https%3A%2F%2Farxiv.org%2Fabs%2F2611.00001>", ("2611.00001",)),
        ("by its number: 2611.00001", ("2611.00001",)),
        ("version 2611.0001 of nothing", ()),
        ("", ()),
    ],
)
def test_finds_the_papers_of_a_message(message, ids):
    assert typed.papers({"ts": "1795998383.000100", "text": message}) == ids


def test_finds_papers_in_blocks_and_attachments():
    link = {"type": "link", "url": "https://arxiv.org/abs/2611.00001"}
    unfurled = {"title_link": "https://doi.org/10.48550/arXiv.2611.00002"}
    message = {"text": "", "blocks": [{"elements": [{"elements": [link]}]}],
               "attachments": [unfurled]}  # fmt: skip

    assert typed.papers(message) == ("2611.00001", "2611.00002")


@pytest.mark.parametrize(
    "place",
    ["https://arxiv.org/abs/", "https://huggingface.co/papers/", "https://doi.org/10.48550/arXiv.",
     "arXiv:", ""],
)  # fmt: skip
def test_the_shortcut_finds_what_the_command_takes(place):
    assert typed.papers({"text": f"{place}2611.00001"}) == tuple(identifiers(f"{place}2611.00001"))


@given(st.text(max_size=300))
def test_any_text_becomes_plain_lines(raw):
    words = typed.plain(raw)

    assert words == "\n".join(" ".join(line.split()) for line in words.splitlines())
    words.encode()


@given(st.text(st.characters(exclude_characters="<>&", exclude_categories=["Cs"]), max_size=50))
def test_a_ping_becomes_text(inside):
    assert "<!" not in typed.plain(f"mute X <!{inside}> for 7d")
