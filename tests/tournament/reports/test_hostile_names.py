"""Names that look like formulas, markup or paths, and names that are hard to fit: literally in every file."""

from __future__ import annotations

import ast
import csv
import functools
import io
import re
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.factories import ODD, make_event, make_round, make_teams, make_user, play
from tests.tournament.reports.papers import on_paper
from tournament.access import Actor
from tournament.lists.catalog import LISTS
from tournament.lists.schedule import results_list
from tournament.models import Event, Game, Player, Team
from tournament.queries.draws import team_slips
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import EVERYTHING
from tournament.queries.schedule import round_card
from tournament.queries.sheet import sheet_now
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.files import list_csv
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.bracket import draw_team_slips
from tournament.reports.pdf.catalog import draw_receipts
from tournament.reports.pdf.lettering import BOLD, LAST_BOLD, PLAIN, SERIF, TIED, runs, wrapped
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services import ledger
from tournament.texts import clean_name, name_key

ROOT = Path(__file__).parents[3]
NAMES = (
    '=HYPERLINK("http://x/","y")', "=1+1", "+1", "-5", "@home", "<b>bold</b>", "<img src=http://x/y.png>", "A/B",
    "a:b*c?[d]", "{{7*7}} %s {x}", "&amp; & &lt;", "#N/A", "W" * 40, "The Magnificent Ladies of Upper Sandusky",
    "Łódź Ñandú", "Команда Ёлки", "Ομάδα", "x\u0302y\u0331", "♠♥♦♣", "Team\u200d", "½ Đặng’s “Four”", "''quoted''",
)  # fmt: skip


def squeezed(content: bytes) -> str:
    """The text of a PDF without spaces and line ends: long names stand on several lines."""
    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)


class Files(NamedTuple):
    """What was written about these teams, read back."""

    papers: tuple[str, ...]
    cells: list[tuple[Any, str]]
    lists: list[bytes]


@functools.cache
def files() -> Files:
    """The papers, the workbook and the lists of one evening that all of these teams play; made once."""
    dana = make_user("dana")
    event = make_event(director=dana, fee_cents=2500, pot_cents=500)
    teams = make_teams(event, len(NAMES))
    for game in make_round(event, list(zip(teams[::2], teams[1::2], strict=True))).games.all():
        play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    for team, name in zip(teams, NAMES, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name)
        ledger.set_paid(Actor(dana), event, team.number, False, "typed by mistake")
    whole, sheets = whole_book(event), event_sheets(event)
    papers = (
        on_paper(draw_event_book, whole, sheets),
        on_paper(draw_team_slips, whole.book.event, team_slips(event)),
        on_paper(draw_receipts, whole.book.event, whole.cash.lines),
    )
    book = openpyxl.load_workbook(io.BytesIO(event_workbook(whole, sheets)))
    cells = [(cell.value, cell.data_type) for page in book for row in page.iter_rows() for cell in row]
    return Files(tuple(map(squeezed, papers)), cells, [list_csv(make(event)) for make in LISTS.values()])


def times(name: str, text: str) -> int:
    """How often a name stands in a text, and not as a part of another one of these names."""
    plain, *others = ("".join(one.split()) for one in (name, *NAMES))
    return text.count(plain) - sum(text.count(other) for other in others if plain in other and plain != other)


@pytest.mark.parametrize("name", NAMES)
def test_name_stands_literally_in_book_slips_workbook_and_lists(db: None, name: str) -> None:
    assert clean_name(name) == name
    made = files()
    book, slips, receipts = (times(name, paper) for paper in made.papers)
    assert book >= 6 and slips >= 1 and receipts >= 1
    found = [kind for value, kind in made.cells if value == name]
    # In the standings, the games, the accounts and the list of teams; the page of rounds said what that of games says.
    assert len(found) >= 4
    assert set(found) == {"s"}
    for content in made.lists:
        _harmless(content)


def _harmless(content: bytes) -> None:
    """No cell of text that a spreadsheet would run."""
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"))):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@")) or cell.lstrip("+-").isdigit()


def test_files_are_written_through_one_door_each() -> None:
    doors = {"csv": {"reports/files.py", "forms/uploads.py", "forms/roster_lines.py"}, "openpyxl": set()}
    files, seen = list((ROOT / "tournament").rglob("*.py")), set()
    for path in files:
        place = path.relative_to(ROOT / "tournament").as_posix()
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        modules = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
        modules |= {node.module.split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        if "csv" in modules:
            seen.add(place)
            assert place in doors["csv"], place
        if "openpyxl" in modules:
            assert place.startswith(("reports/excel/", "forms/uploads.py", "forms/score_workbook.py")), place
    assert seen == doors["csv"]


# Words on paper: where a line may break, and how the ending of a game is said.


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
