"""A hall's own certificates: one authority that the club's tablets trust, and what it signs for this machine."""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)
AUTHORITY_LASTS = 5 * 365 * DAY
# Browsers refuse certificates that last longer than 398 days.
SITE_LASTS = 396 * DAY
RENEW_BEFORE = 30 * DAY
# The authority can certify a local network and nothing on the internet, even if somebody steals its key.
NETWORKS = (
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
)
ENDINGS = ("local", "localhost", "lan", "home.arpa", "internal", "test")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Now = datetime.datetime


class Certificates(NamedTuple):
    """Files for the server; `new` means that the tablets do not know the authority yet."""

    site: Path
    site_key: Path
    new: bool


class Pair(NamedTuple):
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def hall_certificates(folder: Path, hosts: Sequence[str], name: str, now: Now) -> Certificates:
    """The certificates in a folder: the authority is created once, the site's again when hosts change or it expires.

    Hosts that the authority must not certify are left out. Raises ValueError if the first, the address in the hall, is
    one of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    authority = _read(folder, "root", now + RENEW_BEFORE)
    new = authority is None
    if authority is None:
        authority = _authority(hosts, name, now)
        _write(folder, "root", authority)
    vouched = [host for host in hosts if _may_vouch(authority.certificate, host)]
    if hosts[0] not in vouched:
        raise ValueError(hosts[0])
    site = _read(folder, "site", now + RENEW_BEFORE)
    if site is None or not _fits(site.certificate, authority, vouched):
        _write(folder, "site", _site(authority, vouched, now))
    return Certificates(folder / "site.pem", folder / "site-key.pem", new)


def _authority(hosts: Sequence[str], name: str, now: Now) -> Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name(
        [x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Uptown"), x509.NameAttribute(NameOID.COMMON_NAME, name[:64])]
    )
    allowed: list[x509.GeneralName] = [x509.DNSName(ending) for ending in ENDINGS]
    networks = [ipaddress.ip_network(text) for text in NETWORKS]
    for host in hosts:
        # No name without a dot: a certificate for “dev” would be valid for “web.dev”. “dev.local” is allowed above.
        address = _address(host)
        if address is not None and not any(address in network for network in networks):
            networks.append(ipaddress.ip_network(address))
    allowed += [x509.IPAddress(network) for network in networks]
    usage = _usage("key_cert_sign", "crl_sign")
    builder = (
        _builder(who, who, key, now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        # It may not sign mail or programs either, which names and networks do not limit.
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.NameConstraints(dict.fromkeys(allowed), None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return Pair(builder.sign(key, hashes.SHA256()), key)


def _site(authority: Pair, hosts: Sequence[str], now: Now) -> Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    root = authority.certificate
    lasts = min(SITE_LASTS, root.not_valid_after_utc - now)
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Uptown")])
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        _builder(who, root.subject, key, now, lasts)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_name(host) for host in hosts]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(above, critical=False)
    )
    return Pair(builder.sign(authority.key, hashes.SHA256()), key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: Now, lasts: datetime.timedelta
) -> x509.CertificateBuilder:
    """Valid since yesterday: the clock of a tablet may be behind."""
    return x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(), now - DAY, now + lasts
    )


def _usage(*uses: str) -> x509.KeyUsage:
    names = "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign"
    every = (*names.split(), "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{use: use in uses for use in every})


def _fits(site: x509.Certificate, authority: Pair, hosts: Sequence[str]) -> bool:
    """Whether a site's certificate is from this authority and for these hosts."""
    try:
        site.verify_directly_issued_by(authority.certificate)
    except Exception:
        return False
    names_of_site = site.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(names_of_site) == {_name(host) for host in hosts}


def _may_vouch(root: x509.Certificate, host: str) -> bool:
    allowed = root.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    address = _address(host)
    if address is not None:
        networks = [name.value for name in allowed if isinstance(name, x509.IPAddress)]
        return any(isinstance(name, IPv4Network | IPv6Network) and address in name for name in networks)
    names = [name.value for name in allowed if isinstance(name, x509.DNSName)]
    return any(host.lower() == name.lower() or host.lower().endswith(f".{name.lower()}") for name in names)


def _name(host: str) -> x509.GeneralName:
    address = _address(host)
    return x509.DNSName(host) if address is None else x509.IPAddress(address)


def _address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _read(folder: Path, name: str, until: Now) -> Pair | None:
    """A certificate with its key, if both are there, belong together, and last until then."""
    try:
        certificate = x509.load_pem_x509_certificate((folder / f"{name}.pem").read_bytes())
        key = serialization.load_pem_private_key((folder / f"{name}-key.pem").read_bytes(), None)
    except (OSError, ValueError):
        return None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or certificate.public_key() != key.public_key():
        return None
    return Pair(certificate, key) if certificate.not_valid_after_utc > until else None


def _write(folder: Path, name: str, pair: Pair) -> None:
    """The key first: without its certificate it is useless, and both are created again."""
    pem = serialization.Encoding.PEM
    key = pair.key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for file, content in ((f"{name}-key.pem", key), (f"{name}.pem", pair.certificate.public_bytes(pem))):
        fresh = folder / f"{file}.new"
        fresh.unlink(missing_ok=True)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(folder / file)
