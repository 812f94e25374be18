"""What comes next: what is missing before an event can open, and the evening's next act, the green button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import pluralize
from django.urls import reverse

from tournament.models import Event, Player, Round, Team
from tournament.queries.decisions import draw_question
from tournament.queries.desk import wrong_tables
from tournament.queries.draws import DrawPlan, draw_plan
from tournament.queries.leaving import DECIDE, Seats, leaving_teams, leaving_words, seats_of
from tournament.queries.ledger import accounts_of
from tournament.queries.playoffs import PlayoffsFacts, playoffs, unsigned_game
from tournament.queries.registrations import entries_to_do, untold_words, waiting_entries
from tournament.queries.rules import Ruleset, asks_for_pot, ruleset_of
from tournament.queries.typed_sheets import waiting_sheets
from tournament.words.phrases import DONE, money

# What is still missing before an event can open, and what is worth a look.


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the check list. `needed` lines must be done before round 1; `page` is the address name to do it at."""

    key: str
    done: bool
    needed: bool
    text: str
    page: str = "desk-setup"


@dataclass(frozen=True, slots=True)
class Checklist:
    """`seats` are the seats of game 1 whose teams do not play, and the teams that play without one."""

    items: tuple[Item, ...]
    seats: Seats

    @property
    def missing(self) -> tuple[Item, ...]:
        """What keeps the event from opening."""
        return tuple(item for item in self.items if item.needed and not item.done)

    @property
    def ready(self) -> bool:
        return not self.missing


