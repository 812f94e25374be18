"""The short code of a sheet of paper: what its QR code and its address say, and what it leads to."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils.crypto import salted_hmac

from tournament.models import Event, Game
from tournament.queries.devices import LETTERS, plain_code

GAME, EVENT = "game", "event"
# So many letters of a code prove that it was printed here: one in 28 million is guessed.
PROOF = 5


def sheet_address_code(kind: str, pk: int) -> str:
    """The code of a game's sheet, or of an event's blank one: its row in capitals and digits, and the proof."""
    return _written(pk) + _proof(kind, pk)


def found_by_code(code: str) -> Game | Event:
    """What a code leads to, typed or scanned. Raises Http404 for a code that this site has not printed."""
    plain = plain_code(code)
    row, proof = plain[:-PROOF], plain[-PROOF:]
    pk = min(_read(row), 2**62)
    if proof == _proof(EVENT, pk) and row == _written(pk):
        return get_object_or_404(Event, pk=pk)
    if proof != _proof(GAME, pk) or row != _written(pk):
        pk = 0
    return get_object_or_404(Game.objects.select_related("round__event"), pk=pk)


def _proof(kind: str, pk: int) -> str:
    digest = salted_hmac(f"uptown.sheet.{kind}", str(pk)).digest()
    return _written(int.from_bytes(digest[:8]) % len(LETTERS) ** PROOF).rjust(PROOF, LETTERS[0])


def _written(number: int) -> str:
    text = ""
    while number or not text:
        number, digit = divmod(number, len(LETTERS))
        text = LETTERS[digit] + text
    return text


def _read(text: str) -> int:
    number = 0
    for sign in text:
        number = number * len(LETTERS) + LETTERS.index(sign)
    return number
