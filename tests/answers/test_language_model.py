"""A language model that must cite, and is not believed."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from time import process_time

import pytest

from bot.answers.extractive import Extractive
from bot.answers.language_model import LanguageModel
from tests.answers.test_extractive import CACHE, LIBRARY, MAZE
from tests.fakes import FrozenClock

QUESTION = "How is the reward split among the steps?"


class Endpoint:
    """A real endpoint on loopback that says what it is told to, and remembers what it heard."""

    def __init__(self) -> None:
        self.says, self.status, self.raw, self.heard = "", 200, b"", []
        self.paths: list[str] = []
        self.refuses: tuple[str, ...] = ()  # what must not stand in a request
        outer = self

        class Talk(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                outer.heard.append((dict(self.headers), body))
                outer.paths.append(self.path)
                cut = body.get("max_tokens", 10_000) < len(outer.says)
                told = {
                    "choices": [
                        {
                            "message": {"content": outer.says[: body.get("max_tokens")]},
                            "finish_reason": "length" if cut else "stop",
                        }
                    ]
                }
                if refused := [each for each in outer.refuses if each in body]:
                    self.send_response(400)
                    self.end_headers()
                    self.wfile.write(f"Unsupported parameter: '{refused[0]}'".encode())
                    return
                self.send_response(outer.status)
                self.send_header("Location", "http://127.0.0.1:9/")
                self.end_headers()
                self.wfile.write(outer.raw or json.dumps(told).encode())

            def log_message(self, *_: object) -> None: ...

        self.server = HTTPServer(("127.0.0.1", 0), Talk)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@contextmanager
def _running() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    thread = threading.Thread(target=endpoint.server.serve_forever, args=(0.01,))
    thread.start()
    yield endpoint
    endpoint.server.shutdown()
    thread.join()
    endpoint.server.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with _running() as running:
        yield running


@pytest.fixture
def asked(endpoint, clock):
    model = LanguageModel(
        Extractive(), url=endpoint.url, model="any", key="k-123", timeout_s=5, clock=clock
    )

    def ask(says: str, question: str = QUESTION):
        endpoint.says = says
        return model.answer(question, LIBRARY)

    return ask


def test_prose_cites_the_quotes_by_number(asked):
    answer = asked("The reward is split by a critic [1]. It solves 98.4 % of the rooms.[1]")

    assert answer.prose == (
        "The reward is split by a critic. [1] It solves 98.4 % of the rooms. [1]"
    )
    assert answer.quotes[0][0] == MAZE


@pytest.mark.parametrize(
    "says",
    [
        "It is split evenly.",
        "It is split evenly [99].",
        "It is split evenly [0].",
        "It solves 99.9 % of the rooms [1].",
        "Read more at https://evil.example/ [1].",
        "See [this](evil) [1].",
        "NOTHING",
        "",
    ],
    ids=["uncited", "unknown", "zero", "invented figure", "link", "markdown", "nothing", "empty"],
)
def test_what_its_papers_do_not_support_is_dropped(asked, says):
    answer = asked(says)

    assert answer.prose == ""
    assert answer.quotes == Extractive().answer(QUESTION, LIBRARY).quotes
    assert "papers' own sentences" in answer.remark


def test_only_the_good_sentence_is_kept(asked):
    answer = asked("A critic splits it [1]. It won a prize in 1987 [1]. Everyone is happy.")

    assert answer.prose == "A critic splits it. [1]"


@pytest.mark.parametrize(
    ("says", "prose"),
    [
        ("<think>A critic? See [1].</think>\nA critic splits it [1].", "A critic splits it. [1]"),
        ("A critic? See [1].\n</think>\n\nA critic splits it [1].", "A critic splits it. [1]"),
        ("The critic's <think> tag is split [1].", "The critic's <think> tag is split. [1]"),
        ("**A critic** splits it [1].", "A critic splits it. [1]"),
        ("1. A critic splits it [1].\n2. It learns [1].", "A critic splits it. [1] It learns. [1]"),
        ("- A critic splits it [1].", "A critic splits it. [1]"),
        ("A critic splits it [1, 2].", "A critic splits it. [1][2]"),
    ],
    ids=["thoughts", "thoughts without a beginning", "a word of papers", "bold", "numbered",
         "list", "two at once"],
)  # fmt: skip
def test_what_models_put_around_an_answer_is_no_part_of_it(asked, says, prose):
    assert asked(says).prose == prose


@pytest.mark.parametrize("refused", [("max_tokens",), ("temperature", "max_tokens")])
def test_a_model_that_thinks_is_asked_as_it_wants_to_be_and_then_always(endpoint, asked, refused):
    endpoint.refuses = refused

    first, second = asked("A critic splits it [1]."), asked("A critic splits it [1].")

    assert first.prose == second.prose == "A critic splits it. [1]"
    assert len(endpoint.heard) == 3
    assert endpoint.heard[-1][1]["max_completion_tokens"] == 4_000


def test_a_model_that_ends_amid_its_thoughts_may_write_more(endpoint, asked):
    thoughts = "<think>" + "Perhaps it is a critic [1]. " * 40

    assert asked(thoughts + "</think> A critic splits it [1].").prose == "A critic splits it. [1]"
    assert len(endpoint.heard) == 2


@pytest.mark.parametrize("sign", ["\n", ",", " , ", "[1] ", "a. "])
def test_an_endpoint_that_sends_rows_of_signs_holds_nobody_up(endpoint, asked, sign):
    began, said = process_time(), f"A critic splits it [1]. And{sign * (400_000 // len(sign))}."
    endpoint.raw = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
    answer = asked("")

    assert answer.prose.startswith("A critic splits it. [1]")
    assert process_time() - began < 5


def test_why_a_model_did_not_answer_is_in_the_log(endpoint, asked, caplog):
    endpoint.status, endpoint.raw = 404, b'{"error": "model \'any\' not found"}'

    asked("whatever [1].")

    assert 'status 404 ({"error": "model \'any\' not found"})' in caplog.text


@pytest.mark.parametrize(
    ("status", "raw"),
    [
        (500, b""),
        (429, b""),
        (302, b""),
        (200, b"<html>"),
        (200, b'{"choices": []}'),
        (200, b"[]"),
        (200, b'"log in"'),
        (200, b"\xff"),
        (200, b"[" * 50_000),
    ],
)
def test_a_broken_endpoint_leaves_the_extractive_answer(endpoint, asked, status, raw):
    endpoint.status, endpoint.raw = status, raw

    answer = asked("whatever [1].")

    assert answer.quotes[0][0] == MAZE
    assert answer.remark == (
        "The language model did not answer; these are the papers' own sentences."
    )


def test_abstracts_travel_as_data_without_tools(endpoint, asked):
    asked("A critic splits it [1].")
    headers, body = endpoint.heard[0]

    assert headers["Authorization"] == "Bearer k-123"
    assert "tools" not in body
    told = json.loads(body["messages"][1]["content"])
    assert told["question"] == QUESTION
    assert told["abstracts"][0]["abstract"] == MAZE.abstract


@pytest.mark.parametrize("behind", ["", "/", "/chat/completions", "/chat/completions/"])
def test_an_address_may_be_the_base_or_the_whole(endpoint, clock, behind):
    model = LanguageModel(Extractive(), url=endpoint.url + behind, model="any", clock=clock)
    endpoint.says = "A critic splits it [1]."

    assert model.answer(QUESTION, LIBRARY).prose
    assert endpoint.paths == ["/v1/chat/completions"]


def test_a_question_that_nothing_answers_costs_nothing(endpoint, asked):
    assert not asked("x [1].", "What is the capital of Mongolia?").found
    assert endpoint.heard == []


def test_the_budget_is_kept_and_renewed_after_a_day(endpoint, clock: FrozenClock):
    model = LanguageModel(
        Extractive(), url=endpoint.url, model="any", daily_tokens=3_000, clock=clock
    )
    endpoint.says = "Memory falls [1]."
    asked = "How does memory fall when entries are evicted?"

    first = model.answer(asked, [CACHE, MAZE])
    for _ in range(6):
        second = model.answer(asked, [CACHE, MAZE])
    clock.forward(days=1)
    third = model.answer(asked, [CACHE, MAZE])

    assert first.prose
    assert third.prose
    assert second.prose == ""
    assert "budget" in second.remark


def test_strangers_leave_half_of_the_budget_to_those_who_are_known(endpoint, clock: FrozenClock):
    model = LanguageModel(
        Extractive(), url=endpoint.url, model="any", daily_tokens=3_000, clock=clock
    )
    endpoint.says = "Memory falls [1]."

    def prose(*, of_a_stranger: bool) -> list[str]:
        asked = ("How does memory fall when entries are evicted?", [CACHE, MAZE])
        answers = [model.answer(*asked, of_a_stranger=of_a_stranger) for _ in range(9)]
        return [each.prose for each in answers if each.prose]

    by_strangers, by_others = prose(of_a_stranger=True), prose(of_a_stranger=False)
    assert 0 < len(by_strangers) <= len(by_others)
    clock.forward(days=1)
    assert len(prose(of_a_stranger=False)) == len(by_strangers) + len(by_others)
    assert prose(of_a_stranger=True) == []


def test_where_no_model_answers_the_papers_are_quoted_and_it_is_said(clock):
    model = LanguageModel(
        Extractive(), url="http://127.0.0.1:9", model="any", timeout_s=1, clock=clock
    )

    assert "did not answer" in model.answer(QUESTION, LIBRARY).remark
