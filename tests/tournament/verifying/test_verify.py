"""What follows from the sheets: nothing is found after all that the program does, and every change by hand is named."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, models, transaction
from django.db.models import QuerySet
from django.test import Client

from tests.halls import Prepared
from tests.nightly import worlds
from tests.sure import fresh
from tests.tournament.demo.evenings import play_until, player_of, small_evening
from tests.tournament.desk.test_random_evenings import ACTS, random_evening
from tests.tournament.money.test_payouts import finished
from tests.tournament.reports.evenings import eventful
from tests.tournament.results.evenings import finish_game, win
from tests.tournament.results.test_bracket_repair import bracket_of_four, mistaken, repaired
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import DomainError
from tournament.lists.catalog import LISTS
from tournament.models import Event, Game, Journal, Ledger, Placing, Result, Side, Team
from tournament.models.triggers import guarded_models, lay_triggers, lift_triggers, missing_triggers
from tournament.queries.ledger import Wording
from tournament.queries.papers import print_jobs
from tournament.queries.standings import standings
from tournament.reports.pdf.catalog import PAPERS
from tournament.services import payouts
from tournament.services.corrections import correct_sheet
from tournament.services.payouts import pay_out_all, set_prizes
from tournament.services.playoffs import decide_placing, finish_event, start_playoff_round
from tournament.services.rounds import close_round
from tournament.services.teams import withdraw_team
from tournament.services.verifying import findings
from tournament.site.data_folder import FIXTURES
from tournament.views.papers import WRITERS
from tournament.words.phrases import GAME_STATES

pytestmark = pytest.mark.both_databases

SAMPLES = sorted((FIXTURES / "demo").glob("*.json"))
WORLDS = [
    world
    for name, world in sorted(vars(worlds).items())
    if getattr(world, "__annotations__", {}) == {"dana": "User", "return": "Event"}
]


def found() -> list[str]:
    """All but that the tables of tests have no triggers."""
    return [line for line in findings() if "no longer refuses" not in line]


def paid_out(dana: User) -> Event:
    """A champion after playoffs with a game for third; the pot and three prizes are paid out."""
    event = finished(dana, cut=4, losers="places", places_to=4)
    set_prizes(Actor(dana), event, {"by": "percent", "percent": ["50", "30", "20"], "purse": 0})
    play_round(dana, event)
    play_round(dana, event)
    finish_event(Actor(dana), event)
    pay_out_all(Actor(dana), fresh(event))
    return event


def paid_twice(dana: User) -> Event:
    """The final is corrected after the prizes were paid; what the wrong team got comes back and is paid again."""
    event = paid_out(dana)
    final = Game.objects.get(round__event=event, match="M3")
    entry = final.entries.get(position=1)
    correct_sheet(Actor(dana), final, position=1, revision=0, facts=win(1)[0], reason="as on the film")
    assert entry.facts != win(1)[0] and found() == []
    for line in Ledger.objects.filter(event=event, kind="payout", purpose="prize"):
        payouts.reverse(Actor(dana), event, line.number, Wording(reason="the final was corrected"))
    pay_out_all(Actor(dana), event)
    return event


def seeds_kept(dana: User) -> Event:
    """The standings were corrected while the first round of the bracket was in play; it stays as it was drawn."""
    event = worlds.wrong_seeds(dana)
    assert found() == []
    decide_placing(Actor(dana), event, "seeds", "keep", "they have begun")
    return event


def played_again(dana: User) -> Event:
    """The seeds were corrected, the games of the wrong teams are void, and the true ones are played to the champion."""
    event, round_ = repaired(dana)
    assert found() == []
    for game in round_.games.filter(state="playing"):
        finish_game(event, game, win(0))
    close_round(Actor(dana), event, round_.number)
    play_round(dana, event)
    return event


def winner_kept(dana: User) -> Event:
    event = worlds.asked(dana)
    decide_placing(Actor(dana), event, "M1", "keep", "the final is over")
    return event


def winner_replays(dana: User) -> Event:
    event = worlds.asked(dana)
    decide_placing(Actor(dana), event, "M1", "replay", "the right team plays")
    play_round(dana, event, better=1)
    return event


def withdrawn(dana: User) -> Event:
    """A team of the bracket leaves while the semifinals are in play."""
    event = worlds.bracket(dana)
    withdraw_team(Actor(dana), event, 1, 2, disqualified=True)
    return event


EVENINGS: list[Callable[[User], Event]] = [
    paid_out,
    paid_twice,
    seeds_kept,
    played_again,
    winner_kept,
    winner_replays,
    withdrawn,
]


@pytest.mark.parametrize("evening", [*WORLDS, *EVENINGS, eventful], ids=lambda evening: evening.__name__)
def test_nothing_is_found_on_an_evening_of_the_program(evening: Callable[[User], Event], dana: User) -> None:
    event = evening(dana)
    assert found() == []
    # Nor where its file is imported.
    if event.stage != "setup":
        import_event(Actor(dana), export_event(Event.objects.get(pk=event.pk)), name="The Copy")
        assert found() == []


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_nothing_is_found_in_an_event_file_that_was_imported(path: Path, dana: User) -> None:
    import_event(Actor(dana), json.loads(path.read_text(encoding="utf-8")))
    assert found() == []


def test_nothing_is_found_from_the_first_seat_to_the_champion(dana: User) -> None:
    play_until(player_of(small_evening(dana), dana, directs=True), "champion")
    assert found() == []


def test_nothing_is_found_after_what_the_desk_does(dana: User) -> None:
    """Corrections, swaps, rulings: carried out, refused, and tried out for what they would change."""
    chance = random.Random(18)
    event = random_evening(chance, dana)
    Event.objects.filter(pk=event.pk).update(verify_own=True)
    for _ in range(20):
        with contextlib.suppress(DomainError):
            chance.choice(ACTS)(chance, event, dana)
    assert found() == []


def test_nothing_is_found_after_one_correction_and_another_under_the_bracket(dana: User) -> None:
    event = bracket_of_four(dana)
    start_playoff_round(Actor(dana), event)
    for _ in range(2):
        mistaken(dana, event)
        assert found() == []
    mistaken(dana, event)
    decide_placing(Actor(dana), event, "seeds", "replay", "the right teams play")
    assert found() == []
    mistaken(dana, event)
    assert (found(), standings(event).complete) == ([], True)


def files_of(event: Event) -> list[str]:
    """The address of every paper, list and workbook that the desk offers of an event, below that of its papers."""
    files = [f"{name}.pdf" for name in ("score-sheets", "blank", *PAPERS)]
    files += ["workbook.xlsx", "boards/blank.xlsx", *(f"{name}.{kind}" for name in LISTS for kind in WRITERS)]
    for number in event.rounds.values_list("number", flat=True):
        files += [f"rounds/{number}/score-sheets.pdf", f"rounds/{number}/seating.pdf", f"boards/rounds/{number}.xlsx"]
    return files + [f"games/{game.pk}.pdf" for game in Game.objects.filter(round__event=event)]


@pytest.mark.parametrize("evening", [eventful, paid_out], ids=["running", "finished"])
def test_nothing_is_found_after_everything_was_printed(
    evening: Callable[[User], Event], dana: User, desk: Client
) -> None:
    event = evening(dana)
    papers = f"/desk/{event.slug}/papers"
    statuses = {file: desk.get(f"{papers}/{file}").status_code for file in files_of(event)}
    assert [(file, status) for file, status in statuses.items() if status != 200] == []
    assert desk.post(f"{papers}/new-score-sheets.pdf").status_code == 200
    for job in print_jobs(event):
        assert desk.post(f"{papers}/jobs/{job.key}/", {"part": job.keys}).status_code < 500
    assert Journal.objects.filter(event=event, action="print").count() > 3
    assert found() == []


def rows(model: type[models.Model], **which: Any) -> QuerySet[Any]:
    """Rows as somebody reaches them who knows the database: those that are never changed, too."""
    return QuerySet(model).filter(**which)


def change_result(chance: random.Random, event: Event) -> str:
    row = chance.choice(list(Result.objects.filter(game__round__event=event)))
    name = chance.choice(["over", "winner", "how", "rule", "points", "scores", "sets", "bostons", "hands", "code"])
    value = getattr(row, name)
    if isinstance(value, list):
        index = chance.randrange(len(value))
        other: Any = [*value[:index], value[index] + 1, *value[index + 1 :]]
    elif isinstance(value, bool):
        other = not value
    else:
        other = (value or 0) + 1 if value is None or isinstance(value, int) else f"x{value}"[:16]
    rows(Result, pk=row.pk).update(**{name: other})
    return f"{name} of {row}: {value} -> {other}"


def change_state(chance: random.Random, event: Event) -> str:
    row = chance.choice(list(Game.objects.filter(round__event=event)))
    other = chance.choice([state for state in GAME_STATES if state != row.state])
    rows(Game, pk=row.pk).update(state=other)
    return f"{row}: {row.state} -> {other}"


def change_payout(chance: random.Random, event: Event) -> str:
    row = chance.choice(list(Ledger.objects.filter(event=event, kind="payout", reverses=None)))
    other = chance.choice(list(event.teams.exclude(ledger=row)))
    changes: list[dict[str, Any]] = [
        {"cents": row.cents + chance.choice([-100, -1])},
        {"cents": row.cents // 2},
        {"team": other},
        {"purpose": "pot" if row.purpose == "prize" else "prize"},
    ]
    new = chance.choice(changes)
    rows(Ledger, pk=row.pk).update(**new)
    return f"{row}: {new}"


def change_bracket(chance: random.Random, event: Event) -> str:
    side = chance.choice(list(Side.objects.filter(round__event=event, round__stage="playoff")))
    placing = chance.choice([None, *Placing.objects.filter(event=event).exclude(kind="drawn")])
    if placing is not None:
        other = chance.choice([kind for kind in ("keep", "replay", "out", "in") if kind != placing.kind])
        rows(Placing, pk=placing.pk).update(kind=other)
        return f"{placing}: {other}"
    if chance.randrange(2):
        match = chance.choice([key for key in ("M1", "M2", "M3") if key != side.game.match])
        rows(Game, pk=side.game_id).update(match=match)
        return f"{side.game}: {side.game.match} -> {match}"
    team = chance.choice(list(event.teams.exclude(pk=side.team_id)))
    rows(Side, pk=side.pk).update(team=team)
    return f"{side}: {team}"


@contextlib.contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


CHANGES_BY_HAND = int(os.environ.get("CHANGES_BY_HAND", "30"))
CHANGES = [change_result, change_state, change_payout, change_bracket]


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.__name__)
def test_changes_by_hand_are_each_named(evening: Callable[[User], Event], dana: User) -> None:
    event, done, missed = evening(dana), 0, []
    chance = random.Random(evening.__name__)
    has_payouts = Ledger.objects.filter(kind="payout").exists()
    while done < CHANGES_BY_HAND:
        change = chance.choice([kind for kind in CHANGES if has_payouts or kind is not change_payout])
        with contextlib.suppress(IntegrityError), taken_back():
            text = change(chance, event)
            connection.check_constraints()
            done += 1
            lines = found()
            if not lines or any("cannot be read" in line for line in lines):
                missed.append((text, lines))
    assert missed == []


# The database itself refuses every request to change or delete what is only ever added.
@pytest.fixture
def laid(db: None) -> Iterator[None]:
    lay_triggers()
    yield
    lift_triggers()


def refused(statement: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except IntegrityError as fault:
        assert "are only ever added" in str(fault)
        return True
    return False


def test_no_guarded_row_can_be_changed_or_deleted(laid: None, dana: User) -> None:
    eventful(dana)
    # PostgreSQL looks at foreign keys at the end, and empties no table before it has.
    connection.check_constraints()
    for table in sorted(model._meta.db_table for model in guarded_models()):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT min(id) FROM {table}")
            least = cursor.fetchone()[0]
        if least is None:
            continue
        assert refused(f"UPDATE {table} SET id = id + 1000 WHERE id = {least}"), table
        assert refused(f"DELETE FROM {table} WHERE id = {least}"), table
        if connection.vendor == "sqlite":
            # It deletes the old row first: without recursive triggers nothing would stop it.
            assert refused(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE id = {least}"), table
        else:
            assert refused(f"TRUNCATE {table} CASCADE"), table


def test_a_receipt_may_lose_the_team_that_leaves_the_list_and_nothing_else(laid: None, dana: User) -> None:
    eventful(dana)
    assert Ledger.objects.exclude(team=None).exists()
    assert not refused("UPDATE tournament_ledger SET team_id = NULL")
    assert refused("UPDATE tournament_ledger SET cents = cents + 1")


def test_an_evening_is_played_with_the_triggers_laid(laid: None, dana: User) -> None:
    play_until(player_of(small_evening(dana), dana, directs=True), "champion")
    assert list(findings()) == []
    assert Team.objects.exists()


def test_a_table_without_its_triggers_is_a_finding_and_a_start_lays_them_again(laid: None) -> None:
    on, acts = " ON tournament_entry", ["update", "delete", "truncate"]
    if connection.vendor == "sqlite":
        on, acts = "", acts[:2]
    for act in acts:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER uptown_keeps_tournament_entry_{act}{on}")
        assert missing_triggers() == ["tournament_entry"], act
        assert list(findings()) == [
            "tournament_entry: the database no longer refuses changes of written rows. Start the site once."
        ]
        lay_triggers()
        assert missing_triggers() == []


def test_migrating_lays_the_triggers(prepared_hall: Prepared, tmp_path: Path) -> None:
    hall = prepared_hall.copy(tmp_path / "data")
    lay = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    laid = hall.rows(lay)
    assert len(laid) == 2 * len(guarded_models())
    with contextlib.closing(sqlite3.connect(hall.folder / "uptown.sqlite3")) as opened:
        for name in laid:
            opened.execute(f"DROP TRIGGER {name}")
    hall.manage("migrate")
    assert sorted(hall.rows(lay)) == sorted(laid)
