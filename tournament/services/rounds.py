"""A round: seating, start, clock, calls, closing."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Call, Event, Game, Result, Round, Side
from tournament.queries.clocks import Waiting, minutes_of, played_seconds, round_clock, seated_together, waiting_sides
from tournament.queries.decisions import draw_question
from tournament.queries.desk import open_tables, wrong_tables
from tournament.queries.game_results import left_before
from tournament.queries.impact import Impact
from tournament.queries.leaving import DECIDE, games_to_give, leaving_teams, leaving_words, plays_on
from tournament.queries.roster import short_teams
from tournament.queries.rules import printed_by, ruleset_at, ruleset_of
from tournament.queries.scored import TIME, active_entries
from tournament.queries.sheet import sheet_now
from tournament.queries.todo_next import checklist
from tournament.queries.typed_sheets import waiting_sheets
from tournament.services.confirming import ask_first
from tournament.services.entries import record_entry
from tournament.services.people import link_teams
from tournament.services.signatures import refresh_results, sign_for_all
from tournament.services.transactions import Shown, announce, locked_game, look_again, place_of, show, title_of, writing
from tournament.words.phrases import CALLS, DONE
from tournament.words.sentences import Reason

# Starting and closing a round. The first start fixes the rule sheet and stores the value of every option.


# The sheets' names for a side that leaves; the first one that a sheet knows is cited.
LEAVING = ("46", "forfeit")
GIVEN = "Withdrawn, with a seat in this game:"
GIVEN_NOTE = "Or draw again, or seat somebody there, before you start: “To do” on the desk’s first page has both."
SHORT = "Not enough players:"
SHORT_NOTE = "Add the missing player on the team’s page first, or start anyway."
NOT_STARTED = {
    "state": "planned",
    "started_at": None,
    "paused_at": None,
    "paused_seconds": 0,
    "extra_seconds": 0,
    "time_called_at": None,
}


def start_round(actor: Actor, event: Event, number: int, *, confirmed: str | None = None) -> Round:
    """Open a drawn round: its games are played from now on. The first start also fixes the rule sheet.

    Raises Conflict if it was started already or another round is in play, ValidationFailed if something is missing.
    Games of a team that has left go to its opponents at once. If game 1 has such a game, or a team that is short of
    players, it starts only as `confirmed`; None asks nothing.
    """
    with writing(event) as event:
        round_ = _round_of(event, number)
        _check_start(event, round_)
        if confirmed is not None and event.stage == "setup":
            ask_about_teams(event, confirmed, games_to_give(event, round_))
        now = timezone.now()
        if event.frozen_at is None:
            event.stage = "playing" if event.stage == "setup" else event.stage
            event.frozen_at, event.printed = now, printed_by(event.sheet)
            event.save(update_fields=["stage", "frozen_at", "printed"])
            announce(actor, event, "freeze", "event", event.pk, "fixed", {"round": title_of(round_)})
        round_.state, round_.started_at = "running", now
        round_.save(update_fields=["state", "started_at"])
        games = list(round_.games.all())
        Game.objects.filter(round=round_).update(state="playing")
        refresh_results(event, [game.pk for game in games])
        said = {"round": title_of(round_), "tables": len(games)}
        announce(actor, event, "start", "round", number, "started", said)
        # By now the people who sit in a game are known, as far as it is certain who they are.
        link_teams(event, Side.objects.filter(round=round_).values_list("team", flat=True))
        give_games_of_teams_that_left(actor, event, round_)
    return round_


def ask_about_teams(event: Event, confirmed: str, given: tuple[str, ...] = ()) -> None:
    """One question about games that are `given` away at the start and about teams that are short of players."""
    short = short_teams(event)
    if given and short:
        impact = Impact(note=f"{SHORT_NOTE} {GIVEN_NOTE}", warnings=given + short)
    elif short:
        impact = Impact(note=SHORT_NOTE, warning=SHORT, warnings=short)
    else:
        impact = Impact(note=GIVEN_NOTE, warning=GIVEN, warnings=given)
    ask_first(impact, confirmed, asks=bool(given or short))


def take_start_back(actor: Actor, event: Event, number: int) -> Round:
    """Undo the start of a round: it is drawn and waits again, and nobody is seated or late in it.

    Raises Conflict if it is not in play, or if anything was ever written on one of its sheets. If it is the first
    round, the rule sheet can be changed again.
    """
    with writing(event) as event:
        round_ = _round_of(event, number)
        if round_.state != "running":
            raise Conflict(f"{round_} is not in play: there is no start to undo.")
        written = (
            round_.games.filter(entries__isnull=False).order_by("table").values_list("table", flat=True).distinct()
        )
        if written:
            raise Conflict(f"{round_} has begun: there is a line on the sheet of table {written[0]}.")
        announce(actor, event, "start", "round", number, "undone", {"round": title_of(round_)})
        if round_.stage == "playoff":
            # It was drawn when it was started, from the bracket at that moment.
            round_.delete()
            if not event.rounds.exists():
                event.frozen_at, event.printed = None, ""
                event.save(update_fields=["frozen_at", "printed"])
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
    """Close a round in which every game is final.

    Raises ValidationFailed with a sentence for each table that is not.
    """
    with writing(event) as event:
        round_ = _round_of(event, number)
        if round_.state == "closed":
            raise Conflict(f"{round_} is closed already.")
        if round_.state == "planned":
            raise Conflict(f"{round_} has not started yet.")
        if missing := open_tables(round_):
            raise ValidationFailed(missing)
        waiting = waiting_sheets(event, round_)
        if waiting and event.verify_closing == "blocks":
            raise ValidationFailed(
                [
                    Fault("verify", f"{game.round}, table {game.table}: typed from paper and not verified yet.")
                    for game in waiting
                ]
            )
        round_.state, round_.closed_at = "closed", timezone.now()
        round_.save(update_fields=["state", "closed_at"])
        said = {"round": title_of(round_), "games": [[title_of(game.round), game.table] for game in waiting]}
        announce(actor, event, "close", "round", number, "closed", said)
    return round_


def _round_of(event: Event, number: int) -> Round:
    round_ = event.rounds.filter(number=number).first()
    if round_ is None:
        raise Conflict(f"Game {number} was drawn again or deleted. Load the page again.")
    return round_


def _check_start(event: Event, round_: Round) -> None:
    if round_.state != "planned":
        raise Conflict(f"{round_} was already started.")
    if teams := leaving_teams(event):
        raise Conflict(f"{leaving_words(event, teams)}. {DECIDE}")
    if event.stage == "setup" and (missing := checklist(event).missing):
        raise ValidationFailed([Fault(item.key, item.text) for item in missing])
    if round_.stage != "tiebreak":
        running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
        if running is not None:
            raise Conflict(f"{running} is still in play. Close it first.")
        first = event.rounds.filter(state="planned", number__lt=round_.number).exclude(stage="tiebreak").first()
        if first is not None:
            raise Conflict(f"{first} comes first.")
    if not round_.games.exists():
        raise ValidationFailed(f"{round_} has no tables yet. Draw it first.")
    if wrong := wrong_tables(event, round_):
        raise ValidationFailed(wrong)
    if question := draw_question(event):
        raise ValidationFailed([Fault("draw", f"{question.text} Draw again, or keep the draw.")])


def give_games_of_teams_that_left(actor: Actor, event: Event, round_: Round) -> None:
    """Rule 46: without a substitute, all remaining games are forfeited. Games that are over stay as they are."""
    gone = {team.pk for team in event.teams.exclude(status="playing") if left_before(team, round_.number)}
    if not gone:
        return
    rules = ruleset_of(event, round_)
    known = {rule.rule for rule in rules.game.rulings(rules.rules)}
    rule = next((name for name in LEAVING if name in known), LEAVING[-1])
    games = round_.games.filter(sides__team__in=gone).exclude(state__in=DONE).distinct().select_related("round__event")
    for game in games.prefetch_related("sides"):
        here = [side.index for side in game.sides.all() if side.team_id not in gone]
        if plays_on(len(game.sides.all()), len(here), rules.table_sizes):
            _play_without(actor, game, gone)
            continue
        to = here[0] if len(here) == 1 else None
        record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
        sign_for_all(actor, game, "A side left the event")


def _play_without(actor: Actor, game: Game, gone: set[int]) -> None:
    """If the table is still large enough, the other single players play on, moved up in their order."""
    game.sides.filter(team__in=gone).delete()
    for index, side in enumerate(game.sides.order_by("index")):
        Side.objects.filter(pk=side.pk).update(index=index)
    refresh_results(game.round.event, [game.pk])
    announce(actor, game.round.event, "seat", "game", game.pk, "left", place_of(game))


# A table calls the director; the director answers. At most one call of a table is open.


def call_director(actor: Actor, game: Game, kind: str) -> Call:
    """Call the director to a table. If a call is open already, nothing changes: the first call counts."""
    if kind not in CALLS:
        raise ValidationFailed([Fault("kind", "Say what the director is called for.")])
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = locked_game(event, game.pk)
        if game.round.state != "running":
            raise Conflict(Reason("no-call", **place_of(game)))
        if (known := open_call(game)) is not None:
            return known
        try:
            with transaction.atomic():
                call = Call.objects.create(game=game, kind=kind)
        except IntegrityError:
            return Call.objects.get(game=game, answered_at=None)
        facts = place_of(game) | {"about": kind}
        announce(actor, event, "call", "call", call.pk, "called", facts, after={"kind": kind})
        return call


def answer_call(actor: Actor, call: Call) -> Call:
    """Close a table's call. A call that was answered already keeps its answer."""
    with writing(call.game.round.event_id, Shown.INSIDE) as event:
        call = Call.objects.select_related("game__round").get(pk=call.pk)
        return call if call.answered_at is not None else _answer(actor, event, call)


