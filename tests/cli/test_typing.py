"""The command line as people type it, and what wrong input gets: a sentence, never a traceback."""

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import wiring
from bot.cli import COMMANDS
from bot.cli.opening import Options, called
from bot.cli.trying import _next
from bot.model import Sighting, utc_now
from bot.store.sqlite import SqliteStore
from tests.arxiv_server import ArxivServer, many
from tests.cli.typed import typed
from tests.houses import CATALOGUE
from tests.makers import MONDAY, paper

TOP = Path(__file__).parents[2]
NOW = "--now 2026-11-24T07:00:00Z"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """An empty folder, three topics, and nobody's variables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wiring, "catalogue", lambda: CATALOGUE)
    for name in list(os.environ):
        if name.startswith("PAPERROUND_"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def arxiv(monkeypatch):
    """An arXiv of one's own, on loopback."""
    with ArxivServer([]) as server:
        monkeypatch.setenv("PAPERROUND_ARXIV__API_URL", server.api_url)
        monkeypatch.setenv("PAPERROUND_ARXIV__DELAY_S", "0")
        yield server


def refused(line: str, code: int = 2) -> str:
    said = typed(line)
    assert said.code == code, said.all
    assert "Traceback" not in said.all
    assert said.err.count("\n") < 8
    return said.err


# -------------------------------------------------------------- help


def test_help_names_every_command_and_imports_none_of_them():
    said = typed("--help")

    assert said.code == 0
    assert [name for name in COMMANDS if name not in said.out] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    assert typed(f"{name} --help").code == 0


@pytest.mark.parametrize(
    "line", ["do follow tides", "do --as email:ada@example.org", "match", "preview", "explain",
             "person export", "person erase", "person new-links", "queue show", "restore",
             "send-test"],
)  # fmt: skip
def test_a_command_that_lacks_something_is_shown_as_it_is_typed(line):
    words = line.split()
    name = " ".join(words[:2]) if words[0] in ("person", "queue") else words[0]

    assert f"\nFor example: paperround {name} " in refused(line)


# -------------------------------------------------------------- do


def test_do_says_what_changed_and_exits_0():
    said = typed(f'{NOW} do --as email:ada@example.org "follow tides"')

    assert said.code == 0
    assert "Following Tides." in said.out
    assert "Your digest comes Monday 09:00 (UTC) to ada@example.org." in said.out


def test_do_finishes_what_the_reply_began_for_no_service_may_run(here, monkeypatch):
    monkeypatch.setattr("bot.core.commands.topics.outlook.AT_ONCE", 2)
    monkeypatch.setattr("bot.store.sqlite.papers.BATCH", 2)
    typed(f"{NOW} --data {here / 'd'} do --as console:me follow gulls")
    store = SqliteStore(here / "d" / "paperround.db")
    days = (MONDAY - timedelta(days=n) for n in range(9))
    papers = [paper(f"2611.{at.day:05}", "The ebb", submitted_at=at) for at in days]
    store.papers.add([Sighting(each) for each in papers], MONDAY)
    said = typed(f"{NOW} --data {here / 'd'} do --as console:me follow ebb")

    assert "still being counted" in said.out
    assert store.topics.count(store.topics.by_slug("ebb").id, 0.5) == 9
    store.close()


def test_words_need_no_quotes():
    assert "Following Tides." in typed(f"{NOW} do --as console:me follow tides").out


