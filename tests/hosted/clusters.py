"""A PostgreSQL of its own in a folder, from Debian's package; one that follows another; the loss of its machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psycopg

from tests.servers import some_port

LONGEST = 60


def programs() -> Path:
    """The folder with PostgreSQL's own programs, of the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not found:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return found[-1]


class Cluster:
    """One PostgreSQL. It never runs as root: for root it runs as the user that Debian's package made."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.server: subprocess.Popen[bytes] | None = None
        self.options: list[str] = []

    def make(self, *, synchronous: bool) -> None:
        """An empty one; with `synchronous` nothing is acknowledged that a standby does not have, too."""
        self._own_folder()
        self._do("initdb", "-D", str(self.folder), "-A", "trust", "-U", "postgres", "-E", "UTF8", "-N")
        names = "standby" if synchronous else ""
        self.options = ["-c", f"synchronous_standby_names={names}", "-c", "wal_level=replica"]
        self.start()

    def follow(self, primary: Cluster) -> None:
        """A copy of another one that receives everything it writes."""
        self._own_folder()
        where = f"host=127.0.0.1 port={primary.port} user=postgres application_name=standby"
        self._do("pg_basebackup", "-D", str(self.folder), "-d", where, "-R", "-X", "stream", "-c", "fast", "-N")
        self.options = ["-c", "hot_standby=on"]
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers, the next time at the same port."""
        self.port = self.port or some_port()
        command = [str(programs() / "postgres"), "-D", str(self.folder), "-p", str(self.port), "-k", str(self.folder)]
        command += ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200", *self.options]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.server = subprocess.Popen(_unprivileged(command), stdout=log, stderr=log, start_new_session=True)
        self.wait()

    def wait(self) -> None:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end and self.server is not None and self.server.poll() is None:
            with contextlib.suppress(psycopg.OperationalError):
                self.run("select 1", "postgres")
                return
            time.sleep(0.05)
        raise SystemExit((self.folder.parent / f"{self.folder.name}.log").read_text()[-2000:])

    def run(self, command: str, database: str = "uptown") -> list[tuple[object, ...]]:
        """One statement, and its rows."""
        with psycopg.connect(self.address(database), autocommit=True) as line:
            cursor = line.execute(command.encode())
            return cursor.fetchall() if cursor.description else []

    def address(self, database: str = "uptown") -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def promote(self) -> None:
        """From now on it is written to."""
        self.run("select pg_promote(true, 60)", "postgres")

    def cut_off(self) -> None:
        """Receive nothing more."""
        self.run("alter system set primary_conninfo = ''", "postgres")
        self.run("select pg_reload_conf()", "postgres")

    def freeze(self, still: bool) -> None:
        """Hold all of it where it is, or let it go on: a machine that does not answer."""
        self._tell(signal.SIGSTOP if still else signal.SIGCONT)

    def kill(self) -> None:
        """All of its processes end at once, as when its machine is gone."""
        if self.server is not None:
            self._tell(signal.SIGKILL)
            self.server.wait()
            self.server = None

    def _tell(self, what: signal.Signals) -> None:
        file = self.folder / "postmaster.pid"
        first = [file.read_text().split("\n")[0]] if file.is_file() else []
        assert self.server is not None
        for pid in [str(self.server.pid), *first, *(child for one in first for child in _children(one))]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), what)

    def _own_folder(self) -> None:
        self.folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")

    def _do(self, program: str, *words: str) -> None:
        command = _unprivileged([str(programs() / program), *words])
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)


def _children(pid: str) -> list[str]:
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return file.read_text().split() if file.is_file() else []


def _unprivileged(command: list[str]) -> list[str]:
    return (
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command] if os.geteuid() == 0 else command
    )