def checklist(event: Event) -> Checklist:
    """The check list of an event, in the order of the work; a constant number of queries."""
    rules = ruleset_of(event)
    everybody = list(event.teams.prefetch_related("players"))
    teams = [team for team in everybody if team.status == "playing"]
    first = event.rounds.filter(number=1).first()
    seats = seats_of(first, everybody)
    changed = len(rules.chosen)
    options = f", {changed} option{'' if changed == 1 else 's'} changed" if changed else ", as printed"
    return Checklist(
        (
            _place(event),
            Item("sheet", True, True, f"Rule sheet: {rules.sheet.title}{options}"),
            _officials(event),
            _teams(teams, rules),
            *_entries(event),
            *(() if rules.singles else _players(teams, rules.seating.seats // rules.seating.sides)),
            *_fees(event, teams, rules.unit),
            *((_here(teams, rules.unit),) if event.checks_in and teams else ()),
            *_leaving(event),
            _draw(event, first, seats),
            *_gone(seats),
            *_cut(event, len(teams), rules),
        ),
        seats,
    )


def shared_players(event: Event) -> tuple[str, ...]:
    """Players who are in two teams that play, by name."""
    players = Player.objects.filter(team__event=event, team__status="playing").values_list("key", "name", "entered")
    seen = Counter(key for key, *_ in players)
    return tuple(sorted({whole or name for key, name, whole in players if seen[key] > 1}))


def _place(event: Event) -> Item:
    if event.place:
        return Item("place", True, False, f"{event.place}, {event.date:%B} {event.date.day}, {event.date.year}")
    return Item("place", False, False, "No place is named. Players look for it on the public page.")


def _officials(event: Event) -> Item:
    roles = Counter(event.officials.values_list("role", flat=True))
    directors, verifiers = roles["director"], roles["verifier"]
    if not directors:
        return Item("officials", False, True, "Nobody directs this event yet.")
    text = f"{directors} director{'' if directors == 1 else 's'}"
    if verifiers:
        text += f", {verifiers} verifier{'' if verifiers == 1 else 's'}"
    return Item("officials", True, True, text)


def _teams(teams: list[Team], rules: Ruleset) -> Item:
    count, unit, fewest = len(teams), rules.unit, rules.smallest_table
    if count < fewest:
        need = f"At least {fewest} {unit}s are needed; there {'is' if count == 1 else 'are'} {count or 'none'}."
        return Item("teams", False, True, need, "desk-roster" if not count else "desk-teams")
    rest = rules.without_seat(count)
    bye = ""
    if rest:
        bye = f": one {unit} sits out each game" if rest == 1 else f": {rest} {unit}s sit out each game"
    return Item("teams", True, True, f"{count} {unit}s{bye}", "desk-teams")


def _entries(event: Event) -> list[Item]:
    entries = entries_to_do(event)
    items = [Item("untold", False, False, untold_words(entry), "desk-entries") for entry in entries.untold]
    if count := entries.asked:
        text = f"{count} {pluralize(count, 'entry waits,entries wait')}."
        items.append(Item("entries", False, False, text, "desk-entries"))
    return items


def _players(teams: list[Team], seats: int) -> list[Item]:
    items = []
    short = [team for team in teams if len(team.players.all()) < seats]
    if short:
        text = f"{len(short)} team{'' if len(short) == 1 else 's'} with a player missing: {_some(short)}"
        items.append(Item("players", False, False, text, "desk-teams"))
    seen = Counter(player.key for team in teams for player in team.players.all())
    twice = sorted({player.full_name for team in teams for player in team.players.all() if seen[player.key] > 1})
    if twice:
        text = f"Entered twice: {', '.join(twice[:3])}{' …' if len(twice) > 3 else ''}"
        items.append(Item("twice", False, False, text, "desk-teams"))
    return items


def _fees(event: Event, teams: list[Team], unit: str) -> list[Item]:
    if not event.fee_cents and not event.pot_cents:
        return []
    if not teams:
        return []
    empty = asks_for_pot(event) and not any(team.in_pot for team in teams)
    pot = [
        Item(
            "pot", False, False, f"Nobody is in the pot of {money(event.pot_cents, event.currency)} each", "desk-teams"
        )
    ]
    return [*_paid(event, teams, unit), *(pot if empty else ())]


def _paid(event: Event, teams: list[Team], unit: str) -> list[Item]:
    accounts = accounts_of(event, [team.pk for team in teams])
    owed = [account.owes for account in accounts.values() if account.owes]
    if owed:
        text = f"{money(sum(owed), event.currency)} owed by {len(owed)} of {len(teams)} {unit}s"
        return [Item("fees", False, False, text, "desk-money")]
    return [Item("fees", True, False, "Everything is paid", "desk-money")]


def _here(teams: list[Team], unit: str) -> Item:
    absent = sum(team.here_at is None for team in teams)
    text = absent_words(absent, unit) if absent else f"Every {unit} has checked in"
    return Item("here", not absent, False, text, "desk-check-in")


def absent_words(count: int, unit: str) -> str:
    return f"{count} {unit}{pluralize(count)} {pluralize(count, 'has,have')} not checked in"


def _leaving(event: Event) -> list[Item]:
    if not (teams := leaving_teams(event)):
        return []
    return [Item("leaving", False, True, f"{leaving_words(event, teams)}. {DECIDE}", "desk-entries")]


def _draw(event: Event, first: Round | None, seats: Seats) -> Item:
    drawn = event.rounds.filter(stage="qualifying").count()
    if first is None:
        return Item("draw", False, True, "Game 1 is not drawn.", "desk-draw")
    if seats.without:
        return Item("draw", False, True, f"Not in game 1: {_some(seats.without)}. Draw again.", "desk-draw")
    if wrong := wrong_tables(event, first):
        return Item("draw", False, True, wrong[0].text, "desk-draw")
    text = f"{drawn} of {event.rounds_planned} game{pluralize(event.rounds_planned)} drawn"
    return Item("draw", True, True, text, "desk-draw")


def _gone(seats: Seats) -> list[Item]:
    if not seats.gone:
        return []
    text = (
        f"Withdrawn, with a seat in game 1: {_some(seats.gone)}. Draw again, or their games are awarded at the start."
    )
    return [Item("seats", False, False, text, "desk-draw")]


def _some(teams: Sequence[Team]) -> str:
    return ", ".join(team.full_name for team in teams[:3]) + (" …" if len(teams) > 3 else "")


def _cut(event: Event, teams: int, rules: Ruleset) -> list[Item]:
    if event.no_playoffs:
        return [Item("cut", True, False, "No playoffs: first place is the champion")]
    if event.cut is None:
        return [Item("cut", False, False, "The cut is open: you can set it later.")]
    if not rules.has_matches:
        text = f"The cut is {event.cut}, but two {rules.unit}s alone cannot play this game: there are no playoffs."
        return [Item("cut", False, False, text)]
    if teams and event.cut > teams:
        return [Item("cut", False, False, f"The cut is {event.cut}, but only {teams} are entered.")]
    return [Item("cut", True, False, f"Cut to {event.cut} for the playoffs")]


# The next act of the evening, from the teams to the end: its name, and where it is done.


@dataclass(frozen=True, slots=True)
class NextAct:
    """One press does what `posts`; every other act leads to the page where it is done, which is under `tab`.

    `action` is what the user must be allowed to do. `waits` says what is missing while it cannot be done yet.
    """

    words: str
    address: str
    action: str
    posts: bool = False
    tab: str = ""
    waits: str = ""
    starts_first_round: bool = False


def next_act(event: Event, plan: DrawPlan | None = None) -> NextAct:
    """What comes next in an event, in a constant number of queries; with the plan of the draw if it is known."""
    if event.stage in ("setup", "playing"):
        return _qualifying(event, plan)
    running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
    if running is not None:
        return _close(event, running)
    return _playoffs(event, playoffs(event))


def may_rehearse(event: Event) -> bool:
    """Whether a copy can play by itself: its teams are there, and nothing before its first game is done by hand."""
    return event.stage == "setup" and next_act(event).posts


def _qualifying(event: Event, plan: DrawPlan | None) -> NextAct:
    rounds = list(event.rounds.all())
    running = next((round_ for round_ in rounds if round_.state == "running"), None)
    if running is not None:
        return _close(event, running)
    if event.stage == "setup" and (missing := checklist(event).missing):
        return _missing(event, missing[0], plan)
    planned = next((round_ for round_ in rounds if round_.state == "planned"), None)
    if planned is not None and draw_question(event) is not None:
        return NextAct("Draw again or keep", _address_of(event, "desk-draw"), "draw", tab="draw")
    if planned is not None:
        words, to = f"Start {lower(str(planned))}", _address_of(event, "round-start", planned.number)
        return NextAct(words, to, "run-rounds", posts=True, starts_first_round=event.stage == "setup")
    return _draw_act(event, plan) if len(rounds) < event.rounds_planned else _cut_act(event)


def _missing(event: Event, item: Item, plan: DrawPlan | None) -> NextAct:
    """What the check list needs first; entries that wait for the desk come before the draw."""
    if item.key in ("teams", "draw") and not event.rounds.exists() and (count := waiting_entries(event)):
        words = f"Accept {count} entr{pluralize(count, 'y,ies')}"
        return NextAct(words, _address_of(event, "desk-entries"), "change-teams", tab="teams")
    if item.key == "leaving":
        return NextAct("Decide who leaves", _address_of(event, item.page), "change-teams", tab="teams")
    if item.key == "draw":
        return _draw_act(event, plan, again=event.rounds.exists())
    if item.key == "teams":
        words = f"Enter the {ruleset_of(event).unit}s"
        return NextAct(words, _address_of(event, item.page), "change-teams", tab="teams")
    return NextAct("Name a director", _address_of(event, item.page), "set-up", tab="setup")


def _draw_act(event: Event, plan: DrawPlan | None, *, again: bool = False) -> NextAct:
    plan = plan or draw_plan(event)
    first = plan.history.next_round
    if plan.by_hand:
        return NextAct(f"Seat game {first}", _address_of(event, "draw-by-hand", first), "draw", tab="draw")
    which = f"game {first}" if plan.rounds == 1 else f"{plan.rounds} games"
    words = f"Draw {which}{' again' if again else ''}"
    if plan.why_not:
        return NextAct(words, _address_of(event, "desk-draw"), "draw", waits=plan.why_not, tab="draw")
    return NextAct(words, _address_of(event, "desk-draw"), "draw", posts=True)


def _close(event: Event, round_: Round) -> NextAct:
    words = f"Close {lower(str(round_))}"
    if to_go := round_.games.exclude(state__in=DONE).count():
        waits = f"{to_go} table{pluralize(to_go)} to go"
        return NextAct(words, f"{_address_of(event, 'desk')}?round={round_.number}", "run-rounds", waits=waits)
    if event.verify_closing == "blocks" and (sheets := len(waiting_sheets(event, round_))):
        waits = f"{sheets} sheet{pluralize(sheets)} to verify"
        return NextAct(words, _address_of(event, "desk-verify"), "run-rounds", waits=waits)
    return NextAct(words, _address_of(event, "round-close", round_.number), "run-rounds", posts=True)


def _cut_act(event: Event) -> NextAct:
    has_cut = ruleset_of(event).has_matches and not event.no_playoffs
    words = "Make the cut" if has_cut else "Name the champion"
    if (game := unsigned_game(event)) is not None:
        waits = f"{lower(str(game.round))}, table {game.table}, is not signed"
        return NextAct(words, _address_of(event, "desk-game", game.pk), "run-playoffs", waits=waits)
    return NextAct(words, _address_of(event, "desk-playoffs"), "run-playoffs", tab="playoffs")


def _playoffs(event: Event, facts: PlayoffsFacts) -> NextAct:
    page, bracket = _address_of(event, "desk-playoffs"), "playoffs"
    match facts.step:
        case "decide":
            return NextAct("Decide what counts", page, "run-playoffs", tab=bracket)
        case "over":
            return NextAct("Final places", _address_of(event, "desk-standings"), "see-desk", tab="standings")
        case "tie":
            return NextAct("Break the tie", page, "run-playoffs", tab=bracket)
        case "tie-games":
            return _tie_games(event, facts)
        case "start":
            words = f"Start {lower(facts.ready_title)}"
            return NextAct(words, _address_of(event, "bracket-round"), "run-playoffs", posts=True)
        case "finish":
            return NextAct("Finish the event", page, "run-playoffs", tab=bracket)
        case _:
            return NextAct("The playoffs", page, "run-playoffs", waits="no match can be played now")


def _tie_games(event: Event, facts: PlayoffsFacts) -> NextAct:
    games = facts.open_break.games if facts.open_break else ()
    if facts.next_tie_round:
        title = next(game.title for game in games if game.round == facts.next_tie_round)
        to = _address_of(event, "round-start", facts.next_tie_round)
        return NextAct(f"Start {lower(title)}", to, "run-rounds", posts=True)
    if facts.open_break and facts.open_break.due:
        return NextAct("Start the next tie-break game", _address_of(event, "tie-round"), "run-playoffs", posts=True)
    to_go = sum(game.state != "final" for game in games)
    waits = f"{to_go} table{pluralize(to_go)} to go"
    return NextAct("Finish the tie-break", _address_of(event, "desk-playoffs"), "run-playoffs", waits=waits)


def lower(title: str) -> str:
    """“game 1”, “semifinal”: a title in the middle of a sentence; names of one letter and a number stay."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _address_of(event: Event, page: str, *keys: int) -> str:
    return reverse(page, args=(event.slug, *keys))
