"""CSS into the mail templates, once, when they change: `pytest tests/channels --accept`."""

import re
from pathlib import Path

import css_inline

TEMPLATES = Path(__file__).parents[2] / "bot" / "channels" / "email" / "templates"
SOURCES = (
    "digest.html", "section.html", "momentum.html", "paper.html", "tags.html", "why.html",
    "door.html", "more.html", "title.html", "left.html", "notice.html",
)  # fmt: skip


def inlined(name: str) -> str:
    """A template with its styles on the elements; what belongs to Jinja passes untouched.

    Statements hide in comments meanwhile: a parser of HTML would move ``{% for %}`` out of its
    table.  Expressions become words, as they also stand in attributes.  Styles of the class
    "kept" (colours in the dark) stay where they are.
    """
    source = (TEMPLATES / f"{name}.j2").read_text()
    hidden: dict[str, str] = {}

    def hide(found: re.Match[str]) -> str:
        name = f"jinja{len(hidden)}x"
        hidden[name] = found[0]
        return name if found[0].startswith("{{") else f"<!--{name}-->"

    kept = r'<style class="kept">.*?</style>'
    masked = re.sub(rf"(?s){kept}|\{{\{{.*?\}}\}}|\{{%.*?%\}}", hide, source)
    inliner = css_inline.CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)
    whole = masked.startswith("<!doctype")
    styled = inliner.inline(masked) if whole else inliner.inline_fragment(masked, _css())
    html = re.sub(r'style="[^"]*"', _tight, styled)
    html = re.sub(r"<!--(jinja\d+x)-->", lambda found: hidden[found[1]], html)
    return re.sub(r"jinja\d+x", lambda found: hidden[found[0]], html).replace(' class="kept"', "")


def _css() -> str:
    """The styles of a digest, for the pieces that stand in one."""
    found = re.search(
        r"<style>(.*?)</style>", (TEMPLATES / "digest.html.j2").read_text(), re.DOTALL
    )
    assert found
    return found[1]


def _tight(style: re.Match[str]) -> str:
    """Blanks count where a mail of fifty papers must stay under a limit."""
    return re.sub(r"([:;,]) ", r"\1", style[0]).replace(';"', '"')
