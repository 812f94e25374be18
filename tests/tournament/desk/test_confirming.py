"""Acts that ask first: what was confirmed is what is done, whatever somebody else does in between.

Each act is in one table. Where somebody else acts after the answer was sent and before the event is locked, it is asked
again. Where somebody else acts while the answer is carried out, the lock keeps them apart; without it this goes wrong.
"""

from __future__ import annotations

import ast
import html
import itertools
import pkgutil
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, connections
from django.test import Client

from tests.factories import (
    MADE_FIVE,
    confirmed_in,
    draw_by_hand,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
    signed_in,
)
from tests.sure import fresh
from tests.tournament.racing import take_lock_away
from tests.tournament.registrations.conftest import entered, open_event, own, team
from tournament import services, views
from tournament.access import NOBODY, Actor
from tournament.errors import DomainError
from tournament.models import Bye, Event, Game, Official, Result
from tournament.queries.roster import RosterRow
from tournament.services import transactions
from tournament.services.corrections import correct_sheet
from tournament.services.draws import draw_rounds
from tournament.services.events import discard_events
from tournament.services.payouts import pay
from tournament.services.registrations import withdraw
from tournament.services.rounds import start_round
from tournament.services.substitutions import change_and_reseat, swap_teams
from tournament.services.teams import add_team, check_in, withdraw_team

pytestmark = pytest.mark.usefixtures("own_file")

NEW = RosterRow(name="Late Birds", players=("Al", "Bo"))
numbers = itertools.count(1)
KEY = "confirmed"
ANOTHER = "QTHERS"
# Nobody waits so long: it only ends a test that could never end.
AT_MOST = 30


# Evenings.


def new_event(dana: User, **fields: Any) -> Event:
    return make_event(f"Asked {next(numbers)}", dana, seed=5, **fields)


def drawn(dana: User, teams: int = 7, **fields: Any) -> Event:
    """Four rounds are drawn, none has started."""
    event = new_event(dana, teams=teams, rounds_planned=4, movement="round-robin", **fields)
    draw_rounds(Actor(dana), event, seed=5)
    return fresh(event)


def started(dana: User) -> Event:
    event = drawn(dana)
    start_round(Actor(dana), event, 1)
    return fresh(event)


def one_left(dana: User) -> Event:
    event = started(dana)
    change_and_reseat(Actor(dana), event, partial(withdraw_team, Actor(dana), event, 3, 1))
    return fresh(event)


def two_tables(dana: User) -> Event:
    """Aces – Books is final, Night Owls – Eagles in play with a hand; Full Deck has a bye."""
    event = new_event(dana)
    *paired, fifth = make_teams(event, 5)
    round_ = make_round(event, pairs_of(paired))
    Bye.objects.create(round=round_, team=fifth)
    games = list(round_.games.all())
    play(dana, games[0], MADE_FIVE)
    play(dana, games[1], {"entry": "hand", "bidder": 0, "bid": "2", "books": 8})
    return event


def two_final(dana: User) -> Event:
    """Aces – Books and Night Owls – Eagles are final."""
    event = new_event(dana)
    for game in make_round(event, pairs_of(make_teams(event, 4))).games.all():
        play(dana, game, MADE_FIVE)
    return event


def by_hand(dana: User) -> Event:
    event = drawn(dana, 4)
    draw_by_hand(Actor(dana), event, 1, [(1, 3), (2, 4)])
    return fresh(event)


def not_all_here(dana: User, **fields: Any) -> Event:
    event = new_event(dana, teams=6, rounds_planned=2, checks_in=True, **fields)
    for number in (1, 2, 3, 4):
        check_in(Actor(dana), event, number, "desk")
    return fresh(event)


def not_all_have_paid(dana: User) -> Event:
    event = not_all_here(dana)
    Event.objects.filter(pk=event.pk).update(fee_cents=2000)
    return fresh(event)


def not_all_here_and_drawn(dana: User) -> Event:
    event = not_all_here(dana)
    draw_rounds(Actor(dana), event, seed=5)
    return fresh(event)


def left_out(dana: User) -> Event:
    event = not_all_here(dana)
    withdraw_team(Actor(dana), event, 5, 0)
    draw_rounds(Actor(dana), event, seed=5)
    return fresh(event)


def one_wants_to_leave(dana: User) -> Event:
    event = open_event(dana, name=f"Asked {next(numbers)}", seed=5, rounds_planned=2, movement="round-robin")
    entries = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds", "Owls")))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    withdraw(NOBODY, own(entries[1]))
    return fresh(event)


