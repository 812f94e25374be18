"""How papers look: names of one size beside each other, rows of few lines, type as large as the page allows."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play, signed_in
from tests.tournament.reports.audit import Word, faults_of, missing, pages_of
from tests.tournament.reports.evenings import pdf_text, printed, random_event
from tests.tournament.reports.grid import SITE, evening, named
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.lists.sheets import hands_by_line
from tournament.models import Event, Game, Team
from tournament.queries.papers import event_sheets
from tournament.reports.pdf.catalog import Wanted
from tournament.reports.pdf.catalog import printed as paper
from tournament.reports.pdf.rules import said
from tournament.services.playoffs import finish_event, make_cut


def words_of(event: Event, key: str, text: str, page: int = 0) -> list[Word]:
    """The position of a word on a paper."""
    content = paper(Wanted(event, with_money=True), [key], key, SITE)
    return [word for word in pages_of(content)[page].words if word.text == text]


def test_the_names_of_a_round_are_of_one_size(dana: User) -> None:
    event = named(evening(dana, 60), "short", "letter")
    # With their numbers, some of these are a little wider than a line.
    names = words_of(event, "bracket", "Aces")
    first = min(word.left for word in names)
    columns = [[word for word in names if first + 110 * at <= word.left + 8 < first + 110 * (at + 1)] for at in (0, 1)]
    assert [len(column) for column in columns] == [16, 8]
    for column in columns:
        assert max(word.size for word in column) - min(word.size for word in column) < 1.0


def test_a_bracket_that_is_not_played_says_so(dana: User) -> None:
    event = make_event(director=dana, teams=4, rounds_planned=1)
    assert "The cut has not been made yet." in pdf_text(printed(dana, event, "bracket.pdf"))
    played_round(event, [(1, 2, win(0, 6)), (3, 4, win(0, 5))])
    make_cut(Actor(dana), event, 1)
    event = finish_event(Actor(dana), Event.objects.get())
    assert "No playoffs: the first place is the champion." in pdf_text(printed(dana, event, "bracket.pdf"))


def test_the_widest_column_does_not_make_its_rows_higher_than_needed(dana: User) -> None:
    event = named(evening(dana, 24), "words", "letter")
    first, last = (words_of(event, "final-places", text) for text in ("Wilhelmina", "Featherstonehaugh-Smith"))
    assert len(first) == len(last)
    assert all(abs(one.bottom - two.bottom) < 1 for one, two in zip(first, last, strict=True))


def test_a_long_list_is_larger_where_that_takes_no_page_more(dana: User) -> None:
    event = named(evening(dana, 60), "short", "letter")
    assert len(pages_of(paper(Wanted(event, with_money=True), ["money"], "money", SITE))) == 2
    assert words_of(event, "money", "Aces")[0].size > 10.5


def test_a_list_of_a_book_does_not_begin_with_two_rows_at_the_foot_of_a_page(dana: User) -> None:
    event = named(evening(dana, 24), "short", "letter")
    pages = pages_of(paper(Wanted(event, with_money=True), ["book"], "book", SITE))
    [(head, page)] = [
        (word, page) for page in pages[2:] for word in page.words if word.text == "standings" and word.size > 13
    ]
    assert len([word for word in page.words if word.text == "Aces" and word.top > head.bottom]) >= 5


@pytest.mark.parametrize(("key", "size"), [("cross-table", 12), ("money", 12), ("games", 12)])
def test_a_short_list_is_printed_in_large_type(dana: User, key: str, size: float) -> None:
    [*_, word] = words_of(named(evening(dana, 2), "short", "letter"), key, "Aces")
    assert abs(word.size - size) < 0.2


def test_a_hand_says_its_reason_once_whoever_bid(dana: User) -> None:
    event = make_event(director=dana, teams=4)
    for game in make_round(event, pairs_of(list(event.teams.all()))).games.all():
        play(dana, game, {**MADE_FIVE, "bidder": game.table - 1})
    listing = hands_by_line(event, event_sheets(event))
    why = next(column for column in listing.columns if column.key == "why")
    one, other = (listing.said(why, row) for row in listing.rows)
    assert (one, "made with" in one) == (other, False)


def test_reasons_of_several_sides_say_whose_they_are(dana: User) -> None:
    event = random_event("back_alley", 5, dana, teams=8, rounds=1, sheet="individual")
    listing = hands_by_line(event, event_sheets(event))
    points, why = (next(column for column in listing.columns if column.key == key) for key in ("points", "why"))
    told = [(listing.said(points, row).split(", "), listing.said(why, row).split("; ")) for row in listing.rows]
    several = [(sides, reasons) for sides, reasons in told if len(sides) - sides.count("0") > 1]
    assert len(several) > 2
    for sides, reasons in several:
        letters = {letter for letter, scored in zip("ABCD", sides, strict=True) if scored != "0"}
        assert letters <= {reason[0] for reason in reasons if reason[1] == " "}


@pytest.mark.parametrize("key", ["recap", "seating"])
def test_four_sides_stand_in_whole_words_on_the_long_side_of_the_paper(dana: User, key: str) -> None:
    event = random_event("back_alley", 5, dana, teams=8, rounds=1, sheet="individual")
    page = pages_of(paper(Wanted(event, 1), [key], key, SITE))[0]
    texts = [word.text for word in page.words]
    assert (page.width, page.height) == (792, 612)
    assert {word for name in event.teams.values_list("name", flat=True) for word in name.split()} <= set(texts)
    assert [texts.count(head) for head in ("Table", "Side")] == [1, 4]


def test_what_is_said_of_the_games_is_printed_once(dana: User) -> None:
    event = make_event(director=dana, teams=2)
    answers = [signed_in(dana).get(f"/desk/{event.slug}/papers/games-by-table.{kind}") for kind in ("pdf", "csv")]
    assert [answer.status_code for answer in answers] == [404, 200]


def test_a_line_does_not_begin_with_the_dot_before_the_day(dana: User) -> None:
    event = named(evening(dana, 2), "words", "letter")
    for key in ("slips", "receipts"):
        content = paper(Wanted(event, with_money=True), [key], key, SITE)
        for dot in (word for word in pages_of(content)[0].words if word.text == "·"):
            beside = [word for word in pages_of(content)[0].words if abs(word.bottom - dot.bottom) < 1]
            assert any(word.right <= dot.left + 1 and dot.left - word.right < 20 for word in beside), key


def test_partners_are_not_parted_within_a_name(dana: User) -> None:
    event = named(evening(dana, 24), "words", "letter")
    content = paper(Wanted(event), ["certificates"], "certificates", SITE)
    words = pages_of(content)[0].words
    firsts = [word for word in words if word.text == "Wilhelmina"]
    assert len(firsts) == 2
    for first in firsts:
        assert any(word.text.startswith("Feather") and abs(word.bottom - first.bottom) < 1 for word in words)


@pytest.mark.parametrize("club", ["", "Columbus Bid Whist Club"])
@pytest.mark.parametrize("names", ["short", "wide"])
def test_certificates_name_the_club_and_everybody_whole(dana: User, settings: Any, names: str, club: str) -> None:
    """Of an evening without a pot and without playoffs, two of whose teams share third place."""
    settings.CLUB = club
    event = make_event(director=dana, rounds_planned=1, teams=4)
    played_round(event, [(1, 2, win(0, 6, 1)), (3, 4, win(0, 5, 1))])
    make_cut(Actor(dana), event, 1)
    event = named(finish_event(Actor(dana), Event.objects.get()), names, "letter")
    content = paper(Wanted(event), ["certificates"], "certificates", SITE)
    pages = pages_of(content)
    who = [name for team in event.teams.all() for name in (team.name, *team.player_names)]
    assert missing(content, [event.name, event.place, *who]) == []
    assert [fault for page in pages for fault in faults_of(page)] == []
    titles = ["Champions", "Secondplace", "Sharedthirdplace", "Sharedthirdplace"]
    assert [title in page.text for title, page in zip(titles, pages, strict=True)] == [True] * 4
    assert all(club.replace(" ", "") in page.text for page in pages)


def test_a_printed_sheet_in_a_book_has_no_rows_to_fill_in(dana: User) -> None:
    event = random_event("spades", 5, dana, teams=4, rounds=1, sheet="four-hand-tournament")
    Game.objects.update(state="playing")
    content = paper(Wanted(event), ["book"], "book", SITE)
    assert [
        word for page in pages_of(content) for word in page.words if word.text in ("A1", "A2") and word.size < 6.7
    ] == []


def test_everybody_who_shared_a_pot_is_named_whole(dana: User) -> None:
    event = make_event(director=dana, pot_cents=500, rounds_planned=1)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 7))])
    make_cut(Actor(dana), Event.objects.get(), 1)
    for team in event.teams.all():
        Team.objects.filter(pk=team.pk).update(name=f"Magnificent Ladies of Upper Sandusky {team.number}")
    event = Event.objects.get()
    content = paper(Wanted(event), ["poster"], "poster", SITE)
    assert missing(content, [team.name for team in event.teams.all()]) == []


@pytest.mark.parametrize(
    ("title", "words", "sentence"),
    [
        ("The bidding goes around", "once", "The bidding goes around once."),
        ("Standings can be seen", "at all times", "Standings can be seen at all times."),
        ("Spades may be led", "when spades are broken", "Spades may be led when spades are broken."),
    ],
)
def test_an_option_is_a_sentence(title: str, words: str, sentence: str) -> None:
    assert said(title, words) == sentence
