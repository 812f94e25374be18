"""Two teams that sat in each other's place are put right in one act: at two tables, at one, or one with a bye.

Every entry stays where it was written. The sheet's code changes with its teams, so its signatures fall.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from tournament.access import Actor
from tournament.models import Bye, Event, Game, Round, Side, Team
from tournament.queries.deskgame import Impact, impact, picture
from tournament.queries.draws import meeting_notes
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.draws import renew_notes
from tournament.services.journal import note, title_of
from tournament.services.notices import tell_teams
from tournament.services.repairing import follow_bracket
from tournament.services.results import refresh_results
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import locked_game, team_numbered, writing


def swap_teams(actor: Actor, event: Event, number: int, first: int, second: int, reason: str) -> list[Game]:
    """Put two teams of a round in each other's place; two teams of one table change sides. Gives the games.

    In a round that is closed whoever mends it signs the new sheets for all sides, as with every correction. Raises
    Changed where the round or a team is no longer there, Invalid where the teams cannot be swapped.
    """
    if not reason.strip():
        raise Invalid([Fault("reason", "Say what happened: people read it later.")])
    with writing(event) as event:
        round_ = event.rounds.filter(number=number).first()
        if round_ is None:
            raise Changed("This round was drawn again. Load the page again.")
        teams = team_numbered(event, first), team_numbered(event, second)
        meetings = meeting_notes(event)
        games, final = _swap(round_, *teams)
        renew_notes(event, meetings)
        refresh_results(event, [game.pk for game in games if game.state != "planned"])
        who = {"first": str(teams[0]), "second": str(teams[1])}
        said = {"round": title_of(round_), **who, "reason": reason.strip()}
        note(actor, event, "swap", "round", number, "swapped", said, before=[first, second], after=[second, first])
        for game in final:
            _tell(actor, event, game, said)
        follow_bracket(actor, event)
        return games


def announce_swap(actor: Actor, event: Event, number: int, first: int, second: int, reason: str) -> Impact:
    """What the swap would change everywhere; nothing is stored."""
    with transaction.atomic():
        round_ = event.rounds.filter(number=number).first()
        teams = event.teams.filter(number__in=[first, second])
        games = [side.game_id for side in Side.objects.filter(round=round_, team__in=teams).order_by("game__table")]
        games = list(dict.fromkeys(games))
        before = picture(event, *games)
        swap_teams(actor, event, number, first, second, reason)
        after = picture(event, *games)
        transaction.set_rollback(True)
    return impact(before, after)


def _swap(round_: Round, one: Team, other: Team) -> tuple[list[Game], list[Game]]:
    """The games that changed, and those of them that were final."""
    if one.pk == other.pk:
        raise Invalid([Fault("second", "Choose two of them.")])
    places = [_place(round_, team) for team in (one, other)]
    sides = [place for place in places if isinstance(place, Side)]
    if not sides:
        raise Invalid([Fault("second", "Both have a bye in this round.")])
    games = {side.game_id: side.game for side in sides}
    if len(games) + (len(sides) == 1) > 1 and round_.stage != "qualifying":
        raise Invalid(
            [Fault("second", "Who meets whom in this round follows from results: only sides can be changed.")]
        )
    final = [game for game in games.values() if game.state == "final"]
    # Deleted and written anew, because no team may sit twice for a moment.
    Side.objects.filter(pk__in=[side.pk for side in sides]).delete()
    Bye.objects.filter(round=round_, team__in=[one, other]).delete()
    for place, team in zip(places, (other, one), strict=True):
        place.pk, place.team = None, team
        place.save(force_insert=True)
    return list(games.values()), final


def _place(round_: Round, team: Team) -> Side | Bye:
    side = Side.objects.select_related("game__round__event").filter(round=round_, team=team).order_by("leg").last()
    place = side or Bye.objects.filter(round=round_, team=team).first()
    if place is None:
        raise Invalid([Fault("first", f"Not in {round_}: {team.name}.")])
    return place


def _tell(actor: Actor, event: Event, game: Game, said: dict[str, Any]) -> None:
    """A final game is final again where its round is closed; elsewhere the table signs the mended sheet."""
    if game.round.state == "closed":
        sign_for_all(actor, locked_game(event, game.pk), f"Swapped: {said['reason']}"[:200])
    tell_teams(event, game, "swapped", said)
    note(actor, event, "correct-final", "game", game.pk, "swapped", said)
