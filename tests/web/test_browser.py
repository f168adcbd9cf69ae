"""The pages in a real browser: keys, save, ask in place, no script, narrow, dark, print, axe."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot import web
from bot.core import Actor
from bot.model import Identity
from bot.web import people
from tests.web import invented
from tests.web.opened import fill, open_core, serving

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ROOT = Path(__file__).parents[2]
TOPIC = "/topics/rl-for-llm-agents"
PAGES = (
    "/", TOPIC, f"{TOPIC}?view=compact", f"{TOPIC}/ask?q=rounds+finished", "/papers/2606.00002",
    "/search?q=world+models", "/saved?ids=2606.00002", "/topics/basket-weaving",
)  # fmt: skip

VIOLATIONS = """axe.run({resultTypes: ["violations"]}).then(run => run.violations.map(
  each => [each.id, each.impact, each.nodes.map(node => node.html.slice(0, 120)).slice(0, 3)]))"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, site) -> Iterator:
    """A fresh tab of a wide window; what it complains about fails the test."""
    context = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda r: None if r.url.startswith(site) else complaints.append(r.url))
    yield opened
    context.close()
    assert [c for c in complaints if "404" not in c and "net::ERR_ABORTED" not in c] == []


@pytest.fixture
def another(chromium, site):
    """A tab with other wishes: without script, narrow, dark."""
    contexts = []

    def opened(path: str, **wishes):
        contexts.append(chromium.new_context(base_url=site, **wishes))
        page = contexts[-1].new_page()
        page.goto(path)
        return page

    yield opened
    for context in contexts:
        context.close()


def colours(tab, selector: str) -> tuple[str, str]:
    return tuple(
        tab.eval_on_selector(selector, "e => [getComputedStyle(e).backgroundColor, "
                                       "getComputedStyle(e).color]")
    )  # fmt: skip


# --------------------------------------------------------------------- keys


def test_j_k_and_enter_in_the_compact_view(tab):
    tab.goto(f"{TOPIC}?view=compact")
    titles = tab.locator(".rows .title").all_inner_texts()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("k")

    assert tab.locator(".pane article:visible h3").inner_text() == titles[1]
    assert tab.locator(".rows a[aria-current]").locator(".title").inner_text() == titles[1]
    assert tab.url.endswith(tab.locator(".rows a[aria-current]").get_attribute("href"))

    tab.keyboard.press("Enter")
    tab.wait_for_url("**/papers/**")
    assert tab.locator("h1").inner_text() == titles[1]


def test_the_address_holds_the_paper_that_is_read(tab):
    tab.goto(f"{TOPIC}?view=compact#p-2610.90001")

    assert tab.locator(".pane article:visible").get_attribute("data-id") == "2610.90001"
    assert tab.locator(".rows a[aria-current]").get_attribute("data-id") == "2610.90001"


def test_j_and_k_walk_through_cards(tab):
    tab.goto(TOPIC)
    tab.keyboard.press("j")
    tab.keyboard.press("j")

    second = tab.locator(".cards .card").nth(1)
    assert tab.evaluate("document.activeElement.dataset.id") == second.get_attribute("data-id")


def test_keys_do_nothing_while_typing(tab):
    tab.goto(f"{TOPIC}?view=compact")
    tab.locator("input[name=words]").click()
    tab.keyboard.type("jks?")

    assert tab.locator("input[name=words]").input_value() == "jks?"
    assert tab.locator("dialog").is_hidden()


def test_a_question_mark_shows_the_keys(tab):
    tab.goto(TOPIC)
    tab.keyboard.press("?")
    assert tab.locator("dialog").is_visible()

    tab.keyboard.press("Escape")
    assert tab.locator("dialog").is_hidden()
    tab.get_by_role("button", name="Keys").click()
    assert "next, previous paper" in tab.locator("dialog").inner_text()


# --------------------------------------------------------------------- save


