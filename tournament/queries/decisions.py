"""What was made from results that have changed since: what the officials decide about it, and which games wait."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from django.template.defaultfilters import pluralize

from tournament.models import Event, Placing
from tournament.queries.bracket import bracket, questions_of
from tournament.queries.bracket_facts import BracketFacts
from tournament.queries.draws import BY_RESULT, DRAW, draw_plan, drawn_pairs, draws_by
from tournament.queries.events import once_a_version
from tournament.queries.keep_or_replay import KeepOrReplay
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import RoundCard, Table
from tournament.queries.scored import sides_with_teams
from tournament.queries.standings import full_standings
from tournament.words.phrases import ON_HOLD


def draw_question(event: Event) -> KeepOrReplay | None:
    """The round that waits to start, if the current results would draw other tables than the ones it has.

    A round that was seated by hand does not depend on results.
    """
    if event.stage != "playing" or event.movement not in BY_RESULT:
        return None
    round_ = event.rounds.filter(stage="qualifying", state="planned", by_hand=False).first()
    if round_ is None:
        return None
    last = Placing.objects.filter(event=event, source=f"{DRAW}{round_.number}").order_by("number").last()
    plan = draw_plan(event, before=round_.number) if last else None
    if last is None or plan is None or plan.too_few:
        return None
    before = last.after or last.before
    now = drawn_pairs(plan, draws_by(plan, None if event.by_number else event.seed)[0])
    if now == before:
        return None
    seated = [
        {side.team.number for side in game.sides.all()}
        for game in round_.games.prefetch_related(sides_with_teams()).order_by("table", "leg")
    ]
    pairs = [{*pair} for pair in zip(now[::2], now[1::2], strict=True)]
    # If the next draw depends on the tables, a pair at another table counts as different.
    by_table = plan.method == "winners-up"
    count = sum(pair not in (seated[index : index + 1] if by_table else seated) for index, pair in enumerate(pairs))
    text = f"{round_} was drawn before the results changed: {count} table{pluralize(count)} would be different."
    return KeepOrReplay(last.source, str(round_), (*before,), (*now,), text, {}, "", "draw") if count else None


def open_questions(event: Event) -> tuple[KeepOrReplay, ...]:
    """Everything the officials must decide before play goes on, and what was decided without them and is new."""
    if event.stage in ("playoffs", "over"):
        table = full_standings(event)
        return tuple(
            question for question in questions_of(bracket(event, table), table) if question.undo or not question.decided
        )
    question = draw_question(event)
    return (question,) if question else ()


def held_games(event: Event) -> frozenset[int]:
    """The games about which the hall is only told that the officials decide who plays in them."""
    return once_a_version(event, "held", EVERYTHING, lambda: _held(event))


def with_holds(event: Event, cards: Iterable[RoundCard]) -> tuple[RoundCard, ...]:
    """Rounds as the hall sees them: tables that wait for the officials say so."""
    waiting = held_games(event)

    def marked(table: Table) -> Table:
        return replace(table, on_hold=True, state_words=ON_HOLD) if table.pk in waiting else table

    return tuple(replace(card, tables=tuple(map(marked, card.tables))) if waiting else card for card in cards)


def shown_bracket(event: Event) -> BracketFacts | None:
    """The bracket as everybody sees it, computed once for all of them."""
    if event.stage not in ("playoffs", "over"):
        return None
    return once_a_version(event, "bracket", EVERYTHING, lambda: bracket(event, full_standings(event)))


def _held(event: Event) -> frozenset[int]:
    if event.stage in ("playoffs", "over"):
        drawn = shown_bracket(event)
        return drawn.held_games if drawn else frozenset()
    question = draw_question(event)
    number = question.source.removeprefix(DRAW) if question else 0
    return frozenset(event.rounds.filter(number=number).values_list("games", flat=True)) if question else frozenset()