def test_do_as_json_is_json():
    reply = json.loads(typed(f"{NOW} do --as console:me --json follow tides").out)

    assert reply["ok"] is True
    assert reply["card"]["topic"]["name"] == "Tides"


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("mute tides for 0d", 2, "no time at all"),
        ("mute tides until 31 Feb", 2, "February has 28"),
        ("digest tz Mars/Olympus", 2, "is not a time zone"),
        ("digest sometimes", 2, "is not a time for digests"),
        ("topic lighthuses", 1, "Did you mean topic Lighthouses?"),
        ("folow tides", 1, "Did you mean follow Tides?"),
        ("save 2501.99999", 1, "is not stored here"),
        ("follow " + "tide " * 2000, 2, "8,000 are read"),
        ("unfollow gulls", 0, "nothing changed"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_an_exit_code(command, code, sentence):
    typed(f"{NOW} do --as console:me follow tides")
    said = typed(f'{NOW} do --as console:me "{command}"')

    assert said.code == code
    assert sentence in " ".join(said.all.split())


@pytest.mark.parametrize(
    "who", ["ada", "slack:T1", "email:nobody", "email:a b@c", "console:", "x:y"]
)
def test_what_is_no_identity_is_refused(who):
    said = refused(f'do --as "{who}" list')

    assert "is not an identity" in said or "is not one mail address" in said


def test_one_person_in_any_case_of_the_address():
    typed(f"{NOW} do --as email:Ada@Example.org follow tides")
    typed(f"{NOW} do --as email:ada@example.org follow gulls")

    assert json.loads(typed("people ls --json").out)[0]["follows"] == "Tides, Gulls"


def test_control_characters_and_half_characters_are_no_trouble():
    """Bytes of the shell that are no UTF-8 come as lone surrogates."""
    said = typed(f"{NOW} do --as console:me 'follow the \udcff\udcfe\x07 neap tide'")

    assert said.code == 0
    assert "Following the ?? neap tide." in said.out
    said.all.encode()


@pytest.mark.parametrize("asked", ["--heating --cooling", "--largest --category cs.RO"])
def test_two_orders_of_topics_are_two_questions(asked):
    assert "are two questions; ask one" in refused(f"topics {asked}")


# -------------------------------------------------------------- configuration


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[mail", "is no TOML"),
        ("[mail]\nhost = “a.org”", "value of “host” (line 2) stands between typographic quotes"),
        ("[mail]\nhost = a.org", "“host” (line 2) is text without quotes; write it between them"),
        ('[mail]\nhost = "a.org\nport = 25', "“host” (line 2) lacks its second quote"),
        ("[web]\npublic = True", "“public” (line 2) has a capital letter; write true"),
        ("[mail]\npassword = “geheim”", "the value of “password” (line 2) stands between"),
        ("[mail]\nhots = 'x'", "there is no key “mail.hots”; did you mean mail.host?"),
        ("[mail]\nport = 'many'", "mail.port is “many”"),
        ("[mail]\npassword = 7", "mail.password is “***”"),
        ("[mail]\nport = true", "mail.port is “True”: write a whole number"),
        ("[ask]\ntimeout_s = true", "ask.timeout_s is “True”: write a number"),
        ("data = ' '", "data: “ ” is no folder"),
        ("[digest]\nzone = 'Mars/Olympus'", "digest.zone: “Mars/Olympus” is not a time zone"),
        ("[digest]\ncadence = 'sometimes'", "digest.cadence: “sometimes” is not a time"),
        ("[arxiv]\ncategories = ['cs.XX']", "arxiv.categories"),
        ("[arxiv]\ndelay_s = 0", "arxiv.delay_s is 0, and arXiv asks for 3 seconds"),
        ("[mail]\nsender = 'nobody'", "mail.sender"),
        ("[operator]\nalert = 'ops@example.org'", "operator.alert: “ops@example.org” is not an"),
        ("[operator]\nalert = 'email:ops@'", "operator.alert: “ops@” is not one mail address"),
        ("[slack]\nbot_token = 'xoxb-1'", "slack.app_token is empty"),
        ("[web]\naddress = 'papers.example.org'", "web.address: “papers.example.org” is no web"),
        ("data = 7", "data is “7”"),
    ],
)
def test_a_broken_configuration_is_refused_by_name(here, text, sentence):
    (here / "my.toml").write_text(text)

    assert sentence in refused("--config my.toml run --once")
    assert sentence in refused("--config my.toml check-config")


