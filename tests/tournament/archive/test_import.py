"""The event file: out and in again with identical books; every fault named by its place; nothing half imported."""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
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

from tests.factories import make_event, make_user, page_of, signed_in
from tests.sure import fresh, refusal_of, statements_of, sure
from tests.tournament.archive.filed import told
from tests.tournament.results.evenings import bracket_of
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Entry, Event, Game, Journal, Signature, Team
from tournament.queries.events import directed_events
from tournament.queries.records import pot
from tournament.queries.scored import document_of
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.services.entries import record_entry
from tournament.services.playoffs import finish_event
from tournament.services.rounds import pause_round
from tournament.services.signatures import rebuild_results, verify_sheet
from tournament.services.substitutions import substitute
from tournament.services.teams import withdraw_team

DEMO = Path(__file__).resolve().parents[3] / "fixtures/demo"
WHOLE = (DEMO / "autumn-open.json").read_bytes()


def demo(name: str = "autumn-open") -> Any:
    return json.loads((DEMO / f"{name}.json").read_text(encoding="utf-8"))


def small() -> dict[str, Any]:
    """Two rounds of four teams, the second in play."""
    teams = [{"number": n, "name": f"Team {n}", "players": [f"Ann {n}", f"Bea {n}"]} for n in (1, 2, 3, 4)]
    won = {"entries": [{"entry": "hand", "bidder": 0, "bid": "4", "books": 11}]}
    one = {
        "round": 1,
        "tables": [{"table": 1, "teams": [1, 2], "game": won}, {"table": 2, "teams": [3, 4], "game": won}],
    }
    two = {
        "round": 2,
        "tables": [{"table": 1, "teams": [1, 3], "game": {"entries": []}}, {"table": 2, "teams": [2, 4]}],
    }
    return {"event": "Small", "sheet": "bid_whist/no-kitty-2021", "teams": teams, "rounds": [one, two]}


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
        (document_of(game), game.state, game.table, sheet.code, [row.scores for row in sheet.rows], sheet.points)
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
    assert set(Signature.objects.values_list("name", "witness__username")) == {("by import", "dana")}
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


def test_import_leaves_the_cache_as_a_rebuild_would(dana: User) -> None:
    event = import_event(Actor(dana), demo("autumn-evening"))
    before = sheets_of(event)
    rebuild_results(event)
    assert sheets_of(event) == before


def test_import_needs_few_queries(dana: User) -> None:
    assert statements_of(lambda: import_event(Actor(dana), demo())) < 80


def test_import_infers_what_the_file_leaves_open(dana: User) -> None:
    event = import_event(Actor(dana), small())
    assert [(round_.number, round_.state) for round_ in event.rounds.all()] == [(1, "closed"), (2, "running")]
    assert (event.stage, event.rounds_planned, event.movement) == ("playing", 2, "moving")
    game = Game.objects.get(round__number=2, table=1)
    record_entry(Actor(dana), game, {"entry": "hand", "bidder": 1, "bid": "3", "books": 9})


def test_options_byes_and_a_late_team_go_through_the_file(dana: User) -> None:
    data = small()
    data["options"] = {"set_limit": 3, "tiebreak_order": ["games-won", "points", "lots"]}
    data["teams"].append({"number": 9, "name": "Late", "players": ["Al", "Bo"], "joined_in": 2, "club": "Elks"})
    data["rounds"][1]["byes"] = [9]
    event = import_event(Actor(dana), data)
    written = export_event(event)
    assert written["options"] == data["options"]
    assert written["rounds"][1]["byes"] == [9]
    assert written["teams"][-1]["joined_in"] == 2
    assert told(import_event(Actor(dana), json.loads(json.dumps(written)))) == told(event)


def changed(path: str, value: Any, data: dict[str, Any] | None = None) -> dict[str, Any]:
    """The small event, or another one, with something else where a path leads; KeyError takes it away."""
    data = small() if data is None else data
    *way, last = (int(key) if key.isdigit() else key for key in path.split())
    inner: Any = data
    for key in way:
        inner = inner[key]
    if value is KeyError:
        del inner[last]
    else:
        inner[last] = value
    return data


