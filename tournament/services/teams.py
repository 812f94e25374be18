"""Teams: entered, changed, merged, withdrawn in the middle of a game."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, count

from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Game, Player, Registration, Side, Team
from tournament.models.team import BEFORE, MARKS, PLAIN_FACTS
from tournament.queries.checkin import absences, absent_teams, closed_to, no_shows
from tournament.queries.impact import Impact
from tournament.queries.leaving import is_drawn
from tournament.queries.ledger import Wording, accounts_of
from tournament.queries.respelt import seated_in
from tournament.queries.roster import (
    RosterRow,
    cleaned_row,
    marks_of,
    plain_facts_of,
    roster_faults,
    row_of,
)
from tournament.queries.rules import everybody_in_pot, ruleset_of
from tournament.queries.rulings import DISORDER, LEAVING, known_rule
from tournament.queries.scored import sides_with_teams
from tournament.services import ledger
from tournament.services.bracket_repair import keep_seeds
from tournament.services.confirming import ask_first
from tournament.services.draws import stay_at
from tournament.services.entries import record_entry
from tournament.services.ledger import carry_over, mark_paid, waive_fee
from tournament.services.mail import tell_by_mail
from tournament.services.payouts import refund
from tournament.services.people import link_teams, show_names
from tournament.services.players import asked_about, copied, make_teams, take_out, unseat, whose_rows, write_players
from tournament.services.signatures import sign_for_all
from tournament.services.transactions import announce, look_again, team_numbered, writing
from tournament.words.phrases import DONE
from tournament.words.texts import LONGEST_NAME, Refused, clean_name, name_key

NOT_HERE = "Not here yet:"
NEVER_PLAYED = "Dropped: never played"
LEFT_OUT = "They stay on the list as withdrawn and are not drawn. “They’re here” brings them back."

# Entering and changing teams: one by one at the desk, or a whole list at once.


def add_team(actor: Actor, event: Event, row: RosterRow) -> Team:
    """Enter one team, including a walk-in: once games are played it joins with the next round that is drawn."""
    with writing(event) as event:
        [team] = make_teams(event, _checked(event, [row]))
        ledger.book_paid(actor, event, [team], "")
        _say_entered(actor, event, team, _plain(row))
    return team


def _say_entered(actor: Actor, event: Event, team: Team, row: dict[str, object]) -> None:
    facts = {"team": str(team)} | ({"joins": team.joined_in} if team.joined_in > 1 else {})
    announce(actor, event, "enter", "team", team.number, "team", facts, after=row)


def enter_roster(
    actor: Actor,
    event: Event,
    rows: Sequence[RosterRow],
    *,
    replace: bool = False,
    known: Sequence[Sequence[Player]] = (),
) -> list[Team]:
    """Enter a whole list: all of it or nothing. `replace` removes the teams that were entered before.

    `known` has, for each row, the players whose persons are known.

    Raises ValidationFailed with a fault for each row and column that is refused.
    """
    with writing(event) as event:
        before: list[Player] = []
        if replace:
            if event.frozen_at is not None or event.rounds.exclude(state="planned").exists():
                raise Conflict("Games have been played: the list can no longer be replaced.")
            ledger.mark_unpaid(actor, event, list(event.teams.all()), "The list was replaced")
            event.rounds.all().delete()
            before = seated_in(event)
            asked = asked_about(before, rows)
            known = [own + new for own, new in zip(whose_rows(before, rows), asked, strict=True)]
            unseat(before)
            event.teams.all().delete()
        if not rows:
            raise ValidationFailed([Fault("text", "There are no names in this list.")])
        teams = make_teams(event, _checked(event, rows), known)
        if replace:
            _follow_list(event)
        ledger.book_paid(actor, event, teams, "Paid as the list says", BEFORE)
        code, facts = "replaced" if replace else "list", {"teams": [len(teams), ruleset_of(event).unit]}
        announce(actor, event, "enter", "teams", len(teams), code, facts, after=[str(team) for team in teams])
    return teams


def change_team(
    actor: Actor,
    event: Event,
    number: int,
    row: RosterRow,
    *,
    changed: Collection[str] = MARKS,
    same: Collection[int] = (),
) -> Team:
    """Change a team's name, number, players, plain facts, fee, or pot.

    A new name in a seat means that somebody else sits there from now on; in the seats in `same` it is the same human
    under another name. `changed` names those of `MARKS` that were set on the form. The others keep their current value,
    because a page opened an hour ago does not know about money taken since.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        before = _stored(team)
        kept = {mark: getattr(team, mark) for mark in MARKS if mark not in changed}
        [new] = _checked(event, [replace(row, **kept)], instead_of=team.pk)
        if new.number is not None and new.number != team.number and event.frozen_at is not None:
            raise ValidationFailed([Fault("number", "Numbers stay as they are once games are played.")])
        team.number = new.number or team.number
        _rename(team, new.name)
        for fact in PLAIN_FACTS:
            setattr(team, fact, getattr(new, fact))
        team.shown_as = new.shown_as
        team.save()
        if new.home != team.home:
            stay_at(event, team, new.home)
        write_players(event, [team], [new], [list(team.players.all())], same=same)
        team.refresh_from_db()
        _change_money(actor, event, team, new)
        look_again(event, sides__team=team)
        facts = {"team": str(team)}
        announce(actor, event, "change", "team", team.number, "team", facts, before=before, after=_plain(new))
    return team


