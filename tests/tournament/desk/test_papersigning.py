"""Both sides signed on paper: noted in one press, taken back until the round is closed, told apart everywhere."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from tests.factories import MADE_FIVE, make_round, page_of, play, signed_in
from tests.sure import fresh, refusal_of, sure
from tests.tournament.archive.filed import changed, filed
from tests.tournament.desk.test_games import at
from tests.tournament.reports.evenings import on_paper, pdf_text
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Event, Game, Journal, Signature, Verification
from tournament.queries.sheet import sheet_now
from tournament.queries.typed_sheets import verify_queue, waiting_sheets
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.services.corrections import correct_sheet
from tournament.services.entries import open_from_paper, record_entry
from tournament.services.rounds import close_round
from tournament.services.signatures import (
    note_paper_signatures,
    sign_for_all,
    sign_sheet,
    take_paper_signatures_back,
    verify_sheet,
)
from tournament.words.phrases import clock_time

SEEN = "signed on paper, seen by dana"


@pytest.fixture
def over(game: Game, dana: User) -> Game:
    """The sheet of table 1 was typed from paper, to its end; nobody has signed."""
    record_entry(Actor(dana), game, MADE_FIVE, source="paper")
    return fresh(game)


def rows(**of: Game) -> list[tuple[int, int, str, str, str]]:
    signatures = Signature.objects.filter(**of).order_by("side", "revision")
    return [(row.side, row.revision, row.how, row.name, row.reason) for row in signatures]


def press(client: Client, name: str, game: Game) -> tuple[int, str]:
    answer = client.post(at(name, game), {"code": sheet_now(game).code}, follow=True)
    game.refresh_from_db()
    return answer.status_code, page_of(answer)


def test_both_signed_on_paper_takes_one_press_and_says_who_has_seen_it(over: Game, dana: User) -> None:
    status, page = press(signed_in(dana), "game-paper-signatures", over)
    assert (status, over.state) == (200, "final")
    assert rows() == [(0, 0, "paper", "dana", ""), (1, 0, "paper", "dana", "")]
    assert page.count(f">{SEEN}<") == 2
    assert "The signatures on paper can be undone until game 1 is closed." in page
    assert Journal.objects.filter(action="sign").get().text == "Game 1, table 1: signed on paper (Aces and Books)"


def test_pressed_twice_it_changes_nothing(over: Game, dana: User) -> None:
    for _ in range(2):
        note_paper_signatures(Actor(dana), over, sheet_now(over).code)
    assert (len(rows()), Journal.objects.filter(action="sign").count()) == (2, 1)


def test_it_is_taken_back_and_noted_again_and_every_row_stays(over: Game, desk: Client) -> None:
    states = []
    for name in ("game-paper-signatures", "game-paper-signatures-return", "game-paper-signatures"):
        press(desk, name, over)
        states.append((over.state, [signature.words for signature in sheet_now(over).signatures]))
    assert states == [("final", [SEEN, SEEN]), ("to-sign", []), ("final", [SEEN, SEEN])]
    assert [(side, how) for side, _, how, _, _ in rows()] == [
        *((0, how) for how in ("paper", "back", "paper")),
        *((1, how) for how in ("paper", "back", "paper")),
    ]


def test_it_cannot_be_taken_back_once_the_round_is_closed(over: Game, dana: User, desk: Client) -> None:
    note_paper_signatures(Actor(dana), over, sheet_now(over).code)
    close_round(Actor(dana), over.round.event, 1)
    status, page = press(desk, "game-paper-signatures-return", over)
    assert (status, over.state, len(rows())) == (409, "final", 2)
    assert "Game 1 is closed: its signatures stay." in page
    assert "undone until" not in page_of(desk.get(at("desk-game", over)))


def test_only_the_side_that_has_not_signed_at_the_table_is_noted(over: Game, dana: User) -> None:
    code = sheet_now(over).code
    sign_sheet(Actor(), over, side=1, name="Ann 2", code=code)
    note_paper_signatures(Actor(dana), over, code)
    take_paper_signatures_back(Actor(dana), over, code)
    assert [(signature.side, signature.name) for signature in sheet_now(over).signatures] == [(1, "Ann 2")]


def test_a_game_that_goes_on_or_another_sheet_is_refused(game: Game, dana: User) -> None:
    with pytest.raises(Conflict):
        note_paper_signatures(Actor(dana), game, sheet_now(game).code)
    record_entry(Actor(dana), game, MADE_FIVE, source="paper")
    for act in (note_paper_signatures, take_paper_signatures_back):
        with pytest.raises(Conflict):
            act(Actor(dana), game, "OLD")
    assert rows() == []


def test_nothing_on_paper_cannot_be_taken_back(over: Game, dana: User) -> None:
    code = sheet_now(over).code
    for side in (0, 1):
        sign_sheet(Actor(dana), over, side=side, name="dana", code=code, reason="Refused to sign")
    with pytest.raises(Conflict):
        take_paper_signatures_back(Actor(dana), over, code)


def test_an_event_that_wants_no_second_look_is_never_asked_for_one(over: Game, dana: User) -> None:
    client, event = signed_in(dana), over.round.event
    desk = reverse("desk", args=[event.slug])
    note_paper_signatures(Actor(dana), over, sheet_now(over).code)
    asked = [need.link for need in client.get(desk).context["needs"]]
    Event.objects.filter(pk=event.pk).update(verify_own=True)
    event.refresh_from_db()
    answer = client.get(desk)
    assert (asked, [need.link for need in answer.context["needs"]]) == (["verify"], [])
    # The button that closes the game is only in the header.
    assert (page_of(answer).count(">Close game 1</button>"), "Every table is final." in page_of(answer)) == (1, True)
    assert waiting_sheets(event) == ()
    page = page_of(client.get(at("desk-game", over)))
    assert ("erified" in page, "Compare" in page, "Typed from paper by dana." in page) == (False, False, True)
    assert "erified" not in answer.content.decode()


def test_it_goes_with_the_event_file_as_it_stands_and_as_it_stood(over: Game, dana: User) -> None:
    code = sheet_now(over).code
    note_paper_signatures(Actor(dana), over, code)
    take_paper_signatures_back(Actor(dana), over, code)
    note_paper_signatures(Actor(dana), over, code)
    data = export_event(over.round.event)
    rows_here = rows()
    copied = import_event(Actor(dana), data, name="Copied Open")
    game = Game.objects.get(round__event=copied)
    assert rows(game=game) == rows_here
    assert (game.state, [signature.words for signature in sheet_now(game).signatures]) == ("final", [SEEN, SEEN])


ONCE = "a side signs a sheet once, until that is taken back."


@pytest.mark.parametrize(
    ("hows", "sentence"),
    [
        *(
            (hows, f"Game 1, table 1, signature {len(hows)}, field revision: {ONCE}")
            for hows in (["back"], ["paper", "paper"], ["", ""], ["", "paper"], ["paper", "back", "back"])
        ),
        (["ink"], "Signature in row 1, field how: “ink” is not known: paper, back."),
    ],
)
def test_a_file_in_which_signatures_cannot_follow_each_other_is_refused(
    over: Game, dana: User, hows: list[str], sentence: str
) -> None:
    code = sheet_now(over).code
    for revision, how in enumerate(hows):
        given = "" if how == "ink" else how
        Signature.objects.create(game=over, side=0, code=code, name="dana", how=given, revision=revision)
    data = filed(over.round.event)
    if "ink" in hows:
        data = changed(data, Signature, 1, how="ink")
    assert refusal_of(lambda: import_event(Actor(dana), data, name="Copied Open")).texts[0] == sentence


def test_the_desk_takes_one_sides_signature_back_until_the_other_has_signed(over: Game, dana: User) -> None:
    desk, slug = signed_in(dana), over.round.event.slug
    sign_sheet(Actor(dana), over, side=0, name="dana", code=sheet_now(over).code, reason="left the hall")
    back = reverse("game-paper-signatures-return", args=[slug, over.pk])
    shown = desk.get(reverse("desk-game", args=[slug, over.pk])).content.decode()
    assert 'Undo<span class="hidden-text"> for Aces</span>' in shown
    assert (desk.post(back, {"side": "0"}).status_code, sheet_now(over).signatures) == (302, ())
    note_paper_signatures(Actor(dana), over, sheet_now(over).code)
    assert desk.post(back, {"side": "0"}).status_code == 409


def test_the_fingerprint_of_a_sheet_is_shown_to_nobody(over: Game, dana: User) -> None:
    press(signed_in(dana), "game-paper-signatures", over)
    code, desk = sheet_now(over).code, signed_in(dana)
    log = desk.get(reverse("desk-log", args=[over.round.event.slug]))
    pages = [desk.get(at("desk-game", over)), Client().get(at("public-game", over)), log]
    assert [page.status_code for page in pages] == [200, 200, 200]
    assert [code[:4] in strip_tags(page.text) for page in pages] == [False, False, False]
    assert "Signed for Aces" in pages[1].text and "signed on paper" in strip_tags(pages[2].text)


# What was typed from paper waits for a second person, who accepts or rejects it and changes nothing.
def test_a_sheet_of_a_game_that_is_not_started_has_the_button_that_starts_it(
    game: Game, event: Event, dana: User, vic: User
) -> None:
    make_round(event, [tuple(side.team for side in game.sides.all())], 2, "planned")
    later = Game.objects.get(round__event=event, round__number=2)
    start = reverse("round-start", args=[event.slug, 2])
    pages = [page_of(signed_in(who).get(reverse("desk-game", args=[event.slug, later.pk]))) for who in (dana, vic)]
    assert ["Start game 2 first" in page for page in pages] == [True, True]
    assert [f'action="{start}"' in page for page in pages] == [True, False]


@pytest.fixture
def typed(game: Game, vic: User, dana: User) -> Game:
    """Vic has typed the sheet of table 1, and both sides have signed it."""
    record_entry(Actor(vic), game, MADE_FIVE, source="paper")
    sign_for_all(Actor(dana), game, "Signed on paper")
    return fresh(game)


def test_sheet_from_paper_waits_and_says_who_typed_it(typed: Game) -> None:
    paper = sure(sheet_now(typed).paper)
    assert (typed.state, paper.state, paper.said("UTC")) == (
        "final",
        "waiting",
        "Typed from paper by vic; not verified yet",
    )


def test_sheet_written_at_the_table_needs_no_second_person(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    assert sheet_now(game).paper is None
    with pytest.raises(Conflict):
        verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=True)


def test_nobody_verifies_what_they_typed_unless_the_event_allows_it(typed: Game, vic: User) -> None:
    verify = partial(verify_sheet, Actor(vic), typed, code=sheet_now(typed).code, accepted=True)
    assert refusal_of(verify).texts == ("You typed this sheet, so another official must verify it.",)
    Event.objects.update(verify_own=True)
    verify()
    assert sure(sheet_now(typed).paper).state == "verified"


def test_accepted_sheet_leaves_the_queue(typed: Game, dana: User) -> None:
    assert waiting_sheets(typed.round.event) == (typed,)
    game_made = verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=True)
    note = sure(sheet_now(typed).paper).said("America/New_York")
    printed_at = clock_time(game_made.made_at, "America/New_York")
    assert note == f"Typed from paper by vic; verified by dana at {printed_at}"
    assert waiting_sheets(typed.round.event) == ()
    with pytest.raises(Conflict):
        verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False, reason="no")


def test_rejected_sheet_stays_until_it_is_corrected_and_then_waits_again(typed: Game, dana: User, vic: User) -> None:
    event = typed.round.event
    with pytest.raises(ValidationFailed):
        verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False)
    verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False, reason="The paper says 12 books")
    assert [paper.state for _, paper in verify_queue(event, "rejected").sheets] == ["rejected"]
    correct_sheet(Actor(vic), typed, position=1, revision=0, facts=MADE_FIVE | {"books": 12}, reason="as on paper")
    assert [(game.pk, paper.typed_by) for game, paper in verify_queue(event).sheets] == [(typed.pk, ("vic",))]


def test_whoever_corrected_a_paper_line_has_typed_it(typed: Game, dana: User) -> None:
    correct_sheet(Actor(dana), typed, position=1, revision=0, facts=MADE_FIVE | {"books": 12}, reason="as on paper")
    assert sure(sheet_now(typed).paper).typed_by == ("dana",)


def test_sheet_that_was_changed_meanwhile_is_not_verified(typed: Game, dana: User) -> None:
    with pytest.raises(Conflict):
        verify_sheet(Actor(dana), typed, code="SOMEOTHERCODE000", accepted=True)
    assert not Verification.objects.exists()


def test_queue_is_filtered_by_who_typed(typed: Game, dana: User) -> None:
    queue = verify_queue(typed.round.event, typist="vic")
    assert ([game.pk for game, _ in queue.sheets], queue.typists) == ([typed.pk], ("vic",))
    assert verify_queue(typed.round.event, typist="dana").sheets == ()


def test_closing_a_round_names_the_games_that_wait_or_is_blocked(typed: Game, dana: User) -> None:
    event = typed.round.event
    Event.objects.update(verify_closing="blocks")
    refusal = refusal_of(lambda: close_round(Actor(dana), event, 1))
    assert refusal.texts == ("Game 1, table 1: typed from paper and not verified yet.",)
    Event.objects.update(verify_closing="warns")
    close_round(Actor(dana), event, 1)
    assert sure(event.journal.first()).text == "Game 1 closed: every game is final; not verified yet: Game 1, table 1"


def test_pages_show_the_queue_and_take_the_answer(typed: Game, dana: User, client: Client) -> None:
    client.force_login(dana)
    desk = client.get("/desk/columbus-open/").content.decode()
    assert "1 sheet was typed from paper and not verified." in desk
    assert "from paper, not verified" in desk
    assert "Game 1, table 1" in client.get("/desk/columbus-open/verify/").content.decode()
    address = f"/desk/columbus-open/games/{typed.pk}/verification/"
    code = sheet_now(typed).code
    assert client.post(address, {"what": "reject", "code": code, "reason": ""}).status_code == 422
    accepted = client.post(address, {"what": "accept", "code": code})
    assert (accepted.status_code, accepted.headers["Location"]) == (302, "/desk/columbus-open/verify/")
    assert "verified by dana" in client.get(f"/desk/columbus-open/games/{typed.pk}/").content.decode()


@pytest.mark.parametrize(("own", "buttons"), [(False, []), (True, ["Accept the sheet", "Reject the sheet"])])
def test_page_offers_no_button_to_whoever_typed_the_sheet(
    typed: Game, vic: User, client: Client, own: bool, buttons: list[str]
) -> None:
    Event.objects.update(verify_own=own)
    client.force_login(vic)
    page = client.get(f"/desk/columbus-open/games/{typed.pk}/verification/").content.decode()
    shown = [words for words in ("Accept the sheet", "Reject the sheet") if words in page]
    assert (shown, "You typed this sheet, so another official must verify it." in page) == (buttons, not own)


def test_totals_are_flagged_for_everybody_until_verified(game: Game, vic: User, dana: User, client: Client) -> None:
    open_from_paper(Actor(vic), game, {"scores": [3, -1], "sets": [0, 1], "hands": 2})
    play(dana, game, MADE_FIVE)
    flag, line = "totals from paper, not verified", "Continued from paper (not verified): 3 to −1"
    assert flag in client.get("/e/columbus-open/schedule/").content.decode()
    assert line in pdf_text(on_paper(draw_score_sheet, sheet_now(game), "UTC"))
    verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=True)
    assert flag not in client.get("/e/columbus-open/schedule/").content.decode()
    printed = pdf_text(on_paper(draw_score_sheet, sheet_now(game), "UTC"))
    assert "Continued from paper: 3 to −1" in printed
    assert "Totals continued from paper by vic; verified by dana at" in printed


def test_a_director_alone_is_led_out_of_comparing(typed: Game, dana: User) -> None:
    client, event = signed_in(dana), typed.round.event
    assert "Run this event alone" in client.get(reverse("desk-verify", args=[event.slug])).content.decode()
    assert client.post(reverse("run-alone", args=[event.slug])).status_code == 302
    assert client.post(reverse("run-alone", args=[event.slug])).status_code == 302
    desk = client.get(reverse("desk", args=[event.slug])).content.decode()
    assert ("not verified" in desk, "Compare it" in desk, Event.objects.get().verify_own) == (False, False, True)