HAND = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}
GAME, TABLE = "rounds 0 tables 1 game", "rounds 0 tables 0"
PLAYED = "2026-11-21T19:00:00Z"
AHEAD = {"round": 9, "table": 1, "teams": [1, 2], "game": {"entries": [HAND]}}
SEEDED = {"number": 1, "kind": "drawn", "source": "seeds", "before": [1, 2], "after": []}


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("", [], "An event file is an object with event, sheet, teams and rounds."),
        ("sheet", "bid_whist/none", "Field sheet: There is no rule sheet “bid_whist/none”."),
        ("sheet", KeyError, "Field sheet: The file names no rule sheet."),
        ("event", " ", "Field event: the event needs a name."),
        ("options", {"set_limit": 99}, "Field options.set_limit:"),
        ("date", "2026-13-40", "Field date: “2026-13-40” is not a date like 2026-11-21."),
        ("cut", 1, "Field cut: 1 is not from 2 to 1,024."),
        ("best_of", 2, "Field best_of: a match is one game, or best of 3, 5 or 7."),
        ("movement", "dance", "Field movement: “dance” is not known: moving, round-robin, swiss,"),
        ("version", 4, "this site reads event files of versions 1, 2 and 3, and this is 4"),
        ("stage", "setup", "the event is being set up, but rounds have been played"),
        ("surprise", 1, "There is no field “surprise” here."),
        ("leaver", 77, "Field leaver: there is no team 77."),
        ("teams", {}, "Field teams: the teams are a list."),
        ("teams 1 name", "team 1", "Team 2, field name: team 1 is called “team 1” already."),
        ("teams 1 number", 1, "Team 1: the number is used twice, for “Team 1” and for “Team 2”."),
        ("teams 1 name", "O" * 41, "Team 2, field name: At most 40 characters: this has 41."),
        ("teams 1 paid", "yes", "Team 2, field paid: “paid” must be true or false."),
        ("teams 1 name", "Half \ud83d", "holds a character that cannot be stored"),
        ("rounds 0 tables 1 teams", [3, 9], "Round 1, table 2, field teams: there is no team 9 in the file."),
        (
            "rounds 0 tables 1 teams",
            [3, 1],
            "Round 1, table 2, field teams: team 1 (Team 1) is in this round twice: it already sits at table 1.",
        ),
        ("rounds 0 tables 1 teams", [3], "Round 1, table 2, field teams: 2 teams are needed; 1 are named."),
        ("rounds 0 tables 1 table", 1, "Round 1, table 1: this table is in the round twice."),
        ("rounds 1 round", 1, "Round 1 is in the file twice."),
        ("rounds 1 byes", [4], "team 4 (Team 4) is in this round twice: it already sits at table 2."),
        (
            f"{GAME} entries 0 books",
            14,
            "Round 1, table 2, entry 1, field books: There are 13 books; 14 is not possible.",
        ),
        (f"{GAME} entries 0 books", -1, "Round 1, table 2, entry 1, field books:"),
        (f"{GAME} entries 0 bid", "8", "Round 1, table 2, entry 1, field bid:"),
        (f"{GAME} entries 0 bid", "0", "Round 1, table 2, entry 1, field bid:"),
        (f"{GAME} entries 0 entry", "dance", "Round 1, table 2, entry 1, field entry: “dance” is not an entry"),
        (f"{GAME} entries", [HAND, HAND], "Round 1, table 2, entry 2, field entry: The game is over"),
        (f"{GAME} entries", "none", "Round 1, table 2, field entries: The entries are a list."),
        (
            f"{GAME} sheet",
            "bid_whist/standard",
            "Round 1, table 2, field sheet: the game is played by “bid_whist/standard”",
        ),
        (f"{GAME} sides", ["Team 4", "Team 3"], "Round 1, table 2, field sides: the sides are Team 4 and Team 3"),
        (
            f"{GAME} options",
            {"set_limit": 3},
            "Round 1, table 2, field options: the options are not those of the event.",
        ),
        (GAME, 5, "Round 1, table 2, field game: a game document is an object with entries."),
        ("rounds 0 state", "planned", "Round 1: it is planned, but hands have been written."),
        ("rounds 1 state", "closed", "Round 2, table 1: the round is closed, but the game is not finished."),
        ("rounds 0 state", "running", "Rounds 1 and 2 are both in play: only one round can be."),
        ("rounds 0 state", "odd", "Round 1, field state: “odd” is not known"),
        ("rounds 1 tables 0 signed", [0], "Round 2, table 1, field signed: the game is not over, but it was signed."),
        ("rounds 0 tables 0 signed", [0, 0], "Round 1, table 1, field signed: a list of sides is needed, each once."),
        ("rounds 0 tables 0 first_dealer", 7, "field first_dealer: 7 is not a seat of the table."),
        ("rounds 0 tables 0", 5, "Round 1, table 1: a table is an object with table, teams and game."),
        ("rounds 0 started_at", "noon", "Round 1, field started_at: “noon” is not a time"),
        ("rounds", None, "Field rounds: the rounds are a list of at most 100."),
        ("rounds 0", 3, "Round 1: a round is an object with its tables."),
        ("playoffs", {"games": [{"table": 1}]}, "Playoff game 1: the number of its round is needed."),
        ("playoffs", {"cut": "many"}, "Playoff games, field cut:"),
        ("playoffs", 5, "Playoff games: an object with a list of games is needed."),
        (
            "decisions",
            [{"method": "dice", "teams": [1]}],
            "Decision 1, field method: “dice” is not known: lots, head-to-head, bye.",
        ),
        ("decisions", [{"teams": [1, 2]}], "Decision 1: it needs a method"),
        ("officials", [["vic", "king"]], "Field officials"),
        ("officials", "vic", "Field officials"),
        ("journal", [{"at": PLAYED}], "Journal, line 1"),
        ("journal", "nothing", "Journal, line 1"),
        ("frozen_at", "noon", "is not a time"),
        ("board_shows", "films", "Field board_shows"),
        ("placings", [SEEDED, SEEDED], "Placings: every one has a number of its own."),
        ("placings", [SEEDED | {"mood": "good"}], "Placing 1, field mood"),
        ("playoffs", {"games": [], "best_of": 2}, "a match is one game, or best of 3, 5 or 7"),
        (
            "",
            small() | {"stage": "playing", "playoffs": {"games": [AHEAD]}},
            "there are playoff games, but the qualifying",
        ),
        ("stage", "intermission", "Field stage: “intermission” is not known: setup, playing, playoffs, over."),
        (f"{TABLE} calls", [{"kind": "pizza", "at": PLAYED}], "Round 1, table 1, field calls"),
        (f"{TABLE} calls", [{"kind": "renege", "at": PLAYED}] * 2, "Round 1, table 1, field calls"),
        (f"{TABLE} notices", [{"team": 66, "text": "x", "at": PLAYED}], "Round 1, table 1, field notices"),
        (f"{TABLE} notices", [5], "Round 1, table 1, field notices"),
        (f"{TABLE} seated", [{"side": "A"}], "Round 1, table 1, field seated"),
        (f"{TABLE} seated", [2], "Round 1, table 1, field seated"),
        (f"{TABLE} signed", [{"side": 0, "at": "noon"}], "Round 1, table 1, field signed"),
        (f"{TABLE} finished_at", "noon", "Round 1, table 1, field finished_at"),
        (f"{TABLE} table", None, "the number of the table is needed"),
        (f"{TABLE} lines", {}, "lines is needed"),
        (f"{TABLE} looks", [{"accepted": False, "by": "vic", "at": PLAYED}], "looks"),
        ("rounds 1 paused_at", "yesterday", "paused_at"),
        ("rounds 1 paused_seconds", -1, "paused_seconds"),
        ("teams 0 substitutes", [{"position": 1, "out": "Bea 1"}], "substitutes"),
        ("teams 0 substitutes", "Cal", "substitutes"),
        ("teams 0 number", 0, "a number from 1 to"),
        ("teams 0 players", ["A"] * 20, "players can be named"),
        ("teams 0 status", "asleep", "“asleep” is not known"),
        ("teams 0 joined_in", 1001, "1001 is not a round"),
        ("teams", [5], "Team in line 1 of the list: a team is an object."),
        ("teams", [{}] * 5001, "teams can be read; here are 5,001"),
    ],
)
def test_import_names_the_place_and_stores_nothing(dana: User, path: str, value: Any, sentence: str) -> None:
    data = changed(path, value) if path else value
    assert sentence in " ".join(refusal_of(lambda: import_event(Actor(dana), data)).texts)
    assert (Event.objects.count(), Team.objects.count(), Journal.objects.count()) == (0, 0, 0)


