"""The HTML part in a browser: accessible in light and dark, and no wider than a phone."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.channels import days
from tests.channels.decoded import digest_html
from tests.channels.peers import needed, program_path

pytestmark = pytest.mark.slow

_PLACES = (
    Path(__file__).parents[2] / "node_modules",
    Path("/usr/local/lib/node_modules"),
    Path("/usr/lib/node_modules"),
)
_RUN = """
<script>
addEventListener('load', async () => {
  const {violations} = await axe.run();
  const found = violations.map(v => [v.id, v.impact, v.nodes[0].html.slice(0, 200)]);
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  document.documentElement.dataset.found = JSON.stringify({found, wide});
});
</script>
"""


def axe() -> str:
    for place in _PLACES:
        script = place / "axe-core" / "axe.min.js"
        if script.exists():
            return script.read_text()
    pytest.skip("axe-core is not installed (npm install -g axe-core)")


def looked_at(html: str, folder: Path, *, dark: bool, width: int) -> dict:
    page = folder / "page.html"
    script = f"<script>{axe()}</script>{_RUN}"
    page.write_text(html.replace("</head>", f"{script}</head>"), errors="replace")
    command = [
        str(program_path("chromium")),
        *("--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom"),
        f"--user-data-dir={folder}/profile",
        f"--window-size={width},1200",
        "--virtual-time-budget=20000",
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
        page.as_uri(),
    ]
    dom = subprocess.run(command, capture_output=True, timeout=90, check=True).stdout.decode()
    found = re.search(r'data-found="([^"]*)"', dom)
    assert found
    return json.loads(found[1].replace("&quot;", '"').replace("&amp;", "&"))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_and_axe_have_nothing_to_say(tmp_path, dark):
    needed("chromium")
    seen = looked_at(digest_html(days.ugly()), tmp_path, dark=dark, width=500)

    assert seen["found"] == []
    assert seen["wide"] <= 0
