"""Signatures that stand on a paper sheet: an official notes them for all sides at once, and takes them back."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event, Game, Signature
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Changed
from tournament.services.journal import note, place_of
from tournament.services.results import refresh_result
from tournament.services.transactions import locked_game, writing


def note_paper_signatures(actor: Actor, game: Game, code: str) -> None:
    """Note that every side which has not signed on a tablet has signed the sheet with this code on paper.

    The paper carries the names; the row says who has seen it. Done twice, nothing changes. Raises Changed where the
    game is not over, or where the sheet is not the one that was seen.
    """
    with writing(game.round.event_id) as event:
        locked_game(event, game.pk)
        sheet = game_sheet(sheet_games().get(pk=game.pk))
        if not sheet.over:
            raise Changed("The game is not over: there is nothing to sign yet.")
        if sheet.code != code:
            raise Changed("The sheet was changed since you looked at it. Compare it with the paper again.")
        sides = [side.index for side in sheet.unsigned]
        if sides:
            _write(actor, event, game, sheet, sides, "paper")


def take_paper_signatures_back(actor: Actor, game: Game, code: str) -> None:
    """Take back that the sides signed this sheet on paper, as long as the round is in play.

    Raises Changed where the round is closed, the sheet is another one, or no signature on paper stands under it.
    """
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        if game.round.state != "running":
            raise Changed(f"{game.round} is closed: its signatures stay. A mistake is corrected on the sheet.")
        sheet = game_sheet(sheet_games().get(pk=game.pk))
        sides = [one.side for one in sheet.signatures if one.paper]
        if sheet.code != code or not sides:
            raise Changed("These signatures no longer count: look at the sheet again.")
        _write(actor, event, game, sheet, sides, "back")


def _write(actor: Actor, event: Event, game: Game, sheet: GameSheet, sides: list[int], how: str) -> None:
    name = actor.account.get_username()[:40]
    for side in sides:
        before = Signature.objects.filter(game=sheet.pk, side=side, code=sheet.code).count()
        Signature.objects.create(
            game_id=sheet.pk, side=side, code=sheet.code, revision=before, how=how, name=name, witness=actor.person
        )
    refresh_result(locked_game(event, sheet.pk))
    said = place_of(game) | {"sides": [sheet.sides[side].name for side in sides]}
    code = "paper" if how == "paper" else "paper-back"
    note(actor, event, "sign", "game", sheet.pk, code, said, after={"code": sheet.code, "how": how})
