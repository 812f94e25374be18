"""Evenings at the moments from which acts begin: entered, drawn, in play, corrected, at the cut, in the bracket."""

from __future__ import annotations

import json
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import MADE_FIVE, code_of, make_event, make_game, make_round, make_teams, make_user, play
from tests.sure import sure
from tests.tournament.money.test_payouts import finished
from tests.tournament.registrations import conftest as door
from tests.tournament.results.evenings import finish_game, played_round, win
from tests.tournament.results.test_bracket_repair import both_late as both_late
from tests.tournament.results.test_bracket_repair import bracket_of_four, mistaken
from tests.tournament.results.test_playoffs import corrected_semi_final, level_at_the_cut, play_round, seeded
from tests.tournament.season import clubs
from tournament.access import Actor
from tournament.forms.messages import read_batch
from tournament.models import Device, Event, Game, Official, Person, Round
from tournament.queries.devices import fingerprint, plain_code
from tournament.queries.sheet import sheet_now
from tournament.services.accounts import close_account
from tournament.services.corrections import apply_ruling, correct_sheet
from tournament.services.devices import issue_card, issue_second_card, pair_device, revoke_device
from tournament.services.draws import draw_rounds
from tournament.services.dues import take_dues
from tournament.services.entries import record_entry, undo_entry
from tournament.services.leaving import let_go
from tournament.services.ledger import set_paid
from tournament.services.people import find_people, merge_persons
from tournament.services.playoffs import put_both_out, start_playoff_round, start_tiebreak
from tournament.services.registrations import withdraw
from tournament.services.rounds import (
    call_director,
    choose_first_dealer,
    close_round,
    pause_round,
    seat_everybody,
    start_round,
)
from tournament.services.season import draw_pairs
from tournament.services.signatures import note_paper_signatures, sign_sheet
from tournament.services.submissions import receive
from tournament.services.substitutions import seat_late
from tournament.services.teams import check_in, leave_out, withdraw_team
from tournament.services.waiting import let_in

TWO = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}
THREE = {"entry": "hand", "seat": 0, "bid": "3", "books": 9}
ENDS_IT = {"entry": "hand", "bidder": 1, "bid": "4", "books": 11}
WARNING = {"entry": "ruling", "rule": "20", "choice": "warning", "side": 0}
CARD = "AAAA-BBBB"
WAITS = "00000000-0000-0000-0000-000000000009"


def message(game: Game, uid: str, kind: str, **fields: object) -> bytes:
    item = {"uid": uid, "kind": kind, "game": game.pk, "after": None, "at": 0, "n": 1, **fields}
    return json.dumps({"items": [item]}).encode()


def by_players(dana: User) -> Event:
    """Entries of players: one is in, one withdrew, one waits for its place, two came alone, one waits for the desk."""
    event = door.open_event(dana, entry_limit=1)
    teams, singles = map(door.team, ("Reds", "Gone", "Late")), map(door.alone, ("Otis Reed", "Ann Hall"))
    _, gone, *_ = door.entered(event, *teams, *singles)
    withdraw(Actor(), door.own(gone))
    Event.objects.filter(pk=event.pk).update(entries_wait=True)
    door.entered(event, door.team("Asks"))
    return event


def one_leaves(dana: User) -> Event:
    """Four teams entered themselves and are drawn, a fifth waits for its place; the second team wants to leave."""
    event = door.open_event(dana, entry_limit=4, rounds_planned=2)
    _, blues, *_ = door.entered(event, *map(door.team, ("Reds", "Blues", "Greens", "Golds", "Late")))
    draw_rounds(Actor(dana), event, seed=5)
    withdraw(Actor(), door.own(blues))
    return event


def one_left_a_seat(dana: User) -> Event:
    """The desk let it go without another draw: its seat is still there, and the fifth team has none."""
    event = one_leaves(dana)
    let_go(Actor(dana), event, 2, redraw=False)
    let_in(Actor(dana), event, 5)
    return event


def game_at(event: Event, table: int = 1) -> Game:
    return Game.objects.select_related("round__event").filter(round__event=event, table=table).order_by("pk")[0]


def entered(dana: User) -> Event:
    """Four teams, two of which have paid."""
    event = make_event("Entered", dana, rounds_planned=2, fee_cents=2000, pot_cents=500)
    make_teams(event, 4)
    return event


def with_people(dana: User) -> Event:
    """The same, with a person for each player; teams check in."""
    event = entered(dana)
    Event.objects.filter(pk=event.pk).update(checks_in=True)
    find_people(Actor(dana), event)
    return event


def left_out(dana: User) -> Event:
    event = with_people(dana)
    leave_out(Actor(dana), event, [1])
    return event


def merged(dana: User) -> Event:
    event = with_people(dana)
    merge_persons(Actor(dana), *outsiders())
    return event


def in_season(dana: User) -> Event:
    """An evening of a season with dues, whose players are its members."""
    event = clubs.evening(dana, clubs.make_season(), checks_in=True, fee_cents=2000)
    clubs.members(sure(event.season))
    return event


