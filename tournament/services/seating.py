"""Who sits at the table: each side says that it is there, then the table names who deals first."""

from __future__ import annotations

from django.db.models import F
from django.template.defaultfilters import pluralize
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Side
from tournament.queries.lines import active_entries
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.transactions import locked_game, writing


def seat_side(actor: Actor, game: Game, side: int) -> Side:
    """Note that a side is seated. Saying it twice changes nothing: the first time counts against the five minutes."""
    with writing(game.round.event_id) as event:
        game = _open_game(event, game)
        seated = Side.objects.select_related("team").filter(game=game, index=side).first()
        if seated is None:
            raise Invalid([Fault("side", "There is no such side at this table.")])
        if seated.seated_at is None:
            seated.seated_at = timezone.now()
            seated.save(update_fields=["seated_at"])
            _touch(game)
            text = f"{game.round}, table {game.table}: {seated.team.name} seated"
            note(actor, event, "seat", "game", game.pk, text, before="waited for", after="seated")
        return seated


def seat_everybody(actor: Actor, event: Event, number: int) -> int:
    """Note at the desk that nobody is missing in a round in play: a hall without tablets. Returns how many tables."""
    with writing(event) as event:
        waiting = Side.objects.filter(game__round__event=event, game__round__number=number, seated_at=None)
        waiting = waiting.filter(game__round__state="running", game__state="playing")
        games = set(waiting.values_list("game_id", flat=True))
        waiting.update(seated_at=timezone.now())
        Game.objects.filter(pk__in=games).update(version=F("version") + 1)
        if games:
            where = f"{len(games)} table{pluralize(len(games))}"
            note(actor, event, "seat", "round", number, f"Everybody seated at {where}, said at the desk")
        return len(games)


def choose_first_dealer(actor: Actor, game: Game, seat: int) -> Game:
    """Name who deals first, which begins the game; it can be changed until the first hand is written."""
    with writing(game.round.event_id) as event:
        game = _open_game(event, game)
        if seat not in range(ruleset_at(game).seating.seats):
            raise Invalid([Fault("seat", "There is no such seat at this table.")])
        missing = [side.team.name for side in game.sides.select_related("team") if side.seated_at is None]
        if missing:
            raise Changed(f"Before the first deal everybody is seated. Not seated yet: {', '.join(missing)}.")
        if game.begun_at is not None and game.first_dealer == seat:
            return game
        if active_entries(game.entries.all()):
            raise Changed("A hand is written already: the first dealer stands.")
        seats = {one.seat: one.name for one in game_sheet(sheet_games().get(pk=game.pk)).seats}
        before = seats[game.first_dealer] if game.begun_at else None
        game.first_dealer, game.begun_at = seat, game.begun_at or timezone.now()
        game.save(update_fields=["first_dealer", "begun_at"])
        _touch(game)
        text = f"{game.round}, table {game.table}: {seats[seat]} deals first"
        note(actor, event, "seat", "game", game.pk, text, before=before, after=seats[seat])
        return game


def _open_game(event: Event, game: Game) -> Game:
    game = locked_game(event, game.pk)
    if game.round.state != "running":
        raise Changed(f"{game.round} is not being played: nobody is seated at table {game.table}.")
    if game.state == "final":
        raise Changed("Both sides have signed: the game is over.")
    return game


def _touch(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