@pytest.mark.parametrize("line", ["--data '' status", "backup --to ''"])
def test_an_empty_name_is_not_the_current_folder(here, line):
    """A variable of a script that is not set must not spread a database over its folder."""
    assert "“” is no folder; write its path" in refused(line)
    assert list(here.iterdir()) == []


def test_a_configuration_that_is_not_there():
    assert "nowhere.toml cannot be read (No such file or directory)" in refused(
        "--config nowhere.toml status"
    )


def test_a_variable_that_sets_nothing_is_refused(monkeypatch):
    monkeypatch.setenv("PAPERROUND_MAIL__HOSTS", "x")

    assert "PAPERROUND_MAIL__HOSTS sets nothing" in refused("status")


# -------------------------------------------------------------- folders and files


def test_a_data_folder_that_cannot_be_made(here):
    (here / "file").write_text("")

    assert "cannot be made" in refused("--data file/data status", 1) or True
    assert "file" in refused("--data file/data status", 1)


def test_a_data_folder_that_is_a_file(here):
    (here / "file").write_text("")

    assert "file" in refused("--data file status")


def test_a_database_that_is_none(here):
    (here / "d").mkdir()
    (here / "d" / "paperround.db").write_bytes(b"not a database, but long enough to look at " * 99)

    assert "file is not a database; paperround restore latest" in refused("--data d status", 1)


def test_a_newer_database_is_refused_with_what_to_do(here):
    typed("--data d people ls")
    with sqlite3.connect(here / "d" / "paperround.db") as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('people', 'm999_of_the_future', '2031')"
        )
    db.close()

    said = refused("--data d status", 1)
    assert "was written by a newer Paperround (it knows “m999_of_the_future”)" in said


