"""The secretary's list: pasted or uploaded, any order and wording, looked through before anything is stored."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_event, make_teams, page_of, signed_in
from tests.sure import fresh
from tests.tournament.setup.rosters import EXAMPLES, form_of, roster_of
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.forms.roster.form import RosterForm
from tournament.forms.roster.lines import Facts, read_line
from tournament.forms.roster.marks import NEVER, is_mark
from tournament.forms.roster.reader import NO_LIST, decode, read_roster, unbroken
from tournament.forms.roster.records import Roster
from tournament.models import Event, Game, Journal, Player, Team
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds
from tournament.services.ledger import set_paid, set_pot
from tournament.services.teams import (
    add_team,
    change_team,
    draw_numbers,
    remove_team,
    return_team,
    withdraw_team,
)
from tournament.words.texts import name_key

CLUB = """No.,Team,Player 1,Player 2,City,Paid,Boston pot
1,Aces,Ida Battle,Fay Quarles,Dayton,yes,x
2,Books,Earl Staton,Bess Hobbs,Toledo,,
"""
GOLDEN = Path(__file__).resolve().parents[3] / "fixtures/demo/roster.csv"


def post(client: Client, event: Event, text: str, **more: str) -> Any:
    return client.post(f"/desk/{event.slug}/roster/", {"text": text, **more})


def rows(text: str) -> list[tuple[object, ...]]:
    roster = read_roster(text, 2)
    assert roster.faults == []
    return [(row.number, row.name, row.players, row.city, row.paid, row.in_pot) for row in roster.rows]


ACES = (1, "Aces", ("Ida Battle", "Fay Quarles"), "Dayton", True, True)
BOOKS = (2, "Books", ("Earl Staton", "Bess Hobbs"), "Toledo", False, False)


WAYS = {
    "as printed": CLUB,
    "mark": "\ufeff" + CLUB,
    "semicolons": CLUB.replace(",", ";"),
    "tabs": CLUB.replace(",", "\t"),
    "windows": CLUB.replace("\n", "\r\n"),
    "blank lines": "\n\n" + CLUB,
    "other order": "city;PAID;pot;TEAM NAME;nr;partner 1;partner 2\nDayton;x;1;Aces;1;Ida Battle;Fay Quarles\n"
    "Toledo;no;0;Books;2;Earl Staton;Bess Hobbs\n",
    "one column": "Team,Players,No.,Town,Entry fee,Boston pot\nAces,Ida Battle / Fay Quarles,1,Dayton,$20,$10\n"
    'Books,"Earl Staton & Bess Hobbs",2,Toledo,0,no\n',
    "German": "Nr;Mannschaft;Spieler 1;Spieler 2;Ort;Bezahlt;Pot\n1;Aces;Ida Battle;Fay Quarles;Dayton;ja;x\n"
    "2;Books;Earl Staton;Bess Hobbs;Toledo;nein;\n",
    "no headings": "1,Aces,Ida Battle,Fay Quarles,Dayton,yes,x\n2,Books,Earl Staton,Bess Hobbs,Toledo,,\n",
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_read_roster_understands(text: str) -> None:
    assert rows(text) == [ACES, BOOKS]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_decode_reads_what_spreadsheets_write(encoding: str) -> None:
    text = "Team,Player 1,Player 2\nCafé,Zoë,Müller\n"
    assert decode(text.encode(encoding))[0].lstrip("\ufeff") == text


NO_LISTS = {
    "packed": b"PK\x03\x04rest",
    "nought": b"Team\x00,x",
    "picture": b"\x89PNG\r\n\x1a\n\x00\x00",
    "two letters": b"\xff\xfe\x00PNG",
    "half a sign": b"\xff\xfea,\x00\x01\x00",
    "control sign": b"\xff\xfe,\x00\x01\x00",
    "no letters": b"\x8d\x90,\x81",
}


@pytest.mark.parametrize("content", NO_LISTS.values(), ids=NO_LISTS)
def test_decode_refuses_what_is_no_list(content: bytes) -> None:
    with pytest.raises(ValueError, match=NO_LIST):
        decode(content)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("teams.csv", b"\xff\xfe\x00PNG", NO_LIST),
        ("teams.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an old or locked Excel file."),
        ("teams.csv", b"x" * (5 * 1024 * 1024), "The file is too large: 5 MB. The limit is 2 MB."),
    ],
)
def test_roster_that_cannot_be_read_is_refused_with_one_sentence(
    event: Event, desk: Client, name: str, content: bytes, sentence: str
) -> None:
    answer = desk.post(f"/desk/{event.slug}/roster/", {"text": "kept", "file": SimpleUploadedFile(name, content)})
    page = page_of(answer)
    assert (answer.status_code, page.count(sentence), "kept" in page) == (422, 1, True)
    assert "Worth a look" not in page and "U+" not in page


def test_roster_of_the_club_goes_in_unchanged(event: Event, desk: Client) -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    looked = post(desk, event, text)
    assert (looked.status_code, Team.objects.count()) == (200, 0)
    assert "Enter 24 teams" in page_of(looked)
    assert post(desk, event, text, accept="yes").status_code == 302
    assert (Team.objects.count(), Player.objects.count()) == (24, 48)
    last = Team.objects.get(number=20)
    assert (last.name, last.city, last.paid, last.in_pot) == ("The O'Neals", "Cincinnati", True, True)
    assert list(Team.objects.filter(in_pot=False).values_list("number", flat=True)) == [9, 21, 24]
    assert Journal.objects.get().text == "24 teams entered from a list"


def test_roster_uploaded_in_latin_1_is_shown_and_then_accepted(event: Event, desk: Client) -> None:
    file = SimpleUploadedFile(
        "teams.csv", "Team;Player 1;Player 2\nCafé Noir;Zoë;Jürgen\nBooks;Al;Bo\n".encode("latin-1")
    )
    looked = desk.post(f"/desk/{event.slug}/roster/", {"text": "", "file": file, "accept": "yes"})
    assert (looked.status_code, Team.objects.count()) == (200, 0)
    form = looked.context["form"]
    assert "Are these accents right: “Café”, “Zoë”, “Jürgen”? If not, save the file as CSV UTF-8." in page_of(looked)
    carried = {"said": form.questions, "of": form.lines_of_question}
    assert post(desk, event, form.data["text"], **carried, accept="yes").status_code == 422
    assert "Are these accents right" not in page_of(post(desk, event, CLUB, **carried))
    assert post(desk, event, form.data["text"], **carried, accept="yes", seen=form.seen).status_code == 302
    assert list(Team.objects.values_list("name", flat=True)) == ["Café Noir", "Books"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There are no names in this list."),
        ("No.,Team,Player 1,Player 2\n", "There are no names below the headings."),
        ("No.,City,Paid\n1,Dayton,yes\n", "Row 1: the column Team is missing."),
        ("Team,Team,Player 1,Player 2\nAces,Aces,Ann,Bea\n", "Row 1: two columns are headed Team"),
        (CLUB + "1,Owls,Cy,Di,,,\n", "Row 4, column No.: Number 1 is used twice (rows 2 and 4)."),
        (CLUB + "3,aces,Cy,Di,,,\n", "Row 4, column Team: “aces” is used twice (rows 2 and 4)."),
        (CLUB + "3,Ａｃｅｓ,Cy,Di,,,\n", "is used twice (rows 2 and 4)"),
        (CLUB + "three,Owls,Cy,Di,,,\n", "Row 4, column No.: “three” is not a number."),
        (CLUB + "0,Owls,Cy,Di,,,\n", "Row 4, column No.: Numbers go from 1 to 9999; this is 0."),
        (CLUB + "3,,,,Dayton,,\n", "Row 4, column Team: A name is needed."),
        (CLUB + f"3,{'O' * 41},Cy,Di,,,\n", "Row 4, column Team: At most 40 characters: this has 41."),
        (CLUB + "3,Owls,Cy\u202e,Di,,,\n", "Row 4, column Player 1: The character U+202E cannot be used in a name."),
        (CLUB + "3,Owls,Cy,Cy,,,\n", "Row 4, column Player 2: Cy is named twice in this line."),
        (CLUB + "3,Owls,Cy,Di,,maybe,\n", "Row 4, column Paid: “maybe” is not yes or no."),
        (CLUB + "3,Owls,Cy,Di,,,,extra\n", "Row 4: “extra” is left over at the end of the line. What is it?"),
        (CLUB + '3,"Owls,Cy,Di\n', "a quotation mark is not closed"),
    ],
)
def test_roster_with_a_fault_names_row_and_column_and_stores_nothing(
    event: Event, dana: User, text: str, sentence: str
) -> None:
    answer = post(signed_in(dana), event, text, accept="yes")
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert text[:30].strip() in page_of(answer)
    assert not Team.objects.exists()


def test_roster_names_teams_that_are_entered_already(event: Event, dana: User) -> None:
    make_teams(event, 2)
    answer = post(signed_in(dana), event, CLUB, accept="yes")
    assert (answer.status_code, "Row 2, column Team: “Aces” is already entered." in page_of(answer)) == (422, True)
    assert Team.objects.count() == 2


@pytest.mark.parametrize(("lines", "sentence"), [(2, "1 team is entered."), (3, "2 teams are entered.")])
def test_roster_says_how_many_are_entered(event: Event, dana: User, lines: int, sentence: str) -> None:
    text = "\n".join(CLUB.splitlines()[:lines])
    answer = signed_in(dana).post(f"/desk/{event.slug}/roster/", {"text": text, "accept": "yes"}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [sentence]


def test_roster_in_place_of_the_old_teams(event: Event, dana: User) -> None:
    make_teams(event, 5)
    assert post(signed_in(dana), event, CLUB, accept="yes", replace="on").status_code == 302
    assert list(Team.objects.values_list("number", "name")) == [(1, "Aces"), (2, "Books")]


def test_roster_points_out_a_player_in_two_teams_and_an_odd_field(event: Event, desk: Client) -> None:
    text = CLUB + ",Owls,Ida Battle,,,,\n"
    answer = post(desk, event, text)
    looked = page_of(answer)
    assert "1 thing to check:" in looked and "Row 4: Ida Battle also plays for Aces." in looked
    assert "Row 4: Owls: 1 of 2 players is named." in looked
    assert "3 teams do not fill the tables: one team sits out each game." in looked
    # Nobody can play in two teams: that is asked, and not only noted.
    assert (post(desk, event, text, accept="yes").status_code, Team.objects.exists()) == (422, False)
    assert post(desk, event, text, accept="yes", seen=answer.context["form"].seen).status_code == 302
    assert Team.objects.get(name="Owls").number == 3


def test_roster_without_a_team_name_takes_the_players_and_says_so(event: Event, dana: User) -> None:
    looked = page_of(post(signed_in(dana), event, "Team,Player 1,Player 2\n,Ann,Bea\nEagles,Ann,Cy\n,Bea,\n"))
    notes = ("Row 3: Ann also plays for Ann & Bea.", "Row 4: Bea also plays for Ann & Bea.")
    assert all(note in looked for note in notes)
    assert (
        "No team name, so it’s named after its players: “Ann & Bea” (row 2), “Bea” (row 4)." in looked
        and "to look at" not in looked
    )
    assert "Row 4: Bea: 1 of 2 players is named." in looked


def test_one_team_in_a_list_is_told_that_it_cannot_play(event: Event, dana: User) -> None:
    looked = page_of(post(signed_in(dana), event, "Team,Player 1,Player 2\nAces,Ann,Bea\n"))
    assert "One team alone cannot play: at least 2 are needed." in looked


def test_roster_pasted_too_large_is_refused_with_a_sentence(event: Event, dana: User) -> None:
    answer = post(signed_in(dana), event, "x" * (3 * 1024 * 1024))
    assert (answer.status_code, "This is too large: 2 MB is the limit." in page_of(answer)) == (413, True)


def test_list_that_replaces_a_drawn_one_takes_the_draw_back(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four)
    assert post(signed_in(dana), four, CLUB, accept="yes", replace="on").status_code == 302
    assert (list(four.teams.values_list("name", flat=True)), four.rounds.count()) == (["Aces", "Books"], 0)


# Lists as clubs write them: worked examples that a director can read, and what holds for every list.
FIRST = ("Ann", "Bo", "Cy", "Ida Mae", "Zoë", "Otis", "Nell")
LAST = ("Lee", "O'Neal", "Smith-Jones", "Reed", "Carter", "Gaines", "Van Dyke")
TEAMS = ("Night Owls", "Eagles", "Cut & Deal", "Six and a Half", "The O’Neals", "Kitty Free", "Trump Tight", "Low Ball")
# A team's name, and two people of it, as clubs put them on a line.
LAYOUTS = (
    "{name} – {a} / {b}",
    "{name} - {a} & {b}",
    "{name}: {a}, {b}",
    "{name} ({a} and {b})",
    '"{name}", {a}, {b}',
    "{name}\t{a}\t{b}",
    "{name}; {a}; {b}",
    "{name} | {a} | {b}",
    "{name}, {a}, {b}",
    "{name}   {a}   {b}",
    "{name}, {a} & {b}",
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_list_is_read_as_its_example_says(path: Path) -> None:
    example: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    roster = roster_of(example)
    wanted = [
        RosterRow(**{"number": None, "name": "", **team, "players": tuple(team.get("players", ()))})
        for team in example["teams"]
    ]
    assert roster.rows == wanted
    assert [list(row) for row in roster.aside] == example.get("aside", [])
    assert [fault.text for fault in roster.faults] == example.get("faults", [])
    assert roster.questions == example.get("questions", [])
    assert "not_read" not in example or roster.left_out == example["not_read"]


TABLE = "Team;Captain;Partner;Where\nOwls;Ann Lee;Bo Carter;Xenia\nJays;Cy Dodd;TBD;Xenia\nJays 2;Di Day;;Xenia\nBYE\n"


def mended(text: str, **more: Any) -> RosterForm:
    before = form_of({"list": text, "players": 2})
    carried = {name: value for name, value in before.carried if name in ("basis", "columns")}
    return form_of({"list": text, "players": 2}, **{**carried, **more})


def test_a_list_is_mended_in_its_preview() -> None:
    roles = mended(TABLE, role=["name", "player", "player", "city"]).roster
    assert [row.city for row in roles.rows] == ["Xenia"] * 3
    cells = mended(TABLE, **{"cell-3-2": "Eve Upshaw", "cell-99-1": "x", "cell-3-77": "x"})
    assert (cells.roster.rows[1].players, cells.roster.rows[1].guessed, cells.is_rewritten) == (
        ("Cy Dodd", "Eve Upshaw"),
        "",
        True,
    )
    assert mended(TABLE, basis="of another text", **{"cell-3-2": "Eve"}).data["text"] == TABLE
    indented = "1. Owls\n   - Ann Lee\n   - ???\n2. Jays\n   - Cy Dodd\n   - Di Eaton\n"
    typed = {"was-1-0": "1. Owls", "cell-1-0": "1. Owls", "was-3-0": "???", "cell-3-0": "Bo Carter"}
    assert mended(indented, **typed).data["text"] == indented.replace("???", "Bo Carter")
    out = mended(TABLE, mend="skipped:2", **{"was-2-0": "Owls", "cell-2-0": "Hawks"})
    assert [aside.why for aside in out.roster.aside] == ["a heading", "skipped", "it says “BYE”"]
    assert ("row", "skipped:Hawks · Ann Lee · Bo Carter · Xenia") in out.carried
    taken = mended(TABLE, mend=":5", row=["skipped:Owls · Ann Lee · Bo Carter · Xenia"])
    assert [row.name for row in taken.roster.rows] == ["Jays", "Jays 2", "BYE"]


def test_guesses_are_asked_about_before_anything_is_stored(event: Event, desk: Client) -> None:
    text = "Owls;Ann Lee;Bo Carter\nJays;Cy Dodd;TBD\n"
    refused = post(desk, event, text, accept="yes")
    assert (refused.status_code, "1 row to check" in page_of(refused), Team.objects.count()) == (422, True, 0)
    other = post(desk, event, text.replace("TBD", "???"), accept="yes", seen=refused.context["form"].seen)
    assert (other.status_code, Team.objects.count()) == (422, 0)
    assert post(desk, event, text, accept="yes", seen=refused.context["form"].seen).status_code == 302
    assert Team.objects.count() == 2


def test_what_is_worth_a_look_never_folds_and_what_is_left_out_is_one_line(event: Event, desk: Client) -> None:
    lines = [f"Team {number},Ann Lee{number},,Hearts,Red,{'L' * number}" for number in range(1, 7)]
    text = "Team,Player 1,Player 2,Suit of choice,Color,Mug\n" + "\n".join(lines)
    page = page_of(post(desk, event, text))
    assert page.count("1 of 2 players is named") == 6
    assert "<details" not in page.partition('id="reading"')[2].partition('id="id_text"')[0]
    words = "3 things left out: the column “Suit of choice”, the column “Color”, the column “Mug”."
    assert page.count(words) == 1


TWO_LISTS = {
    "lines above a table": (
        "Owls – Ann Lee / Bo Day\nJays – Cy Dodd / Di Eaton\n\nTeam,Player 1,Player 2\nKings,Nell Gaines,Otis Reed\n",
        "2 lines are set aside: no team.",
    ),
    "two tables": (
        "Team,Player 1,Player 2\nOwls,Ann Lee,Bo Day\n\nPlayer 1,Player 2,Team\nNell Gaines,Otis Reed,Kings\n",
        "Row 4 has headings of its own. If a second list begins there, paste it by itself.",
    ),
}


@pytest.mark.parametrize(("text", "question"), TWO_LISTS.values(), ids=TWO_LISTS)
def test_two_lists_in_one_are_asked_about(text: str, question: str) -> None:
    assert question in read_roster(text, 2).questions


EITHER = "Ann Lee, Bo Carter, Beaver\nCy Dodd, Di Eaton, Mercury\nNell Gaines, Otis Reed, Lightning\n"


def test_two_readings_are_asked_about_once_with_both_shown(event: Event, desk: Client) -> None:
    looked = post(desk, event, EITHER)
    page = page_of(looked)
    for words in (
        "This list can be read two ways.",
        "team “Beaver”, players Ann Lee · Bo Carter",
        "players Ann Lee · Bo Carter, town “Beaver”",
    ):
        assert words in page
    assert (page.count('name="reading"'), post(desk, event, EITHER, accept="yes").status_code) == (2, 422)
    chosen = post(desk, event, EITHER, reading="player-player-city")
    assert ("can be read two ways" in page_of(chosen), chosen.context["roster"].guesses) == (False, [])
    assert post(desk, event, EITHER, reading="player-player-city", accept="yes").status_code == 302
    assert list(Team.objects.values_list("name", "city")) == [
        ("Lee & Carter", "Beaver"),
        ("Dodd & Eaton", "Mercury"),
        ("Gaines & Reed", "Lightning"),
    ]


def test_a_comma_in_a_column_is_asked_about_once(event: Event, desk: Client) -> None:
    text = "Team;Players\nOwls;Lee, Ann\nJays;Dodd, Cy\nKings;Gaines, Nell\n"
    assert post(desk, event, text, accept="yes").status_code == 422
    assert post(desk, event, text, reading="last name first", accept="yes").status_code == 302
    assert list(Player.objects.values_list("name", flat=True)) == ["Ann Lee", "Cy Dodd", "Nell Gaines"]


def test_the_first_and_last_lines_stand_beside_their_text(event: Event, desk: Client) -> None:
    lines = [f"{number}. Team {number} – Ann Lee{number} / Bo Carter{number}" for number in range(1, 9)]
    form = post(desk, event, "\n".join(lines)).context["form"]
    shown = [(line.number, line.text, line.team.name, line.team.players) for line in form.ends]
    assert shown == [
        (number, lines[number - 1], f"Team {number}", (f"Ann Lee{number}", f"Bo Carter{number}"))
        for number in (1, 2, 7, 8)
    ]


def test_what_a_preview_sends_may_be_anything(event: Event, desk: Client) -> None:
    for more in (
        {"mend": "sheet:9"},
        {"mend": "skipped:99999"},
        {"cell-1-1": "x", "basis": "x"},
        {"row": "x"},
        {"role": ["zzz"] * 4, "columns": "4 Team · Captain · Partner · Where"},
    ):
        assert post(desk, event, TABLE, **more).status_code in (200, 422)


@pytest.mark.parametrize("text", ["-\t", "-\t\n1. Owls – A Lee / B Day", "•", "# \t", "1.\t\t"])
def test_a_line_of_signs_alone_is_no_team(text: str) -> None:
    assert not [row for row in read_roster(text, 2).rows if not any(map(str.isalpha, row.name))]


NAMES = {
    "\u200d\u200d": "A name is needed.",
    "A" + "\u0301" * 30: "At most 4 accents are possible on one letter.",
    "a\u200db": "“ab” is already entered.",
    "\u0410ces": "“\u0410ces” is already entered.",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_look_alike_are_one_name_at_the_desk_and_in_a_list(event: Event, desk: Client, name: str) -> None:
    for entered in ("ab", "Aces"):
        Team.objects.create(event=event, number=len(entered), name=entered, key=name_key(entered))
    typed = page_of(desk.post(f"/desk/{event.slug}/teams/", OWLS | {"name": name}))
    assert NAMES[name].removeprefix("At most 4 accents") in typed
    assert NAMES[name].removeprefix("At most 4 accents") in page_of(
        post(desk, event, f"{name};Al Bell;Di Day\n{name}x;C D;E F")
    )


def test_a_letter_of_another_alphabet_is_named(event: Event, desk: Client) -> None:
    looked = page_of(post(desk, event, "Team;Player 1;Player 2\n\u0410ces;Al Bell;Di Day\nBooks;Cy Day;Ann Lee\n"))
    assert "“\u0410ces” has the Cyrillic capital letter a." in looked


people = st.builds("{} {}".format, st.sampled_from(FIRST), st.sampled_from(LAST))
teams = st.lists(
    st.tuples(st.sampled_from(TEAMS), people, people),
    min_size=1,
    max_size=8,
    unique_by=lambda team: team[0],
).filter(lambda listed: len({name for team in listed for name in team}) == 3 * len(listed))


@given(teams, st.sampled_from(LAYOUTS), st.booleans(), st.sampled_from(["", "Autumn Open team list\n\n"]))
def test_every_name_survives_in_every_layout(
    listed: list[tuple[str, str, str]], layout: str, numbered: bool, title: str
) -> None:
    lines = [layout.format(name=name, a=a, b=b) for name, a, b in listed]
    if numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
    roster = read_roster(title + "\n".join(lines), 2)
    assert roster.faults == []
    assert [(row.name, *row.players) for row in roster.rows] == listed
    assert [row.number for row in roster.rows] == [number if numbered else None for number in range(1, len(listed) + 1)]


@given(st.text(alphabet=st.sampled_from("ab 1.,;:\t|/&–-()\"'“”\n\n=x§é"), max_size=120), st.sampled_from([1, 2, 3]))
def test_no_line_is_dropped_in_silence(text: str, players: int) -> None:
    """Each line that says anything is a team, a heading or a fault, and only one of these."""
    roster = read_roster(text, players)
    answered = {row.row for row in roster.rows} | {row.number for row in roster.aside}
    answered |= {row for rows in roster.more.values() for row in rows}
    answered |= {int(row) for fault in roster.faults if (row := fault.field.partition(":")[0]).isdecimal()}
    rows_said = {
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if any(character.isalnum() for character in line)
    }
    assert rows_said <= answered or any(fault.field == "text" for fault in roster.faults)
    assert len(roster.rows) == len({row.row for row in roster.rows})


HEADS = (
    "Team|Team Name|Player 1|Partner name|First|Last name|No.|Town|Club|Paid|Email|Timestamp|Shirt||Rank|Names"
).split("|")
CELLS = (
    "Night Owls|Eagles|Cut & Deal|Ann Lee|Lee, Bo|Cy / Di|Ida Mae Banks|Dayton|7|12.|x|owes $20|$20|"
    "10/24/2026 18:02:11|2026-07-11|11-Jul|ann@example.org|216-555-0142|#N/A|1E+05|TBD|???|WAITLIST|Refunded|"
    "BYE|Total|Total: 9|Wait list:|Teams:|a, b and c|(new)|Jay (Dayton) Al & Di|we are in too!|JosÃ© NÃºÃ±ez|"
    "Al - Bo||"
).split("|")
listed_cells = st.lists(st.lists(st.sampled_from(CELLS), min_size=1, max_size=6), min_size=1, max_size=7)


def words_of(text: str) -> set[str]:
    return {
        word for word in re.split(r"[\W_]+", unbroken(text).casefold()) if word != "and" and word and not is_mark(word)
    }


def answered_in(roster: Roster) -> set[str]:
    """Every word that the preview shows somewhere."""
    texts = (
        [aside.text for aside in roster.aside]
        + [fault.text for fault in roster.faults]
        + roster.notes
        + roster.left_out
        + roster.guesses
    )
    for row in roster.rows:
        texts += [str(row.number), row.name, *row.players, row.city, row.club]
    texts += [text for column in roster.columns if not column.role for text in column.cells]
    return {word for text in texts for word in words_of(text)}


@given(listed_cells, st.lists(st.sampled_from(HEADS), max_size=6), st.sampled_from("\t;,|–"), st.sampled_from([1, 2]))
def test_no_cell_is_dropped_in_silence_or_silently_a_name(
    cells: list[list[str]], heads: list[str], delimiter: str, players: int
) -> None:
    grid = [*([heads] if heads else []), *cells]
    text = "\n".join(
        f" {delimiter} ".join(row)
        if delimiter == "–"
        else delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in row)
        for row in grid
    )
    roster = read_roster(text, players)
    answered = answered_in(roster)
    is_refused = any(fault.field == "text" or "column" in fault.text.split(": ")[1] for fault in roster.faults)
    unread = {fault.field.partition(":")[0] for fault in roster.faults} - {str(row.row) for row in roster.rows}
    for cell in (cell for number, row in enumerate(grid, start=1) if str(number) not in unread for cell in row):
        assert is_mark(cell) or words_of(cell) <= answered or is_refused, cell
    for row in roster.rows:
        names = [
            name for name in (row.name, *row.players) if any(pattern.fullmatch(name) for pattern in NEVER.values())
        ]
        assert not names or any(name in fault.text for fault in roster.faults for name in names)


@given(
    st.lists(people, min_size=2, max_size=2, unique=True),
    st.sampled_from(["{} & {}", "{} / {}", "{}, {}", "{} and {}"]),
)
def test_two_people_without_a_team_name_are_a_team_and_it_is_said(pair: list[str], layout: str) -> None:
    roster = read_roster(layout.format(*pair), 2)
    assert [row.players for row in roster.rows] == [tuple(pair)]
    assert roster.notes == [f"No team name, so it’s named after its players: “{roster.rows[0].name}” (row 1)."]


# Teams at the desk: one by one, fees and pot, leaving and coming back, numbers.
OWLS = {"number": "", "name": "Night Owls", "player1": "Cy Dee", "player2": "Di Ell", "city": "Toledo", "paid": "on"}


def test_team_typed_at_the_desk_gets_the_next_number(event: Event, dana: User) -> None:
    make_teams(event, 2)
    assert signed_in(dana).post(f"/desk/{event.slug}/teams/", OWLS).status_code == 302
    team = Team.objects.get(name="Night Owls")
    assert (team.number, team.city, team.paid, team.in_pot, team.joined_in) == (3, "Toledo", True, False, 1)
    assert list(team.players.values_list("position", "name")) == [(0, "Cy Dee"), (1, "Di Ell")]
    assert Journal.objects.get().text == "3 Night Owls entered"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"name": ""}, "Please fill this in."),
        ({"name": " ACES "}, "“ACES” is already entered."),
        ({"number": "1"}, "Number 1 is taken by Aces."),
        ({"number": "10000"}, "At most 9999."),
        ({"player2": "Cy  Dee"}, "Cy Dee is named twice in this line."),
        ({"city": "x" * 41}, "At most 40 characters: this has 41."),
    ],
)
def test_team_refused_is_shown_at_its_field_with_what_was_typed(
    event: Event, dana: User, changed: dict[str, str], sentence: str
) -> None:
    make_teams(event, 2)
    answer = signed_in(dana).post(f"/desk/{event.slug}/teams/", OWLS | changed)
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert 'value="Cy Dee"' in page_of(answer)
    assert Team.objects.count() == 2


def test_change_team_keeps_its_own_name_and_number(event: Event, dana: User) -> None:
    aces, _ = make_teams(event, 2)
    answer = signed_in(dana).post(
        f"/desk/{event.slug}/teams/1/",
        {"number": "7", "name": "Aces", "player1": "Ann 1", "player2": "New", "player3": "Sub", "initial-paid": "True"},
    )
    assert answer.status_code == 302
    assert (fresh(aces).number, aces.paid, list(aces.players.values_list("name", flat=True))) == (
        7,
        False,
        ["Ann 1", "New", "Sub"],
    )
    with pytest.raises(ValidationFailed):
        change_team(Actor(dana), event, 7, RosterRow(number=2, name="Aces"))


def test_team_saved_from_an_old_page_keeps_the_money_that_was_taken_since(dana: User) -> None:
    event = make_event("Priced Open", dana, fee_cents=2000, pot_cents=1000)
    Team.objects.create(event=event, number=1, name="Aces", key="aces")
    client, address = signed_in(dana), f"/desk/{event.slug}/teams/1/"
    old = as_sent(page_of(client.get(address)))
    set_pot(Actor(dana), event, 1, True)
    set_paid(Actor(dana), event, 1, True)
    assert client.post(address, old | {"name": "Aces High"}).status_code == 302
    team = Team.objects.get()
    assert (team.name, team.paid, team.in_pot) == ("Aces High", True, True)
    assert list(event.ledger.values_list("kind", "cents")) == [("fee", 2000), ("pot", 1000)]
    new = as_sent(page_of(client.get(address)))
    assert client.post(address, {name: value for name, value in new.items() if name != "paid"}).status_code == 302
    assert list(event.ledger.values_list("kind", "cents"))[2:] == [("fee", -2000), ("pot", -1000)]
    assert Team.objects.values_list("paid", "in_pot").get() == (False, True)


def test_team_refused_keeps_what_its_page_said_of_the_money(event: Event, dana: User) -> None:
    make_teams(event, 2)
    client, address = signed_in(dana), f"/desk/{event.slug}/teams/1/"
    old = as_sent(page_of(client.get(address)))
    answer = client.post(address, {name: value for name, value in old.items() if name != "paid"} | {"name": "Books"})
    assert answer.status_code == 422
    again = as_sent(page_of(answer))
    assert (again["initial-paid"], "paid" in again) == ("True", False)


def as_sent(page: str) -> dict[str, str]:
    """What the form of a team's page sends when nothing is touched."""
    form = page.partition('class="card pad">')[2].partition("</form>")[0]
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        box = attributes.get("type") == "checkbox"
        if not box or " checked" in tag:
            sent[attributes["name"]] = attributes.get("value", "on" if box else "")
    return sent


