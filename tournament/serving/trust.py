"""The certificate that a tablet trusts before it opens this hall's site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from django.conf import settings


@dataclass(frozen=True, slots=True)
class Trust:
    """Where the site is, where a tablet learns to trust it, and the certificate under the name that devices show."""

    site: str
    page: str
    name: str
    until: date
    fingerprint: str
    certificate: bytes


def certificate_folder() -> Path:
    return Path(settings.DATA) / "certificates"


def hall_trust() -> Trust | None:
    """None where this site has no certificate of its own."""
    if not settings.HALL_TRUST:
        return None
    root = x509.load_pem_x509_certificate((certificate_folder() / "root.pem").read_bytes())
    return Trust(
        site=settings.HALL_SITE,
        page=settings.HALL_TRUST,
        name=str(root.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value),
        until=root.not_valid_after_utc.date(),
        fingerprint=root.fingerprint(hashes.SHA256()).hex(" ", 2).upper(),
        certificate=root.public_bytes(serialization.Encoding.DER),
    )
