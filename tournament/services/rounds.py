"""Starting and closing a round. The first start pins the rule sheet and keeps the value of every option."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Call, Event, Game, Result, Round, Side
from tournament.phrases import DONE
from tournament.queries.attention import open_tables, wrong_tables
from tournament.queries.checklist import checklist
from tournament.queries.records import left_before
from tournament.queries.rules import printed_by, ruleset_of
from tournament.queries.scored import waiting_sheets
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.entries import record_entry
from tournament.services.journal import note, place_of, title_of
from tournament.services.results import refresh_results
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import writing

# What the sheets call a side that leaves; the first that a sheet knows is cited.
LEAVING = ("46", "forfeit")
NOT_STARTED = {
    "state": "planned",
    "started_at": None,
    "paused_at": None,
    "paused_seconds": 0,
    "extra_seconds": 0,
    "time_called_at": None,
}


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
            event.stage, event.frozen_at, event.printed = "playing", now, printed_by(event.sheet)
            event.save(update_fields=["stage", "frozen_at", "printed"])
            note(actor, event, "freeze", "event", event.pk, "fixed", {"round": title_of(round_)})
        round_.state, round_.started_at = "running", now
        round_.save(update_fields=["state", "started_at"])
        games = list(round_.games.all())
        Game.objects.filter(round=round_).update(state="playing")
        refresh_results(event, [game.pk for game in games])
        said = {"round": title_of(round_), "tables": len(games)}
        note(actor, event, "start", "round", number, "started", said)
        give_games_of_teams_that_left(actor, event, round_)
    return round_


def take_start_back(actor: Actor, event: Event, number: int) -> Round:
    """Take the start of a round back: it is drawn and waits again, and nobody is seated or late in it.

    Raises Changed where it is not in play, or where anything was ever written on one of its sheets. With the first
    round the rule sheet can be changed again.
    """
    with writing(event) as event:
        round_ = _round_of(event, number)
        if round_.state != "running":
            raise Changed(f"{round_} is not in play: there is no start to undo.")
        written = (
            round_.games.filter(entries__isnull=False).order_by("table").values_list("table", flat=True).distinct()
        )
        if written:
            raise Changed(f"{round_} has begun: there is a line on the sheet of table {written[0]}.")
        note(actor, event, "start", "round", number, "undone", {"round": title_of(round_)})
        if round_.stage == "playoff":
            # It was drawn by starting it, from the bracket as it stood at that moment.
            round_.delete()
            return round_
        games = Game.objects.filter(round=round_)
        Side.objects.filter(round=round_).update(seated_at=None)
        Call.objects.filter(game__round=round_, answered_at=None).update(answered_at=timezone.now())
        Result.objects.filter(game__round=round_).delete()
        games.update(state="planned", first_dealer=0, begun_at=None, version=F("version") + 1)
        Round.objects.filter(pk=round_.pk).update(**NOT_STARTED)
        if event.stage == "playing" and not event.rounds.exclude(state="planned").exists():
            event.stage, event.frozen_at, event.printed = "setup", None, ""
            event.save(update_fields=["stage", "frozen_at", "printed"])
    round_.refresh_from_db()
    return round_


def close_round(actor: Actor, event: Event, number: int) -> Round:
    """Close a round in which every game is final. Raises Invalid with a sentence for each table that is not."""
    with writing(event) as event:
        round_ = _round_of(event, number)
        if round_.state == "closed":
            raise Changed(f"{round_} is closed already.")
        if round_.state == "planned":
            raise Changed(f"{round_} has not started yet.")
        if missing := open_tables(round_):
            raise Invalid([Fault(f"table-{table.table}", table.text) for table in missing])
        waiting = waiting_sheets(event, round_)
        if waiting and event.verify_closing == "blocks":
            raise Invalid(
                [
                    Fault("verify", f"{game.round}, table {game.table}: typed from paper and not verified yet.")
                    for game in waiting
                ]
            )
        round_.state, round_.closed_at = "closed", timezone.now()
        round_.save(update_fields=["state", "closed_at"])
        said = {"round": title_of(round_), "games": [[title_of(game.round), game.table] for game in waiting]}
        note(actor, event, "close", "round", number, "closed", said)
    return round_


def _round_of(event: Event, number: int) -> Round:
    round_ = event.rounds.filter(number=number).first()
    if round_ is None:
        raise Changed(f"Round {number} was drawn again or deleted. Load the page again.")
    return round_


def _may_start(event: Event, round_: Round) -> None:
    if round_.state != "planned":
        raise Changed(f"{round_} was already started.")
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


def give_games_of_teams_that_left(actor: Actor, event: Event, round_: Round) -> None:
    """Rule 46: without a substitute all remaining games are forfeited. Games that are over stay as they are."""
    gone = {team.pk for team in event.teams.exclude(status="playing") if left_before(team, round_.number)}
    if not gone:
        return
    rules = ruleset_of(event)
    known = {rule.rule for rule in rules.game.rulings(rules.rules)}
    rule = next((name for name in LEAVING if name in known), LEAVING[-1])
    games = round_.games.filter(sides__team__in=gone).exclude(state__in=DONE).distinct().select_related("round__event")
    for game in games.prefetch_related("sides"):
        here = [side.index for side in game.sides.all() if side.team_id not in gone]
        if len(game.sides.all()) > 2 and len(here) in rules.table_sizes:
            _play_without(actor, game, gone)
            continue
        to = here[0] if len(here) == 1 else None
        record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
        sign_for_all(actor, game, "A side left the event")


def _play_without(actor: Actor, game: Game, gone: set[int]) -> None:
    """Single players whose table is large enough without the one who left play on, moved up in their order."""
    game.sides.filter(team__in=gone).delete()
    for index, side in enumerate(game.sides.order_by("index")):
        Side.objects.filter(pk=side.pk).update(index=index)
    refresh_results(game.round.event, [game.pk])
    note(actor, game.round.event, "seat", "game", game.pk, "left", place_of(game))