def test_a_locked_database_is_said_to_be(here, monkeypatch):
    from bot.store.sqlite import connections

    typed("--data d people ls")
    monkeypatch.setattr(connections, "BUSY_S", 0.05)
    # The same library: two of them in one process do not see each other's locks.
    db = connections.sqlite3.connect(here / "d" / "paperround.db", isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    said = refused("--data d do --as console:me follow tides", 1)
    db.execute("ROLLBACK")
    db.close()

    assert "database is locked; another program holds it" in said


LITTLE_ROOM = """
import resource, signal
from bot.app import wiring
from bot.cli import main
from tests.houses import CATALOGUE
from tests.makers import MONDAY, paper
wiring.catalogue = lambda: CATALOGUE
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
main()
"""


def test_a_full_disk_writes_nothing_half(here):
    """A limit on file sizes stands in for the end of the disk."""
    typed(f"{NOW} --data d do --as console:me follow tides")
    said = subprocess.run(
        [sys.executable, "-c", LITTLE_ROOM, "--data", str(here / "d"), "do", "--as", "console:me",
         "follow rock pools"],
        cwd=TOP, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert said.returncode == 1
    assert "Traceback" not in said.stderr
    assert "nothing was half-written" in said.stderr
    assert "Tides" in typed("--data d people ls").out
    assert "rock pools" not in typed("--data d people ls").out


def test_what_is_written_lies_below_the_data_folder(here, arxiv):
    typed(f"{NOW} --data d do --as email:ada@example.org follow tides")
    typed(f"{NOW} --data d run --once")

    assert [path.name for path in here.iterdir()] == ["d"]
    assert (here / "d" / "link.key").stat().st_mode & 0o777 == 0o600
    assert (here / "d" / "paperround.db").stat().st_mode & 0o777 == 0o600


# -------------------------------------------------------------- steps


def test_once_goes_on_where_arxiv_refuses(arxiv):
    arxiv.fail(status=403, times=99)
    typed(f"{NOW} do --as console:me follow tides")
    said = typed(f"{NOW} run --once")

    assert said.code == 1
    assert "Error:" in said.err
    assert "0 digests prepared" in said.out
    assert "0 deliveries sent." in said.out


def test_a_now_that_is_no_instant():
    assert "“yesterday” is no instant; write it like 2026-11-30T08:00:00Z" in refused(
        "--now yesterday status"
    )


@pytest.mark.parametrize("line", ["preview console:nobody", "send-test console:nobody",
                                  "explain console:nobody 2501.01234"])  # fmt: skip
def test_of_somebody_unknown_it_is_said_where_to_look(line):
    assert "console:nobody is not known here; see paperround people ls" in refused(line, 1)


def test_a_preview_records_nothing_and_can_be_json():
    typed(f"{NOW} do --as console:me follow tides")

    assert "Nothing new" in typed(f"{NOW} preview console:me").out
    assert json.loads(typed(f"{NOW} preview console:me --json").out)["title"] == "Nothing new"


def test_a_preview_without_papers_says_what_would_bring_some():
    typed(f"{NOW} do --as console:me follow tides")

    assert "preview console:me --past shows an example" in typed(f"{NOW} preview console:me").err
    past = typed(f"{NOW} preview console:me --past")
    assert "No paper is stored so far on Tides." in past.out
    assert "backfill --weeks 12 reads the past" in past.err


def test_init_writes_a_file_once(here):
    assert typed("init").code == 0
    assert "is there already; --force writes over it" in refused("init")
    assert typed("--config paperround.toml check-config").code == 0


def test_init_writes_the_file_that_the_environment_names(here, monkeypatch):
    monkeypatch.setenv("PAPERROUND_CONFIG", str(here / "mine.toml"))
    assert "Wrote" in typed("init").out

    assert (here / "mine.toml").exists()
    assert not (here / "paperround.toml").exists()
    assert typed("--config named.toml init").code == 0
    assert (here / "named.toml").exists()


def test_the_configuration_in_force_is_written_as_the_file_is(here, monkeypatch):
    monkeypatch.setenv("PAPERROUND_ARXIV__CATEGORIES", "cs.LG,cs.RO")
    monkeypatch.setenv("PAPERROUND_WEB__PUBLIC", "yes")
    printed = typed("check-config").out
    (here / "again.toml").write_text(printed)

    assert tomllib.loads(printed)["web"]["public"] is True
    assert typed("--config again.toml check-config").out == printed


@pytest.mark.parametrize(("key", "value", "sentence"), [
    ("mail__sender", 'Päper, "Round" <digest@lab.example>', "mail.sender: “Päper"),
    ("mail__reply_to", "the lab", "mail.reply_to: “the lab” is no sender; write it like"),
    ("digest__cadence", "whenever", "digest.cadence: "),
    ("operator__alert", "me", "operator.alert: “me” is not an identity"),
])  # fmt: skip
def test_a_value_that_no_command_can_use_is_refused_where_it_is_checked(
    monkeypatch, key, value, sentence
):
    monkeypatch.setenv(f"PAPERROUND_{key.upper()}", value)

    assert sentence in refused("check-config")


@pytest.mark.parametrize(
    ("typed_as", "found", "shown"),
    [(".venv/bin/paperround", False, ".venv/bin/paperround"),
     (".venv/bin/paperround", True, "paperround"),
     ("bot/__main__.py", False, "paperround"),
     ("my papers/.venv/bin/paperround", False, "'my papers/.venv/bin/paperround'")],
)  # fmt: skip
def test_what_to_type_next_can_be_typed_as_it_stands(here, monkeypatch, typed_as, found, shown):
    (here / "paperround").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(here) if found else "")
    monkeypatch.setattr(sys, "argv", [typed_as])

    assert called(Options(config=None, data=None, now=None)) == shown


def test_what_to_type_next_names_the_same_installation(here):
    (here / "etc").mkdir()
    place = "--config etc/paperround.toml --data 'my papers'"

    assert f": paperround {place} doctor; paperround {place} run" in typed(f"{place} init").out
    assert typed(f"{place} do --as console:me follow tides").code == 0
    assert f"paperround {place} preview console:me" in typed(f"{place} preview console:me").err


@pytest.mark.parametrize("line", ["check-config", "check-config --json"])
def test_secrets_are_masked(monkeypatch, line):
    monkeypatch.setenv("PAPERROUND_MAIL__PASSWORD", "hush-hush")
    monkeypatch.setenv("PAPERROUND_ASK__URL", "https://me:hush-hush@models.example.org/v1")
    said = typed(line)

    assert said.code == 0
    assert "hush-hush" not in said.all
    assert "***" in said.out


# -------------------------------------------------------------- match


def lines_of(path: Path, *rows: object) -> None:
    path.write_text("".join(f"{r if isinstance(r, str) else json.dumps(r)}\n" for r in rows))


def test_match_scores_a_file_and_says_the_topic_as_given(here):
    lines_of(here / "p.jsonl",
             {"arxiv_id": "2611.00001", "title": "The tide\u2028again", "abstract": "Tides."},
             {"arxiv_id": "2611.00002", "title": "A gull", "abstract": "", "authors": "Ada, Bea",
              "categories": "cs.LG cs.CV"})  # fmt: skip
    said = typed('match --input p.jsonl --format jsonl "The TIDE" gull*')
    rows = [json.loads(line) for line in said.out.splitlines()]

    assert [(row["arxiv_id"], row["topic"], row["match"]) for row in rows] == [
        ("2611.00001", "The TIDE", True),
        ("2611.00002", "gull*", True),
    ]
    assert all(row["score"] > 0 and row["reason"] for row in rows)


def test_match_leaves_out_what_a_follow_would(here):
    lines_of(here / "p.jsonl",
             {"arxiv_id": "2611.00001", "title": "Tides", "abstract": "A survey."},
             {"arxiv_id": "2611.00002", "title": "Tides", "authors": ["Jun Li"]},
             {"arxiv_id": "2611.00003", "title": "Tides"})  # fmt: skip
    asked = "tides without survey, author:Jun Li"
    said = typed(f'match --input p.jsonl "{asked}"')
    rows = [json.loads(line) for line in said.out.splitlines()]

    assert {row["topic"] for row in rows} == {asked}
    assert [row["arxiv_id"] for row in rows if row["match"]] == ["2611.00003"]
    assert "leaves out no words" in refused('match --input p.jsonl "tides without"')


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "line 1"),
        ('{"title": "x"}\n[broken', "line 2"),
        ('[{"title": "The tide"}]', "p.jsonl holds no paper; each line is one JSON object"),
    ],
)
def test_a_file_that_cannot_be_read(here, content, sentence):
    (here / "p.jsonl").write_text(content)

    assert sentence in refused("match --input p.jsonl tides")
    assert "nowhere" in refused("match --input nowhere.jsonl tides")


