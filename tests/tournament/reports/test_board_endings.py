"""The end of a game on a board: as the rules have it, on every sheet and with every option that it may have."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client

from scoring.bid_whist.score import RUBBER
from scoring.document import find_sheet, read_entry
from scoring.options import choose
from tests.factories import make_event, make_round, make_teams
from tests.programs import recalculated_all
from tests.scoring.drawn import Turn, games_of
from tests.sure import sure
from tests.tournament.reports.test_boards import cells_of, written
from tests.tournament.reports.test_score_workbooks import Filled, compare, typed_into
from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.forms.score_workbook import keys_of, read_boards
from tournament.models import Event
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.score_workbooks import AT_TIME, SETS_UNSEEN, blank_boards, round_boards, what_boards_do
from tournament.queries.sheet import sheet_now
from tournament.reports.excel.boards import boards_workbook
from tournament.services.entries import enter_boards

FAMILIES = ("bid_whist", "spades", "back_alley", "okinawa")
# By day this many of the ways to play are tested, by night all of them.
BY_DAY = 24
TRIES = 60

Way = tuple[str, dict[str, Any]]


def ways(families: Sequence[str] = FAMILIES) -> list[Way]:
    """Every sheet, with each of its options alone and with two that go together."""
    chance, found = Random("boards"), list[Way]()
    for family in families:
        drawn: list[Way] = games_of(family).DRAWN
        pairs = [
            (one[0], one[1] | other[1]) for one in drawn for other in chance.sample(drawn, 3) if one[0] == other[0]
        ]
        found += drawn
        found += [(sheet, options) for sheet, options in pairs if not choose(find_sheet(sheet).rules, options)[1]]
    return found


def hands_of(event: Event, rules: Ruleset, sides: int, most: int, chance: Random) -> Iterator[dict[str, Any]]:
    """Hands of plausible players and of wild ones, until the rules end the game or the board is full."""
    carry = rules.game.begin(rules.rules)
    for _ in range(most):
        for _ in range(TRIES):
            due = rules.game.next_hand(rules.rules, carry)
            wild = games_of(event.sheet).hand_of(chance, Turn(event.sheet, event.options, sides, carry, due))
            facts = wild if chance.random() < 0.6 else _plausible(rules, carry, chance) or wild
            entry, problems = read_entry(rules.game, facts | {"dealer": due.dealer})
            if not problems and not rules.game.problems(rules.rules, carry, entry) and _fits(rules, facts, due.cards):
                break
        else:
            return
        yield facts
        carry = after(rules, carry, facts)
        if carry.verdict is not None:
            return


def _fits(rules: Ruleset, facts: dict[str, Any], cards: int) -> bool:
    """Whether the board has a box for everything that was written down, and the hand is the deal that is due."""
    seats, sides = rules.seating
    if facts.get("cards", cards) != cards:
        return False
    places = {"seat": seats, "side": sides}
    own = {field.key: places[field.of] for field in rules.columns if field.everybody}
    if any(len(facts.get(key) or [0] * count) > count for key, count in own.items()):
        return False
    # One bid for two partners has no box of its own.
    return len(facts.get("bids") or ()) in (0, own.get("bids", 0))


def _plausible(rules: Ruleset, carry: Any, chance: Random) -> dict[str, Any] | None:
    with suppress(ValueError):
        return choose_hand(rules, carry, chance)
    return None


def _filled(director: User, number: int, way: Way) -> Filled:
    sheet, options = way
    event = make_event(f"Way {number}", director, sheet=sheet, options=options)
    rules = ruleset_of(event)
    sides = rules.seating.sides
    game = make_round(event, [tuple(make_teams(event, sides))]).games.get()
    boards = round_boards(event, game.round)
    hands = list(hands_of(event, rules, sides, boards.lines - 1, Random(f"{way}")))
    cells = written(boards, map(cells_of, hands))
    return Filled(game, boards, hands, typed_into(boards_workbook(boards), cells))


def agree(director: User, chosen: list[Way]) -> None:
    books, known, ended = [_filled(director, number, way) for number, way in enumerate(chosen)], 0, 0
    for one, path in zip(books, recalculated_all(book.content for book in books), strict=True):
        read = read_boards(one.game.round.event, path.read_bytes())
        about = (one.game.round.event.sheet, one.game.round.event.options)
        if not one.hands:
            continue
        assert (about, read.faults, read.new) == (about, [], len(one.hands))
        enter_boards(Actor(director), one.game.round.event, keys_of(read.boards))
        sheet = sheet_now(one.game)
        if sure(one.boards.finish).untold:
            continue
        known += all(compare(one, sheet, path))
        ended += sheet.over
    # What must be typed: boards that may be raised, and the first six.
    print(f"{len(books)} boards, {known} that know every price, {ended} games over")
    assert known > len(books) * 0.6
    assert ended > len(books) * 0.5


def test_a_board_says_in_words_what_it_leaves_out_and_no_page_claims_it(desk: Client, dana: User) -> None:
    told = {}
    for number, (sheet, options) in enumerate((
        ("bid_whist/no-kitty-2021", {}),
        ("bid_whist/no-kitty-2021", {"rubber_games": 2}),
        ("back_alley/partnership", {"set_limit": 2}),
        ("bid_whist/marathon", {}),
    )):  # fmt: skip
        event = make_event(f"Told {number}", dana, sheet=sheet, options=options)
        shape = blank_boards(event)
        page = openpyxl.load_workbook(io.BytesIO(boards_workbook(shape)))["Board"]
        assert all(sentence in page["A4"].value for sentence in shape.untold)
        assert what_boards_do(event) in desk.get(f"/desk/{event.slug}/papers/").content.decode()
        told[sheet, *options] = (shape.untold, what_boards_do(event))
    keeps = "The workbook keeps score and says when the game is over."
    leaves = "The workbook keeps score. The top of each board says what it leaves out."
    assert told == {
        ("bid_whist/no-kitty-2021",): ((), keeps),
        ("bid_whist/no-kitty-2021", "rubber_games"): ((RUBBER,), leaves),
        ("back_alley/partnership", "set_limit"): ((SETS_UNSEEN,), leaves),
        ("bid_whist/marathon",): ((AT_TIME,), keeps),
    }


@pytest.mark.office
def test_boards_price_the_end_of_the_game_as_the_rules_do(dana: User) -> None:
    agree(dana, Random(os.environ.get("UPTOWN_EXAMPLES", "")).sample(ways(), BY_DAY))


@pytest.mark.office
@pytest.mark.nightly
@pytest.mark.parametrize("family", FAMILIES)
def test_boards_price_the_end_of_the_game_with_every_option(dana: User, family: str) -> None:
    agree(dana, ways([family]))
