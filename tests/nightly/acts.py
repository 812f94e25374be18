"""Every act of `tournament/services` once, each from an evening on which it is possible."""

from __future__ import annotations

import datetime
import uuid
from binascii import unhexlify
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django_otp.oath import totp

from tests.factories import announced_by, code_of
from tests.nightly import worlds
from tests.nightly.worlds import TWO, WAITS, WARNING, game_at, message, sheet_name
from tests.sure import sure
from tests.tournament.registrations.conftest import own
from tournament.access import Actor
from tournament.forms.messages import read_batch
from tournament.models import Call, Device, Event, Notice, Person, Player, Season, Submission
from tournament.queries import inviting as inviting_queries
from tournament.queries.door import debts_at
from tournament.queries.ledger import Wording
from tournament.queries.members import ListLine
from tournament.queries.respelt import RENAMED, SeatQuestions, respelt_seats
from tournament.queries.roster import RosterRow, row_of
from tournament.services import (
    accounts,
    corrections,
    devices,
    door,
    draws,
    dues,
    entries,
    events,
    inviting,
    laptops,
    leaving,
    ledger,
    mail,
    members,
    payouts,
    people,
    playoffs,
    registrations,
    respelling,
    rounds,
    season,
    signatures,
    submissions,
    substitutions,
    teams,
    transactions,
    waiting,
)

Do = Callable[[Actor, Event], object]
NEW = RosterRow(row=1, name="Trump Tight", players=("Cy", "Di"), city="Columbus", paid=True, in_pot=True)
TYPED: dict[str, Any] = {"name": "Night Owls", "players": ["Cy", "Di"], "contact": "555-0100"}
WHY = Wording(reason="as agreed")
KEY = uuid.UUID(int=5)
APP = "0" * 40
FORFEIT = {"entry": "ruling", "rule": "46", "choice": "forfeit", "side": 1}
MIXED_UP = {"position": 1, "revision": 0, "facts": worlds.ENDS_IT, "reason": "sides mixed up"}
FIELDS = {"name": "Spring Open", "date": datetime.date(2027, 3, 1), "sheet": "bid_whist/no-kitty-2021"}
DAY = datetime.date(2027, 5, 1)


class Act(NamedTuple):
    """What is done, by whom, and on what evening."""

    world: Callable[[User], Event]
    do: Do


def _owed(event: Event) -> dict[str, int]:
    """All that the first team owes at the door."""
    return {debt.key: debt.cents for debt in debts_at(event, event.teams.get(number=1))}


def _of_event(service: Callable[..., object], *args: Any, **facts: Any) -> Do:
    return lambda actor, event: service(actor, event, *args, **facts)


def _by_link(position: int, service: Callable[..., object], *args: Any, **facts: Any) -> Do:
    """Use the private link of the player who made the entry at this place."""
    return lambda actor, event: service(actor, own(event.registrations.get(position=position)), *args, **facts)


def _links_partner(actor: Actor, event: Event) -> object:
    """The player who made the first entry makes the partner's first link."""
    first, second = event.registrations.get(position=1).players.order_by("position")
    return registrations.first_link(actor, first, second.pk)


def _links_anew(actor: Actor, event: Event) -> object:
    return registrations.new_link(actor, event, own(event.registrations.get(position=1)).pk)


def _of_game(table: int, service: Callable[..., object], *args: Any, **facts: Any) -> Do:
    return lambda actor, event: service(actor, game_at(event, table), *args, **facts)


def _tablet(event: Event, table: int = 1) -> Actor:
    return Actor(device=Device.objects.select_related("event").get(event=event, table=table, writes=True))


def _sends(table: int, kind: str, **fields: object) -> Do:
    def act(actor: Actor, event: Event) -> object:
        body = message(game_at(event, table), str(KEY), kind, **fields)
        return submissions.receive(_tablet(event, table), read_batch(body).items)

    return act


def _signs(actor: Actor, event: Event) -> object:
    game = game_at(event)
    return signatures.sign_sheet(_tablet(event), game, side=1, name=sheet_name(game, 1), code=code_of(game))