def one_waits(dana: User) -> Event:
    event = open_event(dana, name=f"Asked {next(numbers)}", seed=5, rounds_planned=2, entry_limit=4)
    entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds", "Owls")))
    draw_rounds(Actor(dana), fresh(event), seed=5)
    return fresh(event)


def one_left_a_seat(dana: User) -> Event:
    event = drawn(dana, 6)
    withdraw_team(Actor(dana), event, 2, 0)
    return fresh(event)


def one_is_short(dana: User) -> Event:
    event = new_event(dana, teams=4, rounds_planned=2)
    add_team(Actor(dana), event, RosterRow(name="Alone", players=("Cy Dill",)))
    draw_rounds(Actor(dana), event, seed=5)
    return fresh(event)


def short_in_the_bracket(dana: User) -> Event:
    event = new_event(dana, teams=3, stage="playoffs", cut=4)
    add_team(Actor(dana), event, RosterRow(name="Alone", players=("Cy Dill",)))
    return fresh(event)


def entries_wait(dana: User) -> Event:
    event = open_event(dana, name=f"Asked {next(numbers)}", seed=5, rounds_planned=1, entries_wait=True)
    entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds")))
    Event.objects.filter(pk=event.pk).update(entries_wait=False)
    entered(fresh(event), *map(team, ("Owls", "Larks", "Crows", "Doves")))
    return fresh(event)


# What somebody else does.


def enters_a_team(dana: User, event: Event) -> None:
    """Another official enters a team, and the games to come are drawn again with it."""
    change_and_reseat(Actor(dana), event, partial(add_team, Actor(dana), event, NEW))


def withdraws_another(dana: User, event: Event) -> None:
    """Another official withdraws a team, and the draw stays."""
    change_and_reseat(Actor(dana), event, partial(withdraw_team, Actor(dana), event, 4, 0), redraw=False)


def corrects_another(dana: User, event: Event) -> None:
    line: dict[str, Any] = {"position": 1, "revision": 0, "facts": MADE_FIVE | {"books": 13}}
    correct_sheet(Actor(dana), Game.objects.get(round__event=event, table=2), **line, reason="all of them")


def swaps_others(dana: User, event: Event) -> None:
    swap_teams(Actor(dana), event, 1, 2, 4, "wrong tables, too")


def seats_by_hand(dana: User, event: Event) -> None:
    numbers_there = list(event.teams.filter(status="playing").values_list("number", flat=True))[:4]
    first, second, third, fourth = numbers_there
    draw_by_hand(Actor(dana), event, 1, [(first, fourth), (second, third)])


def checks_one_in(dana: User, event: Event) -> None:
    check_in(Actor(dana), event, 5, "desk")


def takes_from_one(dana: User, event: Event) -> None:
    pay(Actor(dana), event, 1)


def has_another_code(dana: User, event: Event) -> None:
    """Somebody else has made a new code, as if by chance this one."""
    with transactions.writing(event) as event:
        event.wall_code = ANOTHER
        event.save(update_fields=["wall_code"])


class Asks(NamedTuple):
    """An act of a page: the evening, the address, what is typed, and what somebody else does in between."""

    world: Callable[[User], Event]
    to: str
    typed: dict[str, str]
    other: Callable[[User, Event], None]
    # Whether the first press asks; else it only does where somebody else was quicker.
    at_once: bool = True
    # The statement before which somebody else acts: what it was compared with is read by then.
    place: str = r"(INSERT INTO|UPDATE|DELETE FROM) .tournament_(?!person|siteact)"


SWAP = {"first": "1", "second": "3", "reason": "wrong tables"}
# Under the lock the draw is counted first: how it comes back was read before.
COUNTS_ROUNDS = r'SELECT COUNT\(\*\) AS "__count" FROM "tournament_round"'
RULING = {"rule": "46", "choice": "forfeit", "side": "1", "leaves": "yes", "leaves_asked": "1", "position": "1"}
ENTERS = {"name": "Early Birds", "player1": "Cy", "player2": "Di"}

