"""The hosted profile: what its processes share has to be said, and nothing that matters is a process's own."""

from __future__ import annotations

import configparser
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIServer

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.core.management import get_commands
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings

from tests.halls import ROOT, eventually
from tests.hosted.browser import Browser
from tests.hosted.conftest import Redis
from tests.hosted.stack import is_taken, nginx
from tests.programs import Start, own_port, program, served, some_port
from tournament.errors import TooMany
from tournament.gate.middleware import EdgeMiddleware
from tournament.gate.public_pages import FOR_PROXIES, VARIES
from tournament.models import Event
from tournament.services.devices import FAILURES_A_MINUTE
from tournament.site.data_folder import why_not_hosted
from tournament.site.database import database_settings
from tournament.site.limits import limited

SHARED = {
    "DATABASE_URL": "postgres://uptown:pa%2Css@db1:5432,db2:5433/uptown",
    "UPTOWN_CACHE": "redis://cache:6379/0",
    "UPTOWN_SECRET_KEY": "x" * 50,
}
ASKED = "DATABASES.default.HOST", "CACHES.default.BACKEND", "SESSION_ENGINE", "SESSION_COOKIE_SECURE"
TELL = f"""
import json; from django.conf import settings
def look(name):
    first, *more = name.split("."); found = getattr(settings, first)
    for one in more: found = found[one]
    return found
print(json.dumps([look(name) for name in {ASKED!r}]))
"""


def told(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournament.settings", "UPTOWN_DATA": str(folder)}
    known |= {"UPTOWN_PROFILE": "hosted"} | environment
    command = [sys.executable, "-c", TELL]
    return subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, check=False)


def test_several_processes_share_database_cache_and_sessions(tmp_path: Path) -> None:
    done = told(tmp_path, **SHARED)
    assert json.loads(done.stdout) == [
        "db1,db2",
        "tournament.site.shared_cache.SharedCache",
        "django.contrib.sessions.backends.db",
        True,
    ], done.stderr
    # Without one of these it does not start.
    lacking = told(tmp_path, **{name: backend for name, backend in SHARED.items() if name != "UPTOWN_CACHE"})
    assert "A hosted site also needs UPTOWN_CACHE (the address of a Redis or Valkey)." in lacking.stderr


def test_every_shared_thing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SHARED:
        monkeypatch.delenv(name, raising=False)
    assert [name for name in SHARED if name not in why_not_hosted()] == []
    for name, backend in SHARED.items():
        monkeypatch.setenv(name, backend)
    assert why_not_hosted() == ""
    monkeypatch.setenv("DATABASE_URL", "sqlite:////tmp/uptown.sqlite3")
    assert "DATABASE_URL (the address of a PostgreSQL database)" in why_not_hosted()


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("postgres://a:b@db/uptown", ("db", "", None)),
        ("postgres://a:b@db:5433/uptown", ("db", "5433", None)),
        ("postgres://a@[::1]:5433/uptown", ("::1", "5433", None)),
        ("postgres:///uptown", ("", "", None)),
        ("postgres://a:b@db1:5432,db2:5433/uptown", ("db1,db2", "5432,5433", "read-write")),
        ("postgres://a:b@db1,db2/uptown", ("db1,db2", ",", "read-write")),
    ],
)
def test_the_one_that_can_be_written_to_is_used(
    address: str, place: tuple[str, str, str | None], tmp_path: Path
) -> None:
    read = database_settings(address, tmp_path)
    assert (read["HOST"], read["PORT"], read["OPTIONS"].get("target_session_attrs")) == place
    assert read["NAME"] == "uptown"


# The cache that the processes of a hosted site share: what one counts the others count, and it may be gone.
WRONG = {"code": "WRONGONE"}


def elsewhere(tries: int) -> list[bool]:
    """Tries from another process, as far as the cache can tell: another thread has a client of its own."""
    allowed: list[bool] = []

    def run() -> None:
        for _ in range(tries):
            try:
                with limited("door", "192.0.2.7", 5, "keys"):
                    allowed.append(True)
            except TooMany:
                allowed.append(False)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return allowed


def test_tries_in_one_process_count_in_another(redis: Redis) -> None:
    assert (elsewhere(3), elsewhere(3)) == ([True, True, True], [True, True, False])


def test_what_only_a_process_knows_does_not_count_in_another() -> None:
    """The control: with Django's cache in a process's own memory, each process allows all of them again."""
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    allowed = []
    for name in ("one process", "the other"):
        with override_settings(CACHES={"default": local | {"LOCATION": name}}):
            allowed.append(elsewhere(3))
    assert allowed == [[True, True, True], [True, True, True]]


