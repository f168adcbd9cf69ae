"""The command line as it is typed: exit code, what is printed, what is complained."""

import contextlib
import io
import shlex
import sys
from dataclasses import dataclass

from bot.cli import main


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


def typed(line: str, *, answer: str = "") -> Said:
    """Run `paperround LINE` in this process, as the shell would part it."""
    out, err = io.StringIO(), io.StringIO()
    argv, stdin = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["paperround", *shlex.split(line)], io.StringIO(answer)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv, sys.stdin = argv, stdin
    return Said(code, out.getvalue(), err.getvalue())
