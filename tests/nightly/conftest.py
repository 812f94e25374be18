"""Threads and faults need a database in a file."""

from __future__ import annotations

from tests.tournament.conftest import own_file

__all__ = ["own_file"]