def new_season(dana: User) -> Event:
    """The same, and the next season, which has no members yet."""
    event = in_season(dana)
    clubs.make_season(slug="spring", name="Spring 2027")
    return event


def arrived(dana: User) -> Event:
    """The same, where the first team is here and has not paid."""
    event = in_season(dana)
    check_in(Actor(dana), event, 1, "desk")
    return event


def dues_paid(dana: User) -> Event:
    event = in_season(dana)
    take_dues(Actor(dana), sure(event.season), clubs.person("Otis Reed").pk, None)
    return event


def pairs_drawn(dana: User) -> Event:
    """The next evening, for which partners were drawn; nobody is on its list."""
    season = sure(in_season(dana).season)
    draw_pairs(Actor(dana), season, list(Person.objects.values_list("pk", flat=True)), 3)
    return clubs.evening(dana, season, "April", ())


def season_played(dana: User) -> Event:
    return clubs.played(dana, clubs.make_season())


def outsiders() -> list[Person]:
    """Two of the club who play for nobody."""
    return [Person.objects.get_or_create(name=name, key=name.lower())[0] for name in ("Ola", "Ulf")]


def with_vic(dana: User) -> Event:
    """Vic has an account with an authenticator app and recovery codes."""
    event = entered(dana)
    vic = make_user("vic")
    TOTPDevice.objects.create(user=vic, name="app")
    StaticToken.objects.create(device=StaticDevice.objects.create(user=vic, name="recovery"), token="abcdefgh")
    return event


def without_vic(dana: User) -> Event:
    event = with_vic(dana)
    close_account(Actor(dana), User.objects.get(username="vic").pk)
    return event


def cash_open(dana: User) -> Event:
    """Nobody has paid yet."""
    event = entered(dana)
    for number in range(1, 5):
        set_paid(Actor(dana), event, number, False)
    return event


def drawn(dana: User) -> Event:
    event = entered(dana)
    draw_rounds(Actor(dana), event, seed=1)
    return event


def started(dana: User) -> Event:
    """The first of two drawn rounds has just begun."""
    event = drawn(dana)
    start_round(Actor(dana), event, 1)
    return event


def late(dana: User) -> Event:
    """Team 4 came after the start of a round in which team 3 has a bye."""
    event = make_event("Late", dana, rounds_planned=2, teams=4)
    first, second, third, _ = event.teams.all()
    make_round(event, [(first, second)]).byes.create(team=third)
    event.teams.filter(number=4).update(joined_in=2)
    return event


def seated_late(dana: User) -> Event:
    event = late(dana)
    seat_late(Actor(dana), event, 1, 4)
    return event


def just_begun(dana: User) -> Event:
    """The clock has not counted a second, and will not for an hour."""
    event = started(dana)
    Round.objects.filter(event=event, number=1).update(started_at=timezone.now() + timedelta(hours=1))
    return event


def seated(dana: User) -> Event:
    event = started(dana)
    seat_everybody(Actor(dana), event, 1)
    return event


def written(dana: User) -> Event:
    """Table 1 has two tablets and a game to sign; table 2 a hand, a call and a message that waits for the desk."""
    event = seated(dana)
    Official.objects.create(event=event, user=make_user("vic"), role="verifier")
    first, two = game_at(event, 1), game_at(event, 2)
    for table in (1, 2):
        pair_device(Actor(), issue_card(Actor(dana), event, table))
    pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    choose_first_dealer(Actor(), first, 0)
    play(dana, first, MADE_FIVE, sign=False)
    play(dana, two, TWO)
    tablet = Actor(device=Device.objects.select_related("event").get(event=event, table=2))
    call_director(tablet, two, "renege")
    receive(tablet, read_batch(message(two, WAITS, "hand", position=9, facts=THREE)).items)
    return event


def bidding(dana: User) -> Event:
    """A hand of Spades is in play, its bids locked on the tablet."""
    game = make_game(dana, sheet="spades/jokers")
    pair_device(Actor(), issue_card(Actor(dana), game.round.event, 1))
    tablet = Actor(device=Device.objects.select_related("event").get())
    receive(tablet, read_batch(message(game, WAITS, "bids", position=1, bids=["6", "6"], agreed=False)).items)
    return game.round.event


def spades_over(dana: User) -> Event:
    """A game of Spades that is final: the first side reached 50 with 61."""
    game = make_game(dana, sheet="spades/jokers", options={"renege_price": "set", "game_at": 50})
    return play(dana, game, {"entry": "hand", "bids": ["6", "5"], "tricks": [7, 6]}).round.event


def half_signed(dana: User) -> Event:
    event = written(dana)
    game = game_at(event)
    sign_sheet(Actor(), game, side=0, name=sheet_name(game, 0), code=code_of(game))
    return event


def sheet_name(game: Game, side: int) -> str:
    """A player who may sign for a side."""
    return sheet_now(game).sides[side].players[0]