def test_saved_papers_stay_in_this_browser_and_become_a_link(tab):
    tab.goto(TOPIC)
    tab.locator(".card button.save").first.click()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("s")
    tab.goto("/saved")
    tab.wait_for_url("**/saved?ids=*")

    assert "2 papers." in tab.locator(".lead").inner_text()
    assert tab.get_by_role("button", name="Saved").count() == 2

    tab.get_by_role("button", name="Saved").first.click()
    tab.goto("/saved")
    tab.wait_for_url("**/saved?ids=*")
    assert "1 paper." in tab.locator(".lead").inner_text()


def test_a_list_from_a_link_can_be_kept(tab):
    tab.goto("/saved?ids=2606.00002,2610.90001")
    tab.get_by_role("button", name="Keep all in this browser").click()

    assert json.loads(tab.evaluate("localStorage['paperround.saved']")) == [
        "2606.00002",
        "2610.90001",
    ]


@contextmanager
def a_reader(folder: Path, *commands: str) -> Iterator[tuple[str, str]]:
    """The address of pages of one's own, and the path of the page of their only reader."""
    core = open_core(folder / "own.db", lambda: invented.NOW)
    fill(core, invented.TOPICS, list(invented.papers())[:30])
    mailbox = Identity("email", "", "ada@example.org")
    for command in ("follow World Models", *commands):
        core.execute(Actor(mailbox, operator=True), command)
    [ada] = core.house.store.people.at("email", "ada@example.org")
    own = "/l/" + core.house.links.token("person", ada.id, ada.epoch)
    with serving(web.create(core, routes=people.routes(core))) as address:
        yield address, own
    core.house.store.close()


def test_with_a_persons_own_link_what_is_saved_is_theirs(chromium, tmp_path):
    with a_reader(tmp_path) as (address, own):
        tab = chromium.new_page(base_url=address)
        tab.goto(own)
        tab.get_by_role("button", name="Let papers saved in this browser come here").click()
        tab.goto(TOPIC)
        with tab.expect_response("**/l/**"):
            tab.locator(".card button.save").first.click()
        tab.goto(own)
        saved = tab.locator("section", has=tab.locator("#saved")).inner_text()
        tab.close()

    assert "Saved papers 1" in saved


FULL = """localStorage['paperround.saved'] =
  JSON.stringify([...Array(500).keys()].map(n => `2601.${10000 + n}`))"""


def test_a_full_shelf_says_so_and_drops_nothing(tab):
    tab.goto(TOPIC)
    tab.evaluate(FULL)
    tab.reload()
    tab.locator(".card button.save").first.click()

    assert "keeps 500 papers" in tab.get_by_role("alert").inner_text()
    assert tab.locator(".card button.save").first.get_attribute("aria-pressed") == "false"
    kept = json.loads(tab.evaluate("localStorage['paperround.saved']"))
    assert (len(kept), kept[-1]) == (500, "2601.10499")


def test_a_list_that_does_not_fit_a_full_shelf_is_not_kept_in_part(tab):
    tab.goto("/saved?ids=2606.00002,2610.90001")
    tab.evaluate(FULL)
    tab.get_by_role("button", name="Keep all in this browser").click()

    assert "keeps 500 papers" in tab.get_by_role("alert").inner_text()
    assert len(json.loads(tab.evaluate("localStorage['paperround.saved']"))) == 500


def test_a_browser_that_keeps_nothing_says_so(tab):
    tab.goto(TOPIC)
    tab.evaluate("Storage.prototype.setItem = () => { throw new Error('full'); }; 1")
    tab.locator(".card button.save").first.click()

    assert "nothing is saved" in tab.get_by_role("alert").inner_text()


@pytest.mark.parametrize(
    ("status", "words", "pressed"),
    [(400, "works no more", "true"), (503, "did not take it", "false")],
)
def test_what_a_persons_own_page_refuses_is_said(another, status, words, pressed):
    tab = another(TOPIC)
    tab.route("**/l/**", lambda route: route.fulfill(status=status))
    tab.evaluate("localStorage['paperround.person'] = '/l/pvoided'")
    tab.locator(".card button.save").first.click()

    assert words in tab.get_by_role("alert").inner_text()
    assert tab.locator(".card button.save").first.get_attribute("aria-pressed") == pressed


