"""The hall's own certificates: made once, narrow, and followed by the rules of those who check them."""

from __future__ import annotations

import datetime
import io
import socket
import ssl
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.test import Client
from django.utils import timezone
from rich.console import Console

from tests.factories import make_round, make_teams
from tests.halls import eventually
from tests.programs import own_port
from tests.sure import sure
from tournament.models import Event
from tournament.services.accounts import new_password
from tournament.serving import server
from tournament.serving.certificates import hall_certificates
from tournament.serving.server import announce

NOW = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
HOSTS = ["192.168.1.20", "127.0.0.1", "[::1]", "laptop", "laptop.local", "localhost"]
NAME = "Uptown at laptop"


def certificate(folder: Path, name: str) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / f"{name}.pem").read_bytes())


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def names(site: x509.Certificate) -> set[str]:
    return {str(row.value) for row in site.extensions.get_extension_for_class(x509.SubjectAlternativeName).value}


def shake_hands(folder: Path, host: str, site: Path, key: Path) -> None:
    """A client that trusts the root meets a server with this certificate; ssl.SSLError where it must not."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(site, key)
    client = ssl.create_default_context(cafile=folder / "root.pem")
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(down, up, server_hostname=host),
        server.wrap_bio(up, down, server_side=True),
    ]
    done = 0
    for turn in range(20):
        try:
            sides[turn % 2].do_handshake()
            done += 1
        except ssl.SSLWantReadError:
            continue
    assert done >= 2


def test_the_authority_is_made_once_and_the_site_signed_by_it(tmp_path: Path) -> None:
    first = hall_certificates(tmp_path, HOSTS, NAME, NOW)
    before = files(tmp_path)
    assert first == (tmp_path / "site.pem", tmp_path / "site-key.pem", True)
    assert set(before) == {"root.pem", "root-key.pem", "site.pem", "site-key.pem"}
    assert hall_certificates(tmp_path, HOSTS, NAME, NOW + 300 * DAY) == first._replace(new=False)
    assert files(tmp_path) == before
    if sys.platform != "win32":
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_the_authority_signs_sites_of_a_local_network_and_nothing_else(tmp_path: Path) -> None:
    hall_certificates(tmp_path, HOSTS, NAME, NOW)
    root = certificate(tmp_path, "root")
    limits = root.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (limits.critical, limits.value) == (True, x509.BasicConstraints(ca=True, path_length=0))
    uses = root.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert set(uses) == {ExtendedKeyUsageOID.SERVER_AUTH}
    allowed = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert allowed.critical
    assert {str(subtree.value) for subtree in sure(allowed.value.permitted_subtrees)} == {
        *("local", "localhost", "lan", "home.arpa", "internal", "test"),
        *("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    }


def test_the_site_lasts_as_long_as_browsers_allow(tmp_path: Path) -> None:
    hall_certificates(tmp_path, HOSTS, NAME, NOW)
    site = certificate(tmp_path, "site")
    assert site.not_valid_after_utc - site.not_valid_before_utc == 397 * DAY
    assert names(site) == {"192.168.1.20", "127.0.0.1", "::1", "laptop.local", "localhost"}


@pytest.mark.parametrize("host", ["192.168.1.20", "::1", "laptop.local", "localhost"])
def test_who_trusts_the_root_trusts_the_site_under_each_of_its_names(tmp_path: Path, host: str) -> None:
    certificates = hall_certificates(tmp_path, HOSTS, NAME, NOW)
    shake_hands(tmp_path, host, certificates.site, certificates.site_key)


@pytest.mark.parametrize(("laptop", "site"), [("laptop", "bank.example"), ("dev", "web.dev")])
def test_a_stolen_authority_cannot_vouch_for_a_site_on_the_internet(tmp_path: Path, laptop: str, site: str) -> None:
    """Also where the laptop has the name of a top-level domain."""
    hall_certificates(tmp_path, [*HOSTS[:3], laptop, f"{laptop}.local", "localhost"], NAME, NOW)
    key = serialization.load_pem_private_key((tmp_path / "root-key.pem").read_bytes(), None)
    assert isinstance(key, EllipticCurvePrivateKey)
    forging = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(certificate(tmp_path, "root").subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(NOW - DAY)
        .not_valid_after(NOW + DAY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(site)]), critical=True)
        .sign(key, hashes.SHA256())
    )
    forged = tmp_path / "forged.pem"
    forged.write_bytes(forging.public_bytes(serialization.Encoding.PEM))
    with pytest.raises(ssl.SSLError, match="permitted subtree violation"):
        shake_hands(tmp_path, site, forged, tmp_path / "root-key.pem")


def test_another_address_gets_another_site_and_keeps_the_authority(tmp_path: Path) -> None:
    hall_certificates(tmp_path, HOSTS, NAME, NOW)
    before = files(tmp_path)
    moved = ["10.0.0.7", *HOSTS[1:]]
    assert not hall_certificates(tmp_path, moved, NAME, NOW).new
    after = files(tmp_path)
    assert {name for name in after if after[name] != before[name]} == {"site.pem", "site-key.pem"}
    assert "10.0.0.7" in names(certificate(tmp_path, "site"))


def test_a_site_that_runs_out_soon_is_renewed_within_the_life_of_the_authority(tmp_path: Path) -> None:
    hall_certificates(tmp_path, HOSTS, NAME, NOW)
    root, old = (tmp_path / "root.pem").read_bytes(), (tmp_path / "site.pem").read_bytes()
    assert not hall_certificates(tmp_path, HOSTS, NAME, NOW + 370 * DAY).new
    assert (tmp_path / "root.pem").read_bytes() == root
    assert (tmp_path / "site.pem").read_bytes() != old
    assert not hall_certificates(tmp_path, HOSTS, NAME, NOW + (5 * 365 - 60) * DAY).new
    assert certificate(tmp_path, "site").not_valid_after_utc == certificate(tmp_path, "root").not_valid_after_utc


@pytest.mark.parametrize("lost", ["root.pem", "root-key.pem"])
def test_an_authority_that_is_not_whole_is_made_anew_and_says_so(tmp_path: Path, lost: str) -> None:
    certificates = hall_certificates(tmp_path, HOSTS, NAME, NOW)
    (tmp_path / lost).write_bytes(b"half of it")
    assert hall_certificates(tmp_path, HOSTS, NAME, NOW).new
    shake_hands(tmp_path, "localhost", certificates.site, certificates.site_key)


def test_a_key_without_its_certificate_is_replaced(tmp_path: Path) -> None:
    certificates = hall_certificates(tmp_path, HOSTS, NAME, NOW)
    certificates.site_key.write_bytes((tmp_path / "root-key.pem").read_bytes())
    assert not hall_certificates(tmp_path, HOSTS, NAME, NOW).new
    shake_hands(tmp_path, "localhost", certificates.site, certificates.site_key)


def test_an_address_of_the_internet_is_refused_unless_the_authority_was_made_there(tmp_path: Path) -> None:
    public = ["198.51.100.7", "laptop.example.org", *HOSTS[1:]]
    hall_certificates(tmp_path / "elsewhere", HOSTS, NAME, NOW)
    with pytest.raises(ValueError, match=r"^198\.51\.100\.7$"):
        hall_certificates(tmp_path / "elsewhere", public, NAME, NOW)
    hall_certificates(tmp_path / "there", public, NAME, NOW)
    assert names(certificate(tmp_path / "there", "site")) == {"198.51.100.7", *names_of(HOSTS[1:])} - {"laptop"}


def names_of(hosts: list[str]) -> set[str]:
    return {host.strip("[]") for host in hosts}


# The page where a tablet learns to trust the hall, and the way to it on the desk's page of tablets.
PAGE, SITE = "http://192.168.1.20:8001/trust/", "https://192.168.1.20:8000/"
AGENTS = {
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15": ["iPad, iPhone"],
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)": ["iPad, iPhone"],
    "Mozilla/5.0 (Linux; Android 14; Pixel Tablet) Chrome/140.0": ["Android"],
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0": ["Windows"],
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": ["Firefox"],
    "Mozilla/5.0 (Android 14; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0": ["Firefox"],
    "": [],
}


@pytest.fixture
def root(settings: Any, tmp_path: Path) -> bytes:
    """A hall with certificates of its own; its root as tablets install it."""
    settings.DATA, settings.HALL_SITE, settings.HALL_TRUST = tmp_path, SITE, PAGE
    hall_certificates(tmp_path / "certificates", ["192.168.1.20"], "Uptown at laptop", timezone.now())
    return ssl.PEM_cert_to_DER_cert((tmp_path / "certificates" / "root.pem").read_text())


@pytest.mark.parametrize("agent", AGENTS)
def test_the_steps_for_the_device_that_asks_are_open(root: bytes, client: Client, agent: str) -> None:
    text = client.get("/trust/", headers={"user-agent": agent}).content.decode()
    assert [part.split("<summary>")[1].split("<")[0] for part in text.split("<details open>")[1:]] == AGENTS[agent]


def test_the_page_gives_the_certificate_and_leads_on_to_the_site(root: bytes, client: Client) -> None:
    text = client.get("/trust/").content.decode()
    assert f'href="{SITE}"' in text and 'href="/trust/uptown.crt"' in text and "Uptown at laptop" in text
    given = client.get("/trust/uptown.crt")
    assert (given["Content-Type"], given.content) == ("application/x-x509-ca-cert", root)


def test_a_site_without_a_certificate_of_its_own_has_no_such_page(client: Client) -> None:
    assert [client.get(path).status_code for path in ("/trust/", "/trust/uptown.crt")] == [404, 404]


def test_the_desk_shows_the_way_there_beside_the_cards(root: bytes, event: Event, desk: Client) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    assert f'href="{PAGE}"' in desk.get(f"/desk/{event.slug}/tablets/").content.decode()


def test_without_a_certificate_the_desk_says_nothing_of_it(event: Event, desk: Client) -> None:
    assert "trust" not in desk.get(f"/desk/{event.slug}/tablets/").content.decode()


# The page over plain http: a limited number of connections have a thread, all others wait their turn.
def page(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    start("200 OK", [("Content-Length", "5")])
    return [b"Trust"]


def served() -> int:
    """How many connections have a thread."""
    return sum("process_request_thread" in thread.name for thread in threading.enumerate())


def test_whoever_says_nothing_holds_no_more_threads_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST", 3)
    port = own_port("127.0.0.1")
    address = f"http://127.0.0.1:{port}/trust/"
    server.open_door(page, address, "127.0.0.1")
    with ExitStack() as silent:
        for _ in range(3):
            silent.enter_context(socket.create_connection(("127.0.0.1", port)))
        eventually(lambda: served() == 3, served)
        with pytest.raises(TimeoutError):
            urllib.request.urlopen(address, timeout=1)
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.read() == b"Trust"


# What a start prints: nothing that is shown only once may be cut off.
@pytest.mark.parametrize("width", [20, 60, 80])
def test_every_password_is_printed_whole_whatever_the_width_of_the_window(width: int) -> None:
    passwords = [new_password() for _ in range(200)]
    people = [
        (f"owner{number}", password, "everything; shown only this once") for number, password in enumerate(passwords)
    ]
    output = io.StringIO()
    announce(Console(file=output, width=width), 8000, people, [("Sign in", "/sign-in/")])
    assert set(passwords) <= {word for line in output.getvalue().splitlines() for word in line.split()}
