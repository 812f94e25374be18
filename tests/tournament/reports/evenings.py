"""Whole evenings for tests of paper and spreadsheets: club-24 as it was played, and random events of every game."""

from __future__ import annotations

import contextlib
import io
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone
from pypdf import PdfReader

from scoring.document import GAMES
from tests.factories import MADE_FIVE, ODD, make_event, make_round, make_teams, make_user, signed_in
from tests.quick import remembered
from tests.scoring import drawn
from tests.sure import fresh, sure
from tournament.access import Actor
from tournament.models import Device, Entry, Event, Game, Notice, Official, Player, Round, Signature, Team
from tournament.queries.ledger import Wording
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import NotPossible, begin
from tournament.queries.sheet import sheet_now
from tournament.reports.pdf.paper import Papers
from tournament.services import payouts
from tournament.services.corrections import acknowledge_notice, apply_ruling, correct_sheet, withdraw_ruling
from tournament.services.devices import issue_card, pair_device
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.rounds import answer_call, call_director, pause_round, seat_side
from tournament.services.signatures import refresh_results, sign_for_all, verify_sheet
from tournament.services.substitutions import substitute
from tournament.services.transactions import note_printed
from tournament.words.texts import name_key

TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}
THREE = {"entry": "hand", "bidder": 1, "bid": "3", "books": 8}
SET = {"entry": "hand", "bidder": 1, "bid": "2", "books": 7}


@remembered
def eventful(dana: User) -> Event:
    """Six teams, one round in play: tablets, calls, undone and corrected lines, rulings withdrawn, paper, money."""
    event = make_event("Eventful Evening", dana, place="Union Hall", fee_cents=2000, pot_cents=500)
    Official.objects.create(event=event, user=make_user("vic"), role="verifier")
    teams = make_teams(event, 6)
    first, two, three = make_round(event, [tuple(teams[index : index + 2]) for index in (0, 2, 4)]).games.order_by(
        "table"
    )
    event.refresh_from_db()
    actor = Actor(dana, address="192.168.1.7")
    _at_the_tablet(actor, event, first)
    _corrected_after_signing(actor, two)
    _from_paper(actor, Actor(User.objects.get(username="vic")), three)
    substitute(actor, event, 6, position=1, into="Cal", from_round=1, only=True, reason="ill")
    payouts.charge(actor, event, 2, -500, Wording(reason="helped with the chairs", key=uuid4()))
    payouts.reverse(actor, event, 3, Wording(reason="paid by mistake", key=uuid4()))
    note_printed(actor, event, [sheet_now(two).code])
    pause_round(actor, event, 1, "fire alarm")
    return fresh(event)


def _at_the_tablet(actor: Actor, event: Event, game: Game) -> None:
    pair_device(actor, issue_card(actor, event, 1))
    tablet = Actor(device=Device.objects.get(event=event, table=1))
    for side in (0, 1):
        seat_side(tablet, game, side)
    record_entry(tablet, game, TWO, source="table")
    record_entry(tablet, game, THREE, source="table")
    undo_entry(tablet, game, position=2, client_key=uuid4())
    record_entry(tablet, game, SET, source="table")
    answer_call(actor, call_director(tablet, game, "renege"))
    apply_ruling(actor, game, {"entry": "adjustment", "points": [-1, 0], "reason": "talk across the table"})
    last = sheet_now(game).rows[-1]
    withdraw_ruling(actor, game, position=last.position, revision=last.revision, reason="the card was led in turn")
    call_director(tablet, game, "score")


def _corrected_after_signing(actor: Actor, game: Game) -> None:
    record_entry(actor, game, MADE_FIVE, source="desk")
    sign_for_all(actor, fresh(game), "no tablet at this table")
    correct_sheet(actor, game, position=1, revision=0, facts=ODD, reason="the sheet says odd")
    acknowledge_notice(actor, sure(Notice.objects.filter(game=game).first()))


def _from_paper(actor: Actor, verifier: Actor, game: Game) -> None:
    open_from_paper(actor, game, {"scores": [3, -1], "sets": [0, 1], "hands": 2})
    record_entry(actor, game, THREE, source="paper")
    for accepted, reason in ((False, "the paper says 9 books"), (True, "")):
        code = sheet_now(game).code
        verify_sheet(verifier, game, code=code, accepted=accepted, reason=reason)
        if not accepted:
            correct_sheet(actor, game, position=1, revision=0, facts={**THREE, "books": 9}, reason="as on the paper")


CLUB_24 = Path(__file__).parents[3] / "fixtures" / "golden" / "club-24" / "event.json"
SHEETS = {
    "bid_whist": ("no-kitty-2021", "standard", "52-card", "boston-parr", "rhode-island", "hawaii", "marathon"),
    "spades": ("standard", "jokers", "new-york", "four-hand-tournament"),
    "back_alley": ("partnership", "individual", "oh-hell-18", "korean-war-26", "wild-cards", "high-two"),
    "okinawa": ("standard",),
}
# Of every other game all of them.
for game in GAMES:
    SHEETS.setdefault(game.key, tuple(sheet.key.partition("/")[2] for sheet in game.sheets))


