"""A started event keeps the rules it started with, whatever a later version of the sheets prints."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring import document
from scoring.bid_whist.rules import Rules
from scoring.options import Option, every_option
from tests.factories import make_event, make_round, make_teams
from tests.public import addresses_in
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import changed, filed, told
from tests.tournament.reports.books import books_of
from tests.tournament.reports.evenings import SHEETS, club_24, in_play, random_event
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Damaged, ValidationFailed
from tournament.models import Event, Game, Result
from tournament.queries.rules import printed_by, ruleset_of
from tournament.services.draws import draw_rounds
from tournament.services.events import change_options, copy_event
from tournament.services.rounds import start_round
from tournament.services.signatures import rebuild_results

TOURNAMENT = "bid_whist/no-kitty-2021"
TABS = ("verify", "standings", "rulings", "log", "options", "setup", "pot", "money", "playoffs", "papers")
DESK = ("desk", *(f"desk-{tab}" for tab in TABS))
FACTS = ("winner", "how", "rule", "points", "scores", "sets", "bostons", "hands", "code")
# What is new in every answer: the token of a form, the key of what it will send.
NEW = r'"\w{64}"|\w{8}-\w{4}-\w{4}-\w{4}-\w{12}'
Reprint = Callable[..., None]


def another(item: Option) -> Any:
    """A value of an option that is not its default."""
    if item.type == "yes-no":
        return not item.default
    if item.type == "list":
        return tuple(reversed(item.default)) if len(item.default) > 1 else tuple(item.choices)[:2]
    if item.type == "choice":
        return next(choice for choice in item.choices if choice != item.default)
    return item.low if item.default != item.low else item.high


def whist_of(event: Event) -> Rules:
    rules = ruleset_of(event).rules
    assert isinstance(rules, Rules)
    return rules


def new_process() -> None:
    """Forget what this process remembers: another version of the program runs in another one."""
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith(("tournament.", "scoring.")) else ():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.fixture
def reprint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reprint]:
    """A later version: its registry holds sheets that print other defaults, of every option or of those named."""

    def run(**values: Any) -> None:
        def edition(sheet: Any) -> Any:
            options = every_option(sheet.rules, sheet.rules)
            keys = {item.key for item in options}
            changed = values or {item.key: another(item) for item in options}
            wanted = {key: value for key, value in changed.items() if key in keys}
            return dataclasses.replace(sheet, rules=dataclasses.replace(sheet.rules, **wanted))

        games = tuple(
            dataclasses.replace(game, sheets=tuple(edition(sheet) for sheet in game.sheets)) for game in document.GAMES
        )
        monkeypatch.setattr(document, "GAMES", games)
        new_process()

    yield run
    monkeypatch.undo()
    new_process()


def with_a_signed_game(family: str, dana: User) -> Event:
    drawn = (random_event(family, seed, dana, rounds=1) for seed in range(1, 20))
    return next(event for event in drawn if Result.objects.filter(game__round__event=event, game__state="final"))


def pages(client: Client, event: Event) -> dict[str, str]:
    """Every page that shows a rule, a point or a place, without the tokens of its forms."""
    places = addresses_in(event) | {name: reverse(name, args=[event.slug]) for name in DESK}
    places |= {f"team {team.number}": reverse("team", args=[event.slug, team.number]) for team in event.teams.all()}
    for game in Result.objects.filter(game__round__event=event).values_list("game", flat=True)[:4]:
        places[f"game {game}"] = reverse("desk-game", args=[event.slug, game])
    texts = {}
    for name, address in places.items():
        answer = client.get(address)
        assert answer.status_code == 200, (name, answer.status_code)
        texts[name] = re.sub(NEW, "", answer.text)
    return texts


def papers(event: Event) -> dict[str, Any]:
    """The printed book and the workbook, of one of the small events."""
    return books_of(event) if event.slug.startswith("e-bid_whist") else {}


def results(event: Event) -> list[tuple[Any, ...]]:
    return list(Result.objects.filter(game__round__event=event).order_by("game").values_list("game", *FACTS))


@pytest.mark.parametrize("family", [*SHEETS, "club-24"])
def test_default_changed_later_moves_nothing_of_a_started_event(
    family: str, dana: User, reprint: Reprint, monkeypatch: pytest.MonkeyPatch, desk: Client
) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    event = club_24(dana) if family == "club-24" else with_a_signed_game(family, dana)
    event.refresh_from_db()
    before, shown, printed = (
        (results(event), told(event), ruleset_of(event).options),
        pages(desk, event),
        papers(event),
    )
    reprint()
    assert (pages(desk, event), papers(event)) == (shown, printed)
    rebuild_results(event)
    assert (results(event), told(event), ruleset_of(event).options) == before


@pytest.mark.parametrize("family", SHEETS)
def test_event_file_carries_the_rules_to_another_version(family: str, dana: User, reprint: Reprint) -> None:
    event = in_play(random_event(family, 3, dana, rounds=1))
    file, before = json.loads(json.dumps(export_event(event))), told(event)
    reprint()
    elsewhere = import_event(Actor(dana), file)
    assert told(elsewhere) == before
    assert [result[1:] for result in results(elsewhere)] == [result[1:] for result in results(event)]


def test_event_that_has_not_started_follows_the_new_default(four: Event, dana: User, reprint: Reprint) -> None:
    change_options(Actor(dana), four, {"score_basis": "bid"})
    draw_rounds(Actor(dana), four)
    reprint(win_at=33, loser_points="winners-only")
    assert (fresh(four).printed, whist_of(four).win_at, whist_of(four).score_basis) == ("", 33, "bid")
    start_round(Actor(dana), four, 1)
    printed = json.loads(fresh(four).printed)
    assert (printed["win_at"], printed["loser_points"], four.printed) == (33, "winners-only", printed_by(TOURNAMENT))
    reprint(win_at=11, score_basis="made")
    assert (whist_of(four).win_at, whist_of(four).score_basis) == (33, "bid")


def test_what_may_change_in_play_still_changes_beside_what_is_kept(
    event: Event, game: Game, dana: User, reprint: Reprint
) -> None:
    options = ruleset_of(event).options
    reprint()
    chosen = {item.key: item.value for item in options} | {"grace_minutes": 9}
    event = change_options(Actor(dana), event, chosen, confirmed=True)
    assert event.options == {"grace_minutes": 9}
    assert [item.key for item in ruleset_of(event).chosen] == ["grace_minutes"]


def test_copy_of_a_started_event_takes_what_the_club_chose_and_the_sheet_of_today(
    event: Event, dana: User, reprint: Reprint
) -> None:
    change_options(Actor(dana), event, {"score_basis": "bid"})
    make_round(event, [tuple(make_teams(event, 2))])
    reprint(win_at=33)
    copied = copy_event(Actor(dana), event, "Again", event.date)
    rules = whist_of(copied)
    assert (copied.printed, rules.win_at, rules.score_basis, whist_of(event).win_at) == ("", 33, "bid", 5)


def test_option_that_a_later_version_adds_prints_as_that_version_does(event: Event, game: Game, dana: User) -> None:
    printed = json.loads(event.printed)
    del printed["win_at"]
    event.printed = json.dumps(printed)
    event.save()
    assert ruleset_of(event).rules == ruleset_of(make_event("Columbus Again")).rules


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"printed": '{"win_at": "soon"}'}, "A stored option of “Tournament Bid Whist, no kitty, no jokers (2021)”"),
        ({"printed": '{"no_such": 1}'}, "This rule sheet has no option “no_such”."),
        ({"printed": "half a"}, "The stored options of “Tournament Bid Whist, no kitty, no jokers (2021)” cannot"),
        ({"options": {"win_at": 10**9}}, "cannot be read."),
        ({"options": ["win_at"]}, "The stored options of"),
    ],
)
def test_stored_options_that_cannot_be_read_say_so(
    event: Event, game: Game, client: Client, fields: dict[str, Any], sentence: str
) -> None:
    Event.objects.filter(pk=event.pk).update(**fields)
    event.refresh_from_db()
    assert sentence in str(refusal_of(lambda: ruleset_of(event), Damaged))
    answer = client.get(reverse("rules", args=[event.slug]))
    assert (answer.status_code, sentence in answer.text) == (500, True)


@pytest.mark.parametrize("stage", ["playing", "over"])
def test_event_that_cannot_be_read_hides_no_other(event: Event, game: Game, client: Client, stage: str) -> None:
    Event.objects.filter(pk=event.pk).update(printed='{"win_at": "soon"}', stage=stage)
    make_event("Dayton Open", stage="over")
    page = client.get("/").text
    assert ("Dayton Open" in page, "cannot be read" in page) == (True, True)


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ('{"win_at": "soon"}', "The event, field printed.win_at: "),
        ('{"no_such": 1}', "This rule sheet has no option “no_such”."),
        ("[1]", "The event, field printed: what the sheet printed is an object, option and value, as text."),
        ("", "The event, field printed: what the sheet printed is an object, option and value, as text."),
    ],
)
def test_file_with_kept_rules_that_cannot_be_read_is_refused(
    event: Event, game: Game, dana: User, printed: Any, sentence: str
) -> None:
    data = changed(filed(event), Event, 1, printed=printed)
    refusal = refusal_of(lambda: import_event(Actor(dana), data))
    assert sentence in str(refusal)
    assert Event.objects.count() == 1


def test_file_of_an_event_that_has_not_started_keeps_no_rules(event: Event, dana: User) -> None:
    make_teams(event, 2)
    data = changed(filed(event), Event, 1, printed=printed_by(TOURNAMENT))
    with pytest.raises(ValidationFailed) as refusal:
        import_event(Actor(dana), data)
    assert str(refusal.value) == "The event, field printed: the event has not started, and keeps no rules yet."


@pytest.mark.parametrize("sheet", [sheet for _, sheet in document.all_sheets()], ids=lambda sheet: sheet.key)
def test_what_is_kept_reads_back_to_the_same_rules(sheet: Any) -> None:
    event_printed = Event(sheet=sheet.key, printed=printed_by(sheet.key), frozen_at=timezone.now())
    assert ruleset_of(event_printed).rules == sheet.rules
    assert set(json.loads(event_printed.printed)) == {item.key for item in every_option(sheet.rules, sheet.rules)}
