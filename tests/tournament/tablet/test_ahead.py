"""What a tablet is sent in advance: the forms of all hands to come and the page around them, for every dealer."""

from __future__ import annotations

import html
import json
import re
import uuid
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client

from scoring.document import all_sheets
from tests.factories import make_event, make_round, make_teams, play, play_out, seat_all
from tests.sure import sure
from tests.tournament.tablet.conftest import bind
from tests.tournament.tablet.hands import EVERY_SHEET
from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Player, Team
from tournament.queries.outcomes import _asked_of, _hands, _outcomes, coming_sheets
from tournament.queries.rules import ruleset, ruleset_of
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import LINES
from tournament.services.entries import undo_entry
from tournament.services.rounds import call_director, choose_first_dealer, seat_side
from tournament.templatetags.sheets import heads_of, line

THREE = {"entry": "hand", "seat": 0, "bid": "3", "books": 9}
# Forms and page together: what goes through the hall's air at the start of a game.
MOST_BYTES = 80_000


@pytest.fixture
def at_table(dana: User) -> Any:
    """A table of the sheet, its tablet, and what that is sent: `at_table("spades/standard", 4)`."""

    def open_table(sheet: str, sides: int | None = None) -> tuple[Client, Game]:
        event = make_event("Ahead", dana, sheet=sheet)
        teams = make_teams(event, sides or ruleset_of(event).seating.sides)
        if ruleset_of(event).singles:
            Player.objects.filter(team__event=event, position__gt=0).delete()
        game = make_round(event, [tuple(teams)]).games.get()
        return bind(dana, event, 1), game

    return open_table


def ahead_of(tablet: Client) -> dict[str, Any]:
    key = tablet.cookies[TABLE_COOKIE].value
    answer = tablet.get("/t/api/state/", headers={"Authorization": f"Table {key}"})
    assert answer.status_code == 200
    return answer.json()


def state_of(tablet: Client) -> dict[str, Any]:
    page = tablet.get("/t/table/").content.decode()
    match = sure(re.search(r'data-state="([^"]*)"', page))
    return json.loads(html.unescape(match[1]))


def page_of(sent: dict[str, Any], runs: list[list[int]]) -> str:
    return "\n".join("\n".join(sent["lines"][first:last]) for first, last in runs)


def dealt_by(page: str, first: int) -> str:

    def keep(found: re.Match[str]) -> str:
        tag, more, named, inside = found.groups()
        return f"<{tag}{more}>{inside}</{tag}>" if int(named) == first else ""

    page = re.sub(r'<(span|div)([^>]*?) data-first="(\d)">(.*?)</\1>', keep, page, flags=re.DOTALL)
    return re.sub(r'<span hidden class="asked" data-order="([^"]*)"></span>(.*)', in_order, page, flags=re.DOTALL)


def in_order(found: re.Match[str]) -> str:
    """The questions as the named order has them; behind them the rest of the page."""
    order, page = found[1].split(), found[2]
    ask = re.compile(r'<fieldset class="ask[^"]*" data-asks="([^"]*)".*?</fieldset>', re.DOTALL)
    asks = {match[1]: match[0] for match in ask.finditer(page)}
    assert set(order) == set(asks)
    return "".join(asks[name] for name in order) + ask.sub("", page)