PAGES: dict[str, Asks] = {
    "swap": Asks(two_tables, "rounds/1/swaps/", SWAP, swaps_others),
    "withdraw": Asks(started, "teams/3/withdrawal/", {"after_round": "1"}, enters_a_team),
    "merge": Asks(drawn, "teams/1/merger/", {"other": "2", "new_name": "Both"}, enters_a_team),
    "enter a team": Asks(started, "teams/", ENTERS, enters_a_team),
    "remove": Asks(drawn, "teams/5/removal/", {}, enters_a_team),
    "come back": Asks(one_left, "teams/3/comeback/", {}, enters_a_team),
    "come after all": Asks(left_out, "check-in/5/", {}, enters_a_team),
    "new code on the wall": Asks(not_all_here, "check-in/code/", {}, has_another_code),
    "leave out": Asks(not_all_here, "check-in/absent/", {"numbers": "5,6"}, checks_one_in),
    "leave out of a draw": Asks(not_all_here_and_drawn, "check-in/absent/", {"numbers": "5,6"}, enters_a_team),
    "all paid": Asks(not_all_have_paid, "check-in/paid/", {}, takes_from_one),
    "let go": Asks(one_wants_to_leave, "entries/leaving/2/", {"what": "again"}, enters_a_team),
    "let in": Asks(one_waits, "entries/5/place/", {}, enters_a_team),
    "start without them": Asks(one_left_a_seat, "rounds/1/start/", {}, withdraws_another),
    "start short": Asks(one_is_short, "rounds/1/start/", {}, withdraws_another),
    "start the bracket short": Asks(short_in_the_bracket, "playoffs/rounds/", {}, withdraws_another),
    "ruling that sends away": Asks(started, "games/{game}/rulings/", RULING, enters_a_team),
    "draw again": Asks(by_hand, "draw/", {"seats": "lot", "seed": "7"}, seats_by_hand),
    "delete a draw that comes back": Asks(drawn, "draw/removal/", {}, seats_by_hand, place=COUNTS_ROUNDS),
    "delete the draw": Asks(by_hand, "draw/removal/", {}, seats_by_hand, place=COUNTS_ROUNDS),
    "accept and draw": Asks(
        entries_wait,
        "entries/acceptance/",
        {"entry": "1", "until": "4", "draw": "yes", "seed": "5"},
        seats_by_hand,
        False,
    ),
}
CORRECTS = {"seat": "0", "bid": "4", "books": "12", "revision": "0", "reason": "twelve, as on paper"}
PAGES["correct a line"] = Asks(two_final, "games/{game}/entries/1/revisions/", CORRECTS, corrects_another)
named = pytest.mark.parametrize("asks", PAGES.values(), ids=PAGES)


def address(event: Event, asks: Asks) -> str:
    game = Game.objects.filter(round__event=event, round__number=1).order_by("table").first()
    return f"/desk/{event.slug}/{asks.to.format(game=game.pk if game else 0)}"


def state_of(event: Event) -> object:
    """Who is in, who sits where and has paid; and whether the code on the wall is the one that somebody else made."""
    event = Event.objects.get(pk=event.pk)
    teams = [
        (one.number, one.name, one.status, one.left_after, one.joined_in, one.here_at is None)
        for one in event.teams.all()
    ]
    games = Game.objects.filter(round__event=event).order_by("round__number", "table").prefetch_related("sides__team")
    tables = [
        (game.round.number, game.table, game.state, [one.team.number for one in game.sides.all()]) for game in games
    ]
    byes = list(
        Bye.objects.filter(round__event=event).order_by("round__number").values_list("round__number", "team__number")
    )
    points = list(Result.objects.filter(game__round__event=event).order_by("game").values_list("points", flat=True))
    money = list(event.ledger.values_list("team__number", "cents"))
    return event.seed, event.wall_code == ANOTHER, teams, tables, byes, points, money


def asked(answer: Any) -> bool:
    return answer.status_code == 200 and f'name="{KEY}"' in answer.content.decode()


def in_a_thread(act: Callable[[], object]) -> threading.Thread:
    """Do it with a connection of its own; it may be refused."""

    def run() -> None:
        try:
            with suppress(DomainError):
                act()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def answered(dana: User, event: Event, asks: Asks) -> tuple[Client, dict[str, str]]:
    """Somebody who has read the question, and the form that answers it."""
    desk = signed_in(dana)
    if not asks.at_once:
        return desk, asks.typed
    question = desk.post(address(event, asks), asks.typed)
    assert asked(question)
    return desk, asks.typed | {KEY: confirmed_in(page_of(question))}