def go_to_call(actor: Actor, call: Call) -> Call:
    """Record that a director is on the way to a table; the first one to say so is named. Answering the call ends it.

    Raises Conflict if the call is closed by now: somebody answered it, or the table no longer needs anybody.
    """
    with writing(call.game.round.event_id, Shown.INSIDE) as event:
        call = Call.objects.select_related("game__round", "coming_by").get(pk=call.pk)
        if call.answered_at is not None:
            raise Conflict(f"The call from table {call.game.table} is closed already.")
        if call.coming_at is not None:
            return call
        call.coming_at, call.coming_by = timezone.now(), actor.person
        call.save(update_fields=["coming_at", "coming_by"])
        announce(actor, event, "call", "call", call.pk, "coming", place_of(call.game) | {"about": call.kind})
        return call


def withdraw_call(actor: Actor, game: Game) -> None:
    """Withdraw a table's call. If no call is open, nothing changes: somebody answered it."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        if (call := open_call(game)) is None:
            return
        call.answered_at = timezone.now()
        call.save(update_fields=["answered_at"])
        announce(actor, event, "call-off", "call", call.pk, "withdrawn", place_of(call.game) | {"about": call.kind})


def answer_open_call(actor: Actor, event: Event, game: Game) -> None:
    """Close the table's call, if one is open, within the transaction of the act that answers it, such as a ruling."""
    if (call := open_call(game)) is not None:
        _answer(actor, event, call)


