"""What keeps the house in order, held by a machine."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import bot

TOP = Path(__file__).parent.parent
MODULES = sorted((TOP / "bot").rglob("*.py"))
AT_A_GLANCE = 5  # lines
LONGEST = 300  # lines; longer ones have a reason, and stand here

LONG = {
    "model.py": "all the nouns",
}
NETWORK = {"aiohttp", "aiosmtplib", "requests", "slack_sdk", "httpx", "socket", "urllib"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(path: Path) -> str:
    return str(path.relative_to(TOP / "bot"))


@cache
def promised() -> dict[str, list[str]]:
    """What the contract of the store says of each method, by its name."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for contract in tree(path).body if path.parent.name == "store" else ():
            for node in contract.body if isinstance(contract, ast.ClassDef) else ():
                if isinstance(node, ast.FunctionDef) and (said := ast.get_docstring(node)):
                    found.setdefault(node.name, []).append(said)
    return found


@cache
def transactions() -> list[tuple[str, ast.With]]:
    """Every `with ….write():` block."""
    return [
        (named(path), node)
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.With | ast.AsyncWith)
        and any(
            isinstance(item.context_expr, ast.Call)
            and isinstance(item.context_expr.func, ast.Attribute)
            and item.context_expr.func.attr == "write"
            for item in node.items
        )
    ]


def test_nobody_waits_inside_a_transaction():
    """An await would let another coroutine write into it; a send would hold the writer's lock."""
    assert len(transactions()) > 20
    waits = [
        f"{name}:{node.lineno}"
        for name, block in transactions()
        for node in ast.walk(block)
        if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.Yield)
        or (isinstance(node, ast.Attribute) and node.attr in ("send", "find_receipt", "to_thread"))
        or (isinstance(node, ast.Name) and node.id in NETWORK)
    ]

    assert waits == []


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_a_module_says_what_it_knows(path):
    assert ast.get_docstring(tree(path)), f"{named(path)} has no docstring"


def test_everything_public_says_its_contract():
    """But for what the store's contract says, and glances."""
    silent = [
        f"{named(path)}:{node.lineno} {node.name}"
        for path in MODULES
        for parent in [tree(path), *(n for n in tree(path).body if isinstance(n, ast.ClassDef))]
        for node in parent.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and (node.end_lineno or 0) - node.lineno > AT_A_GLANCE
        and not ast.get_docstring(node)
        and not (isinstance(parent, ast.ClassDef) and parent.name.startswith("_"))
        and not (named(path).startswith("store/sqlite/") and node.name in promised())
    ]

    assert silent == []


def test_a_contract_is_said_once():
    """An engine of the store adds what is its own."""
    said_again = [
        f"{named(path)}:{node.lineno} {node.name}"
        for path in MODULES
        if named(path).startswith("store/sqlite/")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and ast.get_docstring(node)
        and ast.get_docstring(node) in promised().get(node.name, ())
    ]

    assert said_again == []


def test_a_long_module_has_a_reason_and_a_short_one_needs_none():
    long = {named(p) for p in MODULES if p.read_text(encoding="utf-8").count("\n") > LONGEST}

    assert long == set(LONG)


def test_the_core_does_not_come_in_by_its_own_door():
    """What `bot.core` itself offers is for those outside; its rooms stand below it."""
    inside = {path.stem for path in (TOP / "bot" / "core").iterdir()}
    found = [
        f"{named(path)}:{node.lineno}"
        for path in MODULES
        if named(path).startswith("core/") and named(path) != "core/__init__.py"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module == "bot.core"
        if not {alias.name for alias in node.names} <= inside
    ]

    assert found == []


def test_importing_a_module_does_nothing():
    """No call of open, connect or the like at the top of a module."""
    doing = {"open", "connect", "read_text", "getenv", "now", "mkdir", "Database", "load"}
    found = [
        f"{named(path)}:{call.lineno}"
        for path in MODULES
        for statement in tree(path).body
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
        and (getattr(call.func, "attr", None) or getattr(call.func, "id", None)) in doing
    ]

    assert found == []


def test_what_is_imported_is_there():
    """Also within tests that run only where a program is installed."""
    found = [
        f"{path.relative_to(TOP)}:{node.lineno} {node.module} {name.name}"
        for path in [*MODULES, *sorted((TOP / "tests").rglob("*.py"))]
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.")
        for name in node.names
        if not is_there(node.module or "", name.name)
    ]

    assert found == []


@cache
def is_there(module: str, name: str) -> bool:
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None


def test_no_drawer_is_called_utils():
    drawers = {"utils", "util", "helpers", "helper", "manager", "managers", "handler", "common"}

    assert [named(p) for p in MODULES if p.stem in drawers or p.parent.name in drawers] == []


def test_the_command_line_starts_light():
    heavy = ("pydantic", "rich", "starlette", "slack_bolt", "arxiv", "lxml", "sqlite_utils", "PIL")
    code = f"import sys, bot.cli; print(sorted(m for m in sys.modules if m in {heavy}))"
    found = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, check=True)

    assert found.stdout.strip() == b"[]"


def test_the_floors_are_drawn_as_they_are_held():
    drawn = re.findall(r"^ +(\d+)  (\w+(?: \| \w+)*)$", bot.__doc__ or "", re.MULTILINE)
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    held = next(each["layers"] for each in contracts if each["type"] == "layers")

    assert drawn == [(str(len(held) - n), floor) for n, floor in enumerate(held, start=1)]


def test_the_floors_hold():
    """The contracts of import-linter: who may import whom."""
    code = "from importlinter.cli import lint_imports_command as c; c()"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(TOP), "PATH": ""},
    )  # fmt: skip

    assert found.returncode == 0, found.stdout[-3000:]