def signed_on_paper(dana: User) -> Event:
    event = written(dana)
    game = game_at(event)
    note_paper_signatures(Actor(dana), game, code_of(game))
    return event


def aside(dana: User) -> Event:
    """At table 2 a line is set aside, and the one that ended the game is taken off."""
    event = written(dana)
    game = game_at(event, 2)
    play(dana, game, TWO, sign=False)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=ENDS_IT, reason="as on the film")
    undo_entry(Actor(dana), game, position=1)
    return event


def ruled(dana: User) -> Event:
    event = written(dana)
    apply_ruling(Actor(dana), game_at(event, 2), WARNING)
    return event


def withdrawn_tablet(dana: User) -> Event:
    event = written(dana)
    revoke_device(Actor(dana), event, 1)
    return event


def paused(dana: User) -> Event:
    event = started(dana)
    pause_round(Actor(dana), event, 1, "fire alarm")
    # Later than now: no second passes between one try and the next.
    Round.objects.filter(event=event, number=1).update(paused_at=timezone.now() + timedelta(hours=1))
    return event


def card_issued(dana: User) -> Event:
    event = seated(dana)
    issue_card(Actor(dana), event, 1)
    Device.objects.update(code_hash=fingerprint(plain_code(CARD)))
    return event


def corrected(dana: User) -> Event:
    """A final sheet was corrected, and both teams have a notice."""
    event = signed(dana)
    correct_sheet(Actor(dana), game_at(event), position=1, revision=0, facts=ENDS_IT, reason="sides mixed up")
    return event


def typed(dana: User) -> Event:
    """A sheet was typed from paper by somebody else."""
    event = seated(dana)
    record_entry(Actor(make_user("vic")), game_at(event), MADE_FIVE, source="paper")
    return event


def timed(dana: User) -> Event:
    """Two games in a round of 40 minutes that began 41 minutes ago."""
    event = make_event("Timed", dana, options={"round_minutes": 40})
    teams = make_teams(event, 4)
    make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])])
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=41))
    play(dana, game_at(event), TWO)
    return event


def called(dana: User) -> Event:
    event = timed(dana)
    Round.objects.update(time_called_at=timezone.now())
    return event


def signed(dana: User) -> Event:
    """Every game of the first round is final; the second round is drawn."""
    event = started(dana)
    for game in Game.objects.filter(round__event=event, round__number=1):
        play(dana, game, MADE_FIVE)
    return event


def one_left(dana: User) -> Event:
    """A team has left after the first round; the second is drawn with it."""
    event = signed(dana)
    close_round(Actor(dana), event, 1)
    withdraw_team(Actor(dana), event, 1, 1)
    return event


def by_hand(dana: User) -> Event:
    event = make_event("By hand", dana, rounds_planned=2, movement="by-hand")
    make_teams(event, 4)
    return event


def one_game(dana: User) -> Event:
    """Four teams after their one game, before the cut."""
    event = make_event("One game", dana, rounds_planned=1, cut=4)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0, 7)), (3, 4, win(0, 6))])
    return event


def cut(dana: User) -> Event:
    return seeded(dana, 4)


def level(dana: User) -> Event:
    return level_at_the_cut(dana, 3, 1)


def lots(dana: User) -> Event:
    """A tie-break with a bye is in play, and its first game is final."""
    return _first_of_tiebreak(dana, level(dana))


def two_in(dana: User) -> Event:
    """Of three level teams two go on; the tie-break with byes has found them."""
    return _first_of_tiebreak(dana, level_at_the_cut(dana, 3, 2))


def _first_of_tiebreak(dana: User, event: Event) -> Event:
    start_tiebreak(Actor(dana), event, "bye", witness="Vic", seed=7)
    [game] = Game.objects.filter(round__stage="tiebreak", round__state="running")
    finish_game(event, game, win(0))
    return event


def bracket(dana: User) -> Event:
    """The semifinals are in play."""
    event = seeded(dana, 4)
    start_playoff_round(Actor(dana), event)
    return event


def out(dana: User) -> Event:
    """Both teams of a semifinal were late and are out."""
    event = both_late(dana)
    put_both_out(Actor(dana), event, "M1")
    return event


def asked(dana: User) -> Event:
    """A corrected semifinal after the final: the director is asked what counts."""
    return corrected_semi_final(dana)[0]


def wrong_seeds(dana: User) -> Event:
    """A correction of the standings while the bracket is played."""
    event = bracket_of_four(dana)
    start_playoff_round(Actor(dana), event)
    mistaken(dana, event)
    return event


def played_out(dana: User) -> Event:
    event = seeded(dana, 4)
    play_round(dana, event)
    play_round(dana, event)
    return event


def pot_due(dana: User) -> Event:
    """Everything is played, and nothing of pot and prizes is paid out."""
    event = finished(dana)
    Event.objects.filter(pk=event.pk).update(prizes={"by": "place", "prizes": [5000, 2000]})
    return event
