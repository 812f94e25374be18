"""Words on paper: where a line may break, and how the ending of a game is said."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.factories import ODD, make_event, make_round, make_teams, play
from tournament.lists.schedule import results_list
from tournament.models import Event, Game, Player, Team
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import round_card
from tournament.queries.sheet import sheet_now
from tournament.reports.pdf.lettering import BOLD, LAST_BOLD, PLAIN, SERIF, TIED, runs, wrapped
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.texts import name_key


def lines_of(content: bytes) -> list[str]:
    """The lines as they stand on the paper, without the blanks at their ends."""
    pages = PdfReader(io.BytesIO(content)).pages
    return [line.strip() for page in pages for line in page.extract_text().splitlines()]


def sheet_lines(game: Game) -> list[str]:
    return lines_of(score_sheets([sheet_now(game)]))


def test_tied_words_stay_on_one_line_where_it_holds_them() -> None:
    assert wrapped("ended by points (rule 6)", 8.0, 70.0) == ("ended by points", "(rule 6)")
    assert wrapped(f"out backwards (rule{TIED}6)", 8.0, 70.0) == ("out backwards", f"(rule{TIED}6)")
    assert wrapped(f"wide{TIED}words{TIED}anyway", 8.0, 30.0) == ("wide", "words", "anyway")


def test_a_sign_that_one_font_lacks_comes_from_the_next() -> None:
    assert runs("★ Boston pot ♠ Łódź Ομάδα 🂡", SERIF) == (
        ("★", LAST_BOLD),
        (" Boston pot", SERIF),
        (" ♠", BOLD),
        (" Łódź Ομάδα", SERIF),
        (" 🂡", LAST_BOLD),
    )
    assert runs("Łódź Ομάδα Команда", PLAIN) == (("Łódź Ομάδα Команда", PLAIN),)


def named(event: Event, *names: str) -> list[Team]:
    teams = make_teams(event, len(names))
    for team, name in zip(teams, names, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
    return teams


def test_game_points_are_never_parted_from_their_side(dana: User) -> None:
    event = make_event(director=dana)
    names = ("Sisters in the Good Books", "No Trump Nation of Ohio")
    game = make_round(event, [tuple(named(event, *names))]).games.get()
    lines = sheet_lines(play(dana, game, ODD))
    at = lines.index("Points A")
    assert lines[at : at + 4] == ["Points A", "−1", "Points B", "5"]


def test_a_rule_is_cited_once(dana: User, game: Game) -> None:
    award: dict[str, Any] = {"entry": "award", "rule": "13", "to": 0}
    text = " ".join(sheet_lines(play(dana, game, award)))
    assert "Game to Aces (rule 13) A +5" in text
    assert re.findall(r"(?:A \+5: )?Books late: game to Aces(?: \(rule 13\))*", text) == [
        "A +5: Books late: game to Aces",
        "Books late: game to Aces (rule 13)",
    ]


def test_the_sentence_of_an_ending_goes_on_with_its_rule(dana: User, game: Game) -> None:
    assert "Odd: Aces set on a bid of 1 (rule 7)." in sheet_lines(play(dana, game, ODD))


def test_a_star_stands_beside_its_team(dana: User) -> None:
    event = make_event(director=dana)
    round_ = make_round(event, [tuple(named(event, "Full Deck", "Blind Board Kings"))])
    play(dana, round_.games.get(), {"entry": "hand", "bidder": 1, "bid": "3", "books": 13})
    papers = Papers("Results")
    draw_lists(papers, results_list(event, round_card(round_, EVERYTHING)))
    lines = lines_of(papers.finish())
    starred = [line for line in lines if "★" in line]
    assert (len(starred), "★" in lines) == (1, False)
    assert re.search(rf"Kings[ {TIED}]★$", starred[0])


def test_bags_stand_in_every_line_and_beside_the_score(dana: User) -> None:
    event = make_event(director=dana, sheet="spades/standard")
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    hands = [{"entry": "hand", "bids": ["3", "2", "2", "4"], "tricks": [took, 2, 3, 8 - took]} for took in (4, 5)]
    play(dana, game, *hands, sign=False)
    lines = lines_of(score_sheets([sheet_now(game)]))
    assert [line for line in lines if re.fullmatch(r"\d+ bags?", line)] == ["5 bags"]
    first = lines.index("52")
    second = lines.index("105", first)
    assert (lines[first : first + 4], lines[second : second + 4]) == (["52", "2", "60", "0"], ["105", "5", "0", "0"])


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_bids_of_partners_are_whole_where_three_sides_share_the_paper(dana: User, paper: str) -> None:
    options = {"players": 6, "sides": 3}
    event = make_event(director=dana, sheet="back_alley/partnership", options=options)
    game = make_round(event, [tuple(make_teams(event, 3))]).games.get()
    bids = ["quadruple-board", "board", "double-board", "triple-board", "pass", "pass"]
    play(dana, game, {"entry": "hand", "bids": bids, "tricks": [8, 0, 0, 0, 0, 0]})
    text = " ".join(lines_of(score_sheets([sheet_now(game)], paper=paper)))
    assert "QB = quadruple board" in text and "…" not in text
    assert " QB Triple board 8 + 0 Board Pass 0 + 0 DB Pass 0 + 0 " in text


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_four_single_players_with_long_names_are_named_to_the_end(dana: User, paper: str) -> None:
    event = make_event(director=dana, sheet="back_alley/individual")
    names = ("Wilhelmina Montgomery", "Maximilian Wenceslaus von Hammersmith", "Guadalupe Villanueva", "Bo")
    players = named(event, *names)
    Player.objects.all().delete()
    game = make_round(event, [tuple(players)]).games.get()
    play(dana, game, {"entry": "hand", "bids": ["1", "0", "0", "2"], "tricks": [1, 6, 3, 3]})
    lines = lines_of(score_sheets([sheet_now(game)], paper=paper))
    assert "Took" in lines and "To…" not in lines
    assert any(line.endswith("Hammersmith") for line in lines)
