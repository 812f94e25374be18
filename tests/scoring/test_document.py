"""The game document: read strictly, written back, continued from paper."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.decisions import Adjustment, AgreedStop, Award, Ruling, Time, Void
from scoring.document import (
    Document,
    all_sheets,
    find_game,
    find_sheet,
    print_score,
    print_sheets,
    read_document,
    read_entry,
    score_document,
)
from scoring.fields import Fields, parse_documents, parse_json
from scoring.game import Seating
from scoring.ledger import BySide, CannotScore, Problem, start
from scoring.opening import totals_of, write_opening

GAME: dict[str, Any] = {"sheet": "bid_whist/no-kitty-2021", "sides": ["Aces", "Books"], "entries": []}
HAND = {"entry": "hand", "bidder": 0, "bid": "3", "books": 9}
BID_WHIST = find_game("bid_whist")
FOUR_HANDS = "spades/four-hand-tournament"


def refused(data: Any) -> list[tuple[str, int | None]]:
    with pytest.raises(CannotScore) as refusal:
        read_document(data)
    assert all(problem.text for problem in refusal.value.problems)
    return [(problem.field, problem.entry) for problem in refusal.value.problems]


def test_document_is_read_whole_and_where_it_stands_is_written() -> None:
    data = {
        "sheet": "bid_whist/no-kitty-2021",
        "options": {"backdoor_scope": "any-hand"},
        "sides": ["Eagles", "Night Owls"],
        "opening": {
            "scores": [3, -1],
            "sets": [1, 0],
            "bags": [0, 0],
            "bostons": [0, 1],
            "games": [0, 0],
            "hands": 4,
            "deals": 5,
        },
        "entries": [
            HAND,
            {"entry": "void", "rule": "17", "reason": "three cards short"},
            {"entry": "ruling", "rule": "32", "side": 0, "choice": "set", "bidder": 1, "bid": "2"},
            {"entry": "adjustment", "points": [0, 1], "sets": [0, 1], "rule": "20", "reason": "recounted"},
            {"entry": "award", "rule": "13", "to": None, "reason": "both late"},
            {"entry": "award", "rule": "13", "to": 0},
            {"entry": "time"},
            {"entry": "agreed_stop"},
        ],
    }
    document = read_document(data)
    assert document.entries[1:] == (
        Void("17", "three cards short"),
        Ruling("32", "set", 0, 1, "2"),
        Adjustment((0, 1), (0, 1), "20", "recounted"),
        Award("13", None, "both late"),
        Award("13", 0),
        Time(),
        AgreedStop(),
    )
    assert (document.carry.scores, document.carry.sets_running, document.carry.deals) == ((3, -1), (1, 0), 5)
    assert write_opening(document.carry) == data["opening"]
    assert read_document(GAME | {"options": None, "opening": None}) == read_document(GAME)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"sheet": "bid_whist/nothing"}, [("sheet", None)]),
        ({"sheet": "chess/standard"}, [("sheet", None)]),
        ({"sheet": 3}, [("sheet", None)]),
        ({"sheet": ["bid_whist/standard"]}, [("sheet", None)]),
        ({"sides": ["Aces"]}, [("sides", None)]),
        ({"sides": "Aces and Books"}, [("sides", None), ("sides", None)]),
        ({"options": ["odd"]}, [("options", None)]),
        ({"options": ""}, [("options", None)]),
        ({"options": {"odd": 1}}, [("options.odd", None)]),
        ({"entries": None}, [("entries", None)]),
        ({"entries": [HAND, 3]}, [("entry", 1)]),
        ({"entries": [{"entry": "dance"}]}, [("entry", 0)]),
        ({"entries": [{"entry": ["hand"]}]}, [("entry", 0)]),
        ({"entries": [{"bidder": 0}]}, [("entry", 0)]),
        ({"entries": [{"entry": "void", "rule": 17.5}]}, [("rule", 0)]),
        ({"entries": [{"entry": "void", "rule": True}]}, [("rule", 0)]),
        ({"entries": [{"entry": "time", "side": 0}]}, [("side", 0)]),
        ({"entries": [{"entry": "award", "rule": "13"}]}, [("side", 0)]),
        ({"entries": [{"entry": "award", "rule": "13", "to": 1, "side": 0}]}, [("side", 0)]),
        ({"entries": [{"entry": "ruling", "rule": "32", "side": "0"}]}, [("side", 0)]),
        ({"entries": [{"entry": "ruling", "rule": "32", "seat": 4}]}, [("seat", 0)]),
        ({"entries": [{"entry": "ruling", "rule": "32", "seat": 2, "bidder": 1}]}, [("seat", 0)]),
        ({"entries": [{"entry": "ruling", "rule": "32", "choice": "set", "points": [1, 0]}]}, [("points", 0)]),
        ({"entries": [{"entry": "ruling", "rule": "20", "choice": "adjustment", "points": 1}]}, [("points", 0)]),
        ({"entries": [{"entry": "award", "rule": "13", "winner": 1, "to": 0}]}, [("winner", 0)]),
        ({"entries": [{"entry": "adjustment", "points": "1"}]}, [("points", 0)]),
        ({"round": 1, "entries": [HAND | {"bid": 3}]}, [("round", None), ("bid", 0)]),
        ({"opening": [3, 0]}, [("opening", None)]),
        ({"opening": {"scores": [3]}}, [("opening.scores", None)]),
        ({"opening": {"sets": [-1, 0]}}, [("opening.sets", None)]),
        ({"opening": {"hands": -1}}, [("opening.hands", None)]),
        ({"opening": {"deals": "4"}}, [("opening.deals", None)]),
        ({"opening": {"tricks": [0, 0]}}, [("opening.tricks", None)]),
        ({"opening": {"scores": [0, -5]}}, [("opening", None)]),
        ({"opening": {"sets": [2, 0]}}, [("opening", None)]),
        ({"sheet": "spades/standard", "opening": {"scores": [510, 300]}}, [("opening", None)]),
        ({"sheet": FOUR_HANDS, "opening": {"scores": [110, 100], "hands": 4}}, [("opening", None)]),
        ({"sheet": "okinawa/standard", "opening": {"scores": [100, 90], "hands": 13}}, [("opening", None)]),
        ({"opening": {"sets": [2, 0], "hands": 4, "sets_running": [1, 0]}}, [("opening", None)]),
        ({"opening": {"deciding": "yes"}}, [("opening.deciding", None)]),
        ({"opening": {"reneges": [-1, 0]}}, [("opening.reneges", None)]),
        ({"opening": {"sets_running": [0, -1]}}, [("opening.sets_running", None)]),
    ],
)
def test_document_is_refused_with_every_fault_of_form(wrong: dict[str, Any], expected: list[Any]) -> None:
    assert refused(GAME | wrong) == expected


@pytest.mark.parametrize("data", [None, [], "sheet", 3])
def test_what_is_no_object_is_no_document(data: Any) -> None:
    assert refused(data) == [("document", None)]


def test_award_may_name_the_side_that_gets_the_game() -> None:
    for name in ("to", "side", "winner"):
        entry, problems = read_entry(BID_WHIST, {"entry": "award", "rule": "13", name: 1})
        assert (entry, problems) == (Award("13", 1), ())
        assert entry.named == name


PLAY_ON = {"entry": "ruling", "rule": "32", "side": 0, "choice": "play-on"}
SET = {"entry": "ruling", "rule": "32", "side": 0, "choice": "set", "bid": "2"}
IS_SET = Ruling("32", "set", 0, 1, "2")
ADJUSTED = {"entry": "ruling", "side": 0, "choice": "adjustment", "reason": "talking", "points": [-2, 0]}


@pytest.mark.parametrize(
    "facts",
    [PLAY_ON, {"entry": "award", "rule": "13", "to": 0}, {"entry": "adjustment", "points": [1, 0], "reason": "x"}],
)
@pytest.mark.parametrize("moment", ["time", "at"])
def test_who_decided_and_when_is_read(facts: dict[str, Any], moment: str) -> None:
    entry, problems = read_entry(BID_WHIST, facts | {"director": "Dana", moment: "19:40"})
    assert (entry.director, entry.time, problems) == ("Dana", "19:40", ())


@pytest.mark.parametrize(
    ("facts", "entry"),
    [
        (SET | {"seat": 3}, IS_SET),
        (SET | {"seat": 3, "bidder": 1}, IS_SET),
        (SET | {"seat": 2, "bidder": 1}, IS_SET),
        (ADJUSTED | {"rule": "20"}, Adjustment((-2, 0), (), "20", "talking")),
        (ADJUSTED | {"rule": "other", "sets": [1, 0]}, Adjustment((-2, 0), (1, 0), "", "talking")),
        ({"entry": "void", "rule": 17}, Void("17")),
        ({"entry": "agreed-stop"}, AgreedStop()),
    ],
)
def test_entry_may_be_written_in_other_ways(facts: dict[str, Any], entry: Any) -> None:
    """The bid of a ruling by a seat, an adjustment as a ruling, a rule by its plain number, a kind with a hyphen."""
    assert read_entry(BID_WHIST, facts) == (entry, ())


RENEGES: dict[str, Any] = {"second_renege": "game"}
RUBBER: dict[str, Any] = {"rubber_games": 2}


@pytest.mark.parametrize(
    ("sheet", "options", "opening", "field", "sentence"),
    [
        (
            "spades/overtime",
            {},
            {"sets": [1, 0], "sets_running": [2, 0]},
            "sets_running",
            "A side cannot have more sets in a row than sets in all.",
        ),
        (
            "spades/overtime",
            {},
            {"sets": [2, 0], "sets_running": [2, 0], "hands": 4},
            "sets_running",
            "2 sets in a row end the game: there is nothing to continue.",
        ),
        (
            "spades/new-york",
            {},
            {"sets": [2, 0], "hands": 4},
            "sets",
            "2 sets in a row end the game: there is nothing to continue.",
        ),
        (
            "spades/standard",
            {},
            {"sets": [3, 0], "hands": 2},
            "sets",
            "There are more sets than hands: 2 hands played so far.",
        ),
        (
            "bid_whist/standard",
            {},
            {"sets": [1, 1], "hands": 1},
            "sets",
            "There are more sets than hands: 1 hand played so far.",
        ),
        (
            "spades/two-sets",
            {},
            {"bostons": [1, 1], "hands": 1},
            "bostons",
            "There are more Bostons than hands: 1 hand played so far.",
        ),
        (
            "okinawa/standard",
            {},
            {"hands": 3, "deals": 2},
            "deals",
            "There are fewer deals than hands: 3 hands played so far.",
        ),
        (
            "okinawa/standard",
            {},
            {"scores": [5, 6], "hands": 3, "deciding": True},
            "deciding",
            "The score is not tied: time has ended this game.",
        ),
        (
            "bid_whist/standard",
            RUBBER,
            {"scores": [2, 2], "games": [1, 0], "deciding": True},
            "deciding",
            "The score is not tied: time has ended this game.",
        ),
        (
            "okinawa/standard",
            RENEGES,
            {"reneges": [0, 2], "hands": 3},
            "reneges",
            "The second renege of a side ends the game: there is nothing to continue.",
        ),
    ],
)
def test_opening_that_contradicts_itself_is_refused_at_its_field(
    sheet: str, options: dict[str, Any], opening: dict[str, Any], field: str, sentence: str
) -> None:
    data = GAME | {"sheet": sheet, "options": options, "opening": opening}
    with pytest.raises(CannotScore) as refusal:
        read_document(data)
    assert refusal.value.problems == (Problem(f"opening.{field}", "", sentence),)


@pytest.mark.parametrize(
    ("sheet", "options", "opening"),
    [
        ("spades/overtime", {}, {"sets": [2, 1], "sets_running": [0, 1], "hands": 3}),
        ("spades/standard", {}, {"sets": [1, 1], "hands": 1}),
        ("bid_whist/standard", RUBBER, {"games": [1, 1], "bostons": [1, 0], "hands": 0, "deals": 7}),
        ("bid_whist/standard", RUBBER, {"scores": [2, 2], "games": [1, 1], "deciding": True}),
        ("okinawa/standard", RENEGES, {"reneges": [1, 1], "hands": 3}),
        ("back_alley/all", {}, {"sets": [1, 0], "hands": 2, "deals": 4}),
    ],
)
def test_opening_says_all_that_is_read_of_a_game_and_is_written_again(
    sheet: str, options: dict[str, Any], opening: dict[str, Any]
) -> None:
    document = read_document(GAME | {"sheet": sheet, "options": options, "opening": opening})
    written = write_opening(document.carry)
    assert opening.items() <= written.items()
    assert read_document(GAME | {"sheet": sheet, "options": options, "opening": written}).carry == document.carry


def test_sets_in_a_row_and_in_all_stand_for_each_other_where_one_is_left_out() -> None:
    def sets(opening: dict[str, Any]) -> tuple[Any, Any]:
        carry = read_document(GAME | {"sheet": "spades/overtime", "opening": opening}).carry
        return carry.sets, carry.sets_running

    assert sets({"sets": [1, 0]}) == sets({"sets_running": [1, 0]}) == ((1, 0), (1, 0))


@pytest.mark.parametrize(
    ("sheet", "options", "asked"),
    [
        ("spades/standard", {}, ("scores", "sets", "bags", "hands", "deciding")),
        ("spades/new-york", {}, ("scores", "sets_running", "bostons", "hands", "deciding")),
        ("spades/overtime", {}, ("scores", "sets", "sets_running", "bags", "hands", "deciding")),
        ("spades/two-sets", RENEGES, ("scores", "sets", "bags", "bostons", "reneges", "hands", "deals", "deciding")),
        ("okinawa/standard", {}, ("scores", "sets", "hands", "deals", "deciding")),
        ("okinawa/standard", {"nobody_bids": "played"}, ("scores", "sets", "hands", "deciding")),
        ("back_alley/all", {"thrown_in_dealer": "same"}, ("scores", "sets", "hands", "deciding")),
        ("back_alley/all", {"back_to_back": 2}, ("scores", "sets_running", "hands", "deals", "deciding")),
        ("bid_whist/no-kitty-2021", {}, ("scores", "sets", "hands", "deciding")),
        ("bid_whist/standard", {"boston": "any-13"}, ("scores", "sets", "bostons", "hands", "deciding")),
        ("bid_whist/standard", RUBBER, ("scores", "sets", "bostons", "games", "hands", "deals", "deciding")),
        (
            "bid_whist/no-kitty-2021",
            {"sets_consecutive": True},
            ("scores", "sets_running", "hands", "deciding"),
        ),
    ],
)
def test_a_sheet_asks_for_the_totals_that_it_reads(sheet: str, options: dict[str, Any], asked: tuple[str, ...]) -> None:
    rules = read_document(GAME | {"sheet": sheet, "options": options}).rules
    assert tuple(total.key for total in totals_of(rules)) == asked


@pytest.mark.parametrize("sheet", ["bid_whist/no-kitty-2021", "spades/new-york", "okinawa/standard"])
def test_opening_that_leaves_out_its_hands_has_seen_one_where_there_are_points(sheet: str) -> None:
    def hands(opening: dict[str, Any]) -> tuple[int, int]:
        carry = read_document(GAME | {"sheet": sheet, "opening": opening}).carry
        return carry.hands, carry.deals

    assert hands({"scores": [0, 0]}) == (0, 0)
    assert hands({"scores": [3, 0]}) == (1, 1)
    assert hands({"sets": [1, 0], "deals": 3}) == (1, 3)
    assert hands({"scores": [-1, 0], "hands": 0}) == (0, 0)


@pytest.mark.parametrize("sheet", ["bid_whist/standard", "spades/standard", "okinawa/standard"])
def test_four_sit_at_two_sides_however_many_are_named(sheet: str) -> None:
    game, rules = find_game(sheet), find_sheet(sheet).rules
    assert (game.seating(rules), game.for_sides(rules, 3)) == (Seating(4, 2), rules)


def test_opening_of_a_game_that_adds_nothing_stays_as_it_is() -> None:
    carry = start(2)._replace(scores=BySide((40, 12)))
    assert find_game("back_alley").carried_on(None, carry) == carry


def test_first_entry_that_cannot_be_scored_stops_the_document() -> None:
    document = read_document(GAME | {"entries": [HAND, HAND | {"books": 14}, HAND | {"bid": "9"}]})
    with pytest.raises(CannotScore, match="13 books"):
        score_document(document)
    assert isinstance(document, Document)


def test_score_is_printed_with_its_reasons() -> None:
    assert print_score(GAME | {"entries": [HAND]}) == {
        "entries": [
            {
                "lines": [{"rule": "4", "side": 0, "points": 3, "text": "3 bid, 9 books: 3 over six", "kind": "bid"}],
                "scores": [3, 0],
                "sets": [0, 0],
                "bags": [0, 0],
            }
        ],
        "over": False,
        "winner": None,
        "how": None,
        "rule": None,
        "text": None,
        "points": [3, 0],
        "bostons": [0, 0],
        "problems": [],
    }


def test_problems_alone_are_printed_of_a_document_that_cannot_be_scored() -> None:
    printed = print_score(GAME | {"entries": [HAND, HAND | {"books": 14}]})
    assert printed == {
        "problems": [{"entry": 1, "field": "books", "rule": "4", "text": "There are 13 books; 14 is not possible."}]
    }


def test_sheets_are_printed_with_their_options() -> None:
    printed = {sheet["key"]: sheet for sheet in print_sheets()}
    assert list(printed) == [sheet.key for _, sheet in all_sheets()]
    sheet = printed["bid_whist/no-kitty-2021"]
    facts = {key: value for key, value in sheet.items() if key != "options"}
    assert facts == {
        "key": "bid_whist/no-kitty-2021",
        "title": "Tournament Bid Whist, no kitty, no jokers (2021)",
        "source": "The printed tournament sheet, revised July 24, 2021",
        "seats": 4,
        "sides": 2,
        "bids_by": "side",
        "auction": True,
    }
    assert next(item for item in sheet["options"] if item["key"] == "set_limit") == {
        "key": "set_limit",
        "title": "Sets that lose the game:",
        "type": "number",
        "choices": {"none": "none: sets do not end a game"},
        "low": 1,
        "high": 13,
        "default": 2,
        "words": "2",
        "group": "end",
    }


def test_sheet_that_is_not_there_is_not_found() -> None:
    for key in ("bid_whist/nothing", "chess/standard"):
        with pytest.raises(KeyError):
            find_sheet(key)


def test_game_that_lasts_until_somebody_wins_plans_no_number_of_hands() -> None:
    assert [BID_WHIST.hands_planned(sheet.rules) for sheet in BID_WHIST.sheets] == [None] * len(BID_WHIST.sheets)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"sides": ["Aces"]}, "Tournament Bid Whist, no kitty, no jokers (2021) is played by 2 sides; 1 is named."),
        (
            {"sheet": "back_alley/individual", "sides": ["A", "B", "C", "D", "E"]},
            "Individual Back Alley is played by 2, 3 or 4 sides; 5 are named.",
        ),
        ({"sheet": None}, "There is no rule sheet null."),
        ({"sheet": "bid_whist/x"}, "There is no rule sheet “bid_whist/x”."),
        (
            {"entries": [{"entry": {"hand": "a long word that nobody will want to read"}}]},
            '{"hand": "a long word that nobody will w… is not an entry: hand, void, ruling, award, adjustment, time,'
            " agreed_stop.",
        ),
        (
            {"entries": [HAND | {"bid": 3}]},
            "3 is not a bid. A bid is a number and a kind, as text: “3”, “3-special” (downtown), “3-no” (no trump).",
        ),
        (
            {"options": {"defenders_score": ["no"]}},
            'The side that did not bid scores: ["no"] is not one of no, books-above-six, every-book.',
        ),
    ],
)
def test_what_cannot_be_read_is_named_as_the_document_has_it(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(CannotScore) as refusal:
        read_document(GAME | wrong)
    assert [problem.text for problem in refusal.value.problems] == [text]


# Plain JSON values are read strictly.
@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("text", "spades", "spades"),
        ("text", None, ""),
        ("number", -3, -3),
        ("number", None, None),
        ("numbers", [1, 2], (1, 2)),
        ("numbers", None, ()),
        ("texts", ["3", "pass"], ("3", "pass")),
        ("texts", None, ()),
        ("flag", True, True),
        ("flag", None, None),
    ],
)
def test_value_of_the_right_kind_is_read(kind: str, value: Any, read: Any) -> None:
    fields = Fields({"x": value})
    assert (getattr(fields, kind)("x"), fields.problems) == (read, [])


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("text", 3),
        ("text", ["a"]),
        ("text", "x" * 501),
        ("number", True),
        ("number", 7.0),
        ("number", "7"),
        ("number", 10**7),
        ("numbers", "12"),
        ("numbers", [1, True]),
        ("numbers", [10**7]),
        ("texts", "pass"),
        ("texts", [3]),
        ("flag", 1),
        ("flag", "yes"),
    ],
)
def test_value_of_the_wrong_kind_is_refused_at_its_field(kind: str, value: Any) -> None:
    fields = Fields({"x": value}, rule="4")
    assert not getattr(fields, kind)("x")
    assert [(problem.field, problem.rule) for problem in fields.problems] == [("x", "4")]


def test_numbers_are_one_per_side_and_a_field_that_nobody_reads_is_refused() -> None:
    fields = Fields({"scores": [1, 2, 3], "colour": "red"})
    assert fields.numbers("scores", 2, 0) == ()
    assert fields.numbers("sets", 2, 0) == (0, 0)
    fields.only(frozenset({"scores"}))
    assert fields.problems == [
        Problem("scores", "", "“scores” needs 2 numbers, one per side; there are 3."),
        Problem("colour", "", "There is no field “colour” here."),
    ]


# JSON is parsed strictly, and in a list each document by itself.
@pytest.mark.parametrize(
    "text",
    ["", "{", "[1,]", "NaN", '{"a": Infinity}', '{"a": 1, "b": 2, "a": 3}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}"],
    ids=["empty", "open", "comma", "nan", "infinity", "twice", "deep", "long"],
)
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(CannotScore) as refusal:
        parse_json(text)
    assert [problem.field for problem in refusal.value.problems] == ["document"]


def test_key_that_stands_twice_is_named() -> None:
    with pytest.raises(CannotScore, match="“a” is used twice"):
        parse_json('{"b": 0, "a": 1, "a": 2}')


def test_json_that_is_sound_is_parsed() -> None:
    assert parse_json('{"a": [1, null]}') == {"a": [1, None]}


def parsed(text: str) -> Any:
    """Return what is parsed, with the words of the fault instead of each faulty document."""
    found = parse_documents(text)
    return [str(one.problems[0].text) if isinstance(one, CannotScore) else one for one in found]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "“a” is used twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": [' + "9" * 6000 + "]}", "a number of 6000 digits is too long"),
    ],
    ids=["twice", "nan", "long"],
)
@pytest.mark.parametrize("around", ["[{good},{bad},{good}]", " [ {good} , {bad}\n,\t{good} ] \n"])
def test_one_bad_document_of_a_list_spoils_no_other(text: str, words: str, around: str) -> None:
    good = '{"note": "a ], { and a \\" in a text"}'
    first, second, third = parsed(around.replace("{good}", good).replace("{bad}", text))
    assert first == third == {"note": 'a ], { and a " in a text'}
    assert words in second


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '[{"a": NaN}',
        '[{"a": NaN},]',
        '[{"a": NaN}] 1',
        "[NaN, " + "[" * 100_000,
        "[NaN,",
        "nonsense",
    ],
    ids=["no list", "open", "comma", "more behind", "deep", "nothing behind", "no JSON"],
)
def test_what_is_no_list_is_refused_as_a_whole(text: str) -> None:
    with pytest.raises(CannotScore):
        parse_documents(text)


def test_documents_without_a_fault_are_parsed_at_once() -> None:
    assert parse_documents('[{"a": 1}, 2]') == [{"a": 1}, 2]
    assert parse_documents('{"a": 1}') == {"a": 1}