def test_a_name_that_is_locked_is_locked_in_every_process_for_a_minute(redis: Redis, dana: User) -> None:
    client = Client()
    answers = [client.post("/sign-in/", {"username": "dana", "password": f"guess {n}"}).status_code for n in range(6)]
    (key,) = caches["default"]._cache.get_client().keys("*sign-in:?*:127.0.0.1")  # type: ignore[attr-defined]
    ttl = caches["default"]._cache.get_client().ttl(key)  # type: ignore[attr-defined]
    assert (answers, 0 < ttl <= 60) == ([200] * 4 + [429] * 2, True)


def test_the_site_goes_on_while_the_cache_is_gone(redis: Redis, event: Event) -> None:
    Event.objects.update(stage="playing")
    client = Client()
    redis.kill()
    answers = [client.post("/t/", WRONG).status_code for _ in range(3)]
    assert (answers, client.get(f"/e/{event.slug}/").status_code) == ([422] * 3, 200)
    assert [cache.get("a", "none"), cache.get_many(["a"]), cache.add("a", 1), cache.touch("a")] == [
        "none",
        {},
        True,
        False,
    ]
    began = time.monotonic()
    assert [cache.get("a") for _ in range(20)] == [None] * 20
    assert time.monotonic() - began < 5
    redis.start()
    answers = [client.post("/t/", WRONG).status_code for _ in range(FAILURES_A_MINUTE + 1)]
    assert answers == [422] * FAILURES_A_MINUTE + [429]


def test_a_count_whose_time_ended_while_it_was_counted_ends_again(redis: Redis) -> None:
    cache.set("door", 3, timeout=None)
    cache.incr("door")
    ttl = caches["default"]._cache.get_client().ttl(cache.make_key("door"))  # type: ignore[attr-defined]  # Django's own
    assert (cache.get("door"), 0 < ttl <= 600) == (4, True)


# The nginx file of deploy/, before a small site that counts what it is asked: what is kept there, and what never.
PUBLIC = {"Cache-Control": FOR_PROXIES, "Vary": ", ".join(VARIES)}
ANSWERS = {
    "/e/open/": PUBLIC,
    "/e/slow/": PUBLIC,
    "/desk/open/": {"Cache-Control": "no-store"},
    "/e/form/": PUBLIC | {"Set-Cookie": "csrftoken=secret"},
    "/e/plain/": {},
    "/e/own/": {"Cache-Control": "no-store"},
    "/sign-in/": PUBLIC,
    "/static/uptown.0123456789ab.css": {"Cache-Control": "max-age=31536000, public, immutable"},
}
# A port at which nothing answers.
NOBODY = 9
STATIC = "/static/uptown.0123456789ab.css"


class Site:
    """Answers with the headers of ANSWERS and the number of times it was asked."""

    server: WSGIServer

    def __init__(self) -> None:
        self.asked, self.heard = Counter[str](), list[dict[str, str]]()

    def __call__(self, environ: dict[str, Any], start: Start) -> list[bytes]:
        path = environ["PATH_INFO"]
        self.asked[path] += 1
        self.heard.append(environ)
        if path == "/e/slow/":
            time.sleep(0.3)
        start("200 OK" if path in ANSWERS else "404 Not Found", list(ANSWERS.get(path, {}).items()))
        return [f"{self.asked[path]}".encode()]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    with served(site) as site.server:
        yield site


@pytest.fixture
def front(site: Site, tmp_path: Path) -> Iterator[Browser]:
    """A browser before nginx, which knows the site and one web process that is not there."""
    program("REQUIRE_HOSTED", "nginx")
    tmp_path.chmod(0o755)
    port = own_port()
    process = subprocess.Popen(nginx(tmp_path, port, [site.server.server_port, NOBODY]))
    try:
        eventually(lambda: is_taken(port), lambda: (tmp_path / "nginx.log").read_text())
        yield Browser(port)
    finally:
        process.kill()
        process.wait()


def test_a_public_page_is_asked_for_once_in_two_seconds(site: Site, front: Browser) -> None:
    pages = [front.get("/e/open/") for _ in range(50)]
    assert Counter(page.headers["x-cache"] for page in pages) == {"MISS": 1, "HIT": 49}
    assert site.asked["/e/open/"] == 1
    time.sleep(3.2)
    assert (front.get("/e/open/").content, site.asked["/e/open/"]) == (b"2", 2)