def test_paid_and_pot_are_switched_with_one_press(event: Event, dana: User, desk: Client) -> None:
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, pot_cents=1000)
    make_teams(event, 2)
    assert desk.post(f"/desk/{event.slug}/teams/1/paid/", {"on": "no"}).status_code == 302
    answer = desk.post(f"/desk/{event.slug}/teams/2/pot/", {"on": "no"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert (Team.objects.get(number=1).paid, Team.objects.get(number=2).in_pot) == (False, False)
    page = page_of(answer)
    assert ["$30</b> taken" in page, "$30</b> owed by 1" in page, "1 team in it" in page] == [True] * 3
    assert [line.text for line in Journal.objects.all()] == [
        "Out of the Boston pot: 2 Books",
        "1 Aces marked as not paid",
    ]
    set_paid(Actor(dana), event, 1, False)
    assert Journal.objects.count() == 2


def test_walk_in_joins_with_the_next_round(event: Event, game: Game, dana: User) -> None:
    assert add_team(Actor(dana), event, RosterRow(name="Late Birds", players=("Al", "Bo"))).joined_in == 2


def test_withdraw_team_and_let_it_come_back(event: Event, game: Game, dana: User, desk: Client) -> None:
    assert desk.post(f"/desk/{event.slug}/teams/2/withdrawal/", {"after_round": "99"}).status_code == 422
    assert desk.post(f"/desk/{event.slug}/teams/2/withdrawal/", {"after_round": "1"}).status_code == 302
    books = Team.objects.get(number=2)
    assert (books.status, books.left_after) == ("left", 1)
    with pytest.raises(Conflict):
        withdraw_team(Actor(dana), event, 2, 1)
    assert return_team(Actor(dana), event, 2).status == "playing"
    assert withdraw_team(Actor(dana), event, 2, 1, disqualified=True).status == "disqualified"


def test_remove_team_takes_the_draw_back(four: Event, dana: User) -> None:
    draw_rounds(Actor(dana), four)
    assert remove_team(Actor(dana), four, 4) == "4 Eagles"
    assert (four.rounds.count(), four.teams.count()) == (0, 3)


def test_draw_numbers_by_lot_is_repeatable(event: Event, dana: User) -> None:
    make_teams(event, 8)
    draw_numbers(Actor(dana), event)
    first = dict(Team.objects.values_list("name", "number"))
    assert sorted(first.values()) == list(range(1, 9))
    draw_numbers(Actor(dana), event)
    assert dict(Team.objects.values_list("name", "number")) == first
    draw_rounds(Actor(dana), event)
    with pytest.raises(Conflict):
        draw_numbers(Actor(dana), event)


def test_names_that_could_break_the_page_are_escaped(event: Event, dana: User) -> None:
    add_team(Actor(dana), event, RosterRow(number=1, name="<b>Bold</b> & 'Co'", players=("<i>Al</i>", "Bo")))
    raw = signed_in(dana).get(f"/desk/{event.slug}/teams/").content.decode()
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; &#x27;Co&#x27;" in raw
    assert "<i>Al</i>" not in raw


@pytest.mark.parametrize(
    ("line", "facts", "cells"),
    [
        ("Owls/Ann/Bo", Facts(), ["name Owls", "person Ann", "person Bo", "doubt “Owls” was read as the team"]),
        (
            "Ann, Bo, Dayton",
            Facts(towns=frozenset({"dayton"})),
            ["person Ann", "person Bo", "city Dayton", "doubt “Dayton” was read as the town"],
        ),
        (
            "Ann Lee & Bo Carter, Dayton",
            Facts(towns=frozenset({"dayton"})),
            ["person Ann Lee", "person Bo Carter", "city Dayton", "doubt “Dayton” was read as the town"],
        ),
        (
            "Cut & Deal",
            Facts(),
            ["person Cut", "person Deal", "doubt read as two players without a team name"],
        ),
        ("Cut & Deal", Facts(bare_names=True), ["name Cut & Deal"]),
        ("Ann, Bo", Facts(), ["person Ann", "person Bo", "doubt read as players without a team name"]),
        ("Owls, Ann, Bo, Dayton", Facts(), ["name Owls", "person Ann", "person Bo", "city Dayton"]),
        ("“Owls, Ltd.”, Ann, Bo", Facts(), ["name Owls, Ltd.", "person Ann", "person Bo"]),
    ],
)
def test_a_line_alone_is_read_piece_by_piece(line: str, facts: Facts, cells: list[str]) -> None:
    assert [f"{role} {text}" for role, text in read_line(line, 2, facts) if text] == cells