def open_call(game: Game) -> Call | None:
    return Call.objects.select_related("game__round").filter(game=game, answered_at=None).first()


def _answer(actor: Actor, event: Event, call: Call) -> Call:
    call.answered_at = timezone.now()
    call.answered_by = actor.person
    call.save(update_fields=["answered_at", "answered_by"])
    announce(actor, event, "answer", "call", call.pk, "answered", place_of(call.game) | {"about": call.kind})
    return call


# The clock of a round: paused, resumed, extended by the director; and time called at all tables at once.

MOST_MINUTES = 120


def pause_round(actor: Actor, event: Event, number: int, reason: str) -> Round:
    """Stop the clock of a round, and with it the clock for late teams."""
    with writing(event) as event:
        round_ = _running(event, number)
        if round_.paused_at is not None:
            raise Conflict("The clock is stopped already.")
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
            raise Conflict("The clock is running.")
        stood = max(0, int((timezone.now() - round_.paused_at).total_seconds()))
        round_.paused_at, round_.paused_seconds = None, round_.paused_seconds + stood
        round_.save(update_fields=["paused_at", "paused_seconds"])
        _tell(actor, event, round_, "resume", "running", {"stood": stood})
    return round_


def extend_round(
    actor: Actor, event: Event, number: int, minutes: int, reason: str, *, added: int | None = None
) -> Round:
    """Give a round more time (or less, with minutes below zero). Games that have ended by time stay ended.

    If the sheet sets no time, the first minutes are those from now to the end. `added` are the minutes that had been
    added when the director looked; raises Conflict if that has changed.
    """
    with writing(event) as event:
        round_ = _running(event, number)
        rules = ruleset_of(event, round_).rules
        has_end = minutes_of(round_, rules) is not None
        if not has_end and minutes < 1:
            raise ValidationFailed([Fault("minutes", "How many minutes are left from now? Enter 1 or more.")])
        if not -MOST_MINUTES <= minutes <= MOST_MINUTES or not minutes:
            raise ValidationFailed(
                [Fault("minutes", f"Enter 1 to {MOST_MINUTES} minutes to add, or −1 to −{MOST_MINUTES} to take off.")]
            )
        why = _said(reason) if reason.strip() else ""
        before = round_.extra_seconds // 60
        if added is not None and added != before:
            raise Conflict("Somebody else changed the length of this game. Look at the clock first.")
        played = 0 if has_end else played_seconds(round_, timezone.now()) or 0
        round_.extra_seconds += minutes * 60 + played
        clock = round_clock(round_, minutes_of(round_, rules), timezone.now())
        if clock is None or not clock.up:
            round_.time_called_at = None
        round_.save(update_fields=["extra_seconds", "time_called_at"])
        said = {"minutes": abs(minutes), "reason": why, "was": before, "now": round_.extra_seconds // 60}
        code = "given" if not has_end else "more" if minutes > 0 else "less"
        _tell(actor, event, round_, "extend", code, said)
    return round_


def call_time(actor: Actor, event: Event, number: int) -> int:
    """Tell every table that time is up. Returns how many still play.

    Each game ends with the hand in play: once it is written, the end by time follows automatically.
    """
    with writing(event) as event:
        round_ = _running(event, number)
        minutes = minutes_of(round_, ruleset_of(event, round_).rules)
        if minutes is None:
            raise Conflict("These games end by their own rules: set a time limit first.")
        clock = round_clock(round_, minutes, timezone.now())
        if round_.time_called_at is not None:
            raise Conflict("Time was already called.")
        if clock is None or not clock.up:
            raise Conflict("There is time left: shorten the game first, with a reason.")
        round_.time_called_at = timezone.now()
        round_.save(update_fields=["time_called_at"])
        count = Game.objects.filter(round=round_, state="playing").count()
        _tell(actor, event, round_, "time", "called", {"games": count})
    return count


def end_without_hand(actor: Actor, game: Game, position: int | None) -> None:
    """Record that no hand was in play at a table when time was called: its game ends with the current score."""
    with writing(game.round.event_id) as event:
        game = locked_game(event, game.pk)
        if game.round.time_called_at is None:
            raise Conflict("Time has not been called.")
        record_entry(actor, game, {"entry": TIME}, position=position)


def _running(event: Event, number: int) -> Round:
    round_ = event.rounds.filter(number=number).first()
    if round_ is None or round_.state != "running":
        raise Conflict("This game is not being played.")
    return round_


def _said(reason: str) -> str:
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "Say why: it is written in the log.")])
    return reason.strip()[:200]


