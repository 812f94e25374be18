"""Starting and closing a round. The first start pins the rule sheet and its options."""

from __future__ import annotations

from django.template.defaultfilters import pluralize
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Round, Side
from tournament.queries.checklist import checklist
from tournament.queries.records import left_before
from tournament.queries.rounds import open_tables, wrong_tables
from tournament.queries.rules import ruleset_of
from tournament.queries.verification import waiting_sheets
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.entries import record_entry
from tournament.services.journal import note
from tournament.services.results import refresh_results
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import writing

# What the sheets call a side that leaves; the first that a sheet knows is cited.
LEAVING = ("46", "forfeit")


def start_round(actor: Actor, event: Event, number: int) -> Round:
    """Open a drawn round: its games are played from now on, and with the first one the rule sheet is pinned.

    Raises Changed where it was started already or another round is in play, Invalid where something is missing.
    Games of a team that has left are given to its opponents at once.
    """
    with writing(event) as event:
        round_ = _round_of(event, number)
        _may_start(event, round_)
        now = timezone.now()
        if event.stage == "setup":
            event.stage, event.frozen_at = "playing", now
            event.save(update_fields=["stage", "frozen_at"])
            note(
                actor, event, "freeze", "event", event.pk, f"{round_} begins: the rule sheet and its options are pinned"
            )
        round_.state, round_.started_at = "running", now
        round_.save(update_fields=["state", "started_at"])
        games = list(round_.games.all())
        Game.objects.filter(round=round_).update(state="playing")
        refresh_results(event, [game.pk for game in games])
        text = f"{round_} started: {len(games)} table{pluralize(len(games))}"
        note(actor, event, "start", "round", number, text, before="drawn", after="in play")
        _give_games_of_teams_that_left(actor, event, round_)
    return round_


def close_round(actor: Actor, event: Event, number: int) -> Round:
    """Close a round in which every game is final. Raises Invalid with a sentence for each table that is not."""
    with writing(event) as event:
        round_ = _round_of(event, number)
        if round_.state == "closed":
            raise Changed(f"{round_} is closed already.")
        if round_.state == "planned":
            raise Changed(f"{round_} was not started yet.")
        if missing := open_tables(round_):
            raise Invalid([Fault(f"table-{table.table}", table.text) for table in missing])
        waiting = waiting_sheets(event, round_)
        if waiting and event.verify_closing == "blocks":
            raise Invalid([Fault("verify", f"{place}: typed from paper and not verified yet.") for place in waiting])
        round_.state, round_.closed_at = "closed", timezone.now()
        round_.save(update_fields=["state", "closed_at"])
        rest = f"; not verified yet: {', '.join(waiting)}" if waiting else ""
        text = f"{round_} closed: every game is final{rest}"
        note(actor, event, "close", "round", number, text, before="in play", after="closed")
    return round_


def _round_of(event: Event, number: int) -> Round:
    round_ = event.rounds.filter(number=number).first()
    if round_ is None:
        raise Changed(f"There is no round {number} any more: it was drawn again or taken back.")
    return round_


def _may_start(event: Event, round_: Round) -> None:
    if round_.state != "planned":
        raise Changed(f"{round_} was started already.")
    if event.stage == "setup" and (missing := checklist(event).missing):
        raise Invalid([Fault(item.key, item.text) for item in missing])
    if round_.stage != "tiebreak":
        running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
        if running is not None:
            raise Changed(f"{running} is still in play. Close it first.")
        first = event.rounds.filter(state="planned", number__lt=round_.number).exclude(stage="tiebreak").first()
        if first is not None:
            raise Changed(f"{first} comes first.")
    if not round_.games.exists():
        raise Invalid(f"{round_} has no tables yet. Draw it first.")
    if wrong := wrong_tables(event, round_):
        raise Invalid([Fault(f"table-{table.table}", table.text) for table in wrong])


def _give_games_of_teams_that_left(actor: Actor, event: Event, round_: Round) -> None:
    """Rule 46: without a substitute all remaining games are forfeited."""
    gone = {team.pk for team in event.teams.exclude(status="playing") if left_before(team, round_.number)}
    if not gone:
        return
    rules = ruleset_of(event)
    known = {rule.rule for rule in rules.game.rulings(rules.rules)}
    rule = next((name for name in LEAVING if name in known), LEAVING[-1])
    games = round_.games.filter(sides__team__in=gone).distinct().select_related("round__event")
    for game in games.prefetch_related("sides"):
        here = [side.index for side in game.sides.all() if side.team_id not in gone]
        if len(game.sides.all()) > 2 and len(here) in rules.table_sizes:
            _play_without(actor, game, gone)
            continue
        to = here[0] if len(here) == 1 else None
        record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
        sign_for_all(actor, game, "A side has left the event")


def _play_without(actor: Actor, game: Game, gone: set[int]) -> None:
    """Single players whose table is large enough without the one who left play on, moved up in their order."""
    game.sides.filter(team__in=gone).delete()
    for index, side in enumerate(game.sides.order_by("index")):
        Side.objects.filter(pk=side.pk).update(index=index)
    refresh_results(game.round.event, [game.pk])
    text = f"{game.round}, table {game.table}: a player has left, the others play without"
    note(actor, game.round.event, "seat", "game", game.pk, text)
