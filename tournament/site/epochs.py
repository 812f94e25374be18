"""Epochs: which of two copies of a site was begun later, whichever laptop says so.

A restore begins an epoch. Its first bits are the time in milliseconds, but always later than any known epoch: a wrong
clock never makes a restore look older than its source. The rest is made with the secret of the installation, so nobody
without its rows can make a later one. The epoch of a new event is random, and has no order.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Iterable
from uuid import UUID

# Of the 128 bits: 48 of the moment, 4 of the version, 12 of the mark, 2 of the variant, 62 of the mark.
ORDERED = 7
_MOMENT, _VERSION, _HIGH, _VARIANT = 80, 76, 64, 62


def new_epoch(secret: str, known: Iterable[UUID | None] = ()) -> UUID:
    """An epoch that is later than all that are known."""
    latest = max((moment_of(epoch) for epoch in known), default=0)
    return _made(secret, max(time.time_ns() // 1_000_000, latest + 1))


def is_later(epoch: UUID | None, than: UUID | None) -> bool:
    return moment_of(epoch) > moment_of(than)


def is_of(secret: str, epoch: UUID) -> bool:
    """Whether a laptop with the rows of the installation with this secret began this epoch."""
    moment = moment_of(epoch)
    return bool(secret and moment) and hmac.compare_digest(_made(secret, moment).bytes, epoch.bytes)


def moment_of(epoch: UUID | None) -> int:
    """When it was begun, in milliseconds; 0 if nothing was ever restored."""
    return epoch.int >> _MOMENT if epoch is not None and epoch.version == ORDERED else 0


def _made(secret: str, moment: int) -> UUID:
    mark = int.from_bytes(hmac.digest(secret.encode(), moment.to_bytes(8), hashlib.sha256)[:10])
    high, low = mark & 0xFFF, (mark >> 12) & ((1 << _VARIANT) - 1)
    return UUID(int=moment << _MOMENT | ORDERED << _VERSION | high << _HIGH | 0b10 << _VARIANT | low)
