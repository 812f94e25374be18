"""The password backend under the address stored in sessions: with another address, everybody would be signed out."""

from __future__ import annotations

from tournament.site.passwords import PasswordBackend as PasswordBackend
