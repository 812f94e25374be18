"""The password backend under the address that sessions hold: under another one everybody would be signed out."""

from __future__ import annotations

from tournament.site.passwords import PasswordBackend as PasswordBackend
