"""Taking over what another hall played: the finished games of its event file, all of them or none."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from tournament.access import Actor
from tournament.archive.games import FileGame
from tournament.archive.hall import HallResults, hall_results
from tournament.archive.journal import GAME, game_name
from tournament.archive.reading import EventFile
from tournament.archive.store.journal import write_journal
from tournament.archive.store.sheets import write_sheets, write_substitutes
from tournament.models import Event, Game, Side
from tournament.services.journal import note
from tournament.services.transactions import writing


def take_over(actor: Actor, event: Event, file: EventFile) -> HallResults:
    """Take over the games that are finished there and unplayed here, with all that stands on and under their sheets.

    The same file twice brings nothing the second time. Raises Invalid where the file does not fit this event.
    """
    with writing(event) as event:
        results = hall_results(event, file)
        games = [(one.game, one.said) for one in results.comes]
        if not games:
            return results
        _sit_down(games)
        write_substitutes(results.substitutes)
        teams = {team.number: team for team in event.teams.all()}
        write_sheets(actor, event, games, teams, lambda what, done, total: None)
        names = {game_name(game.round.number, game.table, game.leg) for game, _ in games}
        write_journal(event, (one for one in file.journal if one.noun == GAME and one.key in names), games)
        came = [one.place for one in results.comes]
        note(actor, event, "other-hall", "event", event.pk, "games", {"games": len(games)}, after=came)
        return results


def _sit_down(games: Sequence[tuple[Game, FileGame]]) -> None:
    """Who sat there sits here, and the same player dealt first."""
    now, sides = timezone.now(), []
    for game, said in games:
        began = game.round.started_at or now
        game.first_dealer, game.begun_at, game.last_entry_at = said.first_dealer, began, now
        for side in game.sides.all():
            side.seated_at = said.seated_at(side.index, began)
            sides.append(side)
    Game.objects.bulk_update([game for game, _ in games], ["first_dealer", "begun_at", "last_entry_at"])
    Side.objects.bulk_update(sides, ["seated_at"])