def withdraw_team(actor: Actor, event: Event, number: int, after_round: int, *, disqualified: bool = False) -> Team:
    """Withdraw a team after a round. Its remaining drawn games are forfeited when their round starts, or drawn again.

    A team that leaves during the playoffs keeps its place in the cut: the teams that missed the cut stay out.
    """
    with writing(event) as event:
        keep_seeds(event)
        team = team_numbered(event, number)
        played = Side.objects.filter(team=team).exclude(round__state="planned").order_by("-round__number")
        last = played.values_list("round__number", flat=True).first() or 0
        if team.status != "playing":
            raise Conflict(f"Already withdrawn: {team.full_name}.")
        _check_leaving(event, team, after_round)
        team.status = "disqualified" if disqualified else "left"
        team.left_after = after_round
        team.save(update_fields=["status", "left_after"])
        mark_paid(event, [team])
        facts = {"team": str(team), "after": after_round, "was": "playing", "now": team.status}
        seen = {"last": last} if last > after_round else {}
        announce(actor, event, "withdraw", "team", number, team.status, facts | seen)
        _withdraw_entries(team)
        if event.frozen_at is None:
            make_room(actor, event)
    return team


def _withdraw_entries(team: Team) -> None:
    """Withdraw the entries of this team, and those of singles who joined it, together with the team."""
    joined = Q(team=team) | Q(wants__team=team, state__in=["joined", "leaving"])
    team.event.registrations.filter(joined, state__in=["in", "joined", "leaving"]).update(state="withdrawn")


def return_team(actor: Actor, event: Event, number: int) -> Team:
    with writing(event) as event:
        keep_seeds(event)
        team = team_numbered(event, number)
        before = team.status
        team.status, team.left_after = "playing", None
        team.save(update_fields=["status", "left_after"])
        mark_paid(event, [team])
        team.registrations.filter(state__in=["withdrawn", "waiting"], wants=None).update(state="in")
        event.registrations.filter(wants__team=team, state="withdrawn").update(state="joined")
        facts = {"team": str(team), "was": before, "now": team.status}
        announce(actor, event, "return", "team", number, "team", facts)
    return team


