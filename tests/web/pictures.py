"""The README's pictures of the pages, from invented papers: `python -m tests.web.pictures`."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from bot import web
from bot.model import Author, Paper
from tests.web import invented
from tests.web.opened import catalogue, fill, open_core, serving

FOLDER = Path(__file__).parents[2] / ".github" / "images"
TOPIC = "/topics/rl-for-llm-agents"


def others() -> Iterator[Paper]:
    """Papers of other fields, so that the share of a topic is a small one."""
    for n in range(4_000):
        at = invented.FIRST + (invented.NOW - invented.FIRST) * n / 4_000
        yield Paper(
            f"{at:%y%m}.{70_000 + n}", 1, f"Winds on Planet {n}", "It is cold there, and windy.",
            (Author("Ada Lovelace"),), ("astro-ph.EP",), at, at,
        )  # fmt: skip


def main() -> None:
    core = open_core(None, lambda: invented.NOW)
    papers = list(others()) + [
        paper for paper in invented.papers() if ".9000" not in paper.arxiv_id
    ]
    fill(core, catalogue(), papers)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving(web.create(core, follow_by_mail="/join")) as address, sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name, path, scheme in (
            ("topic", TOPIC, "light"),
            ("reading", f"{TOPIC}?view=compact", "dark"),
        ):
            tab = browser.new_page(
                base_url=address,
                viewport={"width": 1120, "height": 760},
                color_scheme=scheme,
                device_scale_factor=1.5,
            )
            tab.goto(path)
            if "compact" in path:
                tab.keyboard.press("j")
                tab.evaluate("document.getElementById('papers').scrollIntoView()")
            raw = tab.screenshot()
            out = BytesIO()
            Image.open(BytesIO(raw)).convert("RGB").quantize(128).save(out, "PNG", optimize=True)
            (FOLDER / f"{name}.png").write_bytes(out.getvalue())
            print(name, len(out.getvalue()))
            tab.close()
        browser.close()


if __name__ == "__main__":
    main()
