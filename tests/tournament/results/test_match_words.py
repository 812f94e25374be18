"""Where losers play on, every game says which match it is and where its teams go on: on tablet, paper, desk, phone, and
projector. A single bracket says no more than it always did.
"""

from __future__ import annotations

import io

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import page_of, signed_in, words_of
from tests.tournament.reports.evenings import on_paper, pdf_text
from tests.tournament.results.evenings import bracket_of
from tests.tournament.results.test_playoff_forms import CONSOLATION, DOUBLE, all_in, play_hall, with_others
from tests.tournament.tablet.conftest import bind
from tournament.access import Actor
from tournament.models import Event
from tournament.pairing.bracket import Form, Losers
from tournament.queries.match_words import match_words
from tournament.queries.papers import event_sheets
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import round_cards, team_slips
from tournament.queries.standings import full_standings
from tournament.reports.pdf.bracket import draw_pickup_slips, draw_team_slips
from tournament.reports.pdf.score_sheet import draw_score_sheets
from tournament.services.playoffs import start_playoff_round

THIRD = Form(Losers.PLACES, 4)
IN_LOSERS, GOES_ON = "Losers’ round 2 · L3", "Winner: L5 · loser: out"


def third_round(dana: User, form: Form = DOUBLE) -> Event:
    """Eight teams: the third round is in play, which mixes parts in a double elimination."""
    event = all_in(dana, 8, form)
    play_hall(dana, event)
    play_hall(dana, event)
    start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    return event


def last_round(event: Event) -> int:
    return event.rounds.count()


def test_words_of_a_match_follow_from_the_form(dana: User) -> None:
    event = all_in(dana, 8, DOUBLE)
    words = [match_words(event, key) for key in ("M1", "L3", "M7", "L6", "M8", "M99", "")]
    assert [(one.title, one.to) for one in words] == [
        ("Winners’ quarterfinal · M1", "Winner: M5 · loser: L1"),
        (IN_LOSERS, GOES_ON),
        ("Winners’ final · M7", "Winner: M8 · loser: L6"),
        ("Losers’ final · L6", "Winner: M8 · loser: out"),
        ("Final · M8", ""),
        ("", ""),
        ("", ""),
    ]
    assert words[1].own == "Win: L5 · lose: out"


@pytest.mark.parametrize("form", [Form(), THIRD])
def test_a_single_bracket_says_nothing_more(form: Form, dana: User) -> None:
    event = all_in(dana, 4, form)
    start_playoff_round(Actor(dana), event)
    event.refresh_from_db()
    assert match_words(event, "M1") == ("", "", "")
    assert "M1" not in words_of(bind(dana, event, 1).get("/t/table/"))


def test_tablet_says_which_match_it_is_and_where_its_teams_go_on(dana: User) -> None:
    event = third_round(dana)
    page = words_of(bind(dana, event, 1).get("/t/table/"))
    assert f"Table 1 {IN_LOSERS} · {event.name}" in page
    assert f"{GOES_ON}." in page


def test_slips_sheets_and_workbook_say_which_match_it_is(dana: User) -> None:
    event = third_round(dana)
    number = last_round(event)
    cards = round_cards(event.rounds.filter(number=number), EVERYTHING)
    papers = {
        "slips to collect": on_paper(draw_pickup_slips, event, cards[0]),
        "score sheets": on_paper(draw_score_sheets, event_sheets(event, rounds=[number]), event.time_zone),
    }
    for name, paper in papers.items():
        text = " ".join(pdf_text(paper).split())
        assert (IN_LOSERS in text, "Losers’ round 2 · L4" in text, GOES_ON in text) == (True, True, True), name
    pocket = " ".join(pdf_text(on_paper(draw_team_slips, event, team_slips(event))).split())
    assert "L3" in pocket
    answer = signed_in(dana).get(f"/desk/{event.slug}/papers/boards/rounds/{number}.xlsx")
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    cells = [str(cell.value) for page in book for row in page.iter_rows() for cell in row if cell.value]
    assert any(cell.startswith(f"{IN_LOSERS} · Table 1 · {GOES_ON} · ") for cell in cells)


