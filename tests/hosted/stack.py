"""Everything of a hosted site on this machine, from Debian's packages: as `deploy/` has it, on free ports in a folder
of its own. nginx before four web processes, PostgreSQL with a synchronous standby, Redis.

    python -m tests.hosted.stack        starts it, says where it is, and ends it with Ctrl+C
"""

from __future__ import annotations

import contextlib
import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import TracebackType

import django
import psycopg
from django.db import connection

from tests.halls import ROOT, eventually
from tests.programs import begin, end, some_port

LONGEST = 60


def programs() -> Path:
    """The folder with PostgreSQL's own programs, of the newest version that is installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not folders:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return folders[-1]


class Cluster:
    """One PostgreSQL. It never runs as root: for root it runs as the user that Debian's package made."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.log = folder.with_suffix(".log")
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
        self.server = begin(_unprivileged(command), self.log)
        self.wait()

    def wait(self) -> None:
        latest = time.monotonic() + LONGEST
        while time.monotonic() < latest and self.server is not None and self.server.poll() is None:
            with contextlib.suppress(psycopg.OperationalError):
                self.run("select 1", "postgres")
                return
            time.sleep(0.05)
        raise SystemExit(self.log.read_text()[-2000:])

    def run(self, command: str, database: str = "uptown") -> list[tuple[object, ...]]:
        with psycopg.connect(self.address(database), autocommit=True) as line:
            cursor = line.execute(command.encode())
            return cursor.fetchall() if cursor.description else []

    def address(self, database: str = "uptown") -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/{database}"

    def promote(self) -> None:
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
        for pid in [str(self.server.pid), *first, *(child for process in first for child in _children(process))]:
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


NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 2000; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  log_format short '$request_method $uri $status $upstream_cache_status $upstream_addr';
  access_log {folder}/access.log short;
  proxy_cache_path {folder}/cache keys_zone=uptown:10m max_size=100m inactive=10s;
  upstream uptown {{ random; {servers} }}
  server {{ listen 127.0.0.1:{port}; set $uptown_scheme https; include {site}; }}
}}
"""


class Stack:
    """A hosted site. `start` and `kill` take a name of `parts`: web-1 … web-4, cache, nginx."""

    def __init__(
        self,
        *,
        webs: int = 4,
        standby: bool = True,
        synchronous: bool = True,
        application: str = "tournament.wsgi",
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="uptown-hosted-"))
        self.folder.chmod(0o755)
        self.port, self.cache_port = 0, 0
        self.database = Cluster(self.folder / "primary")
        self.standby = Cluster(self.folder / "standby") if standby else None
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.starts: dict[str, list[str]] = {}
        self.webs = [f"web-{number}" for number in range(1, webs + 1)]
        self.application, self.synchronous = application, synchronous and standby

    def __enter__(self) -> Stack:
        try:
            self._begin()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self.running):
            self.kill(name)
        for cluster in (self.database, self.standby):
            if cluster is not None:
                cluster.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """What every process of the site is told."""
        places = [f"127.0.0.1:{cluster.port}" for cluster in (self.database, self.standby) if cluster is not None]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("UPTOWN_", "TEST_DATABASE"))
        }
        return environment | {
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": f"postgres://postgres@{','.join(places)}/uptown",
            "UPTOWN_PROFILE": "hosted",
            "UPTOWN_HOSTS": "localhost,127.0.0.1",
            "UPTOWN_BEHIND_PROXY": "1",
            "UPTOWN_CACHE": f"redis://127.0.0.1:{self.cache_port}/0",
            "UPTOWN_SECRET_KEY": self.key,
            "UPTOWN_DATA": str(self.folder / "data"),
        }

    def start(self, name: str) -> None:
        """Start one part; its output is in a file with its name."""
        log = self.folder / f"{name}.log"
        self.running[name] = begin(self.starts[name], log, cwd=ROOT, env=self.environment)

    def kill(self, name: str) -> None:
        """End one part at once, with all that it started."""
        end(self.running.pop(name))

    def take_over(self) -> None:
        assert self.standby is not None
        self.standby.promote()

    def ask(
        self, path: str, *, port: int = 0, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """A page, by nginx or from one web process."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=20)) as line:
            line.request("GET", path, headers={"X-Forwarded-Proto": "https"} | (headers or {}))
            answer = line.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def answers(self, port: int = 0) -> bool:
        """Whether somebody is there who knows the database."""
        try:
            return self.ask("/t/api/ping/", port=port)[0] == 401
        except (OSError, http.client.HTTPException):
            return False

    def port_of(self, web: str) -> int:
        return int(self.starts[web][self.starts[web].index("--port") + 1])

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def errors(self) -> list[str]:
        """What the site's own processes have written about mistakes of their own."""
        return [f"{name}: {line}" for name in self.webs for line in self.said(name).splitlines() if " ERROR " in line]

    def _begin(self) -> None:
        self.key = secrets.token_urlsafe(48)
        self.database.make(synchronous=self.synchronous)
        if self.standby is not None:
            self.standby.follow(self.database)
        self.database.run("create database uptown", "postgres")
        self.cache_port = some_port()
        here = Path(sys.executable)
        self.starts["cache"] = redis_server(self.folder, self.cache_port)
        self.start("cache")
        manage = [str(here), "manage.py"]
        done = subprocess.run(
            [*manage, "prepare"], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        for web in self.webs:
            port = some_port()
            self.starts[web] = [
                *(str(here.with_name("granian")), "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)),
                *("--workers", "1", "--blocking-threads", "16", "--no-log", f"{self.application}:application"),
            ]  # fmt: skip
            self.start(web)
            eventually(partial(is_taken, port), partial(self.said, web))
        self._begin_nginx()
        for web in self.webs:
            eventually(partial(self.answers, self.port_of(web)), partial(self.said, web))
        eventually(self.answers, lambda: (self.folder / "nginx.log").read_text())

    def _begin_nginx(self) -> None:
        self.port = some_port()
        self.starts["nginx"] = nginx(self.folder, self.port, [self.port_of(web) for web in self.webs])
        self.start("nginx")


def nginx(folder: Path, port: int, webs: list[int]) -> list[str]:
    """Write nginx's file into a folder: the site as deploy/ has it, before these web processes. What starts it."""
    servers = " ".join(f"server 127.0.0.1:{web} max_fails=1 fail_timeout=1s;" for web in webs)
    site, config = ROOT / "deploy" / "nginx" / "uptown-site.conf", folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, servers=servers, port=port, site=site), encoding="utf-8")
    return ["nginx", "-c", str(config), "-p", str(folder), "-e", str(folder / "nginx.log")]


def redis_server(folder: Path, port: int) -> list[str]:
    """What starts a Redis that writes nothing down."""
    words = f"redis-server --port {port} --bind 127.0.0.1 --appendonly no --dir {folder} --save"
    return [*words.split(), ""]


def is_taken(port: int) -> bool:
    with contextlib.closing(socket.socket()) as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def told(stack: Stack) -> Iterator[None]:
    """This process, too, is told what those of the site are: it makes rows and compares them."""
    os.environ.update(stack.environment)
    django.setup()
    try:
        yield
    finally:
        connection.close()


if __name__ == "__main__":
    with Stack() as site:
        print(f"http://127.0.0.1:{site.port}/ · {site.folder}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