def answer_while(monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Any], other: Callable[[], object]) -> Any:
    """Answer; somebody else acts to the end when the event is about to be locked for it."""
    take_turn, has_acted = transactions.in_line, threading.Event()

    def in_line() -> AbstractContextManager[None]:
        if not connection.in_atomic_block and not has_acted.is_set():
            has_acted.set()
            in_a_thread(other).join(AT_MOST)
        return take_turn()

    monkeypatch.setattr(transactions, "in_line", in_line)
    came = answer()
    monkeypatch.undo()
    assert has_acted.is_set(), "nobody else has acted"
    return came


@named
def test_it_asks_again_where_somebody_acts_before_the_event_is_locked(
    dana: User, monkeypatch: pytest.MonkeyPatch, asks: Asks
) -> None:
    event, after_other = asks.world(dana), list[object]()
    desk, form = answered(dana, event, asks)
    there = address(event, asks)

    def other() -> None:
        asks.other(dana, event)
        after_other.append(state_of(event))

    answer = answer_while(monkeypatch, lambda: desk.post(there, form), other)
    page = page_of(answer)
    assert (asked(answer), [state_of(event)]) == (True, after_other)
    assert ("This is different now. Check it again." in page) == asks.at_once
    # Nothing that was typed is lost: the new question sends all of it again, and then it is done.
    assert asks.typed.items() <= hidden_in(page).items()
    assert desk.post(there, hidden_in(page)).status_code == 302
    assert state_of(event) != after_other[0]