def test_desk_phone_and_projector_say_it_at_every_table(dana: User, client: Client) -> None:
    event = third_round(dana)
    pages = {
        "desk": signed_in(dana).get(f"/desk/{event.slug}/"),
        "schedule": client.get(f"/e/{event.slug}/schedule/"),
        "board": client.get(f"/e/{event.slug}/board/"),
    }
    for name, answer in pages.items():
        page = page_of(answer)
        titles = (IN_LOSERS, "Losers’ round 2 · L4", "Winners’ final · M7")
        assert [title in page for title in titles] == [True, True, True], name
    listed = signed_in(dana).get(f"/desk/{event.slug}/papers/rounds/{last_round(event)}/seating.pdf")
    assert IN_LOSERS in " ".join(pdf_text(listed.content).split())


def test_own_page_says_the_next_match_before_it_is_drawn(dana: User, client: Client) -> None:
    event = all_in(dana, 8, DOUBLE)
    page = words_of(client.get(f"/e/{event.slug}/teams/8/"))
    first = event.teams.get(number=1).name
    assert f"Next · Winners’ quarterfinal · M1 against {first} Win: M5 · lose: L1" in page
    play_hall(dana, event)
    page = words_of(client.get(f"/e/{event.slug}/teams/8/"))
    assert "Next · Losers’ round 1 · L1 against" in page
    play_hall(dana, event)
    # The loser of L1 is out; whoever won it waits for the next round.
    page = words_of(client.get(f"/e/{event.slug}/teams/4/"))
    assert "Next · Losers’ round 2 ·" in page
    gone = words_of(client.get(f"/e/{event.slug}/teams/8/"))
    assert "Next ·" not in gone


def test_own_page_says_where_the_team_goes_on_from_the_game_in_play(dana: User, client: Client) -> None:
    event = third_round(dana)
    page = words_of(client.get(f"/e/{event.slug}/teams/1/"))
    assert "Now · Winners’ final · M7" in page
    assert "Win: M8 · lose: L6" in page


def test_a_bye_in_a_consolation_waits_for_its_next_match(dana: User, client: Client) -> None:
    event = all_in(dana, 6, CONSOLATION)
    page = words_of(client.get(f"/e/{event.slug}/teams/1/"))
    assert "Next · Semifinal · M3 Opponent: Winner of M1 Win: M5 · lose: out" in page


def test_projector_shows_the_parts_in_turn(dana: User) -> None:
    event = with_others(dana, 14, 8, Form(Losers.PLACES, 8, 6))
    facts = board(event, full_standings(event), EVERYTHING)
    slides = [slide for slide in facts.slides if slide.kind == "bracket"]
    assert [slide.title for slide in slides] == ["Main bracket", "For fifth place", "Second bracket"]
    singles = [[part.key for part in slide.section.singles] for slide in slides if slide.section]
    assert singles == [["P3"], ["P7"], []]


def test_public_page_has_every_part_with_keys_byes_and_ways_on(dana: User, client: Client) -> None:
    event = with_others(dana, 14, 8, Form(Losers.PLACES, 8, 6))
    page = words_of(client.get(f"/e/{event.slug}/bracket/"))
    parts = ["Main bracket", "Third place", "For fifth place", "Seventh place", "Second bracket"]
    assert sorted(parts, key=page.index) == parts
    drawn = bracket_of(event)
    assert [match.key for match in drawn.matches if match.key not in page] == []
    assert [match.to for match in drawn.matches if match.to not in page] == []
    assert "Winner: M5 · loser: P5-1" in page
    seeds_with_byes = [f"{number} {event.teams.get(number=number).name} bye" for number in (9, 10)]
    assert [words for words in seeds_with_byes if words not in page] == []
    assert "Who loses a match plays on for every place down to the eighth." in page
    assert "The next 6 play a second bracket: who loses a match there is out." in page