def _tell(actor: Actor, event: Event, round_: Round, action: str, code: str, facts: dict[str, Any]) -> None:
    """Make every table show the clock: a new version of its game makes its screen look again."""
    look_again(event, round=round_)
    announce(actor, event, action, "round", round_.number, code, {"round": title_of(round_)} | facts)


# Who sits at the table: each side reports that it is there, then the table names the first dealer.


def seat_side(actor: Actor, game: Game, side: int) -> Side:
    """Record that a side is seated.

    Reporting it twice changes nothing: the first time counts against the five minutes.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        seated = _side_of(game, side)
        if seated.seated_at is None:
            seated.seated_at = timezone.now()
            seated.save(update_fields=["seated_at"])
            _show_whether_seated(game)
            _touch(game)
            announce(actor, event, "seat", "game", game.pk, "seated", place_of(game) | {"team": seated.team.name})
        return seated


def unseat_side(actor: Actor, game: Game, side: int) -> Side:
    """Undo that a side is seated. The table then waits for it again, by the clock of the round.

    Raises Conflict if the sheet has a line: nobody plays a hand with an empty seat.
    """
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        seated = _side_of(game, side)
        if active_entries(game.entries.all()):
            raise Conflict(
                f"Table {game.table} has begun to play, so the seat of {seated.team.full_name} cannot be undone."
            )
        if seated.seated_at is not None:
            _show_whether_seated(game)
            seated.seated_at = None
            seated.save(update_fields=["seated_at"])
            _nobody_deals_yet(game)
            announce(actor, event, "seat", "game", game.pk, "unseated", place_of(game) | {"team": seated.team.name})
        return seated


def seat_everybody(actor: Actor, event: Event, number: int) -> tuple[int, Waiting]:
    """Record at the desk that everybody but the late teams is seated, in a hall without tablets.

    Returns at how many tables, and who is still not seated.
    """
    with writing(event) as event:
        waiting = waiting_sides(event, number)
        games = {side.game_id for side in waiting.here}
        Side.objects.filter(pk__in=[side.pk for side in waiting.here]).update(seated_at=timezone.now())
        Game.objects.filter(pk__in=games).update(version=F("version") + 1)
        if games:
            late = [[side.team.name, side.game.table] for side in waiting.late]
            announce(actor, event, "seat", "round", number, "all", {"tables": len(games), "late": late})
        return len(games), waiting


def unseat_everybody(actor: Actor, event: Event, number: int) -> int:
    """Undo the last press of “Seat all”. Returns at how many tables. Refused if a hand was written since."""
    with writing(event) as event:
        sides = seated_together(event, number)
        games = {side.game_id: side.game for side in sides}
        if not games:
            raise Conflict("Nothing to undo: hands have been recorded since, or the seats were changed one by one.")
        Side.objects.filter(pk__in=[side.pk for side in sides]).update(seated_at=None)
        for game in games.values():
            _nobody_deals_yet(game)
        announce(actor, event, "seat", "round", number, "undone", {"tables": len(games)})
        return len(games)


def choose_first_dealer(actor: Actor, game: Game, seat: int) -> Game:
    """Name the first dealer, which begins the game. It can be changed until the first hand is written."""
    with writing(game.round.event_id, Shown.INSIDE) as event:
        game = _open_game(event, game)
        if seat not in range(ruleset_at(game).seating.seats):
            raise ValidationFailed([Fault("seat", Reason("no-seat"))])
        missing = [side.team.name for side in game.sides.select_related("team") if side.seated_at is None]
        if missing:
            raise Conflict(Reason("not-seated", teams=missing))
        if game.begun_at is not None and game.first_dealer == seat:
            return game
        if active_entries(game.entries.all()):
            raise Conflict(Reason("begun"))
        seats = {one.seat: one.name for one in sheet_now(game).seats}
        before = seats[game.first_dealer] if game.begun_at else ""
        game.first_dealer, game.begun_at = seat, game.begun_at or timezone.now()
        game.save(update_fields=["first_dealer", "begun_at"])
        _touch(game)
        facts = place_of(game) | {"player": seats[seat], "was": before}
        announce(actor, event, "seat", "game", game.pk, "dealer", facts)
        return game


def begin_from_paper(actor: Actor, game: Game, seat: int) -> Game:
    """Name at the desk who dealt first: then everybody at this table was seated, or nobody could have dealt."""
    with writing(game.round.event_id, Shown.INSIDE):
        for side in game.sides.filter(seated_at=None).values_list("index", flat=True):
            seat_side(actor, game, side)
        return choose_first_dealer(actor, game, seat)


def _open_game(event: Event, game: Game) -> Game:
    game = locked_game(event, game.pk)
    if game.round.state != "running":
        raise Conflict(Reason("seats-closed", **place_of(game)))
    if game.state == "final":
        raise Conflict(Reason("over"))
    return game


def _side_of(game: Game, index: int) -> Side:
    side = Side.objects.select_related("team").filter(game=game, index=index).first()
    if side is None:
        raise ValidationFailed([Fault("side", Reason("no-side"))])
    return side


def _show_whether_seated(game: Game) -> None:
    """Mark a table in the schedule as playing once all of it is seated."""
    if not game.sides.filter(seated_at=None).exists():
        show(Shown.PUBLIC)


def _nobody_deals_yet(game: Game) -> None:
    """If a side is missing nobody deals: the first dealer is asked for again."""
    Game.objects.filter(pk=game.pk).update(first_dealer=0, begun_at=None, version=F("version") + 1)


def _touch(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
