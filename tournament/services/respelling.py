"""Change a team when names of known players change in its seats, after asking whether they are the same people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet

from tournament.access import Actor, directed_events
from tournament.errors import Conflict, Fault
from tournament.models import Event, Person, Player, Team
from tournament.models.team import MARKS
from tournament.queries.people import matches
from tournament.queries.respelt import OTHER, RENAMED, Respelt, SeatQuestions, respelt_seats
from tournament.queries.roster import RosterRow
from tournament.services.people import lock_people, new_person, rename_person, show_names
from tournament.services.teams import change_team
from tournament.services.transactions import in_line, team_numbered, writing


class SeatAnswers(NamedTuple):
    """The answers of who sits where, by seat, counted from 0; and the key of the questions."""

    who: Mapping[int, str]
    asked: str


class WhoIsIt(Conflict):
    """Names changed in seats of known players: they are `asked` about, and nothing is stored."""

    def __init__(self, seats: Sequence[Respelt]) -> None:
        super().__init__([Fault("", seat.words) for seat in seats])
        self.asked = SeatQuestions(tuple(seats))


def respell_team(
    actor: Actor,
    event: Event,
    number: int,
    row: RosterRow,
    said: SeatAnswers,
    *,
    changed: Collection[str] = MARKS,
) -> Team:
    """Change a team as `change_team` does, once it is `said` who sits where a known player's name was changed.

    An answer is valid only for its question: WhoIsIt is raised if anything else must be asked. Raises Conflict,
    ValidationFailed, and PermissionDenied if the renamed person plays in events of others.
    """
    with in_line(), transaction.atomic():
        who = said.who
        if RENAMED in who.values():
            # Everything that locks several events locks them in one order, before it locks the team's event alone.
            lock_people(_people_of(event, number))
        with writing(event) as locked:
            seats = respelt_seats(team_numbered(locked, number), row, directed_events(actor))
            same = [seat.position for seat in seats if who.get(seat.position) != OTHER]
            team = change_team(actor, locked, number, row, changed=changed, same=same)
            # If the team cannot be changed, refuse before asking anybody.
            _check_answers(seats, said)
            for seat in seats:
                if who[seat.position] == OTHER and seat.person is not None:
                    _say_other(locked, team, seat)
        for seat in seats:
            if who[seat.position] == RENAMED and seat.person is not None:
                rename_person(actor, seat.person, seat.name)
    return team


def _people_of(event: Event, number: int) -> QuerySet[Person]:
    """The people of a team, with those they were merged into."""
    rows = Player.objects.filter(team__event=event, team__number=number)
    return Person.objects.filter(Q(players__in=rows) | Q(merged__players__in=rows)).distinct()


def _check_answers(seats: Sequence[Respelt], said: SeatAnswers) -> None:
    if not seats:
        return
    if said.asked != SeatQuestions(tuple(seats)).key or any(seat.position not in said.who for seat in seats):
        raise WhoIsIt(seats)
    for seat in seats:
        if said.who[seat.position] == RENAMED and not seat.may_rename:
            raise PermissionDenied("This person plays in events that you do not direct.")


def _say_other(event: Event, team: Team, seat: Respelt) -> None:
    """The new name is somebody else: a new person, provided nobody else may be meant."""
    player = Player.objects.get(team=team, position=seat.position)
    if player.person_id is not None:
        return
    for match in matches(event, [player]):
        if all(person == seat.person for person in match.candidates):
            player.person = new_person(player)
            player.person.save()
            player.save(update_fields=["person"])
            show_names(event, [team.pk])
