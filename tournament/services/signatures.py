"""Signing the sheet. A signature belongs to the sheet that was seen; the last one makes the game final."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Game, Signature
from tournament.queries.scored import scored_game, sheet_code
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import SideFacts
from tournament.queries.signatures import standing_signatures
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note, place_of, title_of
from tournament.services.pins import pin_refusal
from tournament.services.results import refresh_result
from tournament.services.transactions import locked_game, writing
from tournament.words.held import Reason


def sign_sheet(actor: Actor, game: Game, *, side: int, name: str, code: str, reason: str = "") -> Signature:
    """Sign for a side under the sheet with this code. An official signs as a witness and gives a reason.

    Raises Changed where the sheet is not the one that was seen, Invalid where the name is no player of the side.
    Signing twice changes nothing.
    """
    with writing(game.round.event_id) as event:
        locked_game(event, game.pk)
        sheet = game_sheet(sheet_games().get(pk=game.pk))
        if not sheet.over:
            raise Changed(Reason("not-over"))
        if sheet.code != code:
            raise Changed(Reason("sheet-differs"))
        written = Signature.objects.filter(game=game, side=side, code=code)
        if stands := standing_signatures(written, code):
            return stands[0]
        if side not in range(len(sheet.sides)):
            raise Invalid([Fault("side", Reason("no-side"))])
        if actor.person is None:
            _must_be_a_player(sheet.sides[side], name)
        elif not reason.strip():
            raise Invalid([Fault("reason", "A witness who signs for a side must give a reason.")])
        signature = Signature.objects.create(
            game=game,
            side=side,
            code=code,
            name=name[:40],
            witness=actor.person,
            device=actor.device if actor.person is None else None,
            reason=reason.strip()[:200],
            revision=len(written),
        )
        refresh_result(game)
        said = place_of(game) | {"name": name, "side": sheet.sides[side].name}
        note(actor, event, "sign", "game", game.pk, "signed", said, after={"code": code})
        return signature


def sign_at_table(actor: Actor, game: Game, *, side: int, name: str, code: str, pin: str = "") -> Signature:
    """A player signs on the tablet, with the PIN of the team where the event asks for it."""
    if refused := pin_refusal(actor, game, side, pin):
        raise Invalid([Fault("pin", refused)])
    return sign_sheet(actor, game, side=side, name=name, code=code)


def take_signature_back(actor: Actor, game: Game, side: int) -> None:
    """Take a side's signature back, until every side has signed.

    Where none stands, nothing changes. Raises Changed where the sheet is final or its round is not in play any more.
    """
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        sheet = game_sheet(sheet_games().get(pk=game.pk))
        if game.state == "final":
            raise Changed(Reason("signed-by-all"))
        if game.round.state != "running":
            raise Changed(Reason("round-closed", round=title_of(game.round)))
        written = Signature.objects.filter(game=game, side=side, code=sheet.code)
        stands = standing_signatures(written, sheet.code)
        if not stands:
            return
        Signature.objects.create(
            game=game,
            side=side,
            code=sheet.code,
            name=stands[0].name,
            witness=actor.person,
            device=actor.device if actor.person is None else None,
            how="back",
            revision=len(written),
        )
        refresh_result(game)
        said = place_of(game) | {"name": stands[0].name, "side": sheet.sides[side].name}
        note(actor, event, "sign", "game", game.pk, "back", said, after={"code": sheet.code, "how": "back"})


def sign_for_all(actor: Actor, game: Game, reason: str) -> None:
    """The director ends a game that cannot be signed at the table: nobody came, or a team has left."""
    fresh = sheet_games().get(pk=game.pk)
    code = sheet_code(fresh, scored_game(fresh))
    for side in range(len(fresh.sides.all())):
        sign_sheet(actor, game, side=side, name=actor.account.get_username(), code=code, reason=reason)


def _must_be_a_player(side: SideFacts, name: str) -> None:
    """A team whose players nobody wrote down signs with its own name."""
    if name not in (side.players or (side.name,)):
        raise Invalid([Fault("name", Reason("no-player"))])
