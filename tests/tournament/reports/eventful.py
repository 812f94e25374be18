"""An evening on which everything happens that an event file must keep."""

from __future__ import annotations

from uuid import uuid4

from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, ODD, make_event, make_round, make_teams, make_user
from tests.remembered import remembered
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Device, Event, Game, Notice, Official
from tournament.queries.ledger import Said
from tournament.queries.sheet import sheet_now
from tournament.services import payouts
from tournament.services.corrections import acknowledge_notice, apply_ruling, correct_sheet, withdraw_ruling
from tournament.services.devices import issue_card, pair_device
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.rounds import answer_call, call_director, pause_round, seat_side
from tournament.services.signatures import sign_for_all, verify_sheet
from tournament.services.substitutions import substitute
from tournament.services.transactions import note_printed

TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 9}
THREE = {"entry": "hand", "bidder": 1, "bid": "3", "books": 8}
SET = {"entry": "hand", "bidder": 1, "bid": "2", "books": 7}


@remembered
def eventful(dana: User) -> Event:
    """Six teams, one round in play: tablets, calls, undone and corrected lines, rulings withdrawn, paper, money."""
    event = make_event("Eventful Evening", dana, place="Union Hall", fee_cents=2000, pot_cents=500)
    Official.objects.create(event=event, user=make_user("vic"), role="verifier")
    teams = make_teams(event, 6)
    one, two, three = make_round(event, [tuple(teams[at : at + 2]) for at in (0, 2, 4)]).games.order_by("table")
    event.refresh_from_db()
    actor = Actor(dana, address="192.168.1.7")
    _at_the_tablet(actor, event, one)
    _corrected_after_signing(actor, two)
    _from_paper(actor, Actor(User.objects.get(username="vic")), three)
    substitute(actor, event, 6, position=1, into="Cal", from_round=1, only=True, reason="ill")
    payouts.charge(actor, event, 2, -500, Said(reason="helped with the chairs", key=uuid4()))
    payouts.reverse(actor, event, 3, Said(reason="paid by mistake", key=uuid4()))
    note_printed(actor, event, [sheet_now(two).code])
    pause_round(actor, event, 1, "fire alarm")
    event.refresh_from_db()
    return event


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
    game.refresh_from_db()
    sign_for_all(actor, game, "no tablet at this table")
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