@pytest.mark.parametrize("path", ["/e/slow/", STATIC])
def test_of_many_who_ask_at_once_one_asks_the_site(site: Site, front: Browser, path: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        pages = list(pool.map(lambda _: Browser(front.port).get(path).content, range(16)))
    assert (pages, site.asked[path]) == ([b"1"] * 16, 1)


def test_a_part_of_a_page_is_kept_beside_the_page(site: Site, front: Browser) -> None:
    part = {"HX-Request": "true"}
    asked: list[dict[str, str]] = [{}, part, {}, part | {"HX-Boosted": "true"}, part]
    assert [front.get("/e/open/", **headers).content for headers in asked] == [b"1", b"2", b"1", b"3", b"2"]


@pytest.mark.parametrize("path", ["/desk/open/", "/e/form/", "/e/plain/", "/e/own/", "/sign-in/"])
def test_what_is_not_said_to_be_public_is_never_kept(site: Site, front: Browser, path: str) -> None:
    assert [Browser(front.port).get(path).content for _ in range(3)] == [b"1", b"2", b"3"]


@pytest.mark.parametrize("cookie", ["sessionid", "__Host-sessionid", "uptown_table", "__Host-uptown_table"])
def test_whoever_is_somebody_is_neither_answered_from_there_nor_kept(site: Site, front: Browser, cookie: str) -> None:
    person = Browser(front.port)
    person.cookies[cookie] = "somebody"
    assert [person.get("/e/open/").content, front.get("/e/open/").content, person.get("/e/open/").content] == [
        b"1",
        b"2",
        b"3",
    ]
    assert front.get("/e/open/").content == b"2"
    headers = {"Authorization": "Table key"}
    assert [Browser(front.port).get("/e/open/", **headers).content for _ in range(2)] == [b"4", b"5"]


@pytest.mark.parametrize(("proxies", "true"), [(1, "127.0.0.1"), (2, "198.51.100.7")], ids=["alone", "behind a CDN"])
def test_the_site_hears_of_the_true_address_and_of_https(
    site: Site, front: Browser, monkeypatch: pytest.MonkeyPatch, proxies: int, true: str
) -> None:
    # A browser's own invention, and what the CDN adds to it.
    front.get("/desk/open/", **{"X-Forwarded-For": "10.6.6.6, 198.51.100.7", "X-Forwarded-Proto": "http"})
    heard = site.heard[-1]
    assert (heard["HTTP_X_FORWARDED_PROTO"], heard["HTTP_HOST"]) == ("https", f"127.0.0.1:{front.port}")
    monkeypatch.setattr(settings, "PROXIES", proxies)
    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR=heard["HTTP_X_FORWARDED_FOR"], REMOTE_ADDR="127.0.0.1")
    EdgeMiddleware(lambda _: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == true


def test_a_page_that_was_kept_is_shown_while_no_process_is_there(site: Site, front: Browser) -> None:
    assert front.get("/e/open/").content == b"1"
    site.server.shutdown()
    site.server.server_close()
    time.sleep(3.2)
    cached, personal = front.get("/e/open/"), front.get("/desk/open/")
    assert (cached.status, cached.content, personal.status) == (200, b"1", 502)


def test_the_link_of_a_mail_stands_in_no_log(site: Site, front: Browser, tmp_path: Path) -> None:
    paths = ["/password/new/Mg/dijo0e-9ec05a820d7d/", f"/e/open/entry/{'x' * 32}/", "/sign-in/"]
    asked = [front.get(path).status for path in paths]
    site.server.shutdown()
    site.server.server_close()
    assert asked + [front.get(path).status for path in paths] == [404, 404, 200, 502, 502, 502]
    logs = [(tmp_path / name).read_text() for name in ("access.log", "nginx.log")]
    assert [[path in log for path in paths] for log in logs] == [[False, False, True]] * 2


# What is in deploy/ names what is there: files, commands, variables.
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PAGES = sorted(DEPLOY.glob("*.md"))
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_named_files_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    named = re.findall(r"deploy/[\w./-]*\w", text)
    assert [one for one in links if not (DEPLOY / one).exists()] == []
    assert [one for one in named if not (ROOT / one).exists()] == []
    commands = re.findall(r"manage\.py ([a-z_]+)", text) + re.findall(r"python -m (tests\.hosted\.\w+)", text)
    there = {*get_commands(), *(f"tests.hosted.{path.stem}" for path in (ROOT / "tests/hosted").glob("*.py"))}
    assert set(commands) - there == set()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_start_what_is_there(unit: Path) -> None:
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation has it
    read.read_string(unit.read_text(encoding="utf-8"))
    if unit.suffix == ".timer":
        assert (unit.with_suffix(".service") in UNITS, "OnCalendar" in read["Timer"]) == (True, True)
        return
    program, *words = read["Service"]["ExecStart"].split()
    if program.endswith("python"):
        assert (words[0], words[1] in get_commands()) == ("manage.py", True)
    elif program.endswith("granian"):
        assert words[-1] == "tournament.wsgi:application"
    else:
        assert (ROOT / program.removeprefix("/opt/uptown/")).is_file()


def test_what_runs_waits_for_the_database_and_comes_back_however_often_it_ends() -> None:
    text = (DEPLOY / "systemd" / "uptown-web@.service").read_text(encoding="utf-8")
    lines = set(text.splitlines())
    # With Requires one start without a database would be the last.
    assert {"Wants=uptown-prepare.service", "StartLimitIntervalSec=0", "Restart=always"} - lines == set()
    assert "ExecStartPre=/usr/bin/systemctl is-active --quiet uptown-prepare" in lines


def test_a_unit_of_an_earlier_version_waits_quietly_for_its_removal(tmp_path: Path) -> None:
    """Its unit would start again at once what ends, with a good result or a bad one."""
    command = [sys.executable, "manage.py", "worker"]
    environment = os.environ | {"UPTOWN_DATA": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline().startswith("No longer needed")
        assert worker.poll() is None
        worker.terminate()
        assert worker.wait() == -signal.SIGTERM


def test_nginx_takes_its_file(tmp_path: Path) -> None:
    """What is copied to a Debian, but for its ports and the places of certificate and cache."""
    nginx, openssl = (program("REQUIRE_HOSTED", name) for name in ("nginx", "openssl"))
    plain, secure = own_port(), some_port()
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    request = [openssl, *"req -x509 -newkey rsa:2048 -nodes -subj /CN=uptown.example -keyout".split()]
    subprocess.run([*request, str(key), "-out", str(certificate)], check=True, capture_output=True)
    text = (DEPLOY / "nginx" / "uptown.conf").read_text(encoding="utf-8")
    for there, here in {
        "/etc/letsencrypt/live/uptown.example": tmp_path,
        # Debian has this folder; what nginx makes itself is the last part of the name only.
        "/var/lib/nginx": tmp_path,
        "/opt/uptown": ROOT,
        "listen 80;": f"listen {plain};",
        "[::]:80;": f"[::]:{plain};",
        "listen 443 ssl": f"listen {secure} ssl",
        "[::]:443 ssl": f"[::]:{secure} ssl",
    }.items():
        assert there in text
        text = text.replace(there, str(here))
    file = tmp_path / "nginx.conf"
    temporary = "".join(f"{kind}_temp_path {tmp_path}/{kind}; " for kind in TEMPORARY)
    file.write_text(f"pid {tmp_path}/nginx.pid; events {{}} http {{ {temporary}\n{text}\n}}", encoding="utf-8")
    words = [nginx, "-t", "-c", str(file), "-p", str(tmp_path), "-e", str(tmp_path / "nginx.log")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, "[warn]" in done.stderr) == (0, False), done.stderr


def test_the_file_of_variables_has_everything_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (DEPLOY / "uptown.env").read_text(encoding="utf-8").splitlines()
    settings_of_nginx = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    for name, value in settings_of_nginx.items():
        monkeypatch.setenv(name, value or "filled in")
    assert (settings_of_nginx["UPTOWN_PROFILE"], why_not_hosted()) == ("hosted", "")


# A small evening before a hosted site whose parts are killed in turn: what `python -m tests.hosted.chaos` does.
@pytest.mark.nightly
@pytest.mark.long
def test_a_small_evening_on_two_processes_ends_as_if_nothing_had_been() -> None:
    for name in ("nginx", "redis-server", "psql"):
        program("REQUIRE_HOSTED", name)
    small = "--seed 9 --tables 2 --games 1 --kill 4 --webs 2".split()
    command = [sys.executable, "-m", "tests.hosted.chaos", *small]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    assert (done.returncode, printed[-1:]) == (
        0,
        ["standings identical, 2 sheets with identical codes, nothing lost, nothing twice"],
    ), done.stdout + done.stderr[-2000:]
    assert "kills: none" not in printed
