"""What was typed from paper waits for a second person, who accepts or rejects it and changes nothing."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests.factories import MADE_FIVE, play
from tests.pages import signed_in
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Event, Game, Verification
from tournament.queries.scored import verify_queue, waiting_sheets
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Changed, Invalid
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.services.corrections import correct_sheet
from tournament.services.entries import open_from_paper, record_entry
from tournament.services.rounds import close_round
from tournament.services.signatures import sign_for_all, verify_sheet
from tournament.times import clock_time


@pytest.fixture
def typed(game: Game, vic: User, dana: User) -> Game:
    """Vic has typed the sheet of table 1, and both sides have signed it."""
    record_entry(Actor(vic), game, MADE_FIVE, source="paper")
    sign_for_all(Actor(dana), game, "Signed on paper")
    game.refresh_from_db()
    return game


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
    with pytest.raises(Changed):
        verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=True)


def test_nobody_verifies_what_they_typed(typed: Game, vic: User) -> None:
    with pytest.raises(Invalid) as refused:
        verify_sheet(Actor(vic), typed, code=sheet_now(typed).code, accepted=True)
    assert [fault.text for fault in refused.value.faults] == [
        "You typed this sheet, so another official must verify it."
    ]


def test_event_may_allow_to_verify_what_one_typed(typed: Game, vic: User) -> None:
    Event.objects.update(verify_own=True)
    verify_sheet(Actor(vic), typed, code=sheet_now(typed).code, accepted=True)
    assert sure(sheet_now(typed).paper).state == "verified"


def test_accepted_sheet_leaves_the_queue(typed: Game, dana: User) -> None:
    assert waiting_sheets(typed.round.event) == (typed,)
    made = verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=True)
    said = sure(sheet_now(typed).paper).said("America/New_York")
    at = clock_time(made.made_at, "America/New_York")
    assert said == f"Typed from paper by vic; verified by dana at {at}"
    assert waiting_sheets(typed.round.event) == ()
    with pytest.raises(Changed):
        verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False, reason="no")


def test_rejected_sheet_stays_until_it_is_corrected_and_then_waits_again(typed: Game, dana: User, vic: User) -> None:
    event = typed.round.event
    with pytest.raises(Invalid):
        verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False)
    verify_sheet(Actor(dana), typed, code=sheet_now(typed).code, accepted=False, reason="The paper says 12 books")
    assert [one.paper.state for one in verify_queue(event, "rejected").sheets] == ["rejected"]
    facts = MADE_FIVE | {"books": 12}
    correct_sheet(Actor(vic), typed, position=1, revision=0, facts=facts, reason="as on paper")
    assert [(one.game, one.paper.typed_by) for one in verify_queue(event).sheets] == [(typed.pk, ("vic",))]


def test_whoever_corrected_a_paper_line_has_typed_it(typed: Game, dana: User) -> None:
    correct_sheet(Actor(dana), typed, position=1, revision=0, facts=MADE_FIVE | {"books": 12}, reason="as on paper")
    assert sure(sheet_now(typed).paper).typed_by == ("dana",)


def test_sheet_that_was_changed_meanwhile_is_not_verified(typed: Game, dana: User) -> None:
    with pytest.raises(Changed):
        verify_sheet(Actor(dana), typed, code="SOMEOTHERCODE000", accepted=True)
    assert not Verification.objects.exists()


def test_totals_are_flagged_until_verified(game: Game, vic: User, dana: User) -> None:
    open_from_paper(Actor(vic), game, {"scores": [3, -1], "sets": [0, 1], "hands": 2})
    paper = sure(sheet_now(game).paper)
    assert (paper.totals, paper.flagged) == (True, True)
    verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=True)
    assert sure(sheet_now(game).paper).flagged is False


def test_queue_is_filtered_by_who_typed(typed: Game, dana: User) -> None:
    queue = verify_queue(typed.round.event, typist="vic")
    assert ([one.game for one in queue.sheets], queue.typists) == ([typed.pk], ("vic",))
    assert verify_queue(typed.round.event, typist="dana").sheets == ()


def test_closing_a_round_names_the_games_that_wait_or_is_blocked(typed: Game, dana: User) -> None:
    event = typed.round.event
    Event.objects.update(verify_closing="blocks")
    with pytest.raises(Invalid) as refused:
        close_round(Actor(dana), event, 1)
    assert [fault.text for fault in refused.value.faults] == ["Game 1, table 1: typed from paper and not verified yet."]
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
    refused = client.post(address, {"what": "reject", "code": code, "reason": ""})
    assert refused.status_code == 422
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
    assert line in paper_text(sheet_now(game))
    verify_sheet(Actor(dana), game, code=sheet_now(game).code, accepted=True)
    assert flag not in client.get("/e/columbus-open/schedule/").content.decode()
    printed = paper_text(sheet_now(game))
    assert "Continued from paper: 3 to −1" in printed
    assert "Totals continued from paper by vic; verified by dana at" in printed


def paper_text(sheet: GameSheet) -> str:
    papers = Papers("Sheet")
    draw_score_sheet(papers, sheet, "UTC")
    return " ".join(page.extract_text() for page in PdfReader(BytesIO(papers.finish())).pages)


def test_a_director_alone_is_led_out_of_comparing(typed: Game, dana: User) -> None:
    client, event = signed_in(dana), typed.round.event
    queue = client.get(reverse("desk-verify", args=[event.slug])).content.decode()
    assert "Run this event alone" in queue
    assert client.post(reverse("run-alone", args=[event.slug])).status_code == 302
    assert client.post(reverse("run-alone", args=[event.slug])).status_code == 302
    desk = client.get(reverse("desk", args=[event.slug])).content.decode()
    assert ("not verified" in desk, "Compare it" in desk, Event.objects.get().verify_own) == (False, False, True)
