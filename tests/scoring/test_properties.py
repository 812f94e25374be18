"""Laws that hold in every game: hypothesis looks for a game that breaks one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.back_alley.score import GAME
from scoring.back_alley.sheet import CALLS
from scoring.document import find_sheet, print_score, read_document, read_entry, score_document
from scoring.opening import write_opening
from tests.scoring.back_alley import games as back_alley
from tests.scoring.bid_whist import games as bid_whist
from tests.scoring.okinawa import games as okinawa
from tests.scoring.spades import games as spades

Document = dict[str, Any]
ENDS = ("over", "winner", "how", "points", "bostons")
BONUSES = {"7", "9", "13", "46", "47", "20", "tw.two_sets", "tw.backdoor", "tw.renege", "tw.odd"}


class Laws(NamedTuple):
    """Random games, how everybody moves one seat on in them, and what each of their entries counts by side."""

    games: st.SearchStrategy[Document]
    move: Callable[[Document], Document]
    columns: tuple[str, ...]


def drawn(document: Callable[..., Document], *ways: st.SearchStrategy[Any]) -> st.SearchStrategy[Document]:
    return st.builds(lambda seed, *chosen: document(Random(seed), *chosen), st.integers(0, 10**9), *ways)


def back_alley_game(chance: Random, sheet: str) -> Document:
    """With at most one option changed."""
    name = chance.choice(sorted(back_alley.OPTIONS[sheet]))
    options = {name: back_alley.OPTIONS[sheet][name][0]} if chance.random() < 0.5 else {}
    return back_alley.random_document(chance, sheet, options)


def move(document: Document) -> Document:
    """What is written by seat or by side begins with the next one."""
    entries = [
        entry | {key: [*entry[key][1:], *entry[key][:1]] for key in ("bids", "tricks") if key in entry}
        for entry in document["entries"]
    ]
    opening = {
        key: [*value[1:], value[0]] if isinstance(value, list) else value
        for key, value in document.get("opening", {}).items()
    }
    return document | {"entries": entries} | ({"opening": opening} if opening else {})


def swap(document: Document) -> Document:
    """In Bid Whist a line names its side."""
    opening = {
        key: value[::-1] if isinstance(value, list) else value for key, value in document.get("opening", {}).items()
    }
    swapped = document | {"entries": [swap_entry(entry) for entry in document["entries"]]}
    return swapped | ({"opening": opening} if opening else {})


def swap_entry(entry: Document) -> Document:
    swapped = entry | {field: 1 - entry[field] for field in ("bidder", "side", "to") if entry.get(field) is not None}
    return swapped | {field: entry[field][::-1] for field in ("points", "sets") if field in entry}


LAWS = {
    "bid_whist": Laws(drawn(bid_whist.random_document, st.sampled_from(bid_whist.SHEETS)), swap, ("scores",)),
    "spades": Laws(
        drawn(spades.random_document, st.sampled_from(sorted(spades.WAYS))), move, ("scores", "sets", "bags")
    ),
    "okinawa": Laws(drawn(okinawa.random_document, st.sampled_from(sorted(okinawa.WAYS))), move, ("scores", "sets")),
    "back_alley": Laws(drawn(back_alley_game, st.sampled_from(back_alley.SHEETS)), move, ("scores",)),
}
every_game = pytest.mark.parametrize("game", LAWS)


@every_game
def test_points_are_the_sum_of_the_lines(game: str) -> None:
    @given(LAWS[game].games)
    def law(document: Document) -> None:
        total = list(document.get("opening", {}).get("scores", [0] * len(document["sides"])))
        for step in print_score(document)["entries"]:
            for line in step["lines"]:
                total[line["side"]] += line["points"]
                assert line["rule"] and line["text"]
            assert step["scores"] == total

    law()


@given(LAWS["back_alley"].games)
def test_only_a_deciding_hand_tells_what_it_does_not_score(document: Document) -> None:
    card = score_document(read_document(document))
    for before, step in zip([card.document.carry, *(step.carry for step in card.steps)], card.steps, strict=False):
        assert before.deciding or all(line.points for line in step.lines)


@every_game
def test_moving_everybody_one_seat_on_moves_the_scores(game: str) -> None:
    """If two sides play, that swaps them."""

    @given(LAWS[game].games)
    def law(document: Document) -> None:
        sides = len(document["sides"])
        printed, moved = print_score(document), print_score(LAWS[game].move(document))
        assert moved["winner"] == (None if printed["winner"] is None else (printed["winner"] - 1) % sides)
        for key in ("points", "bostons"):
            assert moved[key] == [*printed[key][1:], printed[key][0]]
        for key in LAWS[game].columns:
            before = [[*step[key][1:], step[key][0]] for step in printed["entries"]]
            assert [step[key] for step in moved["entries"]] == before

    law()


@every_game
def test_a_correction_leaves_earlier_entries_as_they_were(game: str) -> None:
    @given(LAWS[game].games, st.data())
    def law(document: Document, data: st.DataObject) -> None:
        cut = data.draw(st.integers(0, len(document["entries"])))
        printed = print_score(document)
        assert print_score(document | {"entries": document["entries"][:cut]})["entries"] == printed["entries"][:cut]

    law()


@every_game
def test_a_game_carried_on_from_where_it_stands_ends_as_it_would_have(game: str) -> None:
    """An opening can say everything that the rest of a game depends on."""

    @given(LAWS[game].games, st.data())
    def law(document: Document, data: st.DataObject) -> None:
        by_director = any(entry["entry"] == "adjustment" and "sets" in entry for entry in document["entries"])
        steps = score_document(read_document(document)).steps
        assume(len(steps) > 1 and not by_director)
        cut = data.draw(st.integers(1, len(steps) - 1))
        opening, rest = write_opening(steps[cut - 1].carry), document["entries"][cut:]
        printed, later = print_score(document), print_score(document | {"opening": opening, "entries": rest})
        assert later["problems"] == []
        assert later["entries"] == printed["entries"][cut:]
        assert {key: later[key] for key in ENDS} == {key: printed[key] for key in ENDS}

    law()


@given(drawn(bid_whist.random_document, st.just("no-kitty-2021")))
def test_a_bonus_is_paid_at_most_once_in_a_game(document: Document) -> None:
    plain = document | {"options": document.get("options", {}) | {"bonus_points": 5, "rubber_games": 1}}
    printed = print_score(plain)
    bonuses = [line for step in printed.get("entries", ()) for line in step["lines"] if line["rule"] in BONUSES]
    given_by_hand = [entry for entry in plain["entries"] if entry["entry"] == "adjustment"]
    assert sum(line["points"] == 5 and line["rule"] != "5" for line in bonuses) <= 1 or given_by_hand


@given(LAWS["spades"].games)
def test_bags_stay_below_the_charge(document: Document) -> None:
    rules = read_document(document).rules
    for step in print_score(document)["entries"]:
        assert all(0 <= bags < (rules.bag_limit or 1) for bags in step["bags"])


WORDS = ["nil", "0", "blind-nil", "blind-7", "blind-10", "come-out-10", "pass", "", "4", "10", "13", "14", "-1", "Nil"]
OKINAWA_WORDS = ["pass", "0", "1", "2", "3", "5", "6", "okinawa", "Okinawa", "nil", ""]
words = st.sampled_from(
    ["pass", "0", "1", "2", "4", "13", "rainbow", "rainbow+1", "false-rainbow+board", "blind-2", *CALLS]
)
back_alley_hands = st.fixed_dictionaries(
    {
        "entry": st.just("hand"),
        "bids": st.lists(words, min_size=2, max_size=6),
        "tricks": st.lists(st.integers(-1, 13), max_size=6),
    },
    optional={
        "cards": st.integers(0, 14),
        "first_six": st.booleans(),
        "dealer": st.integers(-1, 6),
        "trump": st.sampled_from(["hearts", "none", "stars"]),
    },
)
WILD_HANDS = {
    "spades": st.fixed_dictionaries(
        {"entry": st.just("hand")},
        optional={
            "bids": st.lists(st.sampled_from(WORDS), max_size=5),
            "tricks": st.lists(st.integers(-1, 14), max_size=5) | st.sampled_from([[7, 6], [13, 0], [3, 3, 4, 3]]),
            "cards": st.integers(12, 14),
            "dealer": st.integers(-1, 4),
            "trump": st.sampled_from(["Spades", "hearts", ""]),
            "auction": st.just(["4"]),
            "first_six": st.booleans(),
        },
    ),
    "okinawa": st.fixed_dictionaries(
        {"entry": st.just("hand")},
        optional={
            "bids": st.lists(st.sampled_from(OKINAWA_WORDS), max_size=5),
            "tricks": st.lists(st.integers(-1, 6), max_size=5) | st.sampled_from([[3, 2], [5, 0], [1, 1, 2, 1], []]),
            "cards": st.integers(4, 6),
            "dealer": st.integers(-1, 4),
            "trump": st.sampled_from(["Spades", "hearts", "none", ""]),
            "auction": st.lists(st.sampled_from(OKINAWA_WORDS), max_size=5),
            "first_six": st.booleans(),
        },
    ),
    "back_alley": back_alley_hands,
}
SPOILED = st.one_of(
    st.just({}),
    st.dictionaries(
        st.sampled_from(["entry", "bidder", "bid", "books", "rule", "choice", "side", "points", "to", "seat", "trump"]),
        st.one_of(
            st.sampled_from(
                ["hand", "ruling", "award", "adjustment", "3", "3-no", "31", "32", "41", "set", "game", "x"]
            ),
            st.integers(-2, 15),
            st.none(),
            st.booleans(),
            st.lists(st.integers(-9, 9), max_size=3),
            st.floats(),
        ),
        max_size=2,
    ),
)
READINGS = {name: st.sampled_from(choices) for name, choices in bid_whist.READINGS.items()}


def spoiled_line(wild: Document, fields: int) -> Document:
    return dict(list(wild.items())[1 : fields + 1])


@pytest.mark.parametrize(
    ("game", "spoiled", "options", "examples"),
    [
        ("bid_whist", SPOILED, st.fixed_dictionaries({}, optional=READINGS), 4),
        *(
            (game, st.builds(spoiled_line, hands, st.sampled_from([0, 0, 1, 2])), st.just({}), 3)
            for game, hands in WILD_HANDS.items()
        ),
    ],
    ids=["bid_whist", *WILD_HANDS],
)
def test_whatever_is_typed_is_scored_whole_or_refused(game: str, spoiled: Any, options: Any, examples: int) -> None:
    """Sound games with at most two spoiled fields in one line: many are then scored, and many are refused."""
    count = Counter[bool]()

    @settings(max_examples=examples * settings().max_examples)
    @given(LAWS[game].games, options, st.integers(0, 99), spoiled)
    def typed(document: Document, chosen: Document, index: int, fields: Document) -> None:
        entries = list(document["entries"])
        if entries:
            entries[index % len(entries)] = entries[index % len(entries)] | fields
        printed = print_score(document | {"options": document.get("options", {}) | chosen, "entries": entries})
        count[bool(printed["problems"])] += 1
        assert all(problem["field"] and problem["text"] for problem in printed["problems"])
        if printed["problems"]:
            assert set(printed) == {"problems"}
        else:
            assert len(printed["entries"]) == len(entries)

    typed()
    assert min(count[True], count[False]) >= 20, count


OTHER_LINES = st.one_of(
    st.fixed_dictionaries(
        {
            "entry": st.just("void"),
            "rule": st.sampled_from(["", "all-pass", "ba.high_two.redeal", "ba.var.redeal_demand"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "entry": st.just("ruling"),
            "rule": st.sampled_from(["late", "forfeit", "misdeal", "other", "17"]),
            "choice": st.sampled_from(["award", "both-late", "wait", "", "warning", "adjustment"]),
        },
        optional={"side": st.integers(-1, 5)},
    ),
    st.sampled_from(
        [
            {"entry": "time"},
            {"entry": "agreed_stop"},
            {"entry": "award", "rule": "late", "to": 1},
            {"entry": "adjustment", "points": [5, 0], "reason": "shown cards"},
        ]
    ),
)


@given(
    st.sampled_from(back_alley.SHEETS),
    st.integers(0, 26),
    st.lists(st.one_of(back_alley_hands, OTHER_LINES), max_size=4),
)
def test_no_entry_of_back_alley_without_problems_raises(sheet: str, deal: int, facts: list[Document]) -> None:
    rules = find_sheet(f"back_alley/{sheet}").rules
    carry = GAME.begin(rules)._replace(hands=deal, deals=deal)
    for each in facts:
        entry, faults = read_entry(GAME, each)
        assert faults == ()
        GAME.next_hand(rules, carry)
        if not GAME.problems(rules, carry, entry):
            carry = GAME.score_entry(rules, carry, entry)[1]