def test_import_cites_the_rule_of_a_refused_entry(dana: User) -> None:
    refusal = refusal_of(lambda: import_event(Actor(dana), changed(f"{GAME} entries", [HAND, HAND])))
    assert refusal.faults[0].rule == "6"


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
        (b"{}", "Nothing was imported."),
        (b"No.,Team\n1,Aces\n", "This file is not an Uptown event file."),
        (b"\xff\xfe\x00", "This file is saved as UTF-16."),
        (b'{"teams":' * 100_000, "nested too deeply"),
        (b'{"teams":[' + b"{}," * 1_000_000 + b"{}]}", "This event file holds far more than an event."),
        (b'{"event": "A", "event": "B"}', "“event” is used twice"),
        (b"x" * (33 * 1024 * 1024), "The file is too large: 33 MB. The limit is 32 MB."),
        (b'{"sheet": "bid_whist/none"}', "There is no rule sheet “bid_whist/none”."),
        (json.dumps(changed(f"{GAME} entries 0 books", 14)).encode(), "Round 1, table 2, entry 1, field books"),
    ],
)
def test_import_page_refuses_with_a_sentence(otis: User, content: bytes, sentence: str) -> None:
    answer = upload(signed_in(otis), content)
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert not Event.objects.exists()


def test_export_page_downloads_the_file(dana: User) -> None:
    event = import_event(Actor(dana), small())
    answer = signed_in(dana).get(f"/desk/{event.slug}/file/")
    assert answer["Content-Disposition"].startswith('attachment; filename="small.json";')
    assert json.loads(answer.content) == export_event(event)


