"""Who sits at the table: each side says that it is there, then the table names who deals first."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Side
from tournament.queries.clocks import Waiting, seated_together, waiting_sides
from tournament.queries.rules import ruleset_at
from tournament.queries.scored import active_entries
from tournament.queries.sheet import sheet_now
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note, place_of
from tournament.services.transactions import Shown, locked_game, show, writing
from tournament.words.held import Reason


class Seated(NamedTuple):
    """What one press did: at how many tables, and who is still waited for."""

    tables: int
    waiting: Waiting


def seat_side(actor: Actor, game: Game, side: int) -> Side:
    """Note that a side is seated. Saying it twice changes nothing: the first time counts against the five minutes."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        seated = _side_of(game, side)
        if seated.seated_at is None:
            seated.seated_at = timezone.now()
            seated.save(update_fields=["seated_at"])
            _show_whether_seated(game)
            _touch(game)
            note(actor, event, "seat", "game", game.pk, "seated", place_of(game) | {"team": seated.team.name})
        return seated


def unseat_side(actor: Actor, game: Game, side: int) -> Side:
    """Take back that a side is seated: from then on the table waits for it again, by the clock of the round.

    Raises Changed where a line stands on the sheet: nobody plays a hand with an empty seat.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        seated = _side_of(game, side)
        if active_entries(game.entries.all()):
            raise Changed(f"Table {game.table} has begun to play, so the seat of {seated.team.name} cannot be undone.")
        if seated.seated_at is not None:
            _show_whether_seated(game)
            seated.seated_at = None
            seated.save(update_fields=["seated_at"])
            _nobody_deals_yet(game)
            note(actor, event, "seat", "game", game.pk, "unseated", place_of(game) | {"team": seated.team.name})
        return seated


def seat_everybody(actor: Actor, event: Event, number: int) -> Seated:
    """Note at the desk that everybody sits but the late ones, in a hall without tablets.

    Returns at how many tables, and whom nobody seated.
    """
    with writing(event) as event:
        waiting = waiting_sides(event, number)
        games = {side.game_id for side in waiting.here}
        Side.objects.filter(pk__in=[side.pk for side in waiting.here]).update(seated_at=timezone.now())
        Game.objects.filter(pk__in=games).update(version=F("version") + 1)
        if games:
            late = [[side.team.name, side.game.table] for side in waiting.late]
            note(actor, event, "seat", "round", number, "all", {"tables": len(games), "late": late})
        return Seated(len(games), waiting)


def unseat_everybody(actor: Actor, event: Event, number: int) -> int:
    """Take the last press of “Seat all” back where no hand has been written since; at how many tables."""
    with writing(event) as event:
        sides = seated_together(event, number)
        games = {side.game_id: side.game for side in sides}
        if not games:
            raise Changed("Nothing to undo: hands have been recorded since, or the seats were changed one by one.")
        Side.objects.filter(pk__in=[side.pk for side in sides]).update(seated_at=None)
        for game in games.values():
            _nobody_deals_yet(game)
        note(actor, event, "seat", "round", number, "undone", {"tables": len(games)})
        return len(games)


def choose_first_dealer(actor: Actor, game: Game, seat: int) -> Game:
    """Name who deals first, which begins the game; it can be changed until the first hand is written."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        if seat not in range(ruleset_at(game).seating.seats):
            raise Invalid([Fault("seat", Reason("no-seat"))])
        missing = [side.team.name for side in game.sides.select_related("team") if side.seated_at is None]
        if missing:
            raise Changed(Reason("not-seated", teams=missing))
        if game.begun_at is not None and game.first_dealer == seat:
            return game
        if active_entries(game.entries.all()):
            raise Changed(Reason("begun"))
        seats = {one.seat: one.name for one in sheet_now(game).seats}
        before = seats[game.first_dealer] if game.begun_at else ""
        game.first_dealer, game.begun_at = seat, game.begun_at or timezone.now()
        game.save(update_fields=["first_dealer", "begun_at"])
        _touch(game)
        note(actor, event, "seat", "game", game.pk, "dealer", place_of(game) | {"player": seats[seat], "was": before})
        return game


def begin_from_paper(actor: Actor, game: Game, seat: int) -> Game:
    """Name at the desk who dealt first: everybody at this table was seated, or nobody could have dealt."""
    with writing(game.round.event_id, Shown.INSIDE):
        for side in game.sides.filter(seated_at=None).values_list("index", flat=True):
            seat_side(actor, game, side)
        return choose_first_dealer(actor, game, seat)


def _open_game(event: Event, game: Game) -> Game:
    game = locked_game(event, game.pk)
    if game.round.state != "running":
        raise Changed(Reason("seats-closed", **place_of(game)))
    if game.state == "final":
        raise Changed(Reason("over"))
    return game


def _side_of(game: Game, index: int) -> Side:
    side = Side.objects.select_related("team").filter(game=game, index=index).first()
    if side is None:
        raise Invalid([Fault("side", Reason("no-side"))])
    return side


def _show_whether_seated(game: Game) -> None:
    """The schedule says of a table that it plays, once all of it sits."""
    if not game.sides.filter(seated_at=None).exists():
        show(Shown.PUBLIC)


def _nobody_deals_yet(game: Game) -> None:
    """With a side missing nobody deals: who deals first is asked again."""
    Game.objects.filter(pk=game.pk).update(first_dealer=0, begun_at=None, version=F("version") + 1)


def _touch(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
