"""The clock of a round: paused, continued, extended by the director; and time called at all tables at once."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Round
from tournament.queries.clocks import played_seconds, round_clock
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import TIME
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.entries import record_entry
from tournament.services.journal import note, title_of
from tournament.services.transactions import locked_game, look_again, writing

MOST_MINUTES = 120


def pause_round(actor: Actor, event: Event, number: int, reason: str) -> Round:
    """Let the clock of a round stand still, and with it the clock for late teams."""
    with writing(event) as event:
        round_ = _running(event, number)
        if round_.paused_at is not None:
            raise Changed("The clock is stopped already.")
        why = _said(reason)
        round_.paused_at = timezone.now()
        round_.save(update_fields=["paused_at"])
        at = played_seconds(round_, round_.paused_at)
        _tell(actor, event, round_, "pause", "stopped", {"at": at, "reason": why})
    return round_


def resume_round(actor: Actor, event: Event, number: int) -> Round:
    with writing(event) as event:
        round_ = _running(event, number)
        if round_.paused_at is None:
            raise Changed("The clock is running.")
        stood = max(0, int((timezone.now() - round_.paused_at).total_seconds()))
        round_.paused_at, round_.paused_seconds = None, round_.paused_seconds + stood
        round_.save(update_fields=["paused_at", "paused_seconds"])
        _tell(actor, event, round_, "resume", "running", {"stood": stood})
    return round_


def extend_round(
    actor: Actor, event: Event, number: int, minutes: int, reason: str, *, added: int | None = None
) -> Round:
    """Give a round more time (or less, with minutes below zero). Games that have ended by time stay ended.

    `added` are the minutes that it had been given when the director looked; Changed where there are others now.
    """
    with writing(event) as event:
        round_ = _timed(event, number)
        if not -MOST_MINUTES <= minutes <= MOST_MINUTES or not minutes:
            raise Invalid(
                [Fault("minutes", f"Enter 1 to {MOST_MINUTES} minutes to add, or −1 to −{MOST_MINUTES} to take off.")]
            )
        why = _said(reason)
        before = round_.extra_seconds // 60
        if added is not None and added != before:
            raise Changed("The length of this round was changed meanwhile. Look at the clock first.")
        round_.extra_seconds += minutes * 60
        clock = round_clock(round_, ruleset_of(event).rules.round_minutes, timezone.now())
        if clock is None or not clock.up:
            round_.time_called_at = None
        round_.save(update_fields=["extra_seconds", "time_called_at"])
        said = {"minutes": abs(minutes), "reason": why, "was": before, "now": before + minutes}
        _tell(actor, event, round_, "extend", "more" if minutes > 0 else "less", said)
    return round_


def call_time(actor: Actor, event: Event, number: int) -> int:
    """Tell every table that time is up; gives how many still play.

    Each game ends with the hand that is in play: when it is written, the end by time follows by itself.
    """
    with writing(event) as event:
        round_ = _timed(event, number)
        clock = round_clock(round_, ruleset_of(event).rules.round_minutes, timezone.now())
        if round_.time_called_at is not None:
            raise Changed("Time was already called.")
        if clock is None or not clock.up:
            raise Changed("There is time left: shorten the round first, with a reason.")
        round_.time_called_at = timezone.now()
        round_.save(update_fields=["time_called_at"])
        count = Game.objects.filter(round=round_, state="playing").count()
        _tell(actor, event, round_, "time", "called", {"games": count})
    return count


def end_without_hand(actor: Actor, game: Game, position: int | None) -> None:
    """A table says that no hand was in play when time was called: its game ends as it stands."""
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        if game.round.time_called_at is None:
            raise Changed("Time has not been called.")
        record_entry(actor, game, {"entry": TIME}, position=position)


def _running(event: Event, number: int) -> Round:
    round_ = event.rounds.filter(number=number).first()
    if round_ is None or round_.state != "running":
        raise Changed("This round is not being played.")
    return round_


def _timed(event: Event, number: int) -> Round:
    round_ = _running(event, number)
    if ruleset_of(event).rules.round_minutes is None:
        raise Changed("These games end by their own rules, so a round has no set length.")
    return round_


def _said(reason: str) -> str:
    if not reason.strip():
        raise Invalid([Fault("reason", "Say why: it is written in the log.")])
    return reason.strip()[:200]


def _tell(actor: Actor, event: Event, round_: Round, action: str, code: str, facts: dict[str, Any]) -> None:
    """Every table shows the clock: a new version of its game makes its screen look again."""
    look_again(event, round=round_)
    note(actor, event, action, "round", round_.number, code, {"round": title_of(round_)} | facts)