def test_import_event_command_imports_for_a_director(dana: User) -> None:
    out = StringIO()
    call_command("import_event", str(DEMO / "autumn-open.json"), "--director", "dana", stdout=out)
    assert out.getvalue() == "Autumn Open is imported: /desk/autumn-open/\n"
    assert Event.objects.get().officials.get().user == dana


def test_import_event_command_says_what_is_wrong(dana: User, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(changed("sheet", "x")))
    for file, director, sentence in (
        (str(broken), "dana", "no rule sheet"),
        (str(tmp_path / "none.json"), "dana", "cannot be read"),
        (str(broken), "nobody", "There is no account “nobody”."),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("import_event", file, "--director", director)
    assert not Event.objects.exists()


def test_substitutes_clock_and_sheets_from_paper_go_through_the_file(dana: User) -> None:
    event = import_event(Actor(dana), small())
    game = Game.objects.get(round__event=event, round__number=2, table=1)
    record_entry(Actor(dana), game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}, source="paper")
    Event.objects.filter(pk=event.pk).update(verify_own=True, verify_closing="blocks")
    substitute(Actor(dana), event, 2, position=1, into="Cal", from_round=2, only=True, reason="ill")
    pause_round(Actor(dana), event, 2, "fire alarm")
    verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=False, reason="The paper says 10 books")
    copied = import_event(Actor(dana), export_event(fresh(event)))
    assert told(copied) == told(event)
    paper = sure(game_sheet(sheet_games().get(round__event=copied, round__number=2, table=1)).paper)
    look = sure(paper.look)
    assert (paper.state, look.name, look.reason) == ("rejected", "dana", "The paper says 10 books")


# An event file that was checked is imported by one more press: nobody chooses it again.
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
    sentence = "Signatures are included, tablets are not. In a file written by hand, finished games without"
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
        "Every sign-in has ended: sign in again. What was taken back after the backup was made is not known here: look "
        "through officials and tablets of each event, and change the passwords that should no longer hold.",
    ]
    for after in Event.objects.all():
        before = events.pop(after.pk)
        assert after.epoch != before.epoch and after.version > before.version + 1000
        assert [act.text for act in Journal.objects.filter(event=after, action="restore")] == [
            "Not known: which accounts, offices and tablets were taken back after the backup was made",
            "Restored by the means of the database; the tablets will send again what they hold",
        ]
    assert events == {}
