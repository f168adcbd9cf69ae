"""Real mail programs on loopback, for the tests that want them; started here and ended here.

What each needs: smtp-sink and smtp-source (Debian's postfix), smtpd (OpenSMTPD, unpacked under
/opt/opensmtpd, as its package and Postfix's exclude each other; `tests/channels/opensmtpd.sh`
does it), dovecot with its LMTP and IMAP parts, spamassassin.  Most of them start as root only.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

SMTPD = Path("/opt/opensmtpd/usr/sbin/smtpd")


def needed(*programs: str, root: bool = False) -> None:
    """Skip the test, with a reason, where a program is missing."""
    for program in programs:
        if not program_path(program):
            pytest.skip(f"{program} is not installed")
    if root and os.geteuid() != 0:
        pytest.skip(f"{programs[0]} must be started as root")


def program_path(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(*command: str, port: int, log: Path) -> Iterator[None]:
    """The program, from the moment it listens on `port`; ended with its children afterwards."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        try:
            _await(port, process, log)
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(5)


def _await(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(200):
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.025)
    raise AssertionError(f"it did not start: {log.read_text(errors='replace')[-500:]}")


@dataclass(frozen=True, slots=True)
class Sink:
    port: int
    captured: Path

    def messages(self) -> list[bytes]:
        """Each mail as the sink wrote it: its own lines "X-…" before, line ends of Unix."""
        return [path.read_bytes() for path in sorted(self.captured.iterdir())]


@contextmanager
def smtp_sink(folder: Path, *flags: str, keep: bool = False) -> Iterator[Sink]:
    """Postfix's smtp-sink, with its flags for every kind of trouble."""
    port, captured = free_port(), folder / "captured"
    captured.mkdir(mode=0o777, exist_ok=True)
    captured.chmod(0o777)
    for parent in (folder, *folder.parents):
        if parent.stat().st_mode & 0o001 == 0 and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    capture = ("-d", f"{captured}/%M.") if keep else ()
    user = ("-u", "nobody") if os.geteuid() == 0 else ()
    sink = str(program_path("smtp-sink"))
    with running(
        sink,
        *user,
        *capture,
        *flags,
        f"127.0.0.1:{port}",
        "512",
        port=port,
        log=folder / "sink.log",
    ):
        yield Sink(port, captured)


@contextmanager
def dovecot(folder: Path) -> Iterator[tuple[int, int]]:
    """Dovecot with one mailbox for everybody: its ports for LMTP and for IMAP."""
    lmtp, imap = free_port(), free_port()
    base = folder / "dovecot"
    base.mkdir()
    config = base / "dovecot.conf"
    config.write_text(f"""
base_dir = {base}/run
state_dir = {base}/run
log_path = {base}/log
protocols = lmtp imap
ssl = no
listen = 127.0.0.1
disable_plaintext_auth = no
mail_location = maildir:{base}/mail
mail_uid = vmail
mail_gid = vmail
first_valid_uid = 1
default_login_user = nobody
default_internal_user = vmail
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = password=test
}}
userdb {{
  driver = static
  args = uid=vmail gid=vmail home={base}/mail
}}
""")
    shutil.chown(base, "vmail")
    for parent in (base, *base.parents):
        parent.chmod(parent.stat().st_mode | 0o011)
    with running(
        str(program_path("dovecot")), "-F", "-c", str(config), port=imap, log=base / "out"
    ):
        yield lmtp, imap


@contextmanager
def opensmtpd(folder: Path, lmtp: int) -> Iterator[int]:
    """OpenSMTPD handing mail for inbox.example to LMTP: its port."""
    port = free_port()
    config = folder / "smtpd.conf"
    config.write_text(f"""
table boxes {{ "@" = vmail }}
listen on 127.0.0.1 port {port}
action "box" lmtp "127.0.0.1:{lmtp}" rcpt-to virtual <boxes>
match from any for domain "inbox.example" action "box"
""")
    config.chmod(0o600)
    with running(str(SMTPD), "-d", "-f", str(config), port=port, log=folder / "smtpd.log"):
        yield port
