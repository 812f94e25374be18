"""The nginx file of deploy/, before a small site that counts what it is asked: what is kept there, and what never."""

from __future__ import annotations

import configparser
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIServer

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.http import HttpResponse
from django.test import RequestFactory

from tests.halls import ROOT, eventually
from tests.hosted.browser import Browser
from tests.hosted.stack import is_taken, nginx
from tests.programs import Start, own_port, program, served, some_port
from tournament.middleware import AddressMiddleware
from tournament.place import why_not_hosted
from tournament.public_pages import FOR_PROXIES, VARIES

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


def test_of_many_who_ask_at_once_one_asks_the_site(site: Site, front: Browser) -> None:
    with ThreadPoolExecutor(16) as pool:
        pages = list(pool.map(lambda _: Browser(front.port).get("/e/slow/").content, range(16)))
    assert (pages, site.asked["/e/slow/"]) == ([b"1"] * 16, 1)


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
    told = {"Authorization": "Table key"}
    assert [Browser(front.port).get("/e/open/", **told).content for _ in range(2)] == [b"4", b"5"]


@pytest.mark.parametrize(("proxies", "true"), [(1, "127.0.0.1"), (2, "198.51.100.7")], ids=["alone", "behind a CDN"])
def test_the_site_hears_of_the_true_address_and_of_https(
    site: Site, front: Browser, monkeypatch: pytest.MonkeyPatch, proxies: int, true: str
) -> None:
    # A browser's own invention, and what the CDN adds to it.
    front.get("/desk/open/", **{"X-Forwarded-For": "10.6.6.6, 198.51.100.7", "X-Forwarded-Proto": "http"})
    heard = site.heard[-1]
    assert (heard["HTTP_X_FORWARDED_PROTO"], heard["HTTP_HOST"]) == ("https", f"127.0.0.1:{front.port}")
    monkeypatch.setattr(settings, "PROXIES", proxies)
    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR=heard["HTTP_X_FORWARDED_FOR"], REMOTE_ADDR="10.0.0.9")
    AddressMiddleware(lambda _: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == true


def test_a_static_file_is_asked_for_once(site: Site, front: Browser) -> None:
    assert [Browser(front.port).get(STATIC).content for _ in range(20)] == [b"1"] * 20


def test_a_page_that_was_kept_is_shown_while_no_process_is_there(site: Site, front: Browser) -> None:
    assert front.get("/e/open/").content == b"1"
    site.server.shutdown()
    site.server.server_close()
    time.sleep(3.2)
    kept, personal = front.get("/e/open/"), front.get("/desk/open/")
    assert (kept.status, kept.content, personal.status) == (200, b"1", 502)


def test_the_link_of_a_mail_stands_in_no_log(site: Site, front: Browser, tmp_path: Path) -> None:
    paths = ["/password/new/Mg/dijo0e-9ec05a820d7d/", "/sign-in/"]
    asked = [front.get(path).status for path in paths]
    site.server.shutdown()
    site.server.server_close()
    assert asked + [front.get(path).status for path in paths] == [404, 200, 502, 502]
    logs = [(tmp_path / name).read_text() for name in ("access.log", "nginx.log")]
    assert [[path in log for path in paths] for log in logs] == [[False, True]] * 2


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
    made = [openssl, *"req -x509 -newkey rsa:2048 -nodes -subj /CN=uptown.example -keyout".split()]
    subprocess.run([*made, str(key), "-out", str(certificate)], check=True, capture_output=True)
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
    temporary = "".join(f"{one}_temp_path {tmp_path}/{one}; " for one in TEMPORARY)
    file.write_text(f"pid {tmp_path}/nginx.pid; events {{}} http {{ {temporary}\n{text}\n}}", encoding="utf-8")
    words = [nginx, "-t", "-c", str(file), "-p", str(tmp_path), "-e", str(tmp_path / "nginx.log")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, "[warn]" in done.stderr) == (0, False), done.stderr


def test_the_file_of_variables_has_everything_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (DEPLOY / "uptown.env").read_text(encoding="utf-8").splitlines()
    said = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    for name, value in said.items():
        monkeypatch.setenv(name, value or "filled in")
    assert (said["UPTOWN_PROFILE"], why_not_hosted()) == ("hosted", "")