@remembered
def club_24(director: User, **fields: Any) -> Event:
    """The 24-team evening: six games, every one signed."""
    data = json.loads(CLUB_24.read_text(encoding="utf-8"))
    event = make_event(data["event"], director, pot_cents=data["pot_per_team_cents"], place="Union Hall", **fields)
    teams = {row["number"]: _team(event, row) for row in data["teams"]}
    for row in data["rounds"]:
        tables = [table["teams"] for table in row["tables"]]
        pairs = [tuple(teams[number] for number in table) for table in tables]
        round_ = make_round(event, pairs, row["round"])
        for game, table in zip(round_.games.order_by("table"), row["tables"], strict=True):
            write(director, game, table["game"]["entries"])
        finish(event, round_)
    return event


@remembered
def random_event(family: str, seed: int, director: User, *, teams: int = 4, rounds: int = 2, sheet: str = "") -> Event:
    """An event of a family of games: random legal entries, finished games signed."""
    chance = Random(f"{family} {seed}")
    sheet = sheet or chance.choice(SHEETS[family])
    event = make_event(
        f"{family} {seed}", director, slug=f"e-{family}-{seed}", sheet=f"{family}/{sheet}", rounds_planned=rounds
    )
    event.pot_cents, event.options = 500, {}
    if family == "bid_whist" and sheet == "no-kitty-2021" and chance.random() < 0.5:
        event.options = {"score_basis": chance.choice(("made", "bid")), "backdoor_scope": "any-hand"}
    event.save()
    sides = ruleset_of(event).seating.sides
    entered = make_teams(event, max(teams, 2 * sides))
    for number in range(1, rounds + 1):
        order = chance.sample(entered, len(entered))
        tables = [tuple(order[index : index + sides]) for index in range(0, len(order) - sides + 1, sides)]
        round_ = make_round(event, tables, number)
        for game in round_.games.order_by("table"):
            write(director, game, random_entries(chance, event))
        finish(event, round_)
    return event


def in_play(event: Event) -> Event:
    """Its games were broken off: the round is not closed."""
    event.rounds.update(state="running", closed_at=None)
    return event


def random_entries(chance: Random, event: Event) -> list[dict[str, Any]]:
    """The entries of one game by the event's sheet, as many of them as the rules take."""
    return drawn.random_entries(chance, event.sheet, ruleset_of(event).seating.sides)


def write(director: User, game: Game, entries: list[dict[str, Any]]) -> None:
    """Put entries on a sheet without the tablet, as far as the rules take them."""

    rules = ruleset_of(game.round.event)
    scored = begin(rules)
    with contextlib.suppress(NotPossible):
        for facts in entries:
            scored = scored.with_line(scored.next_position, facts)
    for position, facts in ((line.position, line.facts) for line in scored.lines):
        kind = facts["entry"].replace("-", "_")
        Entry.objects.create(
            game=game, position=position, kind=kind, facts=facts, source="table", entered_by=director,
            client_key=uuid.uuid4(),
        )  # fmt: skip


def finish(event: Event, round_: Round) -> None:
    """Compute the results, sign what is over, close the round."""
    games = list(round_.games.values_list("pk", flat=True))
    for result in refresh_results(event, games):
        if result.over:
            for side in result.game.sides.all():
                player = side.team.players.first()
                name = player.name if player else side.team.name
                Signature.objects.create(game=result.game, side=side.index, code=result.code, name=name)
    refresh_results(event, games)
    Round.objects.filter(pk=round_.pk).update(state="closed", closed_at=timezone.now())


def _team(event: Event, row: dict[str, Any]) -> Team:
    fields = {"number": row["number"], "name": row["name"], "key": name_key(row["name"]), "city": row["city"]}
    team = Team.objects.create(event=event, paid=row["paid"], in_pot=row["boston_pot"], **fields)
    for position, name in enumerate(row["players"]):
        Player.objects.create(team=team, position=position, name=name, key=name_key(name))
    return team


# A paper as a file of its own, and the text of files.
def on_paper(draw: Callable[..., None], *args: Any) -> bytes:
    """What `draw` makes of these, in a file."""
    papers = Papers("Paper")
    draw(papers, *args)
    return papers.finish()


def printed(user: User, event: Event, name: str) -> bytes:
    """A file of the page “Print & files”."""
    answer = signed_in(user).get(f"/desk/{event.slug}/papers/{name}")
    assert answer.status_code == 200
    return bytes(answer.content)


def pdf_pages(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def pdf_text(content: bytes) -> str:
    return "\n".join(pdf_pages(content))


def squeezed(text: str) -> str:
    """Without spaces and line ends: long names take several lines."""
    return "".join(text.split())
