"""Slips, cards, receipts, the cash sheet and lists for the wall: what is on them, and where."""

from __future__ import annotations

import html
import io
import json
import re
import subprocess
import tempfile
from copy import copy
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
import zxingcpp
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play, signed_in
from tests.programs import program
from tests.sure import fresh, statements_of, sure
from tests.tournament.money.conftest import priced
from tests.tournament.reports.audit import faults_of, pages_of
from tests.tournament.reports.evenings import club_24, on_paper, pdf_pages, printed, squeezed
from tournament import PROGRAM
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Bye, Device, Entry, Event, Journal, Team
from tournament.queries.bracket import bracket
from tournament.queries.ledger import Wording, cash, payments
from tournament.queries.papers import PrintJob, print_jobs, result_text
from tournament.queries.pictures import whole_book
from tournament.queries.schedule import team_slips
from tournament.reports.pdf.book import draw_poster
from tournament.reports.pdf.bracket import TableCard, draw_bracket, draw_table_cards, draw_team_slips
from tournament.reports.pdf.catalog import draw_cash, draw_receipts
from tournament.reports.pdf.paper import Papers
from tournament.services import payouts
from tournament.services.devices import issue_card, issue_cards, pair_device
from tournament.views.papers import KINDS, papers_of
from tournament.words.phrases import clock_time

FIXTURES = Path(__file__).parents[3] / "fixtures" / "demo"


