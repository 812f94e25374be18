"""What the tablet keeps of a signature that was given with a PIN: after a restore it offers this in place of the PIN.

It is signed with the site's secret key, which lies beside the database and outlives a restore; under another key it
proves nothing, and the PIN is asked for again. A PIN that was changed since takes nothing back.
"""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer

from tournament.models import Game

SALT = "uptown.signature"


def make_proof(game: Game, side: int, name: str, code: str) -> str:
    """Proves that this player signed for this side of this game under the sheet with this code, and no more."""
    return Signer(salt=SALT).sign_object([*_who(game, side, name), code])


def proved_code(proof: str, game: Game, side: int, name: str) -> str:
    """The code of the sheet under which exactly this signature was given once; empty where it proves nothing."""
    try:
        *who, code = Signer(salt=SALT).unsign_object(proof)
    except BadSignature:
        return ""
    return str(code) if who == _who(game, side, name) else ""


def _who(game: Game, side: int, name: str) -> list[Any]:
    return [game.round.event_id, game.pk, side, name]
