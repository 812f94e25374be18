"""Drawing rounds: past rounds stay, and every round that has not started is drawn again."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import F, Max

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Bye, Event, Game, Placing, Round, Side, Team
from tournament.pairing.draw import Draw
from tournament.pairing.plan import Entrant, Note, moved_from_home, rounds_text, table_numbers
from tournament.queries.draws import (
    DRAW,
    DrawPlan,
    checked_by_hand,
    draw_overview,
    draw_plan,
    drawn_pairs,
    draws_by,
    lost_by_redraw,
    meeting_notes,
    movement_of,
    reseating,
    seats_drawn,
)
from tournament.queries.impact import Impact
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import sides_with_teams
from tournament.services.confirming import ask_first
from tournament.services.transactions import announce, writing

MOST_SEEDS = 1_000_000
REPLACES = "This replaces the draw that is there:"
CHECK = "Check this before you draw:"
DELETES = "Before you delete it:"


class HandRound(NamedTuple):
    """A round drawn by hand: who meets at which table, with 0 if no number was given."""

    tables: tuple[tuple[int, ...], ...]
    numbers: tuple[int, ...] = ()


def new_seed() -> int:
    return secrets.randbelow(MOST_SEEDS)


class Prepared(NamedTuple):
    """A draw that is computed but not stored: the event as it was seen, the data it was drawn from, and how."""

    seen: Event
    plan: DrawPlan
    draws: tuple[Draw, ...]
    seed: int
    by_number: bool


def draw_rounds(
    actor: Actor, event: Event, *, seed: int | None = None, by_number: bool = False, in_place: bool = False
) -> list[Round]:
    """Draw the remaining rounds by the event's movement, or only the next one if the movement goes round by round.

    The same seed gives the same draw; None draws a new seed. `by_number` seats the teams by their numbers instead.
    `in_place` leaves pairs that meet as before at their table, and a team that left leaves an empty table. If winners
    move up, tables are a ladder and count from 1.
    """
    prepared = _prepare(event, seed, by_number)
    with writing(event) as event:
        return _write_draw(actor, event, prepared, in_place=in_place)


def draw_again(
    actor: Actor, event: Event, *, seed: int, by_number: bool = False, confirmed: str | None, asks: bool = False
) -> tuple[int, Impact]:
    """Draw the remaining rounds as `draw_rounds` does. Returns how many, and what changed.

    If that would discard a draw that was made by hand or printed, or any draw if it `asks`, it is done only as
    `confirmed`.
    """
    prepared = _prepare(event, seed, by_number)
    with writing(event) as event:
        ground = seats_drawn(event)
        if not ground and not confirmed:
            return len(_write_draw(actor, event, prepared)), Impact()
        lost = lost_by_redraw(event)
        # Rounds that have started are read only to show what changes: who has met in them.
        which = {} if lost or confirmed or asks else {"state": "planned"}
        before = draw_overview(event, **which)
        rounds = _write_draw(actor, event, prepared)
        impact = reseating(before, draw_overview(event, **which))
        note = "" if impact.groups else "Every table would be the same as it is now."
        impact = replace(impact, note=note, warning=REPLACES, warnings=lost, ground=ground)
        ask_first(impact, confirmed, asks=asks or bool(lost))
    return len(rounds), impact


def _prepare(event: Event, seed: int | None, by_number: bool) -> Prepared:
    """Make the draw without a lock: with many teams it takes long, and nobody should wait for it."""
    seen = Event.objects.get(pk=event.pk)
    plan = draw_plan(seen)
    _check_draw(seen, plan)
    chosen = new_seed() if seed is None else seed
    return Prepared(seen, plan, draws_by(plan, None if by_number else chosen), chosen, by_number)


def _write_draw(actor: Actor, event: Event, prepared: Prepared, *, in_place: bool = False) -> list[Round]:
    """Store a draw. The caller holds the event.

    It is refused if teams or rounds have changed since it was made. The plan is computed again for comparison only if
    the event's version has risen.
    """
    seen, plan = prepared.seen, prepared.plan
    if (event.epoch, event.version) != (seen.epoch, seen.version) and draw_plan(event) != plan:
        raise Conflict("Entries or results changed while the draw was being made. Please draw again.")
    first = plan.history.next_round
    before = _tables_before(event) if in_place and plan.method != "winners-up" else {}
    event.rounds.filter(stage="qualifying", state="planned").delete()
    rounds = []
    for number, draw in enumerate(prepared.draws, start=first):
        previous = [before.get((number, frozenset(table))) for table in draw.tables]
        tables = table_numbers(draw.tables, plan.entrants, previous)
        notes = (*draw.notes, *moved_from_home(draw.tables, tables, plan.entrants, number))
        rounds.append(_write(event, number, replace(draw, notes=notes), tables))
    event.seed, event.by_number = prepared.seed, prepared.by_number
    event.save(update_fields=["seed", "by_number"])
    if pairs := drawn_pairs(plan, prepared.draws[0]):
        write_placing(actor, event, "drawn", f"{DRAW}{first}", pairs)
    unit = ruleset_of(event).unit
    facts = {
        "rounds": [first, rounds[-1].number],
        "movement": movement_of(event, [one for draw in prepared.draws for one in draw.notes]),
        "teams": [len(plan.entrants), unit],
        **({"unit": unit} if prepared.by_number else {"seed": prepared.seed}),
    }
    after = {"seed": prepared.seed, "rounds": [[list(table) for table in draw.tables] for draw in prepared.draws]}
    code = "by-number" if prepared.by_number else "by-lot"
    announce(actor, event, "draw", "round", first, code, facts, after=after)
    return rounds


def write_placing(actor: Actor, event: Event, kind: str, source: str, before: Sequence[int], **facts: Any) -> Placing:
    """Record that a round was drawn from results, or what was decided when they changed. The caller holds the event."""
    last: int = event.placings.aggregate(last=Max("number"))["last"] or 0
    by = {"event": event, "number": last + 1, "made_by": actor.person}
    return Placing.objects.create(kind=kind, source=source, before=list(before), **by, **facts)


def draw_rounds_by_hand(
    actor: Actor, event: Event, rounds: Mapping[int, HandRound], *, confirmed: str | None = None
) -> None:
    """Draw several rounds by hand in one act and in order: all of them or none.

    If something looks wrong in one of them, they are drawn only as `confirmed`; None asks nothing.
    """
    warnings: list[str] = []
    with writing(event) as event:
        ground = seats_drawn(event)
        for number in sorted(rounds):
            which = f"Game {number}: " if len(rounds) > 1 else ""
            try:
                _, wrong = _write_by_hand(actor, event, number, rounds[number])
            except ValidationFailed as refusal:
                faults = [fault._replace(text=f"{which}{fault.text}") for fault in refusal.faults]
                raise ValidationFailed(faults) from refusal
            warnings += [f"{which}{text}" for text in wrong]
        impact = Impact(warning=CHECK, warnings=tuple(warnings), ground=ground)
        ask_first(impact, confirmed, asks=bool(warnings))


def _write_by_hand(actor: Actor, event: Event, number: int, hand: HandRound) -> tuple[Round, tuple[str, ...]]:
    """Store a round drawn by hand. Returns it with everything that looks wrong. The caller holds the event."""
    given = list(filter(None, hand.numbers))
    if len(set(given)) < len(given):
        twice = next(table for table in given if given.count(table) > 1)
        raise ValidationFailed([Fault("tables", f"Table {twice} is used twice in game {number}.")])
    _check_draw_by_hand(event, number)
    checked, own = checked_by_hand(event, number, hand.tables, hand.numbers)
    if blocked := [warning for warning in checked.warnings if warning.blocks]:
        raise ValidationFailed([Fault("tables", warning.text) for warning in blocked])
    if not checked.draw.tables:
        raise ValidationFailed([Fault("tables", "Seat at least one table.")])
    event.rounds.filter(stage="qualifying", number=number).delete()
    meetings = meeting_notes(event)
    round_ = _write(event, number, checked.draw, own)
    Round.objects.filter(pk=round_.pk).update(by_hand=True)
    renew_notes(event, meetings, number__gt=number)
    after = {"tables": [list(table) for table in checked.draw.tables], "byes": list(checked.draw.byes)}
    announce(actor, event, "draw", "round", number, "by-hand", {"number": number}, after=after)
    return round_, tuple(warning.text for warning in checked.warnings)


def renew_notes(event: Event, before: Mapping[int, tuple[Note, ...]], **which: Any) -> None:
    """Recompute the rematches in rounds whose seats or past have changed since `before`."""
    now = meeting_notes(event)
    for round_ in event.rounds.filter(stage="qualifying", **which):
        old, new = before.get(round_.number, ()), now.get(round_.number, ())
        if old != new:
            round_.notes = [note.row for note in (*(one for one in round_.noted if one not in old), *new)]
            round_.save(update_fields=["notes"])


def take_back_draw(actor: Actor, event: Event, why: str = "", *, confirmed: str | None = None) -> int:
    """Delete every drawn round that has not started. Returns how many. `why` goes into the log.

    It is done only as `confirmed`; None asks nothing.
    """
    with writing(event) as event:
        planned = event.rounds.filter(stage="qualifying", state="planned")
        count = planned.count()
        if not count:
            raise Conflict("No drawn game is waiting to start, so there is no draw to delete.")
        if confirmed is not None:
            lost = lost_by_redraw(event)
            note = f"The tables of {rounds_text([row.number for row in planned])} are deleted."
            ask_first(Impact(note=note, warning=DELETES, warnings=lost, ground=seats_drawn(event)), confirmed)
        planned.delete()
        announce(actor, event, "draw", "round", "", "deleted", {"count": count, "why": why})
    return count


def _check_draw(event: Event, plan: DrawPlan) -> None:
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


def _check_draw_by_hand(event: Event, number: int) -> None:
    if event.stage not in ("setup", "playing"):
        raise Conflict("The qualifying games are over: playoff rounds are drawn from the bracket.")
    round_ = event.rounds.filter(number=number).first()
    if round_ is not None and round_.state != "planned":
        raise Conflict(f"Game {number} has started, so it keeps its draw.")
    drawn = event.rounds.filter(stage="qualifying").count()
    if not 1 <= number <= min(event.rounds_planned, drawn + 1):
        raise ValidationFailed([Fault("tables", f"Game {number} cannot be drawn yet.")])


def _tables_before(event: Event) -> dict[tuple[int, frozenset[int]], int]:
    """The table number at which some teams meet in a round that has not started."""
    games = Game.objects.filter(round__event=event, round__stage="qualifying", round__state="planned")
    return {
        (game.round.number, frozenset(side.team.number for side in game.sides.all())): game.table
        for game in games.select_related("round").prefetch_related(sides_with_teams())
    }


def _write(event: Event, number: int, draw: Draw, numbers: Sequence[int]) -> Round:
    """Store a round with its games in the order of the draw: the next draw may depend on it."""
    teams = dict(event.teams.values_list("number", "pk"))
    round_ = Round.objects.create(event=event, number=number, notes=[note.row for note in draw.notes])
    games = Game.objects.bulk_create(Game(round=round_, table=table) for table in numbers)
    Side.objects.bulk_create(
        Side(game=game, round=round_, index=index, team_id=teams[number])
        for game, table in zip(games, draw.tables, strict=True)
        for index, number in enumerate(table)
    )
    Bye.objects.bulk_create(Bye(round=round_, team_id=teams[number]) for number in draw.byes)
    return round_


# A team gets a table of its own, or moves again, after games were drawn.

OUT_OF_THE_WAY = 20_000


def stay_at(event: Event, team: Team, table: int | None) -> None:
    """Give a team its own table. Drawn games that have not started are renumbered. The caller holds the event."""
    meetings = meeting_notes(event)
    team.home = table
    team.save(update_fields=["home"])
    entrants = entrants_of(event.teams.all())
    for round_ in event.rounds.filter(state="planned"):
        games = list(round_.games.order_by("pk").prefetch_related(sides_with_teams()))
        seats = [[side.team.number for side in game.sides.all()] for game in games]
        numbers = table_numbers(seats, entrants, [game.table for game in games])
        # Two steps, because two games may not share a table number even for a moment.
        round_.games.update(table=F("table") + OUT_OF_THE_WAY)
        for game, number in zip(games, numbers, strict=True):
            Game.objects.filter(pk=game.pk).update(table=number)
        if round_.stage != "qualifying":
            round_.notes = [note.row for note in moved_from_home(seats, numbers, entrants, round_.number)]
            round_.save(update_fields=["notes"])
    renew_notes(event, meetings, state="planned")


def free_table(round_: Round, numbers: Sequence[int]) -> int:
    """A table for an extra game of a round: the table of a team that stays if it is free, otherwise after the last."""
    used = set(round_.games.values_list("table", flat=True))
    own = Team.objects.filter(event=round_.event_id, number__in=numbers, home__isnull=False).exclude(home__in=used)
    return own.values_list("home", flat=True).first() or max(used, default=0) + 1


def entrants_of(teams: Iterable[Team]) -> list[Entrant]:
    """Teams in the form that table numbering needs."""
    return [Entrant(team.number, name=team.name, table=team.home or 0) for team in teams]