def test_a_spoilt_shelf_is_an_empty_one(tab):
    tab.goto(TOPIC)
    tab.evaluate("localStorage['paperround.saved'] = '{{{'")
    tab.reload()
    tab.locator(".card button.save").first.click()

    assert tab.locator(".card button.save").first.get_attribute("aria-pressed") == "true"


# ---------------------------------------------------------------------- ask


def test_an_answer_comes_in_place(tab):
    tab.goto(TOPIC)
    tab.locator("summary", has_text="Ask").click()
    tab.get_by_label("A question about these papers").fill("How many rounds are finished?")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#answer blockquote")

    assert "% of the rounds" in tab.locator("#answer").inner_text()
    assert tab.url.endswith(TOPIC)
    assert tab.locator(".asking").is_hidden()


def test_a_slow_question_shows_progress_and_can_be_cancelled(tab):
    tab.route("**/ask?*", lambda route: None)  # never answers
    tab.goto(TOPIC)
    tab.locator("summary", has_text="Ask").click()
    tab.get_by_label("A question about these papers").fill("How long?")
    tab.keyboard.press("Enter")

    assert "Reading 114 papers …" in tab.locator(".asking").inner_text()
    tab.get_by_role("button", name="Cancel").click()
    playwright.expect(tab.locator(".asking")).to_have_text("Cancelled.")


# -------------------------------------------------------------------- index


def test_topics_are_found_while_typing(tab):
    tab.goto("/")
    tab.keyboard.press("/")
    tab.keyboard.type("evict")

    assert set(tab.locator(".topics a:visible").all_inner_texts()) == {"KV-Cache Compression"}
    assert tab.locator("#found").inner_text() == "1 topic for “evict”."


# ------------------------------------------------- without script, other eyes


def test_all_of_it_works_without_script(another):
    tab = another(f"{TOPIC}?view=compact", java_script_enabled=False)
    assert tab.locator(".pane article:visible").count() == 1
    tab.locator(".rows a").nth(3).click()
    assert tab.locator(".pane article:visible h3").inner_text() == (
        tab.locator(".rows .title").nth(3).inner_text()
    )
    assert tab.locator("button.save:visible").count() == 0

    tab.goto(TOPIC)
    tab.locator("summary", has_text="Follow").click()
    assert tab.get_by_label("Your e-mail address").is_visible()
    tab.locator("summary", has_text="Ask").click()
    tab.get_by_label("A question about these papers").fill("How many rounds are finished?")
    tab.get_by_role("button", name="Ask").click()
    assert "% of the rounds" in tab.locator("#answer").inner_text()

    tab.goto("/")
    tab.get_by_label("Find a topic").fill("cache")
    tab.get_by_role("button", name="Find").click()
    assert "1 topic for “cache”." in tab.locator("#found").inner_text()


@pytest.mark.parametrize(
    ("path", "width"), [*((path, 320) for path in PAGES), ("/", 1600), (TOPIC, 1600)]
)
def test_nothing_sticks_out(another, path, width):
    tab = another(path, viewport={"width": width, "height": 900})
    tab.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")

    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 640, 999, 1280])
def test_what_stands_below_keeps_its_distance(another, width):
    page = another("/papers/2606.00002", viewport={"width": width, "height": 800})
    above, below = page.locator("form.ask").bounding_box(), page.locator("#record").bounding_box()

    beside = below["x"] >= above["x"] + above["width"]
    assert beside or below["y"] >= above["y"] + above["height"] + 24


def test_a_title_is_written_in_its_own_direction(another):
    page = another("/saved?ids=2610.90001")
    page.eval_on_selector(".card .title a", "e => e.textContent = 'זורביפיי Zorbify כותרת'")

    assert page.eval_on_selector(".card .title", "e => getComputedStyle(e).direction") == "rtl"


