"""A team wants to leave after the draw: the desk lets it go or keeps it, and seats somebody in its place."""

from __future__ import annotations

from functools import partial

from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Bye, Event, Registration, Side, Team
from tournament.queries.draws import meeting_notes
from tournament.queries.leaving import leaving_entries, seats_of, team_of
from tournament.services.draws import renew_notes, stay_at
from tournament.services.substitutions import change_and_reseat
from tournament.services.teams import withdraw_team
from tournament.services.transactions import announce, team_numbered, writing

DECIDED = "{} no longer asks to leave: look at the entries again."


def keep(actor: Actor, event: Event, number: int) -> Team:
    """Record that a team stays, as the desk says. A second press changes nothing."""
    with writing(event) as event:
        team = _playing(event, number)
        for entry in _entries_of(event, team):
            _stay(actor, event, entry, "kept")
    return team


def let_go(actor: Actor, event: Event, number: int, *, redraw: bool, confirmed: str | None = None) -> Team:
    """Let a team go that wants to leave. Its entries are withdrawn.

    With `redraw`, the games to come are drawn again in the same act, and only as `confirmed`; None asks nothing.
    Without it, the seats stay as drawn, and its game goes to the opponents when it starts.
    """
    go = partial(_let_go, actor, event, number)
    return change_and_reseat(actor, event, go, redraw=redraw, confirmed=confirmed if redraw else None)


def seat_instead(actor: Actor, event: Event, gone: int, number: int) -> Team:
    """Give a team without a place in game 1 the seat of a team that does not play, there and in the other drawn games.

    Raises Conflict if the seat of one of them has changed.
    """
    with writing(event) as event:
        left, team = team_numbered(event, gone), team_numbered(event, number)
        seats = seats_of(event.rounds.filter(number=1, stage="qualifying").first(), [left, team])
        if seats.gone != (left,) or seats.without != (team,):
            raise Conflict("The seats of game 1 have changed. Look at the draw again.")
        meetings = meeting_notes(event)
        planned = event.rounds.filter(stage="qualifying", state="planned").exclude(games__sides__team=team)
        rounds = [*planned.exclude(byes__team=team).values_list("pk", flat=True)]
        Side.objects.filter(round__in=rounds, team=left).update(team=team)
        Bye.objects.filter(round__in=rounds, team=left).update(team=team)
        if team.home:
            stay_at(event, team, team.home)
        renew_notes(event, meetings)
        facts = {"team": str(team), "left": str(left)}
        announce(actor, event, "seat", "team", number, "instead", facts)
    return team


def _let_go(actor: Actor, event: Event, number: int) -> Team:
    with writing(event) as event:
        team = _playing(event, number)
        entries = _entries_of(event, team)
        if not entries:
            raise Conflict(DECIDED.format(team.full_name))
        for entry in entries:
            announce(actor, event, "entry", "entry", entry.position, "let-go", {"name": entry.name})
        return withdraw_team(actor, event, number, 0)


def _playing(event: Event, number: int) -> Team:
    team = team_numbered(event, number)
    if team.status != "playing":
        raise Conflict(f"Already withdrawn: {team.full_name}. “Back in play” on the team’s page undoes that.")
    return team


def _entries_of(event: Event, team: Team) -> list[Registration]:
    return [entry for entry in leaving_entries(event) if team_of(entry) == team]


def _stay(actor: Actor, event: Event, entry: Registration, code: str) -> None:
    entry.state = "joined" if entry.wants_id and entry.team_id is None else "in"
    entry.save(update_fields=["state"])
    announce(actor, event, "entry", "entry", entry.position, code, {"name": entry.name})