def _decides(choice: str) -> Do:
    return lambda actor, event: submissions.decide(actor, Submission.objects.get(uid=WAITS), choice, "asked the table")


def _adds(service: Callable[..., object]) -> Do:
    """A team, by a service that carries out what it is given."""
    return lambda actor, event: service(actor, event, lambda: teams.add_team(actor, event, NEW))


def _of_tablet(service: Callable[..., object], *args: Any) -> Do:
    return lambda actor, event: service(_tablet(event), game_at(event), *args)


def _of_code(service: Callable[..., object], **facts: Any) -> Do:
    return lambda actor, event: service(actor, game_at(event), code=code_of(game_at(event)), **facts)


def _vic() -> User:
    return User.objects.get(username="vic")


def _player(event: Event) -> Player:
    return Player.objects.filter(team__event=event).order_by("pk")[0]


def _members() -> list[int]:
    return list(Person.objects.order_by("pk").values_list("pk", flat=True))


def _season(event: Event) -> Season:
    return sure(event.season)


def _invite(actor: Actor, event: Event) -> object:
    """The best four of the season are set up in pairs."""
    told = inviting_queries.invite(_season(event), inviting_queries.places_of(_season(event)).places[:4])
    pairs = [tuple(name for name, _ in row.players) for row in told.rows]
    rows = [RosterRow(row=row, name=f"Pair {row}", players=pair) for row, pair in enumerate(pairs, start=1)]
    fields = {"name": "Final", "date": DAY, "sheet": event.sheet, "time_zone": event.time_zone}
    return inviting.set_up_invited(actor, told, fields, rows, straight=True)


def _person(event: Event) -> Person:
    return sure(_player(event).person)


def _respell(actor: Actor, event: Event) -> object:
    """Another name for a player who is a person, spelt so from now on."""
    player = _player(event)
    team = sure(player.team)
    row = row_of(team)
    names = tuple("Abe Long" if name == player.full_name else name for name in row.players)
    row = replace(row, players=names)
    asked = SeatQuestions(tuple(respelt_seats(team, row, None)))
    said = respelling.SeatAnswers({player.position: RENAMED}, asked.key)
    return respelling.respell_team(actor, event, team.number, row, said)


