"""The next act of the evening, from the teams to the end: what it is called, and where it is done."""

from __future__ import annotations

from dataclasses import dataclass

from django.template.defaultfilters import pluralize
from django.urls import reverse

from tournament.models import Event, Game, Round
from tournament.phrases import DONE
from tournament.queries.checklist import Item, checklist
from tournament.queries.draws import draw_plan
from tournament.queries.playoffs import PlayoffsFacts, playoffs
from tournament.queries.rules import ruleset_of
from tournament.queries.verification import waiting_sheets


@dataclass(frozen=True, slots=True)
class NextAct:
    """One press does what `posts`; every other act leads to the page where it is done, which is under `tab`.

    `action` is what somebody has to be allowed to do. `waits` says what is awaited while it cannot be done yet.
    """

    words: str
    address: str
    action: str
    posts: bool = False
    tab: str = ""
    waits: str = ""
    starts_first_round: bool = False


def next_act(event: Event) -> NextAct:
    """What comes next in an event, in a constant number of queries."""
    if event.stage in ("setup", "playing"):
        return _qualifying(event)
    running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
    if running is not None:
        return _close(event, running)
    return _playoffs(event, playoffs(event))


def _qualifying(event: Event) -> NextAct:
    rounds = list(event.rounds.all())
    running = next((one for one in rounds if one.state == "running"), None)
    if running is not None:
        return _close(event, running)
    if event.stage == "setup" and (missing := checklist(event).missing):
        return _missing(event, missing[0])
    planned = next((one for one in rounds if one.state == "planned"), None)
    if planned is not None:
        return _start(event, planned)
    return _draw(event) if len(rounds) < event.rounds_planned else _cut(event)


def _missing(event: Event, item: Item) -> NextAct:
    """What the check list needs first."""
    if item.key == "draw":
        return _draw(event, again=event.rounds.exists())
    if item.key == "teams":
        words = f"Enter the {ruleset_of(event).unit}s"
        return NextAct(words, _at(event, item.page), "change-teams", tab="teams")
    return NextAct("Name a director", _at(event, item.page), "set-up", tab="setup")


def _draw(event: Event, *, again: bool = False) -> NextAct:
    plan = draw_plan(event)
    first = plan.history.next_round
    if plan.by_hand:
        return NextAct(f"Seat round {first}", _at(event, "draw-by-hand", first), "draw", tab="draw")
    which = f"round {first}" if plan.rounds == 1 else f"{plan.rounds} rounds"
    words = f"Draw {which}{' again' if again else ''}"
    if plan.why_not:
        return NextAct(words, _at(event, "desk-draw"), "draw", waits=plan.why_not, tab="draw")
    return NextAct(words, _at(event, "desk-draw"), "draw", posts=True)


def _start(event: Event, round_: Round) -> NextAct:
    first = event.stage == "setup"
    words, to = f"Start {_lower(str(round_))}", _at(event, "round-start", round_.number)
    return NextAct(words, to, "run-rounds", posts=True, starts_first_round=first)


def _close(event: Event, round_: Round) -> NextAct:
    words = f"Close {_lower(str(round_))}"
    if to_go := round_.games.exclude(state__in=DONE).count():
        waits = f"{to_go} table{pluralize(to_go)} to go"
        return NextAct(words, f"{_at(event, 'desk')}?round={round_.number}", "run-rounds", waits=waits)
    if event.verify_closing == "blocks" and (sheets := len(waiting_sheets(event, round_))):
        waits = f"{sheets} sheet{pluralize(sheets)} to verify"
        return NextAct(words, _at(event, "desk-verify"), "run-rounds", waits=waits)
    return NextAct(words, _at(event, "round-close", round_.number), "run-rounds", posts=True)


def _cut(event: Event) -> NextAct:
    words = "Make the cut" if ruleset_of(event).has_matches else "Name the champion"
    # A correction can open a game of a closed round again: it counts when it is signed.
    reopened = Game.objects.filter(round__event=event, round__stage="qualifying").exclude(state="final")
    if (game := reopened.select_related("round").first()) is not None:
        waits = f"{_lower(str(game.round))}, table {game.table}, is not signed"
        return NextAct(words, _at(event, "desk-game", game.pk), "run-playoffs", waits=waits)
    return NextAct(words, _at(event, "desk-playoffs"), "run-playoffs", tab="playoffs")


def _playoffs(event: Event, facts: PlayoffsFacts) -> NextAct:
    page, bracket = _at(event, "desk-playoffs"), "playoffs"
    match facts.step:
        case "decide":
            return NextAct("Decide what counts", page, "run-playoffs", tab=bracket)
        case "over":
            return NextAct("Final places", _at(event, "desk-standings"), "see-desk", tab="standings")
        case "tie":
            return NextAct("Break the tie", page, "run-playoffs", tab=bracket)
        case "tie-games":
            return _tie_games(event, facts)
        case "start":
            words = f"Start {_lower(facts.ready_title)}"
            return NextAct(words, _at(event, "bracket-round"), "run-playoffs", posts=True)
        case "finish":
            return NextAct("Finish the event", page, "run-playoffs", tab=bracket)
        case _:
            return NextAct("The playoffs", page, "run-playoffs", waits="no match can be played now")


def _tie_games(event: Event, facts: PlayoffsFacts) -> NextAct:
    games = facts.open_break.games if facts.open_break else ()
    if facts.next_tie_round:
        title = next(game.title for game in games if game.round == facts.next_tie_round)
        to = _at(event, "round-start", facts.next_tie_round)
        return NextAct(f"Start {_lower(title)}", to, "run-rounds", posts=True)
    if facts.open_break and facts.open_break.due:
        return NextAct("Start the next tie-break game", _at(event, "tie-round"), "run-playoffs", posts=True)
    to_go = sum(game.state != "final" for game in games)
    waits = f"{to_go} table{pluralize(to_go)} to go"
    return NextAct("Finish the tie-break", _at(event, "desk-playoffs"), "run-playoffs", waits=waits)


def _lower(title: str) -> str:
    """“game 1”, “semifinal”: a title in the middle of a sentence; names of one letter and a number stay."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _at(event: Event, page: str, *place: int) -> str:
    return reverse(page, args=(event.slug, *place))