def test_dark_and_light_follow_the_reader(another):
    light = another(TOPIC, color_scheme="light")
    dark = another(TOPIC, color_scheme="dark")

    assert colours(light, "body") == ("rgb(255, 255, 255)", "rgb(27, 31, 36)")
    assert colours(dark, "body") == ("rgb(20, 23, 26)", "rgb(232, 234, 237)")
    fill = "e => getComputedStyle(e).fill"
    assert dark.eval_on_selector(".current .mark", fill) == "rgb(122, 183, 255)"


def test_paper_shows_whole_abstracts_and_no_controls(another):
    tab = another(TOPIC, color_scheme="dark")
    tab.emulate_media(media="print")

    assert colours(tab, "body")[1] == "rgb(0, 0, 0)"
    assert tab.locator(".doors:visible, .filter:visible, nav:visible").count() == 0
    assert tab.locator("svg.weeks").is_visible()
    assert tab.eval_on_selector(".abstract", "e => getComputedStyle(e).display") == "block"


def test_a_paper_on_paper_says_where_it_is_and_what_lies_near(another):
    tab = another("/papers/2606.00002")
    tab.emulate_media(media="print")

    where = "e => getComputedStyle(e, '::after').content"
    assert tab.eval_on_selector("h1 [data-print]", where) == '"https://arxiv.org/abs/2606.00002"'
    assert tab.locator(".aside .rows li:visible").count() > 0
    assert tab.locator(".ask:visible, .take:visible, .back:visible").count() == 0


def test_an_answer_on_paper_stands_below_its_question(another):
    tab = another(f"{TOPIC}/ask?q=rounds+finished")
    tab.emulate_media(media="print")

    assert tab.locator(".ask input").input_value() == "rounds finished"
    assert tab.locator(".ask input").is_visible()
    assert tab.locator("#answer").is_visible()
    assert tab.get_by_role("button", name="Ask").count() == 0


def test_ones_own_page_on_paper_shows_what_is_set_and_nothing_to_press(chromium, tmp_path):
    with a_reader(tmp_path, "save 2606.00002") as (address, own):
        tab = chromium.new_page(base_url=address)
        tab.goto(own)
        tab.emulate_media(media="print")

        assert tab.locator(".settings li:visible").count() > 1
        assert tab.locator("button:visible, input:visible, select:visible").count() == 0
        assert not tab.get_by_text("What is kept about you").is_visible()
        tab.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_reader_who_sets_larger_text_gets_it_everywhere(another, path):
    tab = another(path, viewport={"width": 640, "height": 900}, bypass_csp=True)
    sizes = """() => [...document.querySelectorAll("main *, nav *, footer *")]
      .filter(e => !e.closest("svg") && e.innerText?.trim())
      .map(e => parseFloat(getComputedStyle(e).fontSize))"""
    before = tab.evaluate(sizes)
    tab.add_style_tag(content="html { font-size: 200% }")

    after = tab.evaluate(sizes)
    assert [size for size, was in zip(after, before, strict=True) if size < 1.9 * was] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= 640


def test_what_is_written_in_a_chart_is_read_on_a_phone_too(another):
    for width in (320, 400, 768, 1280):
        tab = another(TOPIC, viewport={"width": width, "height": 900})
        heights = """all => all.map(e => parseFloat(getComputedStyle(e).fontSize)
          * e.ownerSVGElement.getScreenCTM().a)"""
        assert min(tab.eval_on_selector_all("svg.weeks text", heights)) >= 11.5, width
        assert max(tab.eval_on_selector_all("svg.weeks text", heights)) <= 14, width


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_what_opens_leaves_every_button_where_it_was(another, width):
    tab = another(TOPIC, viewport={"width": width, "height": 900})
    buttons = tab.locator(".fold > summary")
    stood = [buttons.nth(n).bounding_box() for n in range(2)]
    for n in (0, 1):
        buttons.nth(n).click()
    opened = [tab.locator(f".fold > #{name}").bounding_box()["y"] for name in ("follow", "ask")]

    assert [buttons.nth(n).bounding_box() for n in range(2)] == stood
    assert stood[0]["y"] + stood[0]["height"] < opened[0] < opened[1]