def plain(page: str) -> str:
    """Without what is new on every page, and without the blanks between."""
    page = re.sub(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>', "", page)
    page = re.sub(r'(name="client_key" value=)"[^"]*"', r'\1""', page)
    return re.sub(r"\s+", " ", re.sub(r">\s+|\s+<", lambda found: found[0].strip(), page))


def form_of(game: Game, hand: int) -> str:
    """The form of a hand to come, once the first dealer is known."""
    sheet = coming_sheets(sheet_now(game))[hand]
    preview = f"/t/table/games/{game.pk}/preview/"
    context = {"check_action": "/t/table/", "preview_action": preview, "entry_target": "#table"}
    shown = {"sheet": sheet, "position": sheet.next_position, "client_key": "", "values": {}, "faults": ()}
    return render_to_string("components/entry_form.html", {**context, **shown})


@pytest.mark.parametrize("sheet", EVERY_SHEET)
def test_forms_and_page_are_those_of_every_first_dealer(at_table: Any, sheet: str) -> None:
    tablet, game = at_table(sheet)
    sent = ahead_of(tablet)
    for seat in range(ruleset_of(game.round.event).seating.seats):
        Game.objects.filter(pk=game.pk).update(first_dealer=seat)
        for hand in {0, 1, len(sent["forms"]) - 1}:
            assert plain(dealt_by(page_of(sent, sent["forms"][hand]), seat)) == plain(form_of(game, hand))
    part = sum(len(json.dumps(sent[name])) for name in ("lines", "forms", "parts"))
    print(f"{sheet}: {part} bytes, {len(sent['forms'])} forms")
    assert part < MOST_BYTES


@pytest.mark.parametrize(("sheet", "sides"), [("bid_whist/no-kitty-2021", 2), ("back_alley/individual", 3)])
def test_the_page_that_is_sent_is_the_page_that_comes(at_table: Any, sheet: str, sides: int) -> None:
    tablet, game = at_table(sheet, sides)
    sent = ahead_of(tablet)

    def stage() -> str:
        page = tablet.get("/t/table/").content.decode()
        inside = page.partition('<div id="stage" class="stage">')[2].partition("</div>\n</div>\n\n")[0]
        return plain(re.sub(r'<form id="entry".*?</form>', "", inside, flags=re.DOTALL))

    for side in range(sides):
        seat_side(Actor(), game, side)
    assert plain(page_of(sent, sent["parts"]["dealer"])) in stage()
    for seat in (1, 2, 0):
        choose_first_dealer(Actor(), game, seat)
        assert plain(dealt_by(page_of(sent, sent["parts"]["play"]), seat)) in stage()


def test_it_is_asked_for_again_when_it_would_be_another(at_table: Any, dana: User) -> None:
    tablet, game = at_table("bid_whist/no-kitty-2021")
    first = state_of(tablet)["coming"]
    assert ahead_of(tablet)["coming"] == first
    seat_side(Actor(), game, 0)
    seat_side(Actor(), game, 1)
    choose_first_dealer(Actor(), game, 2)
    choose_first_dealer(Actor(), game, 3)
    call_director(Actor(), game, "score")
    assert state_of(tablet)["coming"] == first
    Player.objects.filter(name="Bea 1").update(name="Bo")
    named = state_of(tablet)["coming"]
    play(dana, game, THREE)
    written = state_of(tablet)["coming"]
    sent = ahead_of(tablet)
    assert len({first, named, written}) == 3
    assert (sent["coming"], sent["parts"], "data-first" in "".join(sent["lines"])) == (written, {}, False)


def test_it_serves_for_many_hands_and_for_those_that_are_undone(at_table: Any, dana: User) -> None:
    tablet, game = at_table("bid_whist/no-kitty-2021")
    Event.objects.update(options={"win_at": 100, "lose_at": -100, "set_limit": "none"})
    seat_all(game)
    play(dana, game, THREE)
    sent, key = ahead_of(tablet), state_of(tablet)["coming"]
    for hands in range(1, LINES):
        state, now = state_of(tablet), ahead_of(tablet)
        assert (state["coming"], state["hands"], now["from"], len(now["before"])) == (key, hands, hands, hands)
        assert now["before"] + now["forms"] == sent["before"] + sent["forms"]
        due = plain(page_of(sent, [*sent["before"], *sent["forms"]][hands]))
        assert f"Hand {hands + 1} " in due and due == plain(form_of(game, hands))
        play(dana, game, THREE)
    assert state_of(tablet)["coming"] != key
    play(dana, game, {"entry": "void", "rule": "13", "reason": "Misdeal"})
    undo_entry(Actor(), game, position=LINES + 1)
    undo_entry(Actor(), game, position=LINES)
    assert state_of(tablet)["coming"] == key
    play(dana, game, {"entry": "void", "rule": "13", "reason": "Misdeal"})
    assert state_of(tablet)["coming"] != key


def test_a_page_beside_an_answer_leaves_out_the_form_that_was_sent(at_table: Any, dana: User) -> None:
    tablet, game = at_table("bid_whist/no-kitty-2021")
    Event.objects.update(options={"win_at": 100, "lose_at": -100})
    seat_all(game)
    sent = ahead_of(tablet)

    def hand(number: int, ahead: Any) -> str:
        facts = THREE | {"seat": number % 2}
        about = {"uid": str(uuid.uuid4()), "kind": "hand", "game": game.pk, "after": None, "at": 0, "n": number}
        batch = {"items": [about | {"position": number, "facts": facts}], "page": True, "ahead": ahead}
        headers = {"Authorization": f"Table {tablet.cookies[TABLE_COOKIE].value}"}
        answer = tablet.post("/t/api/submissions/", batch, content_type="application/json", headers=headers).json()
        assert answer["results"][0]["status"] == "applied"
        return str(answer["page"])

    # Dealt and not begun, the key was another one: the dealer could still have been somebody else.
    whole = hand(1, sent["coming"])
    sent = ahead_of(tablet)
    short = hand(2, sent["coming"])
    form = re.compile(
        r'<section aria-label="The next hand" id="next-hand"( data-sent)?>\s*(<form id="entry".*?</form>)?', re.DOTALL
    )
    parts = [bool(part) for page in (whole, short) for match in form.finditer(page) for part in match.groups()]
    assert parts == [False, True, True, False]
    # What is left out is what the tablet has; under another key the page has it.
    has = plain(page_of(sent, [*sent["before"], *sent["forms"]][3]))
    assert [plain(match[2]) for match in form.finditer(hand(3, "another"))] == [has]


def test_the_page_says_who_is_seated_and_who_deals(at_table: Any) -> None:
    tablet, game = at_table("bid_whist/no-kitty-2021")
    seat_side(Actor(), game, 1)
    before = state_of(tablet)
    assert [side["seated"] for side in before["sides"]] == [False, True]
    seat_side(Actor(), game, 0)
    choose_first_dealer(Actor(), game, 2)
    after = state_of(tablet)
    assert (before["dealer"], after["dealer"]) == (None, 2)
    assert after["reached"] == Event.objects.get().version > before["reached"]


def test_a_schedule_is_sent_to_its_end(at_table: Any) -> None:
    """Every deal has its own number of cards: the form of a later one is no other form emptied."""
    tablet, game = at_table("back_alley/partnership")
    sent = ahead_of(tablet)
    cards = [re.findall(r'name="cards" value="(\d+)"', page_of(sent, form)) for form in sent["forms"]]
    assert cards == [[str(deal.cards)] for deal in sheet_now(game).coming] and len(cards) > 12


def test_the_counts_at_which_a_game_is_over_are_sent_as_data(at_table: Any, dana: User) -> None:
    """A script only adds and compares: what ends a game, and from which hand alone, is said here."""
    tablet, game = at_table("bid_whist/no-kitty-2021")
    seat_all(game)
    play(dana, game, {"entry": "hand", "seat": 1, "bid": "2", "books": 7})
    state = state_of(tablet)
    assert state["limits"] == {"win_at": 5, "lose_at": -5, "sets": 2, "sets_now": [0, 1], "hands": None}
    sides, bids, counts = state["outcomes"]["answers"]
    asked = [(0, "3", 9), (1, "2", 7), (0, "1", 6), (0, "7", 13)]
    places = [list(product(sides, bids, counts)).index(answer) for answer in asked]
    leads = [state["outcomes"]["leads"][state["outcomes"]["hands"][2][seat]] for seat in places]
    assert [(scores, over, ends, sets) for scores, _, _, over, ends, sets in leads] == [
        ([3, -2], False, False, [1, 1]),
        ([5, -4], True, False, [1, 2]),
        ([-1, 3], True, True, [2, 1]),
        ([7, -2], True, False, [1, 1]),
    ]


@pytest.mark.parametrize(
    ("sheet", "hands"), [("okinawa/standard", 13), ("back_alley/partnership", 26), ("spades/standard", None)]
)
def test_where_everybody_bids_only_the_number_of_deals_is_a_limit(at_table: Any, sheet: str, hands: int | None) -> None:
    tablet, _ = at_table(sheet)
    counts: dict[str, Any] = {"win_at": None, "lose_at": None, "sets": None, "sets_now": []}
    state = state_of(tablet)
    assert (state["limits"], state["outcomes"]) == ({**counts, "hands": hands}, None)


def test_a_lead_and_a_rubber_have_no_count_of_their_own(at_table: Any, dana: User) -> None:
    for options in ({"win_rule": "lead"}, {"rubber_games": 2}):
        tablet, game = at_table("bid_whist/no-kitty-2021")
        Event.objects.filter(pk=game.round.event_id).update(options=options)
        assert state_of(tablet)["limits"]["win_at"] is None
        Event.objects.filter(pk=game.round.event_id).update(slug=f"gone-{game.pk}")


# What the next hands come to is kept for all tables in the same situation: what is left out of the key changes nothing.
SHEETS = [
    sheet.key
    for _, sheet in all_sheets()
    if {field.of for field in ruleset(sheet.key).first_hand.fields if field.needed} == {"bidder"}
]
CHOICES: list[dict[str, Any]] = [
    {},
    {"set_limit": 3, "sets_consecutive": True},
    {"set_limit": 3, "sets_consecutive": False},
    {"rubber_games": 2},
]
HANDS, GAMES = 12, 3


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("choices", CHOICES, ids=json.dumps)
def test_tables_that_stand_alike_have_the_same_next_hands(sheet: str, choices: dict[str, Any]) -> None:
    rules, chance = ruleset(sheet, json.dumps(choices)), Random(sheet)
    counted = _outcomes.__wrapped__
    left_out = 0
    for _ in range(GAMES):
        carry = rules.game.begin(rules.rules)
        for _ in range(HANDS):
            questions = _asked_of(rules, carry)
            left_out += questions != carry
            fields = tuple(field for field in rules.game.next_hand(rules.rules, carry).fields if field.needed)
            refused = [bid for _, hand, bid in _hands(rules, fields) if rules.game.problems(rules.rules, carry, hand)]
            assert not refused, "A tablet is sent an outcome for each hand that it offers."
            assert counted(rules, questions) == counted(rules, carry)
            carry = after(rules, carry, choose_hand(rules, carry, chance))
            if carry.verdict is not None:
                break
    assert left_out


# The lines of a sheet are kept by what they say: what is shown is what would be written now.
KEPT_HANDS = 4


def shown(game: Game) -> list[str]:
    """Every line as a page shows it; it must be what its template writes."""
    sheet = sheet_now(game)
    heads = heads_of(sheet)
    about = {"sheet": sheet, "heads": heads, "wide": len(heads) + len(sheet.sides)}
    lines = [line(row, sheet, heads) for row in sheet.rows]
    assert lines == [render_to_string("components/sheet_line.html", about | {"row": row}) for row in sheet.rows]
    return lines


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", EVERY_SHEET)
def test_lines_that_are_kept_say_what_the_sheet_says_now(dana: User, key: str) -> None:
    event = make_event("Kept", dana, sheet=key)
    rules = ruleset_of(event)
    sides = rules.seating.sides
    teams = make_teams(event, 2 * sides)
    games = list(make_round(event, [tuple(teams[:sides]), tuple(teams[sides:])]).games.order_by("table"))
    hands = list(islice(play_out(rules, Random(key)), KEPT_HANDS))
    for game in games:
        play(dana, game, *hands, sign=False)
    first, other = map(shown, games)
    assert first == shown(games[0]) and first != other
    Team.objects.filter(pk=teams[0].pk).update(name="Night Owls")
    shown(games[0])
    undo_entry(Actor(dana), games[0], position=len(first))
    assert len(shown(games[0])) == len(first) - 1


@pytest.mark.parametrize("key", EVERY_SHEET)
def test_a_hand_of_any_deal_can_be_taken_off_and_stays_readable(dana: User, key: str) -> None:
    """Of a rising schedule the seventh hand has seven cards: read as a first hand it could not be scored."""
    event = make_event("Undone", dana, sheet=key)
    rules = ruleset_of(event)
    game = make_round(event, [tuple(make_teams(event, rules.seating.sides))]).games.get()
    hands = list(islice(play_out(rules, Random(key)), 12))
    play(dana, game, *hands, sign=False)
    outcomes = [(row.written.bid, row.written.words) for row in sheet_now(game).rows]
    for position in range(len(outcomes), 0, -1):
        undo_entry(Actor(dana), game, position=position)
    assert [(line.written.bid, line.written.words) for line in sheet_now(game).removed] == outcomes
