"""Between the draw and game 1: who wants to leave, and who has a seat there and does not play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.ledger import listed
from tournament.models import Bye, Event, Game, Registration, Round, Side, Team
from tournament.queries.game_results import left_before
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import sides_with_teams

DECIDE = "Let them go, or keep them, before game 1 starts."


def team_of(entry: Registration) -> Team | None:
    """The team in which an entry plays: its own, or that of the partner whom it joined; None if it plays in none."""
    if entry.state not in ("in", "joined", "leaving"):
        return None
    has_joined = entry.wants is not None and entry.team is None
    team = entry.wants.team if has_joined and entry.wants else entry.team
    return team if team is not None and team.status == "playing" else None


def is_drawn(event: Event) -> bool:
    """Whether people have already read who plays whom: from then on only the desk lets a team go."""
    return event.stage == "playoffs" or event.rounds.exists()


def leaving_entries(event: Event) -> list[Registration]:
    """The entries that want to leave and belong to a team that plays; none once game 1 has started."""
    if event.frozen_at is not None:
        return []
    entries = event.registrations.filter(state="leaving").select_related("team", "wants__team")
    return [entry for entry in entries if team_of(entry) is not None]


def leaving_teams(event: Event) -> tuple[Team, ...]:
    """The teams that want to leave, by number; each once, whichever of its players asked."""
    teams = {team.number: team for team in map(team_of, leaving_entries(event)) if team is not None}
    return tuple(teams[number] for number in sorted(teams))


def leaving_words(event: Event, teams: Sequence[Team]) -> str:
    """“Blues want to leave”."""
    wants = "wants" if ruleset_of(event).singles and len(teams) == 1 else "want"
    return f"{listed(team.full_name for team in teams)} {wants} to leave"


class Seats(NamedTuple):
    """Game 1 as it is drawn: `gone` have a seat and do not play, `without` play and have no seat there."""

    gone: tuple[Team, ...] = ()
    without: tuple[Team, ...] = ()


def seats_of(round_: Round | None, teams: Sequence[Team]) -> Seats:
    """Which of all `teams` of an event have a seat in a round and do not play, and which play without a seat."""
    if round_ is None or round_.state != "planned":
        return Seats()
    seated = set(Side.objects.filter(round=round_).values_list("team", flat=True))
    placed = seated.union(Bye.objects.filter(round=round_).values_list("team", flat=True))
    return Seats(
        tuple(team for team in teams if team.status != "playing" and team.pk in seated),
        tuple(team for team in teams if team.status == "playing" and team.pk not in placed),
    )


def games_to_give(event: Event, round_: Round) -> tuple[str, ...]:
    """What happens to the tables of a drawn round at which somebody no longer plays, a sentence for each."""
    games = Game.objects.filter(round=round_).select_related("round").prefetch_related(sides_with_teams())
    texts = (_given(event, game) for game in games.order_by("table", "leg"))
    return tuple(text for text in texts if text)


def _given(event: Event, game: Game) -> str:
    teams = [side.team for side in game.sides.all()]
    gone = [team.full_name for team in teams if left_before(team, game.round.number)]
    here = [team.full_name for team in teams if not left_before(team, game.round.number)]
    if not gone:
        return ""
    where = f"{game.round}, table {game.table}, without {listed(gone)}"
    if plays_on(len(teams), len(here), ruleset_of(event, game.round).table_sizes):
        return f"{where}: the others play on."
    return f"{where}: the game goes to {here[0] if len(here) == 1 else 'nobody'}."


def plays_on(before: int, now: int, sizes: Sequence[int]) -> bool:
    """Whether a table of single players is large enough without those who left."""
    return before > 2 and now in sizes