ACTS: dict[str, Act] = {
    # Accounts and officials
    "ensure_user": Act(worlds.entered, lambda actor, event: accounts.ensure_user("new", password="x" * 12)),
    "change_password": Act(worlds.entered, lambda actor, event: accounts.change_password(actor, None, "y" * 12)),
    "close_account": Act(worlds.with_vic, lambda actor, event: accounts.close_account(actor, _vic().pk)),
    "open_account": Act(worlds.without_vic, lambda actor, event: accounts.open_account(actor, _vic().pk)),
    "reset_second_factor": Act(worlds.with_vic, lambda actor, event: accounts.reset_second_factor(actor, _vic().pk)),
    "confirm_factor": Act(
        worlds.entered, lambda actor, event: accounts.confirm_factor(actor.account, APP, f"{totp(unhexlify(APP)):06}")
    ),
    "check_factor": Act(worlds.with_vic, lambda actor, event: accounts.check_factor(_vic(), "abcdefgh", "10.0.0.1")),
    "appoint_official": Act(
        worlds.entered, _of_event(events.appoint_official, "ann", "verifier", "a long enough password")
    ),
    "dismiss_official": Act(
        worlds.written,
        lambda actor, event: events.dismiss_official(actor, event, event.officials.get(role="verifier").user_id),
    ),
    # Setting up
    "set_up_event": Act(
        worlds.entered, lambda actor, event: events.set_up_event(actor, FIELDS | {"rounds_planned": 2}, [NEW])
    ),
    "copy_event": Act(worlds.drawn, _of_event(events.copy_event, "Again", DAY, with_teams=True)),
    "change_event": Act(worlds.entered, _of_event(events.change_event, {"fee_cents": 1500})),
    "change_options": Act(worlds.drawn, _of_event(events.change_options, {"round_minutes": 40})),
    "show_on_board": Act(worlds.started, _of_event(events.show_on_board, "standings")),
    "tell_hall": Act(worlds.started, _of_event(events.tell_hall, "Food is ready", 10)),
    "change_wall_code": Act(worlds.drawn, _of_event(events.change_wall_code)),
    "archive_event": Act(worlds.drawn, _of_event(events.archive_event, archived=True)),
    "add_team": Act(worlds.drawn, _of_event(teams.add_team, NEW)),
    "enter_roster": Act(worlds.entered, _of_event(teams.enter_roster, [NEW])),
    "change_team": Act(worlds.drawn, _of_event(teams.change_team, 1, NEW)),
    "withdraw_team": Act(worlds.started, _of_event(teams.leave, 1, 0)),
    "return_team": Act(worlds.one_left, _of_event(teams.return_team, 1)),
    "remove_team": Act(worlds.by_hand, _of_event(teams.remove_team, 4)),
    "enter": Act(worlds.by_players, _of_event(registrations.enter, "a key", **TYPED)),
    "change_entry": Act(
        worlds.by_players, _by_link(6, registrations.change, name="Night Owls", contact="555-0100", show="initial")
    ),
    "withdraw_entry": Act(worlds.by_players, _by_link(1, registrations.withdraw)),
    "enter_again": Act(worlds.by_players, _by_link(2, registrations.enter_again)),
    "decide": Act(worlds.by_players, _of_event(registrations.decide, range(1, 7), accepted=True)),
    "choose": Act(worlds.by_players, _by_link(4, registrations.choose, 5)),
    "join": Act(worlds.by_players, _of_event(registrations.join, 4, 5)),
    "note_told": Act(
        worlds.by_players, lambda actor, event: mail.note_told(actor, event, event.registrations.get(position=1))
    ),
    "let_in": Act(worlds.by_players, _of_event(waiting.let_in, 3)),
    "give_partner": Act(worlds.by_players, _of_event(waiting.give_partner, 4, "Cal Coe")),
    "enter_up_to_limit": Act(worlds.by_players, _of_event(waiting.enter_up_to_limit, [NEW])),
    "ask_to_leave": Act(worlds.one_leaves, _by_link(1, registrations.withdraw)),
    "stay": Act(worlds.one_leaves, _by_link(2, registrations.stay)),
    "keep": Act(worlds.one_leaves, _of_event(leaving.keep, 2)),
    "let_go": Act(worlds.one_leaves, _of_event(leaving.let_go, 2, redraw=True)),
    "seat_instead": Act(worlds.one_left_a_seat, _of_event(leaving.seat_instead, 2, 5)),
    "check_in": Act(worlds.with_people, _of_event(teams.check_in, 1, "phone")),
    "leave_out": Act(worlds.with_people, _of_event(teams.leave_out, [1, 2])),
    "come": Act(worlds.left_out, _of_event(teams.come, 1)),
    # Persons
    "find_people": Act(worlds.entered, _of_event(people.find_people)),
    "choose_person": Act(
        worlds.with_people, lambda actor, event: people.choose_person(actor, event, _player(event).pk, None)
    ),
    "set_wish": Act(worlds.with_people, lambda actor, event: people.set_wish(actor, event, _person(event), "initial")),
    "set_row_wish": Act(
        worlds.with_people, lambda actor, event: people.set_row_wish(actor, event, _player(event).pk, "initial")
    ),
    "keep_wish": Act(worlds.with_people, lambda actor, event: people.keep_wish(actor, event, _player(event).pk)),
    "rename_person": Act(
        worlds.with_people, lambda actor, event: people.rename_person(actor, _person(event), "Abe Long")
    ),
    "respell_team": Act(worlds.with_people, _respell),
    "merge_persons": Act(worlds.with_people, lambda actor, event: people.merge_persons(actor, *worlds.outsiders())),
    "part_person": Act(worlds.merged, lambda actor, event: people.part_person(actor, worlds.outsiders()[0])),
    "delete_person": Act(worlds.with_people, lambda actor, event: people.delete_person(actor, _person(event))),
    # A season
    "set_dues": Act(worlds.in_season, lambda actor, event: dues.set_dues(actor, _season(event), 2500)),
    "take_dues": Act(
        worlds.in_season, lambda actor, event: dues.take_dues(actor, _season(event), _person(event).pk, KEY)
    ),
    "give_back_dues": Act(
        worlds.dues_paid,
        lambda actor, event: dues.give_back_dues(actor, _season(event), _season(event).dues.get().pk),
    ),
    # The door
    "door": Act(worlds.in_season, lambda actor, event: door.door(actor, event, 1, KEY, here=True, takes=_owed(event))),
    "take_all": Act(worlds.arrived, lambda actor, event: door.take_all(actor, event, KEY)),
    "set_note": Act(worlds.in_season, lambda actor, event: door.set_note(actor, event, 1, "Owes me a call")),
    # Its members
    "save_members": Act(
        worlds.in_season,
        lambda actor, event: members.save_members(actor, _season(event), _members(), _members()[:2], {}),
    ),
    "add_who_played": Act(worlds.season_played, lambda actor, event: members.add_who_played(actor, _season(event))),
    "add_from_last_season": Act(
        worlds.new_season,
        lambda actor, event: members.add_from_last_season(actor, Season.objects.get(slug="spring")),
    ),
    "add_listed": Act(
        worlds.in_season,
        lambda actor, event: members.add_listed(actor, _season(event), [ListLine(1, "Zoe Fox", "Zoe Fox")], {}),
    ),
    "draw_pairs": Act(worlds.in_season, lambda actor, event: season.draw_pairs(actor, _season(event), _members(), 3)),
    "enter_pairs": Act(
        worlds.pairs_drawn, lambda actor, event: season.enter_pairs(actor, _season(event).draws.get(), event)
    ),
    "new_event_of_pairs": Act(
        worlds.pairs_drawn,
        lambda actor, event: season.new_event_of_pairs(actor, _season(event).draws.get(), "Again", DAY),
    ),
    "set_up_invited": Act(worlds.season_played, _invite),
    "draw_numbers": Act(worlds.entered, _of_event(teams.draw_numbers)),
    "merge_teams": Act(worlds.entered, _of_event(teams.merge_teams, 1, 2, "Both")),
    "merge_played": Act(worlds.one_game, _of_event(teams.merge_teams, 1, 2)),
    "substitute": Act(worlds.started, _of_event(substitutions.substitute, 1, position=0, into="Cal", from_round=1)),
    # The draw
    "draw_rounds": Act(worlds.entered, _of_event(draws.draw_rounds, seed=3)),
    "draw_rounds_by_hand": Act(
        worlds.by_hand,
        _of_event(
            draws.draw_rounds_by_hand,
            {1: draws.HandRound(((1, 2), (3, 4))), 2: draws.HandRound(((1, 3), (2, 4)))},
        ),
    ),
    "take_back_draw": Act(worlds.drawn, _of_event(draws.take_back_draw)),
    "draw_again": Act(worlds.drawn, _of_event(draws.draw_again, seed=4, confirmed=None)),
    "look_at_redraw": Act(worlds.drawn, _of_event(substitutions.look_at_redraw)),
    "change_and_reseat": Act(worlds.signed, _adds(substitutions.change_and_reseat)),
    "swap_teams": Act(worlds.signed, _of_event(substitutions.swap_teams, 1, 1, 3, "wrong tables")),
    "seat_late": Act(worlds.late, _of_event(substitutions.seat_late, 1, 4)),
    "unseat_late": Act(worlds.seated_late, _of_event(substitutions.unseat_late, 1, 2)),
    # Money
    "pay": Act(worlds.cash_open, _of_event(payouts.pay, 1, 2500)),
    "charge": Act(worlds.entered, _of_event(payouts.charge, 1, 500, WHY)),
    "refund": Act(worlds.entered, _of_event(payouts.refund, 1, 500, WHY, override=True)),
    "move_cash": Act(worlds.entered, _of_event(payouts.move_cash, 700, WHY)),
    "reverse": Act(worlds.entered, _of_event(payouts.reverse, 1, WHY)),
    "set_paid": Act(worlds.entered, _of_event(ledger.set_paid, 1, False)),
    "set_pot": Act(worlds.entered, _of_event(ledger.set_pot, 1, False)),
    "set_prizes": Act(worlds.entered, _of_event(payouts.set_prizes, {"by": "place", "prizes": [5000]})),
    "pay_out": Act(worlds.pot_due, _of_event(payouts.pay_out, 1, "pot", KEY)),
    "pay_out_all": Act(worlds.pot_due, _of_event(payouts.pay_out, None, "", None)),
    # Rounds, clock, seats
    "start_round": Act(worlds.drawn, _of_event(rounds.start_round, 1)),
    "start_after_leaving": Act(worlds.one_left, _of_event(rounds.start_round, 2)),
    "take_start_back": Act(worlds.seated, _of_event(rounds.take_start_back, 1)),
    "close_round": Act(worlds.signed, _of_event(rounds.close_round, 1)),
    "pause_round": Act(worlds.just_begun, _of_event(rounds.pause_round, 1, "fire alarm")),
    "resume_round": Act(worlds.paused, _of_event(rounds.resume_round, 1)),
    "extend_round": Act(worlds.timed, _of_event(rounds.extend_round, 1, 5, "late start")),
    "call_time": Act(worlds.timed, _of_event(rounds.call_time, 1)),
    "end_without_hand": Act(worlds.called, _of_game(1, rounds.end_without_hand, None)),
    "seat_side": Act(worlds.started, _of_game(1, rounds.seat_side, 0)),
    "unseat_side": Act(worlds.seated, _of_game(1, rounds.unseat_side, 0)),
    "seat_everybody": Act(worlds.started, _of_event(rounds.seat_everybody, 1)),
    "unseat_everybody": Act(worlds.seated, _of_event(rounds.unseat_everybody, 1)),
    "choose_first_dealer": Act(worlds.seated, _of_game(1, rounds.choose_first_dealer, 1)),
    "begin_from_paper": Act(worlds.started, _of_game(1, rounds.begin_from_paper, 1)),
    # Tablets and what they send
    "issue_cards": Act(worlds.seated, _of_event(devices.issue_cards, [1, 2])),
    "issue_card": Act(worlds.written, _of_event(devices.issue_card, 1)),
    "issue_second_card": Act(worlds.written, _of_event(devices.issue_second_card, 2)),
    "pair_device": Act(worlds.card_issued, lambda actor, event: devices.pair_device(Actor(), worlds.CARD)),
    "bind_further": Act(worlds.written, _of_event(devices.bind_further, 1)),
    "revoke_device": Act(worlds.written, _of_event(devices.revoke_device, 1)),
    "put_back": Act(worlds.withdrawn_tablet, _of_event(devices.put_back, 1)),
    "note_report": Act(worlds.written, lambda actor, event: devices.note_report(_tablet(event).tablet, 3, 50)),
    "take_over": Act(
        worlds.written, lambda actor, event: devices.take_over(actor, event.devices.get(table=1, writes=False))
    ),
    "send_seat": Act(worlds.written, _sends(1, "seat", side=0)),
    "send_hand": Act(worlds.written, _sends(2, "hand", position=2, facts=worlds.THREE)),
    "send_gap": Act(worlds.written, _sends(2, "hand", position=7, facts=worlds.THREE)),
    "send_void": Act(worlds.written, _sends(2, "void", position=2, rule="18")),
    "send_bids": Act(worlds.bidding, _sends(1, "bids", position=1, bids=["7", "6"], agreed=True)),
    "send_undo": Act(worlds.written, _sends(2, "undo", position=1, of=str(KEY))),
    "send_unsign": Act(worlds.half_signed, _sends(1, "unsign", side=0)),
    "send_call": Act(worlds.written, _sends(1, "call", about="score")),
    "send_uncall": Act(worlds.written, _sends(2, "uncall")),
    "decide_apply": Act(worlds.written, _decides("apply")),
    "decide_discard": Act(worlds.written, _decides("discard-all")),
    "call_director": Act(worlds.written, _of_tablet(rounds.call_director, "score")),
    "go_to_call": Act(worlds.written, lambda actor, event: rounds.go_to_call(actor, Call.objects.get())),
    "answer_call": Act(worlds.written, lambda actor, event: rounds.answer_call(actor, Call.objects.get())),
    # Sheets
    "record_entry": Act(worlds.written, _of_game(2, entries.record_entry, TWO)),
    "record_last_by_time": Act(worlds.called, _of_game(1, entries.record_entry, TWO)),
    "undo_entry": Act(worlds.written, _of_game(2, entries.undo_entry, position=1)),
    "open_from_paper": Act(
        worlds.seated, _of_game(1, entries.open_from_paper, {"scores": [3, -1], "sets": [0, 1], "hands": 2})
    ),
    "enter_boards": Act(
        worlds.seated, lambda actor, event: entries.enter_boards(actor, event, [(game_at(event).pk, [TWO])])
    ),
    "sign_sheet": Act(worlds.half_signed, _signs),
    "take_signature_back": Act(worlds.half_signed, _of_tablet(signatures.take_signature_back, 0)),
    "note_paper_signatures": Act(worlds.written, _of_code(signatures.note_paper_signatures)),
    "take_paper_signatures_back": Act(worlds.signed_on_paper, _of_code(signatures.take_paper_signatures_back)),
    "retype_sheet": Act(
        worlds.signed,
        lambda actor, event: corrections.retype_sheet(
            actor,
            game_at(event, 1),
            opening=None,
            lines=[worlds.ENDS_IT],
            code=code_of(game_at(event)),
            reason="sides mixed up",
        ),
    ),
    "correct_sheet": Act(worlds.signed, _of_game(1, corrections.correct_sheet, **MIXED_UP)),
    "announce_correction": Act(worlds.signed, _of_game(1, announced_by, **MIXED_UP)),
    "bring_back": Act(worlds.aside, _of_game(2, corrections.bring_back, "they were played")),
    "acknowledge_notice": Act(
        worlds.corrected,
        lambda actor, event: corrections.acknowledge_notice(actor, Notice.objects.filter(seen_at=None)[0]),
    ),
    "verify_sheet": Act(worlds.typed, _of_code(signatures.verify_sheet, accepted=True)),
    "apply_ruling": Act(worlds.written, _of_game(2, corrections.apply_ruling, WARNING)),
    "apply_ruling_leaving": Act(worlds.written, _of_game(2, corrections.apply_ruling, FORFEIT, leaves=True)),
    "replace_by_ruling": Act(
        worlds.written,
        _of_game(2, corrections.replace_by_ruling, WARNING, position=1, revision=0, reason="the hand was void"),
    ),
    "rule_on_final": Act(
        worlds.spades_over,
        _of_game(1, corrections.rule_on_final, {**WARNING, "rule": "renege", "choice": "set"}, reason="found later"),
    ),
    "withdraw_ruling": Act(
        worlds.ruled, _of_game(2, corrections.withdraw_ruling, position=2, revision=0, reason="not said")
    ),
    "rebuild_results": Act(worlds.written, lambda actor, event: signatures.rebuild_results(event)),
    "note_printed": Act(worlds.written, _of_event(transactions.note_printed, ["abc"])),
    "note_papers": Act(worlds.drawn, _of_event(transactions.note_papers, ["sheets", "seating"])),
    # The cut and after
    "make_cut": Act(worlds.one_game, _of_event(playoffs.make_cut, 4)),
    "start_tiebreak": Act(worlds.level, _of_event(playoffs.start_tiebreak, "bye", witness="Vic", seed=7)),
    "start_tie_round": Act(worlds.lots, _of_event(playoffs.start_tie_round)),
    "end_tiebreak": Act(worlds.two_in, _of_event(playoffs.end_tiebreak, "Vic")),
    "start_playoff_round": Act(worlds.cut, _of_event(playoffs.start_playoff_round)),
    "decide_placing": Act(worlds.asked, _of_event(playoffs.decide_placing, "M1", "replay", "why")),
    "decide_seeds": Act(worlds.wrong_seeds, _of_event(playoffs.decide_placing, "seeds", "replay", "why")),
    "play_match_again": Act(worlds.bracket, _of_event(playoffs.play_match_again, "M1", "a card")),
    "put_both_out": Act(worlds.both_late, _of_event(playoffs.put_both_out, "M1")),
    "take_them_back": Act(worlds.out, _of_event(playoffs.put_both_out, "M1", back=True)),
    "finish_event": Act(worlds.played_out, _of_event(playoffs.finish_event)),
    "begin_epoch": Act(worlds.written, lambda actor, event: laptops.begin_epoch("a file")),
    "dry_run": Act(worlds.entered, lambda actor, event: transactions.dry_run(lambda: teams.draw_numbers(actor, event))),
}

