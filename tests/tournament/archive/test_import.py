"""The event file at its pages and its command: checked, asked about, imported once, downloaded."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams, make_user, page_of, pairs_of, signed_in
from tests.sure import fresh, statements_of, sure
from tests.tournament.archive.filed import changed, filed, told
from tests.tournament.reports.evenings import eventful
from tests.tournament.results.evenings import bracket_of
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.archive.manifest import CHANGED, NEWER, TOO_OLD, migrations
from tournament.archive.store import export_event, import_event
from tournament.models import Entry, Event, Game, Journal, Round, Signature, Team
from tournament.queries.events import directed_events
from tournament.queries.pot import pot
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.services.entries import record_entry
from tournament.services.playoffs import finish_event
from tournament.services.rounds import pause_round
from tournament.services.signatures import rebuild_results, verify_sheet
from tournament.services.substitutions import substitute
from tournament.services.teams import withdraw_team

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "fixtures/demo"
WHOLE = (DEMO / "autumn-open.json").read_bytes()
OF_BEFORE = (ROOT / "fixtures/event_files/version-3.json").read_bytes()


def demo(name: str = "autumn-open") -> Any:
    return json.loads((DEMO / f"{name}.json").read_text(encoding="utf-8"))


def table_of(event: Event) -> list[tuple[Any, ...]]:
    """The standings as they are read, without the keys of this database."""
    return [
        (
            (line.label, line.number, line.team, line.won, line.points, line.bostons, line.sets, line.ties),
            line.chance,
            [(mark.sign, mark.points, mark.opponents, mark.how) if mark else None for mark in line.marks],
        )
        for line in standings(event).lines
    ]


def sheets_of(event: Event) -> list[Any]:
    """Every sheet with its running scores and its code."""
    return [
        (sheet_now(game).document, game.state, game.table, sheet.code, [row.scores for row in sheet.rows], sheet.points)
        for game in sheet_games().filter(round__event=event)
        for sheet in [game_sheet(game)]
    ]


@pytest.mark.parametrize("name", ["autumn-open", "autumn-evening"])
def test_export_and_import_give_identical_books(dana: User, name: str) -> None:
    first = import_event(Actor(dana), demo(name))
    second = import_event(Actor(dana), json.loads(json.dumps(export_event(first))))
    assert told(second) == told(first)
    assert table_of(second) == table_of(first)
    assert sheets_of(second) == sheets_of(first)
    assert pot(second) == pot(first)


def test_imported_event_has_every_game_final_and_a_champion(dana: User) -> None:
    event = import_event(Actor(dana), demo())
    assert (event.stage, event.cut, event.rounds.count(), Team.objects.count()) == ("over", 8, 9, 24)
    assert set(Game.objects.values_list("state", flat=True)) == {"final"}
    assert Signature.objects.count() == 2 * Game.objects.count()
    assert set(Signature.objects.values_list("name", "by")) == {("by import", "dana")}
    assert not Signature.objects.exclude(witness=None).exists()
    assert set(Entry.objects.values_list("source", flat=True)) == {"import"}
    assert bracket_of(event).champion == "Blind Board Kings"
    assert [(line.label, line.number, line.won, line.points) for line in standings(event).lines[:4]] == [
        ("1", 15, 5, 34),
        ("2", 24, 5, 30),
        ("3", 1, 4, 31),
        ("4", 20, 4, 25),
    ]
    left = event.teams.get(number=3)
    assert (left.status, left.left_after) == ("left", 4)
    assert Journal.objects.get().text == (
        "Imported from an event file: 24 teams, 9 rounds, 79 games, 200 entries; 79 games finished"
    )


def test_imported_evening_is_as_of_game_four(dana: User) -> None:
    event = import_event(Actor(dana), demo("autumn-evening"))
    states = list(Game.objects.filter(round__number=4).values_list("state", flat=True))
    assert (event.stage, [round_.state for round_ in event.rounds.all()]) == (
        "playing",
        ["closed", "closed", "closed", "running", "planned", "planned"],
    )
    assert [states.count(state) for state in ("final", "to-sign", "playing")] == [4, 1, 7]
    late = Game.objects.get(round__number=4, table=11)
    assert [side.seated_at is not None for side in late.sides.all()] == [True, False]


def test_the_samples_are_of_todays_migration() -> None:
    """After a migration: python -m tests.samples"""
    written_under = {demo(path.stem)["manifest"]["migration"] for path in DEMO.glob("*.json")}
    assert written_under == {migrations()[-1]}


def test_import_leaves_the_cache_as_a_rebuild_would(dana: User) -> None:
    event = import_event(Actor(dana), demo("autumn-evening"))
    before = sheets_of(event)
    rebuild_results(event)
    assert sheets_of(event) == before


def test_import_needs_few_queries(dana: User) -> None:
    assert statements_of(lambda: import_event(Actor(dana), demo())) < 90


UNTIMED = ("Team", "Player", "Bye", "Decision", "Placing")


def test_what_is_told_beside_the_file_takes_the_place_of_what_it_says(dana: User) -> None:
    """The file is not edited: another name and day, and when the last of it happened."""
    data, now = demo("autumn-evening"), timezone.now()
    first = import_event(Actor(dana), data)
    event = import_event(Actor(dana), data, name="Tonight", day=date(2027, 1, 2), ends_at=now)
    assert (event.name, event.slug, event.date) == ("Tonight", "tonight", date(2027, 1, 2))

    def times(of: Event) -> list[Any]:
        rows = Round.objects.filter(event=of, started_at__isnull=False).order_by("number")
        return list(rows.values_list("started_at", flat=True))

    later = {after - before for before, after in zip(times(first), times(event), strict=True)}
    assert len(later) == 1 and later.pop() > timedelta()
    assert max(Entry.objects.filter(game__round__event=event).values_list("entered_at", flat=True)) <= now
    assert {name: rows for name, rows in told(event).items() if name in UNTIMED} == {
        name: rows for name, rows in told(first).items() if name in UNTIMED
    }


def upload(client: Client, content: bytes, **more: str) -> Any:
    return client.post("/import/", {"file": SimpleUploadedFile("event.json", content), **more})


def test_import_page_imports_and_shows_a_summary(otis: User) -> None:
    client = signed_in(otis)
    answer = upload(client, WHOLE)
    assert (answer.status_code, answer["Location"]) == (302, "/import/autumn-open/")
    assert (
        "24 teams, 9 rounds, 79 games, 200 entries; 79 games finished"
        in client.get("/import/autumn-open/").content.decode()
    )
    assert upload(client, WHOLE, beside="on")["Location"] == "/import/autumn-open-2/"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The submitted file is empty."),
        (b"{", "This event file is damaged or cut off"),
        (WHOLE[: len(WHOLE) // 2], "This event file is damaged or cut off"),
        (WHOLE.decode().encode("utf-16"), "This file is saved as UTF-16."),
        (b"{}", "Nothing was imported:"),
        (b"No.,Team\n1,Aces\n", "This file is not an Uptown event file."),
        (b"\xff\xfe\x00", "This file is saved as UTF-16."),
        (b'{"models":' * 100_000, "nested too deeply"),
        (b'{"models":[' + b"{}," * 2_000_000 + b"{}]}", "This event file holds far more than an event."),
        (b'{"manifest": "A", "manifest": "B"}', "“manifest” is used twice"),
        (b"x" * (33 * 1024 * 1024), "The file is too large: 33 MB. The limit is 32 MB."),
        (WHOLE * 10, "This event file is damaged or cut off"),
        (OF_BEFORE, TOO_OLD),
        (WHOLE.replace(b'"version":4', b'"version":5', 1), NEWER),
        (WHOLE.replace(b"Uptown Two", b"Uptown Too", 1), CHANGED),
        (json.dumps(changed(demo(), Event, 1, sheet="bid_whist/none")).encode(), "there is no rule sheet"),
        (json.dumps(changed(demo(), Entry, 1, revision=3)).encode(), "Game 1, table 1, line 1, field replaces"),
    ],
)
def test_import_page_refuses_with_a_sentence(otis: User, content: bytes, sentence: str) -> None:
    answer = upload(signed_in(otis), content)
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert not Event.objects.exists()


def test_export_page_downloads_the_file_with_each_row_on_a_line(dana: User) -> None:
    event = eventful(dana)
    answer = signed_in(dana).get(f"/desk/{event.slug}/file/")
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{event.slug}.json";')
    assert json.loads(answer.content) == export_event(event)
    lines = answer.content.decode().splitlines()
    assert sum(line.startswith("[") for line in lines) == sum(map(len, told(event).values()))


def test_import_event_command_imports_for_a_director(dana: User) -> None:
    out = StringIO()
    call_command("import_event", str(DEMO / "autumn-open.json"), "--director", "dana", stdout=out)
    assert out.getvalue() == "Autumn Open is imported: /desk/autumn-open/\n"
    assert Event.objects.get().officials.get().user == dana


def test_import_event_command_says_what_is_wrong(dana: User, tmp_path: Path, settings: Any) -> None:
    broken, large = tmp_path / "broken.json", tmp_path / "large.json"
    broken.write_text(json.dumps(changed(demo(), Event, 1, sheet="x")))
    large.write_bytes(WHOLE * 20)
    settings.EVENT_FILE_LIMIT_BYTES = 2**20
    for file, director, sentence in (
        (str(broken), "dana", "no rule sheet"),
        (str(large), "dana", "The file is too large. The limit is 1 MB."),
        (str(tmp_path / "none.json"), "dana", "cannot be read"),
        (str(broken), "nobody", "There is no account “nobody”."),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("import_event", file, "--director", director)
    assert not Event.objects.exists()


def test_import_event_command_asks_about_findings(dana: User, tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    file.write_text(json.dumps(with_finding(dana)))
    with pytest.raises(CommandError, match=r"table 2: is “to-sign”.*\n.*add --with-findings"):
        call_command("import_event", str(file), "--director", "dana")
    assert Event.objects.count() == 1
    call_command("import_event", str(file), "--director", "dana", "--with-findings", stdout=StringIO())
    assert Event.objects.count() == 2


def with_finding(dana: User) -> Any:
    """The file of an evening on which the state of a game was changed past the program."""
    event = eventful(dana)
    Game.objects.filter(round__event=event, table=2).update(state="to-sign")
    data = filed(event)
    Event.objects.update(name="As it is here")
    return data


def test_the_page_asks_about_findings_and_keeps_the_file(otis: User, dana: User) -> None:
    client, to = signed_in(otis), reverse("event-import")
    answer = upload(client, json.dumps(with_finding(dana)).encode())
    assert (answer.status_code, Event.objects.count()) == (409, 1)
    page = answer.content.decode()
    assert "table 2: is “to-sign”" in page and 'name="findings_seen"' in page
    kept = {"kept": answer.context["form"].to_keep}
    # Without the tick it is asked again; with it the event is imported, once.
    again = client.post(to, kept)
    assert (again.status_code, again.context["form"].to_keep) == (409, kept["kept"])
    for _ in range(2):
        done = client.post(to, kept | {"findings_seen": "on", "beside": ""})
        assert (done.status_code, done["Location"]) == (302, "/import/eventful-evening-2/")
    assert Event.objects.count() == 2


def test_a_kept_file_that_somebody_changed_is_refused(otis: User) -> None:
    client, to = signed_in(otis), reverse("event-import")
    for kept in ("x", "eJwLAAA=", "%%%", "é"):
        answer = client.post(to, {"kept": kept})
        assert answer.status_code == 422 and answer.context["form"].errors, kept


def test_substitutes_clock_and_sheets_from_paper_go_through_the_file(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2)
    game = make_round(event, pairs_of(make_teams(event, 4)), 1).games.get(table=1)
    record_entry(Actor(dana), game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}, source="paper")
    Event.objects.filter(pk=event.pk).update(verify_own=True, verify_closing="blocks")
    substitute(Actor(dana), event, 2, position=1, into="Cal", from_round=1, only=True, reason="ill")
    pause_round(Actor(dana), event, 1, "fire alarm")
    verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=False, reason="The paper says 10 books")
    copied = import_event(Actor(dana), export_event(fresh(event)))
    assert told(copied) == told(event)
    paper = sure(game_sheet(sheet_games().get(round__event=copied, round__number=1, table=1)).paper)
    look = sure(paper.look)
    assert (paper.state, look.name, look.reason) == ("rejected", "dana", "The paper says 10 books")


# A checked event file is imported with another press, without choosing the file again.
def test_the_checked_file_is_kept_for_the_import(otis: User, dana: User) -> None:
    event = make_event("Autumn Open", dana, teams=4)
    content = json.dumps(export_event(event)).encode()
    client, to = signed_in(otis), reverse("event-import")
    Event.objects.update(name="Autumn Open, as it was played")
    checked = client.post(to, {"file": SimpleUploadedFile("event.json", content), "check": "yes"})
    assert (checked.status_code, Event.objects.count()) == (200, 1)
    assert "Import Autumn Open" in checked.text and "4 teams, " in checked.text
    assert (client.post(to, {"kept": checked.context["form"].to_keep}).status_code, Event.objects.count()) == (302, 2)


def test_an_import_without_a_file_says_so(otis: User) -> None:
    client, to = signed_in(otis), reverse("event-import")
    answer = client.post(to, {})
    assert (answer.status_code, answer.context["form"].errors) == (422, {"file": ["Choose the event file."]})
    assert [page.content.decode().count('class="wrong"') for page in (client.get(to), answer)] == [0, 1]
    sentence = "Signatures are included; tablets are not."
    assert sentence in " ".join(answer.content.decode().split())


def exported(dana: User, **fields: object) -> bytes:
    event = make_event("Autumn Open", dana, **fields, teams=4)
    return json.dumps(export_event(event)).encode()


def test_a_file_that_is_imported_a_second_time_is_asked_about(otis: User, dana: User) -> None:
    content, client, to = exported(dana), signed_in(otis), reverse("event-import")
    answer = client.post(to, {"file": SimpleUploadedFile("event.json", content)})
    assert (answer.status_code, Event.objects.count()) == (409, 1)
    assert "There is already an event with this name and date:" in answer.content.decode()
    form = {"kept": answer.context["form"].to_keep, "beside": "yes"}
    assert (client.post(to, form).status_code, Event.objects.count()) == (302, 2)


@pytest.mark.usefixtures("own_file")
def test_a_file_that_is_sent_twice_at_once_is_one_event() -> None:
    """As by a second press, while the first is still being read."""
    content, otis = exported(make_user("dana")), make_user("otis", is_staff=True)
    Event.objects.update(name="Earlier")
    clients = [signed_in(otis) for _ in range(2)]

    def send(client: Client) -> str | None:
        try:
            answer = client.post(reverse("event-import"), {"file": SimpleUploadedFile("event.json", content)})
            # Where the first was done before the second was read, it is asked about.
            return None if answer.status_code == 409 else answer["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        led_to = set(pool.map(send, clients))
    assert (led_to - {None}, Event.objects.count()) == ({"/import/autumn-open-2/"}, 2)
    # Nobody else gets that event by sending the same file.
    other = signed_in(make_user("olga", is_staff=True))
    form = {"file": SimpleUploadedFile("event.json", content), "beside": "1"}
    assert (other.post(reverse("event-import"), form).status_code, Event.objects.count()) == (302, 3)


def test_two_events_of_one_name_and_date_are_told_apart_in_lists(dana: User) -> None:
    make_event("Winter Open", dana, slug="one")
    make_event("Winter Open", dana, slug="two")
    make_event("Club Night", dana, slug="three", place="Union Hall")
    make_event("Club Night", dana, slug="four", place="Elks Lodge")
    make_event("Spring Open", dana, slug="five")
    assert directed_events(Actor(dana)) == [
        ("five", "Spring Open, Nov 21, 2026"),
        ("four", "Club Night, Nov 21, 2026, Elks Lodge"),
        ("three", "Club Night, Nov 21, 2026, Union Hall"),
        ("two", "Winter Open, Nov 21, 2026, no. 2"),
        ("one", "Winter Open, Nov 21, 2026, no. 1"),
    ]


def test_a_finished_event_is_copied_from_its_own_page_and_who_left_is_named(dana: User, desk: Client) -> None:
    User.objects.filter(pk=dana.pk).update(is_staff=True)
    event = seeded(User.objects.get(pk=dana.pk), 4)
    withdraw_team(Actor(dana), event, 4, 1)
    play_round(dana, event)
    play_round(dana, event)
    finish_event(Actor(dana), event)
    assert f"/new/?like={event.slug}" in desk.get(f"/desk/{event.slug}/playoffs/").content.decode()
    assert f'value="{event.slug}" selected' in desk.get(reverse("event-new"), {"like": event.slug}).content.decode()
    said = {"copy-like": event.slug, "copy-name": "Next Open", "copy-date": "2026-12-19", "copy-with_teams": "on"}
    page = desk.post(reverse("event-copy"), said, follow=True).content.decode()
    assert "Not copied, because they left: 4 Eagles." in page


# `manage.py restore --already-restored` on either database: a new epoch for every event, and the log says why.
def test_every_event_begins_an_epoch_and_tells_why(dana: User) -> None:
    events = {event.pk: event for event in (make_event("Columbus Open", dana), make_event("Akron Open", dana))}
    said = io.StringIO()
    call_command("restore", "--already-restored", stdout=said)
    assert said.getvalue().splitlines() == [
        "2 events. Start the site now: the tablets will send again what they hold. Leave their pages open.",
        "Every sign-in has ended: sign in again. What was revoked after the backup was made is not known here: look "
        "through officials and tablets of each event, and change the passwords that should no longer hold.",
    ]
    for after in Event.objects.all():
        before = events.pop(after.pk)
        assert after.epoch != before.epoch and after.version > before.version + 1000
        assert [act.text for act in Journal.objects.filter(event=after, action="restore")] == [
            "Not known: which accounts, offices and tablets were revoked after the backup was made",
            "Restored by the means of the database; the tablets will send again what they hold",
        ]
    assert events == {}
