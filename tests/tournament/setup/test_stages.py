"""Options by stage: rounds to 300, playoffs to 350, the final to 500, on every sheet, page, paper, tablet and file."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.document import print_score
from tests.factories import make_event, make_round, page_of, seat_all, signed_in, words_of
from tests.sure import fresh, refusal_of, sure
from tests.tournament.archive.filed import changed, filed, told
from tests.tournament.reports.evenings import pdf_pages, pdf_text, printed, squeezed
from tests.tournament.setup.test_events import options_as_sent
from tests.tournament.tablet.conftest import bind
from tests.tournament.verifying.test_verify import found
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict
from tournament.forms.score_workbook import read_boards
from tournament.models import Event, Game, Journal, Result, Round
from tournament.queries.clocks import minutes_of, waiting_sides
from tournament.queries.desk import desk_round
from tournament.queries.projector import board
from tournament.queries.rules import EVERYTHING, IN_STAGES, NO_PLAYOFFS, ONE_POT, ruleset_of, stage_of
from tournament.queries.score_workbooks import FIRST_ROW, board_cells, round_boards
from tournament.queries.scored import scored_game, sheet_code
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import standings
from tournament.reports.excel.boards import boards_workbook
from tournament.services.draws import draw_rounds
from tournament.services.entries import record_entry
from tournament.services.events import OWN_RULES, change_event, change_options, copy_event
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import call_time, close_round, start_round, take_start_back
from tournament.services.signatures import rebuild_results, sign_for_all

# Side 0 makes a bid of 10 with a trick over, 101 points; side 1 a bid of 2, 20 points.
HAND = {"entry": "hand", "bids": [5, 1, 5, 1], "tricks": [5, 1, 6, 1]}
ROUNDS, PLAYOFFS, FINAL = 3, 4, 5
OWN = {"playoff": {"game_at": 350, "round_minutes": 50}, "final": {"game_at": 500, "grace_minutes": 9}}
OF_FINAL = OWN["playoff"] | OWN["final"]
TARGETS = {ROUNDS: "300 points", PLAYOFFS: "350 points", FINAL: "500 points"}


@pytest.fixture
def spades(dana: User) -> Event:
    fields = {"sheet": "spades/standard", "rounds_planned": 1, "cut": 4, "losers": "places", "places_to": 4}
    event = make_event("Spades Open", director=dana, teams=4, options={"game_at": 300}, **fields)
    return change_options(Actor(dana), event, {"game_at": 300}, stages=OWN)


def play_out(dana: User, round_: Round, hands: int) -> None:
    """Every game of a round takes this many hands, not one fewer; then it is signed and the round closed."""
    for game in round_.games.all():
        for hand in range(hands):
            assert not Result.objects.get(game=game).over, hand
            record_entry(Actor(dana), game, HAND, source="desk")
        sign_for_all(Actor(dana), fresh(game), "test")
    close_round(Actor(dana), round_.event, round_.number)


def to_the_final(dana: User, event: Event) -> Event:
    """The event with its final drawn; nothing is written in it."""
    draw_rounds(Actor(dana), event, seed=1)
    play_out(dana, start_round(Actor(dana), event, 1), ROUNDS)
    make_cut(Actor(dana), event, 4)
    for _ in ("semifinal", "third place"):
        play_out(dana, start_playoff_round(Actor(dana), event), PLAYOFFS)
    start_playoff_round(Actor(dana), event)
    return fresh(event)


def to_the_champion(dana: User, event: Event) -> Event:
    event = to_the_final(dana, event)
    play_out(dana, event.rounds.get(state="running"), FINAL)
    return finish_event(Actor(dana), event)


def codes_of(event: Event) -> list[str]:
    results = Result.objects.filter(game__round__event=event).order_by("game__round__number", "game__table")
    return list(results.values_list("code", flat=True))


def of_stages(event: Event) -> list[tuple[Game, int]]:
    """Every game with the number of hands that its own target asks for."""
    games = Game.objects.filter(round__event=event).select_related("round__event").order_by("round__number", "table")
    hands = {1: ROUNDS, 2: PLAYOFFS, 3: PLAYOFFS, 4: FINAL}
    return [(game, hands[game.round.number]) for game in games]


def test_every_game_is_played_to_the_target_of_its_stage_up_to_the_champion(dana: User, spades: Event) -> None:
    event = to_the_champion(dana, spades)
    assert [(round_.title, round_.options) for round_ in event.rounds.all()] == [
        ("", {}),
        ("Semifinal", OWN["playoff"]),
        ("Third place", OWN["playoff"]),
        ("Final", OF_FINAL),
    ]
    # The final has options of its own, so no other game is played in its round.
    matches = [sorted(event.rounds.get(number=number).games.values_list("match", flat=True)) for number in (3, 4)]
    assert matches == [["M3P"], ["M3"]]
    assert [stage_of(event, "playoff", [match]) for match in ("M2", "M3", "M3P")] == ["playoff", "final", "playoff"]
    assert found() == []
    codes = codes_of(event)
    rebuild_results(event)
    assert codes_of(event) == codes
    for game, hands in of_stages(event):
        document = json.loads(json.dumps(sheet_now(game).document))
        score = print_score(document)
        assert (document["options"]["game_at"], score["problems"]) == (int(TARGETS[hands][:3]), [])
        result = Result.objects.get(game=game)
        assert (score["over"], score["points"], len(score["entries"])) == (True, result.points, hands)


def test_a_stage_without_options_of_its_own_changes_no_fingerprint(dana: User, spades: Event) -> None:
    game = make_round(spades, [tuple(spades.teams.all()[:2])]).games.get()
    code = sheet_code(game, scored_game(game))
    Event.objects.update(stage_options={})
    game = Game.objects.get()
    assert sheet_code(game, scored_game(game)) == code
    game.round.options = {"round_minutes": 50}
    assert sheet_code(game, scored_game(game)) == code
    game.round.options = {"game_at": 500}
    assert sheet_code(game, scored_game(game)) != code


def test_every_paper_page_and_workbook_of_a_stage_says_its_own_target(
    dana: User, spades: Event, client: Client
) -> None:
    event, desk = to_the_champion(dana, spades), signed_in(dana)
    for game, hands in of_stages(event):
        others = [words for stage, words in TARGETS.items() if stage != hands]
        paper = pdf_text(printed(dana, event, f"games/{game.pk}.pdf"))
        assert (f"The game is won at: {TARGETS[hands]}" in paper, [words for words in others if words in paper]) == (
            True,
            [],
        )
        pages = [client.get(reverse("public-game", args=[event.slug, game.pk]))]
        pages.append(desk.get(reverse("desk-game", args=[event.slug, game.pk])))
        assert [TARGETS[hands] in words_of(page) for page in pages] == [hands != ROUNDS] * 2
        shape = round_boards(event, game.round)
        cell = openpyxl.load_workbook(io.BytesIO(boards_workbook(shape)))[shape.boards[0].title]["A2"].value
        assert (TARGETS[hands] in str(cell), shape.rules.rules) == (hands != ROUNDS, scored_game(game).rules.rules)
    rules = words_of(client.get(reverse("rules", args=[event.slug])))
    _, playoffs, final = rules.split("what is different")
    assert ["won at 350 points" in playoffs, "won at 500 points" in final, "Late after 9" in final] == [True] * 3
    listed = squeezed(pdf_text(printed(dana, event, "rules.pdf")))
    assert squeezed("Final: what is different") in listed and "500points" in listed
    bracket = words_of(client.get(reverse("bracket", args=[event.slug])))
    assert [bracket.count(words) for words in TARGETS.values()] == [0, 1, 1]
    drawn = squeezed(pdf_text(printed(dana, event, "bracket.pdf")))
    assert [drawn.count(squeezed(words)) for words in TARGETS.values()] == [0, 1, 1]


def test_blank_sheets_and_workbooks_are_made_for_every_stage(dana: User, spades: Event) -> None:
    event = spades
    first, playoffs, final = pdf_pages(printed(dana, event, "blank.pdf"))
    assert ["300 points" in first, "350 points" in playoffs, "500 points" in final] == [True] * 3
    assert ["Playoffs" in playoffs, "Final" in final, "Game _" in first] == [True] * 3
    page = signed_in(dana).get(reverse("desk-papers", args=[event.slug]))
    assert "Blank workbook, final" in words_of(page)
    book = openpyxl.load_workbook(io.BytesIO(printed(dana, event, "boards/blank.xlsx?stage=Playoffs")))
    assert "The game is won at: 350 points" in str(book["Board"]["A2"].value)
    address = reverse("blank-boards", args=[event.slug])
    assert signed_in(dana).get(address, {"stage": "Quarterfinal"}).status_code == 404


@pytest.mark.parametrize(
    ("own", "typed", "bids"),
    [
        ({"bids_by": "side", "lowest_blind": 6}, {"bid": ["Blind 6", 4], "tricks": [7, 6]}, ["blind-6", "4"]),
        ({"nil_points": 100}, {"bid": ["Nil", 4, 6, 2], "tricks": [0, 4, 7, 2]}, ["nil", "4", "6", "2"]),
    ],
)
def test_a_workbook_of_the_final_is_read_by_the_bids_of_the_final(
    dana: User, spades: Event, own: dict[str, Any], typed: dict[str, list[Any]], bids: list[str]
) -> None:
    stages, chosen = OWN | {"final": own}, {"game_at": 300, "nil_points": None, "blind_behind": None}
    event = to_the_final(dana, change_options(Actor(dana), spades, chosen, stages=stages))
    final = round_boards(event, event.rounds.get(state="running"))
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(final)))
    for column, cell in enumerate(board_cells(final), start=1):
        key, _, index = cell.key.partition("-")
        if key in typed:
            book["Table 1"].cell(FIRST_ROW, column).value = typed[key][int(index)]
    content = io.BytesIO()
    book.save(content)
    read = read_boards(event, content.getvalue())
    entry = {"entry": "hand", "cards": 13, "bids": bids, "tricks": typed["tricks"]}
    assert (read.faults, [board.entries for board in read.boards]) == ([], [[entry]])


def test_tablet_and_projector_go_by_the_stage(dana: User, spades: Event, client: Client) -> None:
    event = to_the_final(dana, spades)
    round_ = event.rounds.get(state="running")
    tablet = bind(dana, event, 1)
    page = words_of(tablet.get(reverse("tablet")))
    assert ("The game is won at: 500 points" in page, "late (9 minutes after the start)" in page) == (True, True)
    # Late by the minutes of the rounds, and not by those of the final.
    Round.objects.filter(pk=round_.pk).update(started_at=timezone.now() - timedelta(minutes=6))
    assert waiting_sides(event, round_.number).late == ()
    round_.save()
    seat_all(round_.games.get(table=1))
    page = words_of(tablet.get(reverse("tablet")))
    assert ("The game is won at: 500 points" in page, "A game lasts: 50 minutes" in page) == (True, True)
    assert ("until " in page, minutes_of(round_, ruleset_of(event, round_).rules)) == (True, 50)
    assert sure(board(event, standings(event), EVERYTHING).ends_at) == sure(round_.started_at) + timedelta(minutes=50)
    assert sure(sure(desk_round(event)).clock).left in range(2990, 3001)
    call = refusal_of(lambda: call_time(Actor(dana), event, round_.number), Conflict)
    assert str(call) == "There is time left: shorten the game first, with a reason."


def test_event_file_and_copy_keep_the_stages(dana: User, spades: Event) -> None:
    assert copy_event(Actor(dana), spades, "Again", spades.date).stage_options == OWN
    event = to_the_champion(dana, spades)
    file = json.loads(json.dumps(export_event(event)))
    elsewhere = import_event(Actor(dana), file)
    assert told(elsewhere) == told(event)
    assert [round_.options for round_ in elsewhere.rounds.all()] == [{}, OWN["playoff"], OWN["playoff"], OF_FINAL]
    assert (codes_of(elsewhere), found()) == (codes_of(event), [])


PLACE = "The event, field stage_options"
OTHER = "field options: these are not the options that the event has for this stage."


@pytest.mark.parametrize(
    ("change", "sentences"),
    [
        ({"stage_options": {"semifinal": {}}}, [f"{PLACE}: {IN_STAGES}"]),
        ({"stage_options": {"final": 500}}, [f"{PLACE}: {IN_STAGES}"]),
        ({"stage_options": "500"}, [f"{PLACE}: options are an object, option and choice."]),
        ({"cut": None, "stage": "playing"}, [f"{PLACE}: {NO_PLAYOFFS}"]),
        (
            {"stage_options": {"final": {"gameat": 500}}},
            [f"{PLACE}.final.gameat: Final: This rule sheet has no option “gameat”. Say “game_at”."],
        ),
        (
            {"stage_options": {"playoff": {"game_at": 9}}},
            [f"{PLACE}.playoff.game_at: Playoffs: The game is won at: 9 is not from 50 to 10000."],
        ),
        (
            {"stage_options": {"final": {"bye": "none"}}},
            [f"{PLACE}.final.bye: Final: “A bye gives” is the same in all games of the event."],
        ),
        (
            {"stage_options": {"final": {"pack": "jokers-deuce"}}},
            [f"{PLACE}.final.pack: Final: “Cards” is the same in all games of the event."],
        ),
        (
            {"stage_options": {"playoff": {"lowest_bid": 9}, "final": {"highest_bid": 8}}},
            [f"{PLACE}.final.lowest_bid: Final: The lowest bid is above the highest."],
        ),
        (
            {"stage_options": {"final": {"boston_counts": True}}},
            [f"{PLACE}.final: Final: {ONE_POT}"],
        ),
        ({"stage_options": {"playoff": OWN["playoff"]}}, [f"Game 4, {OTHER}"]),
    ],
)
def test_event_file_with_wrong_stages_is_refused_with_a_sentence(
    dana: User, spades: Event, change: dict[str, Any], sentences: list[str]
) -> None:
    event = spades if change.get("stage") == "playing" else to_the_final(dana, spades)
    file = changed(filed(event), Event, 1, **change)
    refusal = refusal_of(lambda: import_event(Actor(dana), file))
    assert ([fault.text for fault in refusal.faults], Event.objects.count()) == (sentences, 1)


def test_options_in_a_round_of_the_file_that_no_stage_has_are_refused(dana: User, spades: Event) -> None:
    draw_rounds(Actor(dana), spades, seed=1)
    file = changed(filed(spades), Round, 1, options={"game_at": 500})
    refusal = refusal_of(lambda: import_event(Actor(dana), file))
    assert [fault.text for fault in refusal.faults] == [f"Game 1, {OTHER}"]


def test_stages_are_free_until_their_first_round_is_drawn_and_fixed_from_then_on(dana: User, spades: Event) -> None:
    def change(stage: str, confirmed: bool = True, **own: Any) -> Event:
        stages = spades.stage_options | {stage: spades.stage_options.get(stage, {}) | own}
        return change_options(Actor(dana), fresh(spades), {"game_at": 300}, stages=stages, confirmed=confirmed)

    draw_rounds(Actor(dana), spades, seed=1)
    play_out(dana, start_round(Actor(dana), spades, 1), ROUNDS)
    assert "Games have been played" in str(refusal_of(lambda: change("playoff", confirmed=False, game_at=400)))
    assert change("playoff", game_at=400).stage_options["playoff"]["game_at"] == 400
    spades = change("playoff", game_at=350)
    make_cut(Actor(dana), spades, 4)
    round_ = start_playoff_round(Actor(dana), spades)
    fixed = "“The game is won at” has been fixed since the {} started: games are scored by it."
    assert str(refusal_of(lambda: change("playoff", game_at=400))) == fixed.format("playoffs")
    take_start_back(Actor(dana), spades, round_.number)
    spades = change("playoff", game_at=400)
    spades = change("playoff", game_at=350)
    play_out(dana, start_playoff_round(Actor(dana), spades), PLAYOFFS)
    play_out(dana, start_playoff_round(Actor(dana), fresh(spades)), PLAYOFFS)
    spades = change("final", game_at=600)
    spades = change("final", game_at=500)
    start_playoff_round(Actor(dana), fresh(spades))
    refusal = refusal_of(lambda: change("final", game_at=600))
    assert [tuple(fault)[:2] for fault in refusal.faults] == [("stage_options.final.game_at", fixed.format("final"))]
    # The clock of the games in play can still change, and no signature falls by it.
    spades, codes = change("playoff", round_minutes=55), codes_of(spades)
    assert spades.rounds.get(number=4).options == OF_FINAL | {"round_minutes": 55}
    rebuild_results(spades)
    assert codes_of(spades) == codes
    line = Journal.objects.filter(noun="options").latest("pk")
    assert (line.text, sure(line.before)["playoff"], sure(line.after)["playoff"]) == (
        "Options changed: A game lasts (playoffs)",
        OWN["playoff"],
        OWN["playoff"] | {"round_minutes": 55},
    )


def test_playoffs_with_options_of_their_own_cannot_be_left_out_unseen(dana: User, spades: Event) -> None:
    refusal = refusal_of(lambda: change_event(Actor(dana), spades, {"cut": None}))
    assert str(refusal) == OWN_RULES
    assert change_event(Actor(dana), spades, {"sheet": "spades/jokers", "cut": None}).stage_options == {}
    refused = refusal_of(lambda: change_options(Actor(dana), fresh(spades), {}, stages=OWN))
    assert str(refused) == NO_PLAYOFFS


def test_options_page_chooses_them_and_keeps_what_was_typed(dana: User, spades: Event) -> None:
    desk, address = signed_in(dana), reverse("desk-options", args=[spades.slug])
    sent = options_as_sent(desk, spades)
    assert desk.post(address, sent).status_code == 302
    assert (fresh(spades).stage_options, sent["option-stage_options.final.round_minutes"]) == (OWN, "")
    target, late, nil = (f"option-stage_options.final.{key}" for key in ("game_at", "grace_minutes", "nil_points"))
    answer = desk.post(address, sent | {target: "9"})
    assert (answer.status_code, "Final: The game is won at: 9 is not from 50 to 10000." in page_of(answer)) == (
        422,
        True,
    )
    assert (f'name="{target}" value="9"' in page_of(answer), fresh(spades).stage_options) == (True, OWN)
    assert desk.post(address, sent | {target: "350", late: "", nil: "none"}).status_code == 302
    assert fresh(spades).stage_options == {"playoff": OWN["playoff"], "final": {"nil_points": None}}
    Event.objects.update(cut=None, stage_options={})
    assert "stage_options" not in page_of(desk.get(address))


def test_options_of_a_stage_that_has_begun_are_words_on_the_page(dana: User, spades: Event) -> None:
    event = to_the_final(dana, spades)
    page = page_of(signed_in(dana).get(reverse("desk-options", args=[event.slug])))
    assert "stage_options.final.game_at" not in page and "stage_options.final.round_minutes" in page
    assert '<span class="muted">Final</span> <b>500 points (if both sides get there' in page