def hidden_in(page: str) -> dict[str, str]:
    """What the form of the question sends."""
    form = page[page.index('class="card pad impact"') :]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[: form.index("</form>")])
    return {name: html.unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def answer_in_the_middle(dana: User, asks: Asks, at_most: float, place: str, begin: Callable[[], None]) -> object:
    """Somebody else acts after the current draw was read for the answer, but before the answer is written.

    It waits for that for `at_most` seconds: with the lock nobody comes in between. What the answer was, what it showed,
    and the state of the event when both are done.
    """
    event = asks.world(dana)
    desk, form = answered(dana, event, asks)
    begin()
    others: list[threading.Thread] = []

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not others and re.match(place, sql):
            others.append(in_a_thread(lambda: asks.other(dana, event)))
            others[0].join(at_most)
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        try:
            answer = desk.post(address(event, asks), form)
        except DatabaseError as fault:
            # What nobody should see: rows that somebody else has written or taken away.
            return repr(fault)
    others[0].join(AT_MOST)
    assert not others[0].is_alive()
    return answer.status_code, shown_in(answer), state_of(event)


def one_after_the_other(dana: User, asks: Asks) -> object:
    event = asks.world(dana)
    desk, form = answered(dana, event, asks)
    answer = desk.post(address(event, asks), form)
    in_a_thread(lambda: asks.other(dana, event)).join(AT_MOST)
    return answer.status_code, shown_in(answer), state_of(event)


def shown_in(answer: Any) -> object:
    """What was asked about; nothing where it was done."""
    return answer.context["impact"].changes if asked(answer) else None


@named
def test_nobody_comes_between_the_comparison_and_the_act(
    dana: User, monkeypatch: pytest.MonkeyPatch, asks: Asks
) -> None:
    right = one_after_the_other(dana, asks)
    assert answer_in_the_middle(dana, asks, 0.5, asks.place, lambda: None) == right
    # Without the lock some writes begin a transaction of their own: SQLite would keep everybody out of it.
    place = f"BEGIN|{asks.place}"
    assert answer_in_the_middle(dana, asks, AT_MOST, place, lambda: take_lock_away(monkeypatch)) != right


def keeps_the_draw(dana: User, event: Event) -> None:
    """Another official enters a team, and the draw stays."""
    change_and_reseat(Actor(dana), event, partial(add_team, Actor(dana), event, NEW), redraw=False)


@pytest.mark.parametrize(("other", "is_done"), [(enters_a_team, False), (keeps_the_draw, True)])
def test_who_keeps_the_draw_is_asked_again_where_another_draw_stands_by_now(
    dana: User, monkeypatch: pytest.MonkeyPatch, other: Callable[[User, Event], None], is_done: bool
) -> None:
    """Somebody who keeps the draw has read the current draw: what a new one would be does not matter then."""
    event = started(dana)
    desk, form = answered(dana, event, PAGES["withdraw"])
    keep = form | {"seating": "keep"}
    there = address(event, PAGES["withdraw"])
    answer = answer_while(monkeypatch, lambda: desk.post(there, keep), lambda: other(dana, event))
    status = event.teams.get(number=3).status
    assert (asked(answer), status) == (not is_done, "left" if is_done else "playing")


@named
def test_somebody_whose_right_has_gone_is_refused(dana: User, asks: Asks) -> None:
    event = asks.world(dana)
    desk, form = answered(dana, event, asks)
    Official.objects.filter(event=event).delete()
    before = state_of(event)
    assert desk.post(address(event, asks), form).status_code == 403
    assert state_of(event) == before


@named
def test_an_event_that_was_deleted_meanwhile_is_said_to_be(
    dana: User, monkeypatch: pytest.MonkeyPatch, asks: Asks
) -> None:
    event = asks.world(dana)
    desk, form = answered(dana, event, asks)
    there = address(event, asks)

    def delete() -> None:
        discard_events([Event.objects.get(pk=event.pk)])

    answer = answer_while(monkeypatch, lambda: desk.post(there, form), delete)
    assert (answer.status_code in (404, 409), Event.objects.filter(pk=event.pk).exists()) == (True, False)
    assert desk.post(there, form).status_code == 404


def test_a_draw_from_a_file_is_asked_about_again_with_its_text(dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upload is text of the form once it was read: question and answer do not lose it."""
    event = by_hand(dana)
    desk, to = signed_in(dana), f"/desk/{event.slug}/draw/2/by-hand/"
    question = desk.post(to, {"file": SimpleUploadedFile("draw.csv", b"1;3\n2;4\n")})
    text, impact = question.context["form"].data["text"], question.context["impact"]
    assert (question.status_code, len(impact.warnings)) == (422, 2)
    answer = {"text": text, "confirmed": impact.key}
    again = answer_while(monkeypatch, lambda: desk.post(to, answer), lambda: seats_by_hand(dana, event))
    page, seats = page_of(again), event.rounds.get(number=2).by_hand
    assert (again.status_code, "This is different now. Check it again." in page, seats) == (422, True, False)
    answer = {"text": again.context["form"].data["text"], "confirmed": again.context["impact"].key}
    assert (desk.post(to, answer).status_code, event.rounds.get(number=2).by_hand) == (302, True)


# Whatever asks first is in the table above: a new one cannot be forgotten.

SERVICES = {
    "corrections.bring_back": "correct a line",
    "corrections.correct_sheet": "correct a line",
    "corrections.replace_by_ruling": "correct a line",
    "corrections.retype_sheet": "correct a line",
    "corrections.rule_on_final": "correct a line",
    "corrections.withdraw_ruling": "correct a line",
    "door.take_all": "all paid",
    "draws.draw_again": "draw again",
    "draws.take_back_draw": "delete the draw",
    "registrations.decide": "accept and draw",
    "events.change_wall_code": "new code on the wall",
    "leaving.let_go": "let go",
    "playoffs.start_playoff_round": "start the bracket short",
    "rounds.start_round": "start without them",
    "substitutions.change_and_reseat": "withdraw",
    "substitutions.swap_teams": "swap",
    "teams.leave_out": "leave out",
}
# Views that hand an act to `change_and_reseat`, by `changed` of `views/teams.py`.
CHANGES = {
    "checkin.came": "come after all",
    "checkin.leave_out": "leave out of a draw",
    "deskgames._apply_ruling": "ruling that sends away",
    "teams.comeback": "come back",
    "teams.merge": "merge",
    "teams.removal": "remove",
    "teams.team_list": "enter a team",
    "teams.withdrawal": "withdraw",
    "waiting.letting_in": "let in",
}


def functions_of(package: ModuleType) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function of a package by its module and name."""
    for module in pkgutil.iter_modules(package.__path__):
        tree = ast.parse(Path(package.__path__[0], f"{module.name}.py").read_text())
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                yield f"{module.name}.{node.name}", node


def test_every_act_that_asks_first_is_in_the_table() -> None:
    asking, changing = set(), set()
    for name, function in functions_of(services):
        asked_for = [ast.unparse(one) for one in (*function.args.args, *function.args.kwonlyargs)]
        if "confirmed: str | None" in asked_for and not name.split(".")[1].startswith("_"):
            asking.add(name)
    for name, function in functions_of(views):
        calls = [ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)]
        if "changed" in calls:
            changing.add(name)
    # A draw by hand asks in its own form, where the seats are: the test of a file above.
    elsewhere = {"confirming.ask_first", "draws.draw_rounds_by_hand"}
    assert (asking - elsewhere, changing) == (set(SERVICES), set(CHANGES))
    others = {"start short", "delete a draw that comes back"}
    assert {*SERVICES.values(), *CHANGES.values(), *others} == set(PAGES)
