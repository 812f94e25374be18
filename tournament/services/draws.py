"""Drawing rounds: the past stays, every round that has not started is drawn anew."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Bye, Event, Game, Placing, Round, Side
from tournament.pairing.draw import Draw
from tournament.pairing.plan import Note
from tournament.queries.draws import (
    DRAW,
    DrawPlan,
    checked_by_hand,
    draw_plan,
    drawn_pairs,
    draws_by,
    meeting_notes,
    movement_of,
)
from tournament.queries.rules import ruleset_of
from tournament.services.transactions import announce, writing

MOST_SEEDS = 1_000_000


class HandRound(NamedTuple):
    """A round as it was made by hand: who meets at which table."""

    tables: tuple[tuple[int, ...], ...]
    numbers: tuple[int, ...] | None = None


def new_seed() -> int:
    return secrets.randbelow(MOST_SEEDS)


def draw_rounds(
    actor: Actor, event: Event, *, seed: int | None = None, by_number: bool = False, in_place: bool = False
) -> list[Round]:
    """Draw the remaining rounds by the event's movement, or the next one where a movement goes round by round.

    The same seed gives the same draw; None draws a new seed. `by_number` seats the teams by their numbers instead.
    `in_place` leaves those who meet as before at the table that they had: who left leaves an empty table behind.
    The draw is made outside the transaction and refused where teams or rounds have changed meanwhile: whoever wrote
    in the event since raised its version, and only then the plan is made again to compare.
    """
    seen = Event.objects.get(pk=event.pk)
    plan = draw_plan(seen)
    _may_draw(seen, plan)
    chosen = new_seed() if seed is None else seed
    draws = draws_by(plan, None if by_number else chosen)
    with writing(event) as event:
        if (event.epoch, event.version) != (seen.epoch, seen.version) and draw_plan(event) != plan:
            raise Conflict("Entries or results changed while the draw was being made. Please draw again.")
        first = plan.history.next_round
        numbers = _in_place(event, draws, first) if in_place else {}
        event.rounds.filter(stage="qualifying", state="planned").delete()
        rounds = [_write(event, number, draw, numbers.get(number)) for number, draw in enumerate(draws, start=first)]
        event.seed, event.by_number = chosen, by_number
        event.save(update_fields=["seed", "by_number"])
        if pairs := drawn_pairs(plan, draws[0]):
            write_placing(actor, event, "drawn", f"{DRAW}{first}", pairs)
        unit = ruleset_of(event).unit
        facts = {
            "rounds": [first, rounds[-1].number],
            "movement": movement_of(event, [one for draw in draws for one in draw.notes]),
            "teams": [len(plan.entrants), unit],
            **({"unit": unit} if by_number else {"seed": chosen}),
        }
        after = {"seed": chosen, "rounds": [[list(table) for table in draw.tables] for draw in draws]}
        announce(actor, event, "draw", "round", first, "by-number" if by_number else "by-lot", facts, after=after)
    return rounds


def write_placing(actor: Actor, event: Event, kind: str, source: str, before: Sequence[int], **facts: Any) -> Placing:
    """Keep what was made from results, or what was decided when they changed. The caller holds the event."""
    last: int = event.placings.aggregate(last=Max("number"))["last"] or 0
    by = {"event": event, "number": last + 1, "made_by": actor.person}
    return Placing.objects.create(kind=kind, source=source, before=list(before), **by, **facts)


def draw_by_hand(
    actor: Actor,
    event: Event,
    number: int,
    tables: Sequence[tuple[int, ...]],
    *,
    numbers: Sequence[int] | None = None,
    accepted: bool = False,
) -> Round:
    """Draw one round by hand; who is at no table has a bye. What looks wrong must be accepted first.

    `numbers` are the numbers of the tables; without them they count from 1.
    """
    if numbers is not None and len(set(numbers)) < len(numbers):
        twice = next(table for table in numbers if list(numbers).count(table) > 1)
        raise ValidationFailed([Fault("tables", f"Table {twice} is used twice in game {number}.")])
    with writing(event) as event:
        _may_draw_by_hand(event, number)
        checked = checked_by_hand(event, number, tuple(tables))
        if blocked := [warning for warning in checked.warnings if warning.blocks]:
            raise ValidationFailed([Fault("tables", warning.text) for warning in blocked])
        if not checked.draw.tables:
            raise ValidationFailed([Fault("tables", "Seat at least one table.")])
        if checked.warnings and not accepted:
            raise ValidationFailed([Fault("accept", warning.text) for warning in checked.warnings])
        event.rounds.filter(stage="qualifying", number=number).delete()
        meetings = meeting_notes(event)
        round_ = _write(event, number, checked.draw, numbers)
        Round.objects.filter(pk=round_.pk).update(by_hand=True)
        renew_notes(event, meetings, after=number)
        after = {"tables": [list(table) for table in checked.draw.tables], "byes": list(checked.draw.byes)}
        announce(actor, event, "draw", "round", number, "by-hand", {"number": number}, after=after)
    return round_


def draw_rounds_by_hand(actor: Actor, event: Event, rounds: Mapping[int, HandRound], *, accepted: bool = False) -> None:
    """Draw several rounds by hand in one act, in their order: all of them or none."""
    faults: list[Fault] = []
    with writing(event) as event:
        for number in sorted(rounds):
            try:
                with transaction.atomic():
                    draw_by_hand(
                        actor, event, number, rounds[number].tables, numbers=rounds[number].numbers, accepted=accepted
                    )
            except ValidationFailed as refusal:
                many = len(rounds) > 1
                faults += [one._replace(text=f"Game {number}: {one.text}") if many else one for one in refusal.faults]
                # The others are looked at, too, so that all is said at once.
                if all(one.field == "accept" for one in refusal.faults):
                    draw_by_hand(
                        actor, event, number, rounds[number].tables, numbers=rounds[number].numbers, accepted=True
                    )
                else:
                    break
        if faults:
            raise ValidationFailed(faults)


def renew_notes(event: Event, before: Mapping[int, tuple[Note, ...]], *, after: int = 0) -> None:
    """Say anew who meets whom again, in rounds whose seats or past have changed since `before` was said."""
    now = meeting_notes(event)
    for round_ in event.rounds.filter(stage="qualifying", number__gt=after):
        old, new = before.get(round_.number, ()), now.get(round_.number, ())
        if old != new:
            round_.notes = [note.row for note in (*(one for one in round_.noted if one not in old), *new)]
            round_.save(update_fields=["notes"])


def take_back_draw(actor: Actor, event: Event, why: str = "") -> int:
    """Throw every drawn round away that has not started; gives how many. `why` goes into the log."""
    with writing(event) as event:
        planned = event.rounds.filter(stage="qualifying", state="planned")
        count = planned.count()
        if not count:
            raise Conflict("No drawn game is waiting to start, so there is no draw to delete.")
        planned.delete()
        announce(actor, event, "draw", "round", "", "deleted", {"count": count, "why": why})
    return count


def _may_draw(event: Event, plan: DrawPlan) -> None:
    if event.stage not in ("setup", "playing"):
        raise Conflict("The qualifying games are over: playoff rounds are drawn from the bracket.")
    if not plan.rounds:
        raise Conflict(f"Every game has started, {event.rounds_planned} in all. More games are set under Setup.")
    if plan.by_hand:
        raise ValidationFailed([Fault("movement", "This event is drawn by hand: seat the tables below.")])
    if plan.too_few:
        raise ValidationFailed([Fault("teams", plan.too_few)])
    if plan.waiting:
        raise Conflict(plan.waiting)


def _may_draw_by_hand(event: Event, number: int) -> None:
    if event.stage not in ("setup", "playing"):
        raise Conflict("The qualifying games are over: playoff rounds are drawn from the bracket.")
    round_ = event.rounds.filter(number=number).first()
    if round_ is not None and round_.state != "planned":
        raise Conflict(f"Game {number} has started, so it keeps its draw.")
    drawn = event.rounds.filter(stage="qualifying").count()
    if not 1 <= number <= min(event.rounds_planned, drawn + 1):
        raise ValidationFailed([Fault("tables", f"Game {number} cannot be drawn yet.")])


def _in_place(event: Event, draws: Sequence[Draw], first: int) -> dict[int, list[int]]:
    """The numbers of the tables, round by round: who meets as before keeps the table, the others take the free ones."""
    numbers = {}
    seated = event.rounds.filter(stage="qualifying", state="planned").prefetch_related("games__sides__team")
    before = {
        round_.number: {
            frozenset(side.team.number for side in game.sides.all()): game.table for game in round_.games.all()
        }
        for round_ in seated
    }
    for number, draw in enumerate(draws, start=first):
        old = before.get(number, {})
        kept = [old.get(frozenset(table)) for table in draw.tables]
        free = iter(sorted(set(range(1, len(draw.tables) + len(old) + 1)) - set(kept)))
        numbers[number] = [table or next(free) for table in kept]
    return numbers


def _write(event: Event, number: int, draw: Draw, numbers: Sequence[int] | None = None) -> Round:
    teams = dict(event.teams.values_list("number", "pk"))
    round_ = Round.objects.create(event=event, number=number, notes=[note.row for note in draw.notes])
    games = Game.objects.bulk_create(
        Game(round=round_, table=table) for table in numbers or range(1, len(draw.tables) + 1)
    )
    Side.objects.bulk_create(
        Side(game=game, round=round_, index=index, team_id=teams[number])
        for game, table in zip(games, draw.tables, strict=True)
        for index, number in enumerate(table)
    )
    Bye.objects.bulk_create(Bye(round=round_, team_id=teams[number]) for number in draw.byes)
    return round_