def check_in(actor: Actor, event: Event, number: int, how: str, *, here: bool = True) -> tuple[Team, bool]:
    """Record that a team has come, or has not after all. Returns whether that is new. Players do it before game 1 only.

    `how` is phone, tablet, or desk. Raises Conflict if players come too late, the team has left, or the event has no
    check-in.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        if not event.checks_in:
            raise Conflict("Nobody checks in at this event.")
        if how != "desk" and (why := closed_to(event)):
            raise Conflict(why)
        if team.status != "playing":
            raise Conflict(f"{team} is withdrawn. The desk can bring them back.")
        is_new = (team.here_at is not None) is not here
        if here and not is_new and team in no_shows(event)[1]:
            # It was here before, missed the last game, and is here again.
            team.here_at = timezone.now()
            team.save(update_fields=["here_at"])
            announce(actor, event, "check-in", "team", number, "still", {"team": str(team), "how": how})
        if is_new:
            team.here_at = timezone.now() if here else None
            team.save(update_fields=["here_at"])
            facts = {"team": str(team), "how": how}
            announce(actor, event, "check-in", "team", number, "here" if here else "away", facts)
            if here and how == "desk":
                link_teams(event, [team.pk])
    return team, is_new


def leave_out(actor: Actor, event: Event, numbers: Collection[int], *, confirmed: str | None = None) -> tuple[str, ...]:
    """Withdraw those of these teams that have not come, before game 1. A team that has come in between stays.

    What they paid is given back with it. They are left out only if exactly these teams were `confirmed`; None asks
    nothing. Returns their names. Raises Conflict if none is left, ValidationFailed if there is not enough money.
    """
    with writing(event) as event:
        states = list(event.rounds.values_list("state", flat=True))
        if set(states) - {"planned"}:
            raise Conflict("Game 1 has started: withdraw them one by one.")
        gone = list(absent_teams(event).filter(number__in=numbers))
        if not gone:
            raise Conflict("Everybody on this list has now come or is already left out.")
        # A team that was drawn since was not part of the confirmation.
        said = absences(event, gone)
        ask_first(Impact(note=LEFT_OUT, warning=NOT_HERE, warnings=said, ground=tuple(states)), confirmed)
        for team in gone:
            withdraw_team(actor, event, team.number, 0)
            _give_back(actor, event, team)
    return said


def _give_back(actor: Actor, event: Event, team: Team) -> None:
    """Give a team that never played everything back that it paid. The caller holds the event."""
    paid = accounts_of(event, [team.pk])[team.pk].paid
    if paid > 0:
        refund(actor, event, team.number, paid, Wording(reason=NEVER_PLAYED))


def come(actor: Actor, event: Event, number: int) -> Team:
    """Bring back a team that was left out, because it has come."""
    with writing(event) as event:
        if team_numbered(event, number).status != "playing":
            return_team(actor, event, number)
        return check_in(actor, event, number, "desk")[0]


def remove_team(actor: Actor, event: Event, number: int) -> str:
    """Take a team off the list before the event opens. A draw that was made is deleted with it."""
    with writing(event) as event:
        team = team_numbered(event, number)
        if event.frozen_at is not None:
            raise Conflict("Games have been played, so a team that leaves stays on the list.")
        name, before = str(team), _stored(team)
        ledger.check_no_money(event, team)
        event.rounds.filter(state="planned").delete()
        _withdraw_entries(team)
        take_out(team.players.all())
        team.delete()
        announce(actor, event, "remove", "team", number, "team", {"team": name}, before=before)
        make_room(actor, event)
    return name


def draw_numbers(actor: Actor, event: Event) -> int:
    """Give every team a number by lot, 1 and up; the same seed gives the same numbers. Only before the draw."""
    with writing(event) as event:
        if event.rounds.exists():
            raise Conflict("Games are drawn by these numbers. Delete the draw first.")
        if event.stage == "playoffs":
            raise Conflict("The bracket is seeded by these numbers.")
        teams = list(event.teams.all())
        order = sorted(teams, key=lambda team: team.key)
        random.Random(f"numbers/{event.seed}").shuffle(order)  # noqa: S311
        # Two steps, because two teams may not share a number even for a moment.
        free = iter(sorted(set(range(1, 10_000)) - {team.number for team in teams}, reverse=True))
        for team in order:
            Team.objects.filter(pk=team.pk).update(number=next(free))
        for number, team in enumerate(order, start=1):
            Team.objects.filter(pk=team.pk).update(number=number)
        show_names(event)
        before, after = [str(team) for team in teams], [str(team) for team in event.teams.all()]
        facts = {"count": len(order), "seed": event.seed}
        announce(actor, event, "number", "teams", len(order), "drawn", facts, before=before, after=after)
    return len(order)


def _check_leaving(event: Event, team: Team, after_round: int) -> None:
    last = max(event.rounds_planned, event.rounds.aggregate(last=Max("number"))["last"] or 0)
    if not 0 <= after_round <= last:
        raise ValidationFailed([Fault("after_round", f"Games go from 0 (never played) to {last}.")])
    begun = event.rounds.filter(games__sides__team=team, stage="playoff").exclude(state="planned")
    if (played := begun.order_by("number").last()) and after_round < played.number:
        text = f"{team.full_name} played in {played}, game {played.number}, so the last game cannot be earlier."
        raise ValidationFailed([Fault("after_round", text)])


def _checked(event: Event, rows: Sequence[RosterRow], instead_of: int | None = None) -> list[RosterRow]:
    cleaned, faults = [], []
    for row in rows:
        clean, wrong = cleaned_row(row)
        cleaned.append(clean)
        faults += wrong
    replaced = [] if instead_of is None else [instead_of]
    faults += roster_faults(event, cleaned, instead_of=replaced)
    if faults:
        raise ValidationFailed(faults)
    return cleaned


def _follow_list(event: Event) -> None:
    """Point an entry to the team in which one of its players is now, or to the team with its name.

    If there is none, a player who had joined is a single again.
    """
    named = dict(event.teams.values_list("key", "pk"))
    for entry in event.registrations.filter(state__in=["in", "joined", "leaving"]).prefetch_related("players"):
        team = next((player.team_id for player in entry.players.all() if player.team_id), None)
        if entry.state == "joined":
            entry.state, entry.wants = ("joined", entry.wants) if team else ("single", None)
        else:
            entry.team_id = team or named.get(entry.key)
            entry.state = "in" if entry.team_id else "withdrawn"
        entry.save(update_fields=["team", "state", "wants"])


def _rename(team: Team, name: str) -> None:
    """Give a team a whole name. Its shown name is derived when its players are written."""
    if name != team.full_name:
        team.name, team.entered, team.key = name, "", name_key(name)


def name_team(team: Team, name: str) -> None:
    """Give a team another name, with a number if that is taken. The caller updates the shown names of its players."""
    taken = team.event.teams.exclude(pk=team.pk).values_list("key", flat=True)
    _rename(team, free_name(name, set(taken)))
    team.save(update_fields=["name", "entered", "key"])


def _change_money(actor: Actor, event: Event, team: Team, row: RosterRow) -> None:
    """Book what the form says about money in the ledger: a team marked as paid has paid what it owes."""
    was_paid = team.paid
    if team.in_pot != row.in_pot and not everybody_in_pot(event):
        ledger.put_in_pot(event, team, row.in_pot)
    if row.paid and not team.paid:
        team.paid = True
        ledger.book_paid(actor, event, [team], "")
    elif was_paid and not row.paid:
        ledger.mark_unpaid(actor, event, [team], "Marked as not paid")


def _plain(row: RosterRow) -> dict[str, object]:
    facts: dict[str, object] = {"name": row.name, "players": list(row.players), **plain_facts_of(row), "home": row.home}
    return {key: value for key, value in facts.items() if value} | marks_of(row)


def _stored(team: Team) -> dict[str, object]:
    return _plain(row_of(team))


# Players who entered themselves: as long as there is room, waiting entries become teams, in order of entry.


def make_room(actor: Actor, event: Event, by_hand: Registration | None = None) -> None:
    """Move up the next on the waiting list and tell them by mail; one entered `by_hand` just now reads it anyway.

    Once games are drawn nobody moves up automatically: then the desk lets them in. The caller holds the event.
    """
    if is_drawn(event):
        return
    for entry in let_in(actor, event, next_in_line(event)):
        assert entry.team is not None
        _say_entered(actor, event, entry.team, _stored(entry.team))
        if by_hand is None or entry.pk != by_hand.pk:
            tell_by_mail(event, entry)


def next_in_line(event: Event) -> list[Registration]:
    """The waiting entries for which there is room, in order."""
    waiting = event.registrations.filter(state="waiting").select_related("team")
    if not event.entry_limit:
        return list(waiting)
    room = event.entry_limit - event.teams.filter(status="playing").count()
    return list(waiting[: max(room, 0)])


def let_in(
    actor: Actor, event: Event, entries: Sequence[Registration], *, officials: bool = False
) -> list[Registration]:
    """Turn entries into teams, all in one go, however many wait or play. The caller holds the event and writes the log.

    A team whose name is taken is called “Reds 2”. Entries that had left and are back get their earlier team.
    """
    back = [entry for entry in entries if entry.team is not None]
    new = [entry for entry in entries if entry.team is None]
    for entry in back:
        assert entry.team is not None
        return_team(actor, event, entry.team.number)
    there = _players_of_entries(new)
    taken = set(event.teams.values_list("key", flat=True))
    rows = []
    for entry, players in zip(new, there, strict=True):
        name = free_name(entry.name, taken)
        taken.add(name_key(name))
        names = tuple(player.full_name for player in players)
        rows.append(RosterRow(name=name, players=names, in_pot=bool(entry.in_pot)))
    teams = make_teams(event, rows, there, officials=officials) if rows else []
    for entry, team in zip(new, teams, strict=True):
        entry.team = team
    for entry in entries:
        entry.state = "in"
    Registration.objects.bulk_update(entries, ["team", "state"], batch_size=400)
    return list(entries)


def _players_of_entries(entries: Sequence[Registration]) -> list[list[Player]]:
    """For each entry its own players and those of singles who joined it, in seat order."""
    of_entries: dict[int, list[Player]] = defaultdict(list)
    keys = [entry.pk for entry in entries]
    own = Q(entry__in=keys) | Q(entry__wants__in=keys, entry__state="joined")
    for player in Player.objects.filter(own).select_related("entry", "person").order_by("position", "pk"):
        assert player.entry is not None
        main = player.entry.wants_id if player.entry.state == "joined" else player.entry_id
        of_entries[main or 0].append(player)
    return [of_entries[entry.pk] for entry in entries]


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or with a number if it is taken: “Reds 2”. `taken` are keys."""
    names = chain([name], (f"{name[: LONGEST_NAME - 5]} {number}" for number in count(2)))
    return next(text for text in names if name_key(text) not in taken)