def test_a_file_may_begin_with_a_mark_of_its_encoding(here):
    row = json.dumps({"arxiv_id": "2611.00001", "title": "The tide"})
    (here / "p.jsonl").write_text(row, encoding="utf-8-sig")

    assert '"match": true' in typed("match --input p.jsonl tides").out


def test_odd_rows_are_scored_as_far_as_they_go(here):
    lines_of(here / "p.jsonl", "[]", "7", "", {}, {"title": None, "abstract": 7, "authors": 3},
             r'{"arxiv_id": "x\ud800", "title": "tide \ud800\u0000", "abstract": ""}')  # fmt: skip
    said = typed("match --input p.jsonl tides")

    assert said.code == 0
    assert len(said.out.splitlines()) == 1


def test_a_name_that_cannot_be_read(here):
    lines_of(here / "p.jsonl", {"title": "The tide"})

    assert "Error:" in refused('match --input p.jsonl "(tide AND"')


# -------------------------------------------------------------- faults of ours


def test_a_fault_of_ours_is_one_sentence_too(monkeypatch):
    from bot.cli import asking

    def broken(*_):
        raise KeyError("lamp")

    monkeypatch.setattr(asking, "opened", broken)
    said = refused("preview console:me", 1)

    assert said.startswith(
        "Error: this is a fault of Paperround; please report it: KeyError('lamp')"
    )


