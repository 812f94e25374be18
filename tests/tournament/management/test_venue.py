"""`manage.py venue` as a process: what it prints, what it serves on which port, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.halls import Hall, Prepared, eventually
from tests.programs import own_port
from tests.sure import sure
from tournament.serving.server import FAULT, STOP_SECONDS, TAKEN
from tournament.site.network import free_port, lan_address

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def hall(prepared_hall: Prepared, tmp_path: Path) -> Iterator[Hall]:
    own_hall = prepared_hall.copy(tmp_path / "data")
    yield own_hall
    own_hall.kill()


def children(hall: Hall) -> list[int]:
    """The processes that answer, where the system tells."""
    leader = sure(hall.process).pid
    children = Path(f"/proc/{leader}/task/{leader}/children")
    if not children.exists():
        pytest.skip("this system does not tell a process's children")
    return [int(pid) for pid in children.read_text().split()]


def test_a_hall_on_https_has_a_door_where_tablets_learn_to_trust_it(hall: Hall) -> None:
    hall.start()
    site, page = f"https://{lan_address()}:{hall.port}/", f"http://{lan_address()}:{hall.port + 1}/trust/"
    for words in (site, page, "Stop with Ctrl+C.", "every tablet has to install it, once"):
        assert words in hall.said()
    cookie = hall.ask("/t/").headers["set-cookie"]
    assert (cookie.startswith("__Host-csrftoken="), "Secure" in cookie, "Path=/;" in cookie) == (True, True, True)
    door = hall.ask("/trust/", plain=hall.port + 1)
    assert (door.status, site in door.content.decode()) == (200, True)
    root = ssl.PEM_cert_to_DER_cert((hall.folder / "certificates" / "root.pem").read_text())
    given = hall.ask("/trust/uptown.crt", plain=hall.port + 1)
    assert (given.status, given.headers["Content-Type"], given.content) == (200, "application/x-x509-ca-cert", root)
    sheet = re.search(r'href="(/static/[^"]+\.css)"', door.content.decode())
    assert sheet and hall.ask(sheet[1], plain=hall.port + 1).status == 200
    for path in ("/", "/sign-in/", "/t/table/", "/trust", "/desk/columbus-open/"):
        answer = hall.ask(path, plain=hall.port + 1)
        assert (answer.status, answer.headers["Location"]) == (302, "/trust/")


@pytest.mark.nightly
def test_a_hall_on_plain_http_has_nothing_to_install(hall: Hall) -> None:
    hall.start("--http")
    assert f"http://{lan_address()}:{hall.port}/" in hall.said()
    cookie = hall.ask("/t/").headers["set-cookie"]
    assert (cookie.startswith("csrftoken="), "Secure" in cookie) == (True, False)
    assert hall.ask("/trust/").status == 404
    assert not (hall.folder / "certificates").exists()


@pytest.mark.nightly
def test_a_port_that_is_taken_is_said_and_the_next_ones_are_used(hall: Hall) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("0.0.0.0", own_port("0.0.0.0")))
        taken.listen()
        port = taken.getsockname()[1]
        free = free_port(port + 1, "0.0.0.0")
        hall.start(port=port, answering=free)
    assert f"Port {port} is taken by another program; using {free}." in hall.said()
    assert hall.ask("/t/").status == 200
    assert hall.ask("/trust/", plain=free + 1).status == 200


@pytest.mark.nightly
def test_a_second_start_says_where_the_first_one_is(hall: Hall) -> None:
    hall.start()
    for command in ("venue", "serve"):
        second = hall.run("manage.py", command, "--port", str(hall.port + 2))
        words = TAKEN.format(f", at https://localhost:{hall.port}/")
        assert (second.returncode, second.stdout, second.stderr) == (1, "", f"{words}\n")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("told", "words"), [(signal.SIGINT, ()), (signal.SIGINT, ("--http",)), (signal.SIGHUP, ("--http",))]
)
def test_ctrl_c_and_a_closed_window_end_it_without_a_complaint(
    hall: Hall, told: signal.Signals, words: tuple[str, ...]
) -> None:
    hall.start(*words)
    started = time.monotonic()
    os.killpg(sure(hall.process).pid, told)
    assert sure(hall.process).wait(timeout=120) == 0
    # It was not killed in the end.
    assert time.monotonic() - started < STOP_SECONDS
    assert "Traceback" not in hall.said()
    assert free_port(hall.port, "0.0.0.0") == hall.port


@pytest.mark.nightly
def test_a_command_that_is_killed_leaves_port_and_certificates_to_the_next_start(hall: Hall) -> None:
    """Tablets keep what is unsent under the address of the site: it must come back under the same one."""
    hall.start()
    certificates = {path.name: path.read_bytes() for path in (hall.folder / "certificates").iterdir()}
    os.kill(sure(hall.process).pid, signal.SIGKILL)
    sure(hall.process).wait()
    eventually(lambda: free_port(hall.port, "0.0.0.0") == hall.port, hall.said)
    hall.start()
    assert "is taken" not in hall.said()
    assert {path.name: path.read_bytes() for path in (hall.folder / "certificates").iterdir()} == certificates
    assert "Tablets that installed this laptop’s certificate need nothing more." in hall.said()


def test_a_process_that_dies_is_replaced_however_often_and_the_screen_says_so(hall: Hall) -> None:
    hall.start()
    for times in (1, 2):
        (answering,) = children(hall)
        os.kill(answering, signal.SIGKILL)
        eventually(lambda: children(hall) not in ([], [answering]) and hall.answers(), hall.said)  # noqa: B023
        assert hall.said().count(FAULT.split(" at ")[0]) == times
    assert hall.ask("/trust/", plain=hall.port + 1).status == 200