# Merging two entries into one team, such as two players who came alone.


def merge_teams(actor: Actor, event: Event, number: int, other: int, name: str = "") -> Team:
    """Move the players of another entry into a team, which keeps its number and its games.

    Before the event opens, the other entry is taken off the list. Later it leaves after the rounds that have started:
    what it played stays, and it owes nothing more. Raises Conflict if one of them is in a game or has left,
    ValidationFailed for an impossible name.
    """
    with writing(event) as event:
        team, joining = team_numbered(event, number), team_numbered(event, other)
        _check_merge(team, joining)
        before = {"name": team.full_name, "players": _names(team), "joining": str(joining), "with": _names(joining)}
        players = [*_names(team), *_names(joining)]
        there = list(team.players.all())
        carry_over(actor, event, joining, team)
        main = team.registrations.filter(state="in").first()
        joining.registrations.filter(state__in=["in", "leaving"]).update(state="joined", team=team, wants=main)
        if joining.home and (home := team.home or joining.home):
            Team.objects.filter(pk=joining.pk).update(home=None)
            stay_at(event, team, home)
        if event.frozen_at is None:
            there += list(joining.players.all())
            joining.players.update(team=team, position=F("position") + len(there))
            remove_team(actor, event, other)
        else:
            # What it played keeps its rows.
            there += [copied(player) for player in joining.players.select_related("person")]
            waive_fee(actor, event, joining, f"Merged into {team}")
            begun = event.rounds.filter(stage="qualifying").exclude(state="planned").count()
            withdraw_team(actor, event, other, begun)
        if name.strip():
            _rename(team, _free_name(event, team, name))
            team.save(update_fields=["name", "entered", "key"])
        write_players(event, [team], [replace(row_of(team), players=tuple(players))], [there])
        team.refresh_from_db()
        merged, after = {"joining": str(joining), "team": str(team)}, {"name": team.full_name, "players": players}
        announce(actor, event, "merge", "team", number, "teams", merged, before=before, after=after)
    return team


