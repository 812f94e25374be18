"""What is in deploy/ names what is there: files, commands, variables."""

from __future__ import annotations

import configparser
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.halls import ROOT
from tests.ports import own_port, some_port
from tests.programs import program
from tournament.place import why_not_hosted

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