# What no act reaches, and why no fault is sent there.
ELSEWHERE = {
    "backups.backup_before_deletion": "writes a file; tests/tournament/setup/test_archive.py",
    "events.delete_event": "deletes the event that the sweep compares; the same",
    "events.delete_rows": "a part of delete_event",
    "events.discard_events": "deletes the event that the sweep compares; tests/tournament/demo/test_evening.py",
    "confirming.ask_first": "compares only",
    "teams.games_given": "reads only",
    "waiting.past_the_limit": "reads only",
    "teams.has_left": "reads only",
    "people.why_not_merged": "reads only",
    "accounts.first_owner": "one call of ensure_user",
    "accounts.new_password": "draws by lot, stores nothing",
    "accounts.admission": "a part of restore_backup",
    "accounts.end_every_sign_in": "the same",
    "accounts.keep_admission": "the same",
    "backups.check_backup": "reads a file; tests/tournament/management/test_backups.py",
    "backups.check_checksum": "the same",
    "backups.judge_backup": "the same",
    "backups.make_backup": "writes a file beside the database; the same",
    **dict.fromkeys(
        ("backups.copy_after_acts", "backups.copy_once", "backups.may_copy_to", "backups.thin_out"),
        "files alone; tests/tournament/management/test_second_disk.py",
    ),
    **dict.fromkeys(
        ("copies.bring_up_to_date", "copies.has_key", "copies.has_room", "copies.note_act"),
        "copies files; the same",
    ),
    "backups.pack_up": "the same",
    "backups.packed": "the same",
    "backups.restore_backup": "puts one file in the place of another, with the site stopped; the same",
    "backups.unpack": "the same",
    "backups.pack_key": "the same",
    "backups.may_copy_to": "one call of look_at_mark",
    "laptops.mark_checked": "tests/tournament/desk/test_since_copy.py",
    **dict.fromkeys(
        ("laptops.go_on", "laptops.stay_aside", "laptops.stand_aside", "laptops.forget_other", "laptops.leave_mark"),
        "between two laptops; tests/tournament/management/test_two_laptops.py",
    ),
    **dict.fromkeys(
        ("laptops.look_at_mark", "laptops.look_at_tablet", "laptops.look_for_other", "laptops.note_address"),
        "between two laptops; the same",
    ),
    **dict.fromkeys(
        ("takeover.first_good", "takeover.check_own_rows", "takeover.take_over"),
        "from one file to another; tests/tournament/management/test_takeover.py",
    ),
    "draws.new_seed": "draws by lot, stores nothing",
    "events.not_copied": "reads only",
    "signatures.write_results": "a part of an import; tests/tournament/archive",
    **dict.fromkeys(
        ("season.create_season", "season.change_season", "season.delete_season", "season.see_what_changed"),
        "beside the event that the sweep compares; tests/tournament/results/test_season.py",
    ),
    "season.add_to_team": "beside the event that the sweep compares; tests/tournament/season/test_cases.py",
    **dict.fromkeys(("season.put_in", "season.take_out", "season.weigh"), "one call of change_event"),
    "season.event_like_last": "a part of new_event_of_pairs",
    "accounts.new_key": "draws by lot, stores nothing",
    "payouts.check_payout": "reads only",
    "verifying.findings": "reads only; tests/tournament/verifying",
    "verifying.findings_of": "the same",
    "verifying.findings_here": "the same",
    "verifying.findings_in": "the same",
}