def _check_merge(team: Team, joining: Team) -> None:
    if team.pk == joining.pk:
        raise ValidationFailed([Fault("other", "Choose another entry.")])
    for one in (team, joining):
        if one.status != "playing":
            raise Conflict(f"Already withdrawn: {one.full_name}.")
        open_game = Game.objects.filter(sides__team=one, round__state="running").exclude(state__in=DONE).first()
        if open_game is not None:
            raise Conflict(f"At table {open_game.table} now: {one.full_name}. Merge when that game is signed.")


def _names(team: Team) -> list[str]:
    """The players; an entry of one player without a list has the player's name."""
    return [player.full_name for player in team.players.all()] or [team.full_name]


def _free_name(event: Event, team: Team, text: str) -> str:
    try:
        name = clean_name(text)
    except Refused as refusal:
        raise ValidationFailed([Fault("name", str(refusal))]) from refusal
    if event.teams.filter(key=name_key(name)).exclude(pk=team.pk).exists():
        raise ValidationFailed([Fault("name", f"The name {name} is already taken.")])
    return name


# A team that leaves in the middle of a game: the game is forfeited, and so are all that remain (rules 46 and 47).


def leave(actor: Actor, event: Event, number: int, after_round: int, *, disqualified: bool = False) -> Team:
    """Withdraw a team after a round. If a game of a later round is in play, it goes to the opponents at once."""
    with writing(event) as event:
        team = withdraw_team(actor, event, number, after_round, disqualified=disqualified)
        rules = ruleset_of(event)
        rule = (known_rule(rules, DISORDER) if disqualified else "") or known_rule(rules, LEAVING) or LEAVING[-1]
        for game in _running(team).filter(round__number__gt=after_round):
            _forfeit(actor, game, team, rule)
    return team