def test_a_chart_is_drawn_in_the_readers_own_colours_where_those_hold(another):
    tab = another(TOPIC, forced_colors="active", color_scheme="dark")
    fills = "all => [...new Set(all.map(e => getComputedStyle(e).fill))]"

    assert tab.eval_on_selector_all("svg.weeks .bar:not(.running, .current) .mark", fills) == [
        tab.evaluate("getComputedStyle(document.body).color")
    ]


def test_the_focus_is_always_seen(tab):
    tab.goto(TOPIC)
    for _ in range(25):
        tab.keyboard.press("Tab")
        outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"


# ---------------------------------------------------------------------- axe


@pytest.fixture(scope="module")
def axe() -> str:
    folders = [ROOT / "node_modules", Path("/usr/share/nodejs"), Path("/usr/lib/node_modules")]
    if npm := shutil.which("npm"):
        found = subprocess.run([npm, "root", "-g"], capture_output=True, text=True, check=False)
        folders.append(Path(found.stdout.strip()))
    for folder in folders:
        script = folder / "axe-core" / "axe.min.js"
        if script.is_file():
            return script.read_text(encoding="utf-8")
    pytest.skip("axe-core is not installed (npm install -g axe-core)")


@pytest.mark.parametrize(
    ("path", "scheme"), [*((path, "light") for path in PAGES), ("/", "dark"), (TOPIC, "dark")]
)
def test_axe_finds_nothing_serious(another, axe, path, scheme):
    tab = another(path, color_scheme=scheme, bypass_csp=True)
    tab.eval_on_selector_all("details", "all => all.forEach(one => { one.open = true; })")
    tab.evaluate(axe)
    found = tab.evaluate(VIOLATIONS)

    assert [each for each in found if each[1] in ("serious", "critical")] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_ones_own_page(chromium, axe, tmp_path, scheme):
    with a_reader(tmp_path, "mute World Models for 2w") as (address, own):
        tab = chromium.new_page(base_url=address, color_scheme=scheme, bypass_csp=True)
        tab.goto(own)
        tab.evaluate(axe)
        found = tab.evaluate(VIOLATIONS)
        tab.close()

    assert [each for each in found if each[1] in ("serious", "critical")] == []


@pytest.mark.slow
def test_two_weeks_of_real_papers_fit(chromium, axe, shared, tmp_path):
    from tests.bench.answers.__main__ import real_papers
    from tests.web.opened import at, catalogue

    core = open_core(tmp_path / "real.db", lambda: at("2026-08-21T12:00:00"))
    fill(core, catalogue(), real_papers(shared / "data" / "papers_2_weeks.jsonl.gz"))
    topics = core.house.store.topics.all()
    sizes = {t.slug: core.house.store.topics.count(t.id, 0.3) for t in topics}
    largest = sorted(sizes, key=lambda slug: -sizes[slug])
    with serving(web.create(core)) as address:
        tab = chromium.new_page(base_url=address, bypass_csp=True)
        for slug in largest[:60:5]:
            for query in ("", "?view=compact"):
                answer = tab.goto(f"/topics/{slug}{query}")
                assert len(answer.body()) < 120_000, slug
                tab.set_viewport_size({"width": 320, "height": 900})
                assert tab.evaluate("document.documentElement.scrollWidth") <= 320, slug
                tab.set_viewport_size({"width": 1280, "height": 900})
                tab.evaluate(axe)
                found = tab.evaluate(VIOLATIONS)
                assert [v for v in found if v[1] in ("serious", "critical")] == [], slug
        tab.close()
    core.house.store.close()