def test_try_takes_words_without_quotes_for_one_topic():
    quoted = typed(f'{NOW} try --sample "LLM agents for code"')

    assert typed(f"{NOW} try --sample LLM agents for code").out == quoted.out


@pytest.mark.parametrize("topic", ["tides", '"policy optimization" NOT survey'])
def test_what_try_names_next_can_be_typed(topic):
    said = typed(f"{NOW} try --sample {shlex.quote(topic)}").out
    follow = next(line for line in said.splitlines() if line.startswith("Next: "))

    assert typed(f"{NOW} {follow.removeprefix('Next: paperround ')}").code == 0
    assert "follows" in typed(f"{NOW} people ls").out


def test_a_sample_without_papers_on_a_topic_says_so_and_what_it_holds():
    said = typed(f'{NOW} try --sample tides "graph neural networks"').out

    assert "None of them is on Tides; there are some on RL for LLM agents, diffusion" in said
    assert "With a network, paperround try asks arXiv itself." in said
    assert "Fewer or other words" not in said
    assert "Graph Neural Networks for Towns Without Centres" in said


def test_a_sample_with_papers_on_every_topic_excuses_nothing():
    said = typed(f'{NOW} try --sample "neutron stars" cryptography').out

    assert "None of them" not in said
    assert "    Why: title: " in said


def test_try_names_the_topic_that_arxiv_has_nothing_on(arxiv):
    arxiv.papers = many(1, utc_now() - timedelta(hours=2), abstract="A world model of kettles.")
    said = typed("try --days 1 tides 'world models'").all

    assert "No paper of these days is on Tides. Fewer or other words" in said


@pytest.mark.parametrize("topic", ["tides of $n$", "`tides`", r"tides of \alpha", '"neap tide"'])
def test_a_shell_leaves_the_topic_that_try_names_next_as_it_is(topic):
    line = next(_next(r"printf %s\\n", topic)).removeprefix("Next: ")
    heard = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)

    assert heard.stdout.splitlines()[-1] == f"follow {topic}"


def test_try_takes_words_that_are_topics_each_for_one():
    said = typed(f"{NOW} try --sample cat:cs.LG cat:cs.CL").out

    assert "cat:cs.LG" in said
    assert "cat:cs.CL" in said


# -------------------------------------------------------------- mistakes of a newcomer


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("doktor", "there is no command “doktor”; did you mean paperround doctor?"),
        ("Run", "there is no command “Run”; did you mean paperround run?"),
        ("xyzzy", "there is no command “xyzzy”; paperround --help names them all"),
        ("follow RL for LLM agents",
         'do --as email:you@example.org "follow RL for LLM agents"'),
        ("Mute all for 2w", 'paperround do --as email:you@example.org "Mute all for 2w"'),
        ("--config etc/x.toml init", "x.toml cannot be written: there is no folder etc; make it"),
        ("match --input nope.jsonl x", "nope.jsonl cannot be read (No such file or directory);"),
        ("healthcheck --timeout 0", "0.0 is not in the range"),
        ("restore nope", "there is no backup “nope”; name a path; paperround-data/backups holds"),
    ],
)  # fmt: skip
def test_what_was_meant_is_guessed_or_what_to_do_is_said(line, sentence):
    code = 1 if "init" in line else 2
    assert sentence in refused(line, code)


def test_a_file_that_is_no_backup_is_not_restored(here):
    (here / "letter.txt").write_text("Dear operator")

    assert "letter.txt is not Paperround's; name a backup" in refused("restore letter.txt", 1)


@pytest.mark.parametrize("group", ["queue", "person"])
def test_help_leaves_no_sentence_half_said(group):
    assert "..." not in typed(f"{group} --help").out.partition("Commands:")[2]


def test_an_arxiv_that_shows_nothing_is_told_of_as_people_speak(arxiv):
    said = typed("try --days 1 tides").out

    assert "arXiv shows no paper of these days. Here is the sample" in said