def has_left(team: Team, after_round: int, *, disqualified: bool = False) -> bool:
    """Whether exactly this was already done to a team."""
    return team.status == ("disqualified" if disqualified else "left") and team.left_after == after_round


def games_given(team: Team) -> tuple[str, ...]:
    """The games in play that go to the opponents of a team that leaves, a sentence for each."""
    games = Game.objects.filter(sides__team=team, round__state="running", round__number__gt=team.left_after)
    found = [_said(game) for game in games.select_related("round", "result").prefetch_related(sides_with_teams())]
    return tuple(text for text in found if text)


def send_away(actor: Actor, event: Event, game: Game, side: int, rule: str) -> Team:
    """Mark the team of a side as left or disqualified, and forfeit what it still has to play.

    A game of another round in play goes to its opponents now; games of later rounds when their round starts, so that a
    new draw can give the opponents another game instead.
    """
    team = game.sides.select_related("team").get(index=side).team
    if team.status == "playing":
        withdraw_team(actor, event, team.number, game.round.number, disqualified=rule in DISORDER)
    for other in _running(team).exclude(pk=game.pk):
        _forfeit(actor, other, team, rule)
    return team


def _running(team: Team) -> QuerySet[Game]:
    games = Game.objects.filter(sides__team=team, round__state="running").exclude(state__in=DONE)
    return games.select_related("round__event").prefetch_related("sides")


def _forfeit(actor: Actor, game: Game, team: Team, rule: str) -> None:
    result = getattr(game, "result", None)
    if result is not None and result.over:
        # It was played to its end before the team left: only signatures are missing.
        return
    side = next(one.index for one in game.sides.all() if one.team_id == team.pk)
    others = [one.index for one in game.sides.all() if one.index != side]
    to = others[0] if len(others) == 1 else None
    record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
    sign_for_all(actor, game, "A side left the event")


def _said(game: Game) -> str:
    if game.state not in DONE:
        return ""
    sides = sorted(game.sides.all(), key=lambda side: side.index)
    winner = next((side.team.full_name for side in sides if side.index == game.result.winner), "nobody")
    rule = f" (rule {game.result.rule})" if game.result.rule[:1].isdigit() else ""
    return f"{game.round}, table {game.table}: the game goes to {winner}{rule}."
