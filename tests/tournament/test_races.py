"""Two people at the same moment. Threads with connections of their own, on a database in a file or on PostgreSQL.

Every race has a control: with the event's lock taken away (and nothing else) the same race must go wrong, or the test
would prove nothing. In a control the acts wait for each other at the places where the lock would have kept them apart,
so that it goes wrong every time and not by luck.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, code_of, make_event, make_round, make_teams, pairs_of, play
from tests.sure import fresh, sure
from tests.tournament.racing import failed, take_lock_away, together
from tests.tournament.registrations.conftest import entered, open_event, own, states, team
from tests.tournament.results.evenings import finish_game, played_round, win
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.models import Entry, Event, Game, Journal, Notice, Person, Player, Round, Side, Signature
from tournament.pairing.bracket import Form, Losers
from tournament.queries.roster import RosterRow
from tournament.services.corrections import correct_sheet
from tournament.services.devices import issue_card, pair_device
from tournament.services.draws import draw_rounds
from tournament.services.entries import record_entry, undo_entry
from tournament.services.people import delete_person, merge_persons
from tournament.services.playoffs import make_cut, start_playoff_round
from tournament.services.registrations import decide, enter, withdraw
from tournament.services.rounds import close_round, start_round
from tournament.services.signatures import note_paper_signatures, sign_sheet, take_paper_signatures_back
from tournament.services.teams import enter_roster
from tournament.words.phrases import A_PLAYER
from tournament.words.texts import name_key, near_key

THREE = {"entry": "hand", "seat": 0, "bid": "3", "books": 9}
FOUR = {"entry": "hand", "seat": 1, "bid": "4", "books": 10}
numbers = itertools.count(1)
pytestmark = [pytest.mark.usefixtures("own_file"), pytest.mark.both_databases]

# The places where an act of a control waits: what it looked at before them is out of date after them.
WRITES = 'INSERT INTO "tournament_entry"'
SIGNS = 'INSERT INTO "tournament_signature"'
TELLS = 'INSERT INTO "tournament_notice"'
STARTS = 'UPDATE "tournament_event"'
CLOSES = 'UPDATE "tournament_round"'
ENTERS = 'INSERT INTO "tournament_registration"'
LISTS = 'SELECT "tournament_team"."number"'
GOES = 'DELETE FROM "tournament_team"'
MERGES = 'UPDATE "tournament_person"'
SEATS = 'INSERT INTO "tournament_player"'
DRAWS = 'INSERT INTO "tournament_round"'
Places = tuple[tuple[str, ...], ...]


def new_event(dana: User, pairs: int = 1, **round_: Any) -> tuple[Event, Round]:
    event = make_event(f"Race {next(numbers)}", dana, rounds_planned=1)
    return event, make_round(event, pairs_of(make_teams(event, 2 * pairs)), **round_)


def new_game(dana: User, *hands: dict[str, Any]) -> Game:
    _, round_ = new_event(dana)
    return play(dana, round_.games.get(), *hands, sign=False)


def tablets(dana: User, game: Game, count: int) -> list[Actor]:
    """The same tablet in several windows."""
    pair_device(Actor(), issue_card(Actor(dana), game.round.event, game.table))
    device = game.round.event.devices.get()
    return [Actor(device=device) for _ in range(count)]


def sentences(came: list[Any], instead: str = "") -> list[str]:
    """What the refused ones were told, or `instead` for each; anything else that was raised shows as it is."""
    return [
        instead or outcome.faults[0].text if isinstance(outcome, Conflict | ValidationFailed) else repr(outcome)
        for outcome in came
        if failed(outcome)
    ]


def errors(came: list[Any]) -> list[str]:
    """How those ended that failed: refused, or by an error that nobody should see (two that wait for each other)."""
    return sentences(came, "refused")


def notes(game_or_round: str, key: object, action: str) -> int:
    return Journal.objects.filter(noun=game_or_round, key=str(key), action=action).count()


def two_tablets_write_the_same_hand(dana: User, places: Places) -> object:
    game = new_game(dana)
    first, other = tablets(dana, game, 2)
    came = together(
        lambda: record_entry(first, game, THREE, position=1),
        lambda: record_entry(other, game, FOUR, position=1),
        places=places,
    )
    return sentences(came), Entry.objects.filter(game=game).count(), notes("game", game.pk, "record")


ONE_HAND = (
    ["Another hand was recorded before yours. Look at the sheet, then record yours if it is still right."],
    1,
    1,
)


def one_hand_is_sent_eight_times(dana: User, places: Places) -> object:
    game, key = new_game(dana), uuid.uuid4()
    acts = [
        lambda actor=actor: record_entry(actor, game, THREE, position=1, client_key=key)
        for actor in tablets(dana, game, 8)
    ]
    came = together(*acts, places=places)
    keys = list(Entry.objects.filter(game=game).values_list("client_key", flat=True))
    return (
        sentences(came),
        keys == [key],
        [outcome for outcome in came if outcome != came[0]],
        notes("game", game.pk, "record"),
    )


def last_signature(dana: User, places: Places, act: Callable[[Actor, Game], object]) -> tuple[Game, str, list[Any]]:
    """One side has signed; the other one signs while somebody else acts. The sheet, its code before, what came."""
    game = new_game(dana, MADE_FIVE)
    (tablet, other), code = tablets(dana, game, 2), code_of(game)
    sign_sheet(tablet, game, side=0, name="Ann 1", code=code)
    sign = partial(sign_sheet, tablet, game, side=1, name="Ann 2", code=code)
    came = together(sign, lambda: act(other, game), places=places)
    return fresh(game), code, came


def signed_or(state: str, game: Game, code: str, came: list[Any]) -> object:
    """The first one wins: a final sheet has its hand, and a changed one has no second signature."""
    signed = Signature.objects.filter(game=game).count()
    return errors(came), (game.state, signed, code_of(game) == code) in (("final", 2, True), (state, 1, False))


def a_signature_meets_an_undo(dana: User, places: Places) -> object:
    undo = partial(undo_entry, position=1)
    return signed_or("playing", *last_signature(dana, places, undo))


def a_signature_meets_another_hand(dana: User, places: Places) -> object:
    def write_anew(other: Actor, game: Game) -> None:
        undo_entry(other, game, position=1)
        record_entry(other, game, {**MADE_FIVE, "books": 12})

    return signed_or("to-sign", *last_signature(dana, places, write_anew))


def a_signature_meets_a_correction(dana: User, places: Places) -> object:
    """Who corrects a sheet that is not final yet tells nobody; who corrects a final one tells both teams."""
    line: dict[str, Any] = {"position": 1, "revision": 0, "facts": {**MADE_FIVE, "books": 12}, "reason": "twelve"}
    game, _, came = last_signature(dana, places, lambda _, game: correct_sheet(Actor(dana), game, **line))
    notices = Notice.objects.filter(game=game).count()
    return (errors(came), game.state, notices) in (([], "final", 2), (["refused"], "to-sign", 0))


def both_sides_sign(dana: User, places: Places) -> object:
    game = new_game(dana, MADE_FIVE)
    (tablet, other), code = tablets(dana, game, 2), code_of(game)
    came = together(
        lambda: sign_sheet(tablet, game, side=0, name="Ann 1", code=code),
        lambda: sign_sheet(other, game, side=1, name="Ann 2", code=code),
        places=places,
    )
    before = game.version
    return sentences(came), fresh(game).state, game.version - before, Signature.objects.filter(game=game).count()


def the_last_two_tables_sign_while_the_round_is_closed(dana: User, places: Places) -> object:
    """However it falls out: both sign, the round is closed at most once, and a closed round has only final games."""
    event, round_ = new_event(dana, pairs=2)
    games = [play(dana, game, MADE_FIVE, sign=False) for game in round_.games.all()]
    for game in games:
        sign_sheet(Actor(dana), game, side=0, name="Dana", code=code_of(game), reason="race")
    codes = [code_of(game) for game in games]
    acts = [
        lambda game=game, code=code: sign_sheet(Actor(dana), game, side=1, name="Dana", code=code, reason="race")
        for game, code in zip(games, codes, strict=True)
    ]
    came = together(*acts, *[lambda: _close_when_it_can_be(dana, event)] * 2, places=places)
    round_.refresh_from_db()
    return (
        [outcome for outcome in came[:2] if failed(outcome)],
        sum(isinstance(outcome, Round) for outcome in came[2:]),
        sentences(came[2:]),
        round_.state,
        set(round_.games.values_list("state", flat=True)),
        Journal.objects.filter(event=event, action="close").count(),
    )


def _close_when_it_can_be(dana: User, event: Event) -> Round:
    """Press “Close” until the last table has signed."""
    while True:
        try:
            return close_round(Actor(dana), event, 1)
        except ValidationFailed:
            time.sleep(0.02)


def closed_or(state: str, dana: User, places: Places, game: Game, act: Callable[[], object]) -> object:
    """Either the act comes too late, or the round cannot be closed: never a closed round with a game that is open."""
    round_ = game.round
    came = together(lambda: close_round(Actor(dana), round_.event, 1), act, places=places)
    round_.refresh_from_db()
    return errors(came), (round_.state, fresh(game).state) in (("closed", "final"), ("running", state))


def a_round_is_closed_while_its_last_game_is_opened_again(dana: User, places: Places) -> object:
    game, less = play(dana, new_game(dana), MADE_FIVE), {**MADE_FIVE, "books": 10}
    correct = partial(correct_sheet, Actor(dana), game, position=1, revision=0, facts=less, reason="ten")
    return closed_or("playing", dana, places, game, correct)


def signed_on_paper_is_pressed_twice(dana: User, places: Places) -> object:
    """On two laptops at the same moment: each side is signed for once, and the log says it once."""
    game = new_game(dana, MADE_FIVE)
    code = code_of(game)
    came = together(*[lambda: note_paper_signatures(Actor(dana), game, code)] * 2, places=places)
    game.refresh_from_db()
    signed = [
        (signature.side, signature.how, signature.revision)
        for signature in Signature.objects.filter(game=game).order_by("side")
    ]
    return [repr(outcome) for outcome in came if failed(outcome)], game.state, signed, notes("game", game.pk, "sign")


def a_round_is_closed_while_paper_signatures_are_taken_back(dana: User, places: Places) -> object:
    game = new_game(dana, MADE_FIVE)
    code = code_of(game)
    note_paper_signatures(Actor(dana), game, code)
    take_back = partial(take_paper_signatures_back, Actor(dana), game, code)
    return closed_or("to-sign", dana, places, game, take_back)


def two_desks_start_the_round(dana: User, places: Places) -> object:
    event, _ = new_event(dana, pairs=3, state="planned")
    start = lambda: start_round(Actor(dana), event, 1)  # noqa: E731
    came = together(start, start, places=places)
    started = Journal.objects.filter(event=event, action="start").count()
    return sentences(came), started, Journal.objects.filter(event=event, action="freeze").count()


def two_desks_start_the_next_playoff_round(dana: User, places: Places) -> object:
    """Both brackets of a double elimination are played in it."""
    event = make_event(f"Race {next(numbers)}", dana, rounds_planned=1, teams=4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    make_cut(Actor(dana), event, 4, form=Form(Losers.DOUBLE))
    for game in start_playoff_round(Actor(dana), fresh(event)).games.all():
        finish_game(event, game, win(0))
    close_round(Actor(dana), fresh(event), 2)
    start = partial(start_playoff_round, Actor(dana), fresh(event))
    came = together(start, start, places=places)
    rounds = event.rounds.filter(stage="playoff").values_list("title", flat=True)
    return sentences(came), list(rounds), Side.objects.filter(round__event=event, round__number=3).count()


def two_officials_correct_the_hand(dana: User, places: Places) -> object:
    game = new_game(dana, {**THREE, "books": 8})
    acts = [
        lambda books=books: correct_sheet(
            Actor(dana), game, position=1, revision=0, facts={**THREE, "books": books}, reason=f"{books} books"
        )
        for books in (9, 10)
    ]
    came = together(*acts, places=places)
    revisions = list(Entry.objects.filter(game=game).values_list("revision", flat=True))
    return sentences(came), revisions, notes("game", game.pk, "correct")


def two_enter_for_the_last_place(dana: User, places: Places) -> object:
    event = open_event(dana, name=f"Race {next(numbers)}", entry_limit=1)
    came = together(
        *[partial(enter, Actor(), event, f"{name} of {event.pk}", **team(name)) for name in ("Reds", "Blues")],
        places=places,
    )
    return sentences(came), [row.split()[2] for row in states(event)], event.teams.count()


def the_desk_accepts_two_for_the_last_place(dana: User, places: Places) -> object:
    event = open_event(dana, name=f"Race {next(numbers)}", entry_limit=1, entries_wait=True)
    entered(event, team("Reds"), team("Blues"))
    came = together(
        *[partial(decide, Actor(dana), event, [position], accepted=True) for position in (1, 2)], places=places
    )
    return sentences(came), sorted(row.split()[2] for row in states(event)), event.teams.count()


def a_team_withdraws_while_it_is_drawn(dana: User, places: Places) -> object:
    """Drawn, it asks to leave; not drawn, it is off the list. In no case does a draw have a team that is not there."""
    event = open_event(dana, name=f"Race {next(numbers)}", rounds_planned=1)
    reds, *_ = entered(event, *map(team, ("Reds", "Blues", "Greens", "Golds", "Owls")))
    came = together(partial(withdraw, Actor(), own(reds)), partial(draw_rounds, Actor(dana), event), places=places)
    drawn, asks = event.rounds.filter(games__sides__team__name="Reds"), event.registrations.filter(state="leaving")
    byes = event.rounds.filter(byes__team__name="Reds")
    again = "Entries or results changed while the draw was being made. Please draw again."
    return {*sentences(came)} <= {again}, (drawn.exists() or byes.exists()) == asks.exists()


Race = Callable[[User, Places], object]


# The race, how it ends with the lock, and where its acts wait for each other without.
def two_owners_merge_each_into_the_other(dana: User, places: Places) -> object:
    ann, bea = (Person.objects.create(name=name, key=name, near=name) for name in ("ann", "bea"))
    for name, person in (("Ann", ann), ("Bea", bea)):
        player = make_teams(make_event(f"Race {next(numbers)} {name}", dana), 1)[0].players.first()
        Player.objects.filter(pk=sure(player).pk).update(person=person)
    acts = [partial(merge_persons, Actor(dana), *pair) for pair in ((ann, bea), (bea, ann))]
    came = together(*acts, places=places)
    return errors(came), Person.objects.filter(pk__in=(ann.pk, bea.pk)).exclude(merged_into=None).count()


def a_person_is_deleted_while_a_team_is_entered(dana: User, places: Places) -> object:
    """In either order: no player of a deleted person has a name, and the team is there."""
    event, name = make_event(f"Race {next(numbers)}", dana), f"Otis Reed {next(numbers)}"
    otis = Person.objects.create(name=name, key=name_key(name), near=near_key(name))
    rows = [RosterRow(name="Aces", players=(name, "Ann Lee"))]
    come = partial(enter_roster, Actor(dana), event, rows)
    came = together(partial(delete_person, Actor(dana), otis), come, places=places)
    is_named = Player.objects.filter(person__deleted_at__isnull=False).exclude(name=A_PLAYER, entered="").exists()
    return errors(came), is_named, fresh(otis).name, event.teams.count()


RACES: list[tuple[Race, object, Places]] = [
    (two_tablets_write_the_same_hand, ONE_HAND, ((WRITES,),) * 2),
    (one_hand_is_sent_eight_times, ([], True, [], 1), ((WRITES,),) * 8),
    (a_signature_meets_an_undo, (["refused"], True), ((SIGNS,), (WRITES,))),
    (a_signature_meets_another_hand, (["refused"], True), ((SIGNS,), (WRITES,))),
    (a_signature_meets_a_correction, True, ((SIGNS,), (WRITES,))),
    (both_sides_sign, ([], "final", 2, 2), ((SIGNS,),) * 2),
    (
        the_last_two_tables_sign_while_the_round_is_closed,
        ([], 1, ["Game 1 is closed already."], "closed", {"final"}, 1),
        ((), (), (CLOSES,), (CLOSES,)),
    ),
    (a_round_is_closed_while_its_last_game_is_opened_again, (["refused"], True), ((CLOSES, CLOSES), (WRITES, TELLS))),
    (
        signed_on_paper_is_pressed_twice,
        ([], "final", [(0, "paper", 0), (1, "paper", 0)], 1),
        ((SIGNS,), (SIGNS,)),
    ),
    (a_round_is_closed_while_paper_signatures_are_taken_back, (["refused"], True), ((CLOSES,), (SIGNS,))),
    (two_enter_for_the_last_place, ([], ["in", "waiting"], 1), ((ENTERS,),) * 2),
    (the_desk_accepts_two_for_the_last_place, ([], ["in", "waiting"], 1), ((LISTS,),) * 2),
    (a_team_withdraws_while_it_is_drawn, (True, True), ((GOES,), (DRAWS,))),
    (two_owners_merge_each_into_the_other, (["refused"], 1), ((MERGES,),) * 2),
    (a_person_is_deleted_while_a_team_is_entered, ([], False, "", 1), ((MERGES,), (SEATS,))),
    (two_desks_start_the_round, (["Game 1 was already started."], 1, 1), ((STARTS,),) * 2),
    (
        two_desks_start_the_next_playoff_round,
        (["Playoff round 2 is still in play. Close it first."], ["Winners’ semifinal", "Playoff round 2"], 4),
        ((DRAWS,),) * 2,
    ),
    (
        two_officials_correct_the_hand,
        (["This hand was changed since you opened it. Look at it again before you correct it."], [0, 1], 1),
        ((WRITES,),) * 2,
    ),
]
named = pytest.mark.parametrize(("race", "right", "places"), RACES, ids=[race.__name__ for race, _, _ in RACES])


@named
def test_race_ends_as_if_one_had_come_after_the_other(dana: User, race: Race, right: object, places: Places) -> None:
    assert [race(dana, ()) for _ in range(5)] == [right] * 5


@named
def test_race_goes_wrong_without_the_lock(
    dana: User, monkeypatch: pytest.MonkeyPatch, race: Race, right: object, places: Places
) -> None:
    take_lock_away(monkeypatch)
    assert race(dana, places) != right