def places(content: bytes, page: int = 0) -> list[tuple[str, float, float]]:
    """Every piece of text with the place where it begins."""
    found: list[tuple[str, float, float]] = []

    def visit(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            found.append((text.strip(), cm[4] + tm[4], cm[5] + tm[5]))

    PdfReader(io.BytesIO(content)).pages[page].extract_text(visitor_text=visit)
    return found


def codes(content: bytes) -> list[str]:
    """What the QR codes of the first page say to a phone."""
    command = [program("REQUIRE_OFFICE", "pdftoppm"), "-r", "200", "-gray", "-png", "-l", "1"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "paper.pdf"
        file.write_bytes(content)
        subprocess.run([*command, str(file), f"{folder}/page"], check=True, timeout=60)
        picture = Image.open(next(Path(folder).glob("page*.png")))
        return sorted(code.text for code in zxingcpp.read_barcodes(picture))


@pytest.fixture
def drawn(dana: User) -> Event:
    event = make_event(director=dana, place="Union Hall")
    make_round(event, pairs_of(make_teams(event, 4)), state="planned")
    return event


def test_a_payment_gets_one_receipt_that_says_what_it_covers(dana: User) -> None:
    event = priced(dana, place="Union Hall")
    payouts.pay(Actor(dana), event, 1)
    payouts.pay(Actor(dana), event, 2, 2100, Wording(person="Bo"))
    payouts.pay(Actor(dana), event, 2)
    payouts.charge(Actor(dana), event, 4, -500, Wording(reason="helped"))
    (page,) = pdf_pages(on_paper(draw_receipts, event, cash(event).lines))
    receipts = re.split(r"(?=Receipt )", page)[1:]
    assert [receipt.split("\n")[0] for receipt in receipts] == ["Receipt 1–2", "Receipt 3–4", "Receipt 5"]
    for expected in ("Priced Open · Union Hall", "$25.00", "Entry fee $20.00 and Boston pot $5.00", "1  Aces",
                     "Received for the event", "recorded by dana", "Paid for Aces"):  # fmt: skip
        assert expected in receipts[0]
    assert ["$21.00" in receipts[1], "2  Books, by Bo" in receipts[1], "$4.00" in receipts[2]] == [True] * 3


def test_what_a_sum_is_to_a_team_stands_beside_the_sum(dana: User) -> None:
    event, places = priced(dana), {}
    payouts.pay(Actor(dana), event, 1)
    (page,) = PdfReader(io.BytesIO(on_paper(draw_receipts, event, cash(event).lines))).pages
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: places.update({text.strip(): tm[4:]}))
    (x, y), (beside, same) = places["$25.00"], places["received from"]
    assert y == same and x < beside < x + 100


def test_a_receipt_names_who_took_the_money_in_full(dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(first_name="Dana", last_name="Brooks")
    event = priced(fresh(dana))
    payouts.pay(Actor(dana), event, 1)
    (page,) = pdf_pages(on_paper(draw_receipts, event, cash(event).lines))
    assert "recorded by Dana Brooks" in page


def test_the_receipt_of_one_line_is_that_of_its_payment(dana: User) -> None:
    event = priced(dana)
    payouts.pay(Actor(dana), event, 1)
    for number in (1, 2):
        answer = signed_in(dana).get(f"/desk/{event.slug}/money/receipts/{number}.pdf")
        (page,) = pdf_pages(answer.content)
        assert ["Receipt 1–2" in page, "$25.00" in page] == [True, True]


def test_what_was_taken_back_and_what_was_given_back_have_receipts_of_their_own(dana: User) -> None:
    event = priced(dana)
    payouts.pay(Actor(dana), event, 1)
    payouts.reverse(Actor(dana), event, 2, Wording(reason="not in the pot"))
    payouts.pay(Actor(dana), event, 3)
    payouts.refund(Actor(dana), event, 3, 500, Wording(reason="as agreed"))
    assert [tuple(line.number for line in act) for act in payments(cash(event).lines)] == [(1, 2), (3,), (4,), (5,)]
    (page,) = pdf_pages(on_paper(draw_receipts, event, cash(event).lines))
    assert "Boston pot: taken back by receipt 3." in page
    assert "Boston pot, takes receipt 2 back" in page
    assert ["Received for Clubs" in page, "Paid for the event" in page] == [True, True]


def test_the_fee_of_one_evening_and_the_pot_of_the_next_are_two_payments(dana: User) -> None:
    event = priced(dana)
    payouts.pay(Actor(dana), event, 1, 2000)
    payouts.pay(Actor(dana), event, 1)
    first, second = cash(event).lines
    earlier = copy(first)
    earlier.made_at -= timedelta(days=1)
    assert payments([earlier, second]) == [(earlier,), (second,)]
    assert payments([first, second]) == [(first, second)]


def test_the_cash_sheet_is_counted_and_signed_on_its_first_page(dana: User) -> None:
    event = make_event(director=dana, fee_cents=2000, pot_cents=1000, teams=24)
    pages = pdf_pages(on_paper(draw_cash, event, cash(event)))
    assert len(pages) == 3
    for expected in ("$100", "$20", "25¢", "checks", "Cash on hand by the books", "$720.00", "Counted by", "Checked by",
                     "Difference"):  # fmt: skip
        assert expected in pages[0]
    assert "Total" in pages[1]
    event = make_event("Small Open", dana, fee_cents=2000, pot_cents=1000, currency="€", teams=8)
    pages = pdf_pages(on_paper(draw_cash, event, cash(event)))
    assert (len(pages), "25¢" in pages[0], "Counted by" in pages[0]) == (2, False, True)


def test_rulings_are_in_the_order_of_games_whatever_was_ruled_first(event: Event, dana: User) -> None:
    aces, books, owls, eagles = make_teams(event, 4)
    for number, pairs in ((1, [(aces, books), (owls, eagles)]), (2, [(aces, owls), (books, eagles)])):
        event.rounds.update(state="closed", closed_at=timezone.now())
        for game in make_round(event, pairs, number).games.order_by("-table"):
            play(dana, game, {"entry": "adjustment", "points": [-1, 0], "reason": f"{number}.{game.table}"})
    text = pdf_pages(printed(dana, event, "rulings.pdf"))[0]
    assert list(dict.fromkeys(re.findall(r"\b[12]\.[12]\b", text))) == ["1.1", "1.2", "2.1", "2.2"]


def test_small_papers_stand_in_the_middle_once_they_are_cut(drawn: Event) -> None:
    facts = drawn
    slips = places(on_paper(draw_team_slips, facts, team_slips(drawn)))
    one, two = (next(x for text, x, _ in slips if text == name) for name in ("Ann 1 and Bea 1", "Ann 2 and Bea 2"))
    assert two - one == pytest.approx(612 / 2, abs=0.1)
    cards = places(
        on_paper(draw_table_cards, facts, [TableCard(at, "ABCD-EFGH", f"http://x/{at}") for at in (1, 2, 3)])
    )
    title = {text: (x, y) for text, x, y in cards}
    assert title["Table 2"][0] - title["Table 1"][0] == pytest.approx(612 / 2, abs=0.1)
    assert title["Table 1"][1] - title["Table 3"][1] == pytest.approx(792 / 2, abs=0.1)
    assert sum(text == "November 21, 2026" for text, _, _ in cards) == 3


def test_numbers_of_opponents_stand_under_one_another_and_a_result_can_be_written(event: Event) -> None:
    teams = make_teams(event, 12)
    for number, other in enumerate((9, 10, 11), start=1):
        make_round(event, [(teams[0], teams[other - 1])], number, state="planned")
    found = places(on_paper(draw_team_slips, event, team_slips(event)[:1]))
    nine, ten = (next((x, y) for text, x, y in found if text == number and x > 60) for number in ("9", "10"))
    assert nine[0] > ten[0]
    assert {"Opponent", "Result"} <= {text for text, _, _ in found}


def test_paper_leads_to_the_live_page(drawn: Event, dana: User) -> None:
    page = f"http://testserver/e/{drawn.slug}/"
    assert codes(printed(dana, drawn, "slips.pdf")) == [f"{page}teams/{number}/" for number in (1, 2, 3, 4)]
    assert codes(printed(dana, drawn, "rounds/1/seating.pdf")) == [page]
    assert codes(printed(dana, drawn, "poster.pdf")) == [page]
    assert codes(printed(dana, drawn, "tonight.pdf?part=seating")) == [page]


def test_a_card_printed_on_the_laptop_itself_leads_to_the_laptop(drawn: Event, dana: User) -> None:
    client = Client(HTTP_HOST="localhost:8000")
    client.force_login(dana)
    answer = client.post(f"/desk/{drawn.slug}/papers/jobs/tonight/", {"part": "cards"})
    assert answer.status_code == 200
    assert "localhost" not in "".join(pdf_pages(answer.content))


def test_a_list_by_name_of_sixty_teams_hangs_on_one_page_and_breaks_no_number(dana: User) -> None:
    event = make_event(director=dana, paper="a4")
    teams = make_teams(event, 60)
    for team in teams:
        Team.objects.filter(pk=team.pk).update(number=team.number + 1000)
    make_round(event, pairs_of(teams))
    by_name = [page for page in pdf_pages(printed(dana, event, "rounds/1/seating.pdf")) if "No." in page]
    assert ["find your table" in page for page in by_name] == [True]
    assert [str(number) for number in range(1001, 1061) if str(number) not in by_name[0].split()] == []
    listed = " ".join(pdf_pages(printed(dana, event, "teams.pdf"))).split()
    assert [number for number in range(1001, 1061) if str(number) not in listed] == []


def test_the_marks_of_a_game_stand_below_each_other_beside_a_long_name(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    Team.objects.filter(pk=teams[0].pk).update(name="W" * 40)
    for number in range(1, 7):
        for game in make_round(event, pairs_of(teams), number).games.all():
            play(dana, game, {**MADE_FIVE, "bidder": (number + game.table) % 2, "books": 11 + number % 3})
        event.rounds.update(state="closed", closed_at=timezone.now())
    page, drawn = PdfReader(io.BytesIO(printed(dana, event, "standings.pdf"))).pages[0], []
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: drawn.append((round(cm[4] + tm[4]), text.strip())))
    marks = [(x, text) for x, text in drawn if text.rstrip("★") in ("W", "L")]
    assert (len(marks), len({x for x, _ in marks})) == (24, 6)


def test_a_hand_is_one_row_on_paper(dana: User) -> None:
    event = club_24(dana)
    pages, lines = pdf_pages(printed(dana, event, "hands.pdf")), Entry.objects.filter(game__round__event=event).count()
    assert sum(len(re.findall(r"^Game \d", page, re.MULTILINE)) for page in pages) == lines
    assert all(page.splitlines()[page.splitlines().index("Why") + 1].startswith("Game ") for page in pages)
    assert len(pages) <= lines / 20


def test_a_game_is_one_row_on_paper_and_byes_stand_there_too(event: Event, dana: User) -> None:
    aces, books, owls = make_teams(event, 3)
    round_ = make_round(event, [(aces, books)])
    Bye.objects.create(round=round_, team=owls)
    play(dana, round_.games.get(), MADE_FIVE)
    (page,) = pdf_pages(printed(dana, event, "games.pdf"))
    rows = [line for line in page.splitlines() if line.startswith("Game 1")]
    assert (len(rows), "Aces" in page, "Night Owls" in page, "by points (rule 6)" in page) == (
        2,
        True,
        True,
        True,
    )
    assert signed_in(dana).get(f"/desk/{event.slug}/papers/rounds.pdf").status_code == 404
    assert signed_in(dana).get(f"/desk/{event.slug}/papers/rounds.csv").status_code == 200


def test_a_file_says_who_made_it_and_when(drawn: Event, dana: User) -> None:
    before = timezone.now().date()
    about = PdfReader(io.BytesIO(printed(dana, drawn, "slips.pdf"))).metadata
    assert about is not None
    assert (about.title, about.author, about.creator) == ("Columbus Open: slips", "Uptown", PROGRAM)
    assert about.creation_date is not None
    # The day may end while the file is made.
    assert about.creation_date.date() in (before, timezone.now().date())


def test_blank_papers_have_names_of_their_own(event: Event, desk: Client) -> None:
    names = [
        desk.get(f"/desk/{event.slug}/papers/{file}")["Content-Disposition"].split('"')[1]
        for file in ("blank.pdf", "blank.pdf?board=simple", "boards/blank.xlsx", "boards/blank.xlsx?board=simple")
    ]
    assert names == [
        "columbus-open-blank-score-sheet.pdf",
        "columbus-open-blank-score-sheet-scores-only.pdf",
        "columbus-open-blank-score-workbook.xlsx",
        "columbus-open-blank-scores-only-workbook.xlsx",
    ]


def test_papers_of_a_round_have_names_of_their_own(drawn: Event, desk: Client) -> None:
    names = [
        desk.get(f"/desk/{drawn.slug}/papers/{file}")["Content-Disposition"].split('"')[1]
        for file in (
            "rounds/1/score-sheets.pdf",
            "rounds/1/seating.pdf",
            "boards/rounds/1.xlsx",
            "boards/rounds/1.xlsx?board=simple",
            "score-sheets.pdf",
        )
    ]
    assert len(set(names)) == len(names), names
    assert all(name.startswith("columbus-open-game-1-") for name in names[:4]), names


def finished(name: str) -> Event:
    """A demo event that is played to its end."""
    data = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return import_event(Actor(User.objects.get(username="dana")), data)


def test_the_bracket_has_a_box_for_the_champions_and_says_who_they_are(dana: User) -> None:
    event = finished("autumn-open")
    found = places(on_paper(draw_bracket, event, bracket(event)))
    after = [(text, x) for text, x, _ in found if x > 590]
    assert [text for text, _ in after] == ["Champions", "Blind Board Kings", "Second: Rise and Fly"]
    assert any(text.startswith("Printed ") for text, _, _ in found)
    # The number of a match is before its teams, not between their points.
    match, team = (next(x for text, x, _ in found if text.startswith(words)) for words in ("M7", "(6) 23  Rise"))
    assert match < team or match > 400


def test_the_poster_has_the_podium_with_players_and_the_pot_line_by_line(dana: User) -> None:
    event = finished("autumn-open")
    (page,) = pdf_pages(on_paper(draw_poster, whole_book(event)))
    lines = [line.strip() for line in page.splitlines()]
    for expected in ("3rd", "Eve Upshaw, Eve Dixon", "Abe Battle, Nell Norwood", "★ Boston pot $210", "$52.50"):
        assert expected in lines, expected
    assert lines.count("$52.50") == 4
    assert any(line.startswith("Printed ") for line in lines)


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_the_facts_of_a_poster_stand_above_when_it_was_printed(dana: User, paper: str) -> None:
    """Names of the widest letters take two lines everywhere: fewer places are shown then."""
    event = finished("autumn-open")
    Event.objects.filter(pk=event.pk).update(paper=paper)
    for team in event.teams.all():
        team.name = f"{'W' * 37} {team.number:02}"
        team.save()
        team.players.update(name="W" * 40)
    whole = whole_book(fresh(event))
    pieces = places(on_paper(draw_poster, whole))
    printed = next(y for text, _, y in pieces if text.startswith("Printed "))
    figures = {fact.figure for fact in whole.finale.facts}
    lowest = min(y for text, x, y in pieces if text in figures)
    assert lowest > printed + 10, (lowest, printed)


@pytest.mark.parametrize(("teams", "more"), [(24, False), (40, True)])
def test_a_poster_shows_every_team_or_says_how_many_more(dana: User, teams: int, more: bool) -> None:
    event = make_event("The Wednesday Evening Invitational Card Classic of Greater Columbus", dana, pot_cents=500)
    make_round(event, pairs_of(make_teams(event, teams)))
    said = [text for text, _, _ in places(on_paper(draw_poster, whole_book(event)))]
    shown = sum(text == "0 won, 0 points" for text in said)
    assert (f"and {teams - shown} more" in said, shown == teams) == (more, not more)
    # A long name takes two lines, and is as large as a heading.
    assert [text for text in said if text in event.name and len(text) > 10][1:] != []


def test_an_unfinished_evening_fills_the_poster_with_its_standings(dana: User) -> None:
    event = finished("autumn-evening")
    (page,) = pdf_pages(on_paper(draw_poster, whole_book(event)))
    assert len([line.team for line in whole_book(event).standings.lines if f"\n{line.team}\n" in page]) >= 16


# Three jobs of an evening, each one file in the order of handing out; and any single thing by one line.
@pytest.fixture
def seated(dana: User) -> Event:
    """Four teams, games 1 and 2 drawn, none begun."""
    event = make_event(director=dana, rounds_planned=2)
    aces, books, owls, eagles = make_teams(event, 4)
    make_round(event, [(aces, books), (owls, eagles)], 1, state="planned")
    make_round(event, [(aces, owls), (books, eagles)], 2, state="planned")
    return event


def begun(event: Event, number: int) -> None:
    """The rounds before this one are closed, this one is in play."""
    event.rounds.filter(number__lt=number).update(state="closed", closed_at=timezone.now())
    event.rounds.filter(number=number).update(state="running", started_at=timezone.now())


def said(job: PrintJob) -> tuple[str, list[str]]:
    return job.awaits or job.button, [f"{'x' if part.ticked else '-'} {part.words}" for part in job.parts]


PICKUP = "- Pick-up slips: winner and points"
TONIGHT = ["x Seating of game 1", "x 4 team slips", "x 2 score sheets", PICKUP, "- Recap of game 1, to fill in",
           "- 2 new table cards", "- Rules in words"]  # fmt: skip


def test_before_the_draw_nothing_is_to_be_printed(event: Event) -> None:
    assert [said(job) for job in print_jobs(event)] == [
        ("Draw the first game, then print.", []),
        ("Ready when the first game is in play.", []),
        ("Ready when the event is finished.", []),
    ]


def test_jobs_follow_the_evening(seated: Event) -> None:
    tonight = ("Everything for tonight", TONIGHT)
    late: tuple[str, list[str]] = ("Ready when the event is finished.", [])
    assert [said(job) for job in print_jobs(seated)] == [
        tonight,
        ("Ready when the first game is in play.", []),
        late,
    ]
    begun(seated, 1)
    between = ["x Standings for the wall", "x Seating of game 2", "x 2 score sheets of game 2", PICKUP]
    between += ["- Recap of game 2, to fill in"]
    assert [job.due for job in print_jobs(seated)] == [False, True, False]
    assert [said(job) for job in print_jobs(seated)] == [tonight, ("For game 2", between), late]
    begun(seated, 2)
    assert [said(job) for job in print_jobs(seated)][1] == ("For the wall", ["x Standings for the wall"])
    begun(seated, 3)
    Event.objects.update(stage="over")
    tonight_, _, after = print_jobs(fresh(seated))
    assert (tonight_.due, after.due) == (False, True)
    assert (said(tonight_), said(after)) == (
        tonight,
        ("Results and records", ["x Results poster", "- Certificates", "x Event book"]),
    )


def test_everything_for_tonight_is_in_the_order_of_handing_out(seated: Event, dana: User) -> None:
    client, address = signed_in(dana), f"/desk/{seated.slug}/papers/tonight.pdf"
    before = (Device.objects.count(), Journal.objects.count())
    first, again = (client.get(address).content for _ in range(2))
    texts = pdf_pages(first)
    assert [len(texts), "Side A" in texts[0], "find your table" in texts[1]] == [5, True, True]
    assert ["Ann 1 and Bea 1" in texts[2], "Table 1" in texts[3], "Table 2" in texts[4]] == [True] * 3
    assert first == again
    assert (Device.objects.count(), Journal.objects.count()) == before


@pytest.mark.parametrize("name", ["Brothers and Sisters of Lenox Avenue", "W" * 37])
@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_two_lines_of_a_long_name_stay_apart_on_slips(dana: User, name: str, paper: str) -> None:
    event = make_event("A" * 60, dana, rounds_planned=6, paper=paper)
    teams = make_teams(event, 12)
    for team in teams:
        Team.objects.filter(pk=team.pk).update(name=f"{name} {team.number:02}", key=f"{team.number}")
    for number in range(1, 7):
        order = [*teams[number:], *teams[:number]]
        make_round(event, [(order[index], order[index + 1]) for index in range(0, 12, 2)], number, state="planned")
    papers = Papers("Slips", paper)
    draw_team_slips(papers, event, team_slips(event))
    content = papers.finish()
    assert [fault for page in pages_of(content) for fault in faults_of(page)] == []
    # Each is on its own slip, and on those of six others.
    assert squeezed("".join(pdf_pages(content))).count(squeezed(name)) == 12 * 7


def test_a_secretary_collects_results_on_slips_and_a_recap(seated: Event, dana: User) -> None:
    client, address = signed_in(dana), f"/desk/{seated.slug}/papers/tonight.pdf"
    content = client.get(f"{address}?part=pickup&part=recap&part=sheets").content
    reader = PdfReader(io.BytesIO(content))
    titles = [mark["/Title"] if isinstance(mark, dict) else len(mark) for mark in reader.outline]
    assert titles == ["Score sheets", 2, "Pick-up slips", "Recap"]
    _, _, slips, recap = pdf_pages(content)
    for words in ("Table 1", "Table 2", "Game 1", "Won", "Points", "Signed A", "Signed B"):
        assert words in slips, words
    for words in ("recap, game 1", "Winner No.", "1 Aces", "Signed", "________"):
        assert words in recap, words
    assert str(cast(DictionaryObject, reader.trailer["/Root"])["/Lang"]) == "en-US"
    assert sure(reader.metadata).title == f"{seated.name} everything for tonight"


def test_results_are_words_to_mail_once_there_is_a_champion(dana: User) -> None:
    event = finished("autumn-open")
    text = result_text(event)
    lines = text.splitlines()
    end = whole_book(event).finale.places
    assert lines[0].startswith(f"{event.name} · ")
    assert lines[2].startswith(f"{end.title}: {end.lines[0].team} (")
    assert [line for line in lines if line.startswith("1  ")] and all(line.team in text for line in end.lines)
    assert html.escape(lines[2]) in signed_in(dana).get(f"/desk/{event.slug}/papers/").content.decode()
    assert result_text(make_event("Open", dana, slug="open")) == ""


def test_a_public_page_that_is_printed_names_event_and_date(seated: Event, client: Client) -> None:
    for page in ("", "schedule/", "teams/", "bracket/"):
        shown = client.get(f"/e/{seated.slug}/{page}").content.decode()
        assert f'<p class="printed-head">{seated.name} · ' in shown, page


def test_only_what_is_ticked_is_printed(seated: Event, dana: User) -> None:
    client, address = signed_in(dana), f"/desk/{seated.slug}/papers/"
    answer = client.post(f"{address}jobs/tonight/", {"part": ["rules", "sheets", "nonsense"]})
    assert (answer.status_code, answer["Location"]) == (302, f"{address}tonight.pdf?part=sheets&part=rules")
    texts = pdf_pages(client.get(answer["Location"]).content)
    assert ["Table 1" in texts[0], "Table 2" in texts[1], "How a game ends" in texts[2]] == [True] * 3
    answer = client.post(f"{address}jobs/tonight/", {})
    assert (answer.status_code, "Choose at least one paper." in answer.content.decode()) == (422, True)
    assert client.post(f"{address}jobs/after/", {"part": "poster"}).status_code == 409


def test_cards_are_made_where_they_are_asked_for_and_it_is_said_which_stop_working(seated: Event, dana: User) -> None:
    client, page = signed_in(dana), f"/desk/{seated.slug}/papers/"
    issue_cards(Actor(dana), seated, [1, 2])
    printed = sure(Device.objects.filter(event=seated).first()).created_at
    at = clock_time(printed, seated.time_zone)
    assert f"2 cards printed at {at} stop working." in client.get(page).content.decode()
    token = pair_device(Actor(), issue_card(Actor(dana), seated, 1))
    shown = client.get(page).content.decode()
    assert "1 card printed at " in shown
    assert "stops working. No card for table 1: a tablet is in use there." in shown
    answer = client.post(f"{page}jobs/tonight/", {"part": ["cards", "sheets"]})
    texts = pdf_pages(answer.content)
    assert [len(texts), "Table 2" in texts[2], "Table 1" in texts[2]] == [3, True, False]
    live = Device.objects.filter(event=seated, revoked_at=None).order_by("table")
    assert [(device.table, bool(device.token_hash)) for device in live] == [(1, True), (2, False)]
    assert token


def test_between_games_and_when_it_is_over_are_one_file_each(seated: Event, dana: User) -> None:
    begun(seated, 1)
    client, page = signed_in(dana), f"/desk/{seated.slug}/papers/"
    texts = pdf_pages(client.get(f"{page}between.pdf").content)
    assert [len(texts), "standings" in texts[0], "game 2" in texts[1], "Table 2" in texts[4]] == [5, True, True, True]
    begun(seated, 3)
    Event.objects.update(stage="over")
    texts = pdf_pages(client.get(f"{page}after.pdf").content)
    assert "Event book" in texts[1]
    assert "page 3" in texts[2]
    assert client.get(f"{page}after.pdf?part=rules").status_code == 404


def test_every_single_thing_that_is_offered_is_there_and_nothing_else(seated: Event, dana: User) -> None:
    client, page = signed_in(dana), f"/desk/{seated.slug}/papers/"
    begins = {"pdf": b"%PDF", "xlsx": b"PK", "csv": b"\xef\xbb\xbf", "json": b"["}
    # Certificates wait for the champion.
    for paper in (paper for paper in papers_of(seated) if paper.key != "certificates"):
        for of, offered in (("", paper.whole), ("2", paper.each)):
            for kind in KINDS:
                answer = client.get(f"{page}one/", {"thing": paper.key, "of": of, "as": kind})
                if kind not in offered:
                    assert (answer.status_code, paper.words in answer.content.decode()) == (422, True), (paper, of)
                    continue
                made = client.get(answer["Location"])
                assert (made.status_code, made.content[: len(begins[kind])]) == (200, begins[kind]), (paper, of, kind)


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"thing": "horoscope"}, "Choose what to print, and as what."),
        ({"as": "docx"}, "Choose what to print, and as what."),
        ({"of": "7"}, "There is no such game."),
        ({"of": "²"}, "There is no such game."),
        ({"thing": "seating"}, "Seating: choose a game."),
        ({"thing": "standings", "of": "1"}, "Standings: of the whole evening only."),
        ({"as": "json"}, "Score sheets: as PDF."),
        ({"thing": "certificates"}, "Certificates: ready when the event is finished."),
    ],
)
def test_a_thing_that_is_not_there_is_refused_in_words(
    seated: Event, dana: User, asked: dict[str, str], fault: str
) -> None:
    answer = signed_in(dana).get(f"/desk/{seated.slug}/papers/one/", asked)
    assert (answer.status_code, fault in answer.content.decode()) == (422, True)


def test_the_page_takes_a_constant_number_of_queries(dana: User) -> None:
    for teams in (2, 30):
        event = make_event(f"Open {teams}", director=dana)
        make_round(event, pairs_of(make_teams(event, teams)))
    client, few, many = signed_in(dana), "/desk/open-2/papers/", "/desk/open-30/papers/"
    assert statements_of(lambda: client.get(few)) == statements_of(lambda: client.get(many))
