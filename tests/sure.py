"""What a test is sure of."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def sure(value: T | None) -> T:
    """Return what has to be there; the test fails where it is not."""
    assert value is not None
    return value
