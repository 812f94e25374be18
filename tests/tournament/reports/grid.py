"""Evenings with names of every kind, every paper that is printed for them, and who must be on each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from tests.factories import make_event, make_teams
from tests.quick import remembered
from tests.sure import fresh
from tests.tournament.results.evenings import bracket_of, finish_game, played_round, win
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.lists.catalog import log_list
from tournament.models import Event, Journal, Ledger, Player, Team
from tournament.queries.ledger import Wording, cash
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import ruleset_of
from tournament.queries.score_workbooks import blank_sheet
from tournament.reports.pdf.bracket import TableCard
from tournament.reports.pdf.catalog import OTHERS, PAPERS, Wanted, draw_receipts, printed
from tournament.reports.pdf.lists import list_paper
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services import payouts
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round

ROUNDS, LONGEST = 3, 38
SITE = "http://192.168.1.7:8000/"


def _long(stem: str, number: int) -> str:
    """A name of 38 letters that ends with its number."""
    return f"{stem[: LONGEST - 3]}{number:03}"


# How teams and their players are named: by what it does to a number.
NAMES: dict[str, Callable[[int], tuple[str, str]]] = {
    "short": lambda number: (f"Aces {number:03}", f"Ann {number:03}"),
    "words": lambda number: (
        _long("Magnificent Ladies of Upper Sandus ", number),
        _long("Wilhelmina Featherstonehaugh-Smith ", number),
    ),
    "unbroken": lambda number: (
        _long("Magnificentladiesofuppersanduskyohio", number),
        _long("Wilhelminafeatherstonehaughsmithsons", number),
    ),
    "wide": lambda number: (_long("W" * LONGEST, number), _long("W" * LONGEST, number)),
}


@remembered
def evening(dana: User, teams: int) -> Event:
    """Three games of everybody, and playoffs to the champion where there are enough teams."""
    for seed in itertools.count():
        with suppress(ValidationFailed), transaction.atomic():
            return _evening(dana, teams, Random(seed))
    raise AssertionError


def _evening(dana: User, teams: int, chance: Random) -> Event:
    """An evening by chance. Raises ValidationFailed where somebody is level at the cut."""
    event = make_event("Columbus Open", dana, place="Union Hall", rounds_planned=ROUNDS, fee_cents=2000, pot_cents=500)
    entered = [team.number for team in make_teams(event, teams)]
    half, actor = teams // 2, Actor(dana)
    for number in range(ROUNDS):
        other = entered[half:]
        turned = other[number % half :] + other[: number % half]
        played_round(event, [(*pair, _hands(chance)) for pair in zip(entered[:half], turned, strict=True)])
    for number in entered[:3]:
        payouts.charge(actor, event, number, -500, Wording(reason="helped with the chairs"))
    make_cut(actor, fresh(event), next(size for size in (16, 4, 1) if size <= half))
    event = fresh(event)
    while event.cut and bracket_of(event).champion_number is None:
        round_ = start_playoff_round(actor, event)
        for game in round_.games.all():
            finish_game(event, game, _hands(chance))
        close_round(actor, fresh(event), round_.number)
        event = fresh(event)
    return finish_event(actor, event)


def _hands(chance: Random) -> list[dict[str, Any]]:
    return win(chance.randrange(2), chance.choice((5, 5, 6, 7)), chance.randrange(5))


def named(event: Event, names: str, paper: str) -> Event:
    """The event with other names, on other paper."""
    of, singles = NAMES[names], ruleset_of(event).singles
    for team in event.teams.all():
        team_name, player = of(team.number)
        # A player without a partner is the team.
        player = team_name if singles else player
        Team.objects.filter(pk=team.pk).update(name=team_name, key=team_name.casefold())
        Player.objects.filter(team=team).update(name=player, key=player.casefold())
        # The site never changes a line of the ledger; here it was written under another name.
        QuerySet(Ledger).filter(team=team).update(payee=team_name)
    longest = ("Columbus Open", "Union Hall") if names == "short" else (of(7)[0] + " Open", of(8)[0])
    Event.objects.filter(pk=event.pk).update(name=longest[0], place=longest[1], paper=paper)
    return fresh(event)


class Paper(NamedTuple):
    """A paper: its name, its file, and the names that a reader must find on it."""

    key: str
    content: bytes
    names: frozenset[str]


# Who is on which papers: every team and every player, or those of its round; the best on those of the end.
TEAMS = frozenset(
    "standings cross-table teams games final-places pot money cash receipts slips book seating sheets recap "
    "pickup".split()
)
PLAYERS = frozenset("teams final-places slips book seating sheets".split())
BEST = frozenset({"poster", "certificates"})


def every_paper(event: Event) -> Iterator[Paper]:
    """Each paper that the site prints of an event."""
    cards = [TableCard(table, "ABCD-EFGH", f"{SITE}pair/#{table}") for table in range(1, 5)]
    best = _best(event)
    # Before there is a champion there are no final places.
    placed = event.teams.all() if best else []
    for key in sorted(PAPERS):
        content = printed(Wanted(event, with_money=True), [key], key, SITE)
        teams = placed if key == "final-places" else event.teams.all()
        yield Paper(key, content, _names(event, key, teams) | (best if key in BEST else set()))
    for number in sorted({1, event.rounds.count()} if event.rounds.exists() else ()):
        seated = event.teams.filter(sides__round__number=number).distinct()
        for key in sorted(OTHERS):
            content = printed(Wanted(event, number, cards), [key], key, SITE)
            yield Paper(f"{key} {number}", content, _names(event, key, seated))
    everybody = event.teams.filter(sides__round__isnull=False).distinct()
    yield Paper("sheets", score_sheets(event_sheets(event), paper=event.paper), _names(event, "sheets", everybody))
    for simple in (False, True):
        content = score_sheets([blank_sheet(event)], paper=event.paper, site=SITE, simple=simple)
        yield Paper(f"blank {'simple' * simple}", content, _names(event, "blank", []))
    if lines := cash(event).lines:
        content = paper_of(event, "receipts", lambda papers: draw_receipts(papers, event, lines[:1]))
        yield Paper("receipt", content, frozenset())
    yield Paper("log", list_paper(log_list(event, list(Journal.objects.filter(event=event)))), _names(event, "log", []))


def _names(event: Event, key: str, teams: Any) -> frozenset[str]:
    names = {event.name}
    for team in teams:
        names |= {team.name} if key in TEAMS else set()
        names |= set(team.player_names) if key in PLAYERS else set()
    return frozenset(names)


def _best(event: Event) -> frozenset[str]:
    """Who is on the podium, once there is one."""
    lines = whole_book(event).finale.places.lines
    return frozenset(line.team for line in lines if line.rank in (1, 2))
