"""Drawing rounds: the past stays, every round that has not started is drawn anew."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from tournament.access import Actor
from tournament.models import Bye, Event, Game, Round, Side
from tournament.pairing.draw import FIXED, Draw, draw_all, draw_round
from tournament.queries.draws import ONE_AT_A_TIME, DrawPlan, checked_by_hand, draw_plan, movement_words
from tournament.queries.rules import ruleset_of
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.transactions import writing

MOST_SEEDS = 1_000_000


def draw_rounds(actor: Actor, event: Event, *, seed: int | None = None, by_number: bool = False) -> list[Round]:
    """Draw the remaining rounds by the event's movement, or the next one where a movement goes round by round.

    The same seed gives the same draw; None draws a new seed. `by_number` seats the teams by their numbers instead.
    The draw is made outside the transaction and refused where teams or rounds have changed meanwhile.
    """
    plan = draw_plan(event)
    _may_draw(event, plan)
    chosen = secrets.randbelow(MOST_SEEDS) if seed is None else seed
    draws = _drawn(plan, None if by_number else chosen)
    with writing(event) as event:
        if draw_plan(event) != plan:
            raise Changed("Entries or results have changed while the draw was made. Please draw again.")
        event.rounds.filter(stage="qualifying", state="planned").delete()
        first = plan.history.next_round
        rounds = [_write(event, number, draw) for number, draw in enumerate(draws, start=first)]
        event.seed, event.by_number = chosen, by_number
        event.save(update_fields=["seed", "by_number"])
        which = f"Round {first}" if len(rounds) == 1 else f"Rounds {first} to {rounds[-1].number}"
        unit = ruleset_of(event).unit
        notes = [text for draw in draws for text in draw.notes]
        how = f"by {unit} number" if by_number else f"draw number {chosen}"
        text = f"{which} drawn: {movement_words(event, notes)}, {len(plan.entrants)} {unit}s, {how}"
        after = {"seed": chosen, "rounds": [[list(table) for table in draw.tables] for draw in draws]}
        note(actor, event, "draw", "round", first, text, after=after)
    return rounds


def draw_by_hand(
    actor: Actor, event: Event, number: int, tables: Sequence[tuple[int, ...]], *, accepted: bool = False
) -> Round:
    """Draw one round by hand; whoever is at no table sits out. What looks wrong must be accepted first."""
    with writing(event) as event:
        _may_draw_by_hand(event, number)
        checked = checked_by_hand(event, number, tuple(tables))
        if blocked := [warning for warning in checked.warnings if warning.blocks]:
            raise Invalid([Fault("tables", warning.text) for warning in blocked])
        if not checked.draw.tables:
            raise Invalid([Fault("tables", "Seat at least one table.")])
        if checked.warnings and not accepted:
            raise Invalid([Fault("accept", warning.text) for warning in checked.warnings])
        event.rounds.filter(stage="qualifying", number=number).delete()
        round_ = _write(event, number, checked.draw)
        after = {"tables": [list(table) for table in checked.draw.tables], "byes": list(checked.draw.byes)}
        note(actor, event, "draw", "round", number, f"Round {number} drawn by hand", after=after)
    return round_


def take_back_draw(actor: Actor, event: Event, why: str = "") -> int:
    """Throw every drawn round away that has not started; gives how many. `why` goes into the log."""
    with writing(event) as event:
        planned = event.rounds.filter(stage="qualifying", state="planned")
        count = planned.count()
        if not count:
            raise Changed("There is no drawn round that has not started.")
        planned.delete()
        text = f"The draw of {count} round{'' if count == 1 else 's'} taken back{f': {why}' if why else ''}"
        note(actor, event, "draw", "round", "", text)
    return count


def _may_draw(event: Event, plan: DrawPlan) -> None:
    if event.stage not in ("setup", "playing"):
        raise Changed("The qualifying games are over: playoff rounds are drawn from the bracket.")
    if not plan.rounds:
        raise Changed(f"Every round has started, {event.rounds_planned} in all. More rounds are set under Setup.")
    if plan.by_hand:
        raise Invalid([Fault("movement", "This event is drawn by hand: seat the tables below.")])
    if plan.too_few:
        raise Invalid([Fault("teams", plan.too_few)])
    if plan.waiting:
        raise Changed(plan.waiting)


def _may_draw_by_hand(event: Event, number: int) -> None:
    if event.stage not in ("setup", "playing"):
        raise Changed("The qualifying games are over: playoff rounds are drawn from the bracket.")
    round_ = event.rounds.filter(number=number).first()
    if round_ is not None and round_.state != "planned":
        raise Changed(f"Round {number} has started: its draw stands.")
    drawn = event.rounds.filter(stage="qualifying").count()
    if not 1 <= number <= min(event.rounds_planned, drawn + 1):
        raise Invalid([Fault("tables", f"Round {number} cannot be drawn yet.")])


def _drawn(plan: DrawPlan, seed: int | None) -> tuple[Draw, ...]:
    if plan.method in FIXED and plan.method not in ONE_AT_A_TIME:
        return draw_all(plan.method, plan.entrants, plan.rounds, plan.history, seed, plan.options)
    return (draw_round(plan.method, plan.entrants, plan.history, seed, plan.options),)


def _write(event: Event, number: int, draw: Draw) -> Round:
    teams = {team.number: team for team in event.teams.all()}
    round_ = Round.objects.create(event=event, number=number, notes=list(draw.notes))
    games = Game.objects.bulk_create(Game(round=round_, table=table) for table in range(1, len(draw.tables) + 1))
    Side.objects.bulk_create(
        Side(game=game, round=round_, index=index, team=teams[number])
        for game, table in zip(games, draw.tables, strict=True)
        for index, number in enumerate(table)
    )
    Bye.objects.bulk_create(Bye(round=round_, team=teams[number]) for number in draw.byes)
    return round_
