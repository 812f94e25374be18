"""Who sits where when people change: substitutes, swapped teams, rounds seated again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from django.db import transaction

from scoring.ledger import counted
from tournament.access import Actor
from tournament.errors import Conflict, DomainError, Fault, ValidationFailed
from tournament.models import Bye, Event, Game, Player, Round, Side, Substitution, Team
from tournament.queries.bracket import bracket, champion_of
from tournament.queries.corrections import impact, picture
from tournament.queries.decisions import open_questions
from tournament.queries.desk import late_tables
from tournament.queries.draws import draw_overview, draw_plan, meeting_notes, reseating, seats_drawn
from tournament.queries.impact import NONE, Change, Group, Impact, key_of_ground
from tournament.queries.lineups import lineup, open_rounds
from tournament.queries.placings import SEEDS, drawn_seeds, placings, seeds_of
from tournament.queries.standings import standings
from tournament.services.bracket_repair import follow_bracket, keep_seeds
from tournament.services.confirming import ask_first
from tournament.services.draws import draw_again, draw_rounds, free_table, renew_notes, write_placing
from tournament.services.people import link, show_names
from tournament.services.playoffs import decide_placing
from tournament.services.signatures import refresh_results, sign_for_all
from tournament.services.transactions import (
    announce,
    dry_run,
    locked_game,
    look_again,
    place_of,
    team_numbered,
    title_of,
    writing,
)
from tournament.words.texts import Refused, clean_name, name_key

# Shown if nobody is certain to be in.
LEVEL = "Tied at the cut"

# A substitute plays for a team from a round on, or in a single round, with the director's approval.


def substitute(
    actor: Actor,
    event: Event,
    number: int,
    *,
    position: int,
    into: str,
    from_round: int,
    only: bool = False,
    reason: str = "",
) -> Substitution:
    """Approve a substitute for a player's seat. Sheets of earlier rounds keep the names they had.

    Raises Conflict if the team has left, ValidationFailed if the seat, the round, or the name is not possible.
    """
    with writing(event) as event:
        team = team_numbered(event, number)
        if team.status != "playing":
            raise Conflict(f"Already withdrawn: {team.full_name}. No substitute can be named.")
        players = lineup(team, from_round, whole=True)
        faults = []
        if position not in range(len(players)):
            faults.append(Fault("position", "Choose the player who does not play."))
        if from_round not in dict(open_rounds(event)):
            faults.append(Fault("from_round", "A substitute plays from the game in play on, or from a later one."))
        name = _name(into, faults)
        if name and name_key(name) in {name_key(player) for player in players}:
            faults.append(Fault("into", f"{name} already plays for {team.full_name}."))
        elif name and (other := _plays_elsewhere(event, team.pk, name)):
            faults.append(Fault("into", f"{name} already plays for {other}."))
        if faults:
            raise ValidationFailed(faults)
        sits = Player(team=team, name=name, key=name_key(name))
        link(event, [sits])
        made = Substitution.objects.create(
            team=team,
            person=sits.person,
            position=position,
            out=players[position],
            into=name,
            from_round=from_round,
            to_round=from_round if only else None,
            reason=reason.strip()[:200],
            approved_by=actor.person,
        )
        show_names(event, [team.pk])
        look_again(event, sides__team=team)
        facts = {"team": str(team), "player": name, "out": made.out, "since": from_round, "reason": made.reason}
        announce(actor, event, "substitute", "team", number, "once" if only else "from", facts)
        return made


def _name(text: str, faults: list[Fault]) -> str:
    try:
        return clean_name(text)
    except Refused as refusal:
        faults.append(Fault("into", str(refusal)))
        return ""


def _plays_elsewhere(event: Event, team: int, name: str) -> str:
    """The team that has this player and still plays. A player of a team that has left may be a substitute."""
    players = Player.objects.filter(team__event=event, team__status="playing", key=name_key(name)).exclude(team=team)
    found = players.select_related("team").first()
    return found.team.full_name if found and found.team else ""


# A team joins, leaves, comes back or merges, and the rounds that have not started are drawn again: one act. It is shown
# first: the act is done, looked at, and rolled back. The same seed draws the same tables, so what is shown is what
# happens.

DoneT = TypeVar("DoneT")
Act = Callable[[], DoneT]
RESEATED = "Games that have started stay as they are. Re-seated:"
NOTHING_MOVES = "No table changes."
RESEEDED = "The bracket is made: this is who would play whom if it is drawn again. It can also stay as it is."


def _nothing(_: object) -> tuple[str, ...]:
    return ()


def change_and_reseat(
    actor: Actor,
    event: Event,
    act: Act[DoneT],
    *,
    redraw: bool = True,
    confirmed: str | None = None,
    warning: str = "",
    warn: Callable[[DoneT], tuple[str, ...]] = _nothing,
) -> DoneT:
    """Do the act and draw again the rounds that have not started; started rounds stay as they are.

    Without `redraw`, the draw and the bracket stay as they were made. If the act touches a draw or a bracket, or there
    is something to `warn` of, it is done only as `confirmed`; None asks nothing.
    """
    with writing(event) as event:
        if confirmed is None and redraw:
            return _act_and_redraw(actor, event, act)[0]
        if confirmed is None:
            return _act_and_keep(actor, event, act)
        drawn, matches = has_rounds_to_reseat(event), _after_the_cut(event)
        if not drawn and event.stage != "playoffs":
            done = act()
            impact = Impact(note=NOTHING_MOVES, warning=warning, warnings=warn(done))
            ask_first(impact, confirmed, asks=bool(impact.warnings))
            return done
        # The user who keeps the draw and the bracket keeps what is there now.
        ground = (*seats_drawn(event), *map(list, matches.items()))
        if not redraw:
            with transaction.atomic():
                done = _act_and_keep(actor, event, act)
                if confirmed.startswith(key_of_ground(ground, warn(done))):
                    return done
                transaction.set_rollback(True)
        done, impact = _act_and_look(actor, event, act, matches)
        impact = replace(impact, warning=warning, warnings=warn(done), ground=ground)
        ask_first(impact, confirmed, asks=drawn or bool(impact.groups or impact.warnings))
        return done


def _act_and_look(actor: Actor, event: Event, act: Act[DoneT], matches: Mapping[str, str]) -> tuple[DoneT, Impact]:
    """The result of the act, and what it changed in the draw, or in the cut's result (`matches` before the act)."""
    before = draw_overview(event)
    done, stands, why_not = _act_and_redraw(actor, event, act)
    changed = _after_the_cut(event) if matches else {}
    lines = [
        Change("Playoffs", what, matches.get(what, NONE), changed.get(what, NONE))
        for what in dict.fromkeys((*matches, *changed))
    ]
    if others := tuple(line for line in lines if line.before != line.after):
        group = Group("Playoffs", others, len(lines) - len(others))
        if has_bracket(event) and LEVEL not in matches:
            return done, Impact((group,), RESEEDED, can_keep=True, reseeds=True)
        # There is no bracket yet that could stay as it is.
        return done, Impact((group,), why_not=why_not)
    impact = reseating(before, draw_overview(event))
    if why_not:
        note = f"No game is re-seated: {why_not}"
    else:
        note = RESEATED if impact.groups else NOTHING_MOVES
    return done, replace(impact, note=note, why_not=why_not, can_keep=stands and bool(impact.groups))


def _act_and_keep(actor: Actor, event: Event, act: Act[DoneT]) -> DoneT:
    done = act()
    _settle(actor, event, "keep")
    return done


def _after_the_cut(event: Event) -> dict[str, str]:
    """The result of the cut: who is tied at it, else who plays whom, or the champion if there are no playoffs."""
    if event.stage != "playoffs":
        return {}
    event = Event.objects.get(pk=event.pk)
    table = standings(event)
    names = table.books.names
    if table.cut and table.cut.level:
        tied = f"{', '.join(names[team] for team in table.cut.level)} ({counted(table.cut.seats, 'place')})"
        return {"In": ", ".join(names[team] for team in table.cut.advance) or NONE, LEVEL: tied}
    if event.cut is None:
        champion = champion_of(event, table)
        return {"Champion": champion[1]} if champion else {}
    drawn = bracket(event, table)
    matches = drawn.matches if drawn else ()
    return {f"{match.title}, {match.key}": " – ".join(side.name for side in match.sides) for match in matches}


def _settle(actor: Actor, event: Event, kind: str) -> None:
    """Decide the questions that an act has raised as its user chose: draw and seeds stay, or follow it."""
    event = Event.objects.get(pk=event.pk)
    for question in open_questions(event):
        if question.about in ("seeds", "draw"):
            decide_placing(actor, event, question.source, kind)
    at_cut, drawn = standings(event).cut, drawn_seeds(placings(event))
    if not (has_bracket(event) and drawn and at_cut and at_cut.level):
        return
    # Before the tie is broken the seeds are not certain, so nothing is asked yet.
    if kind == "replay":
        write_placing(actor, event, "drawn", SEEDS, ())
    else:
        write_placing(actor, event, kind, SEEDS, drawn, after=[*seeds_of(at_cut, event.second or 0, drawn)])
        announce(actor, event, "decide", "bracket", SEEDS, "keep-seeds", {"match": "Seeds"}, after={"reason": ""})


def look_at_redraw(actor: Actor, event: Event) -> Impact:
    """What drawing again with the same seed would change; nothing is stored."""
    again = partial(draw_again, actor, event, seed=event.seed, by_number=event.by_number, confirmed=None, asks=True)
    return dry_run(again)[1]


def has_bracket(event: Event) -> bool:
    """Whether there is a bracket that a change of teams could touch."""
    return event.stage == "playoffs" and event.cut is not None


def has_rounds_to_reseat(event: Event) -> bool:
    """Whether there is a draw that a change of teams would touch."""
    return event.rounds.filter(stage="qualifying", state="planned").exists()


def _act_and_redraw(actor: Actor, event: Event, act: Act[DoneT]) -> tuple[DoneT, bool, str]:
    """The result of the act, whether a draw still exists, and, if nothing was drawn again, why not."""
    drawn = has_rounds_to_reseat(event)
    done = act()
    event = Event.objects.get(pk=event.pk)
    stands = has_rounds_to_reseat(event)
    if has_bracket(event):
        _settle(actor, event, "replay")
    if not drawn:
        return done, stands, "No drawn game is waiting to start."
    if draw_plan(event).by_hand:
        return done, stands, "The games are drawn by hand: seat their tables again on the Draw page."
    try:
        with transaction.atomic():
            draw_rounds(actor, event, seed=event.seed, by_number=event.by_number, in_place=True)
    except DomainError as refusal:
        return done, stands, str(refusal)
    return done, stands, ""


# Two teams that sat in each other's place are put right in one act: at two tables, at one, or one with a bye. Every
# entry stays where it was written. The sheet's code changes with its teams, so its signatures become invalid.


def swap_teams(
    actor: Actor, event: Event, number: int, first: int, second: int, reason: str, *, confirmed: str | None = None
) -> list[Game]:
    """Exchange the places of two teams in a round; two teams of one table change sides. Returns the games.

    In a closed round the official signs the new sheets for all sides, as with every correction. It is done only as
    `confirmed`; None asks nothing. Raises Conflict if the round or a team is gone, ValidationFailed if the teams cannot
    be swapped.
    """
    if not reason.strip():
        raise ValidationFailed([Fault("reason", "Say what happened: people read it later.")])
    with writing(event) as event:
        round_ = event.rounds.filter(number=number).first()
        if round_ is None:
            raise Conflict("This game was drawn again. Load the page again.")
        teams = team_numbered(event, first), team_numbered(event, second)
        about = _games_of(round_, teams) if confirmed is not None else ()
        before = picture(event, *about) if confirmed is not None else None
        keep_seeds(event)
        meetings = meeting_notes(event)
        games, final = _swap(round_, *teams)
        renew_notes(event, meetings)
        refresh_results(event, [game.pk for game in games if game.state != "planned"])
        who = {"first": str(teams[0]), "second": str(teams[1])}
        facts = {"round": title_of(round_), **who, "reason": reason.strip()}
        announce(actor, event, "swap", "round", number, "swapped", facts, before=[first, second], after=[second, first])
        for game in final:
            # A final game is final again if its round is closed; otherwise the table signs the corrected sheet.
            if game.round.state == "closed":
                sign_for_all(actor, locked_game(event, game.pk), f"Swapped: {facts['reason']}"[:200])
            announce(actor, event, "correct-final", "game", game.pk, "swapped", facts)
        follow_bracket(actor, event)
        if before is not None:
            ask_first(impact(before, picture(event, *about)), confirmed)
        return games


def _games_of(round_: Round, teams: Sequence[Team]) -> tuple[int, ...]:
    """The games of these teams in a round, in the order of their tables."""
    sides = Side.objects.filter(round=round_, team__in=teams).order_by("game__table")
    return tuple(dict.fromkeys(sides.values_list("game", flat=True)))


# A team that arrives after the others have sat down plays the team with the bye.


def seat_late(actor: Actor, event: Event, number: int, late: int) -> Game:
    """Seat a late team with the one that has a bye, at an extra table of the round in play. Returns their game.

    Raises Conflict if nobody has a bye in it, or the team plays already.
    """
    with writing(event) as event:
        round_ = event.rounds.filter(number=number, state="running", stage="qualifying").first()
        bye = Bye.objects.filter(round=round_).select_related("team").order_by("team__number").first()
        team = team_numbered(event, late)
        if round_ is None or bye is None or Side.objects.filter(round=round_, team=team).exists() or bye.team == team:
            raise Conflict("Nobody has a bye in this game now, or this team plays already.")
        meetings = meeting_notes(event)
        table = free_table(round_, (bye.team.number, late))
        game = Game.objects.create(round=round_, table=table, state="playing")
        Side.objects.bulk_create(
            Side(game=game, round=round_, index=index, team=each) for index, each in enumerate((bye.team, team))
        )
        bye.delete()
        team.joined_in = number
        team.save(update_fields=["joined_in"])
        renew_notes(event, meetings)
        refresh_results(event, [game.pk])
        announce(actor, event, "seat-late", "game", game.pk, "seated", _who(game, bye.team, team))
    return game


def unseat_late(actor: Actor, event: Event, number: int, table: int) -> Game:
    """Undo it while nothing is written there: the team that waited has its bye again. Returns the removed game."""
    with writing(event) as event:
        game = late_tables(event, number).filter(table=table).first()
        if game is None:
            raise Conflict("Something is written at this table: it stays.")
        waited, team = (side.team for side in game.sides.select_related("team").order_by("index"))
        meetings = meeting_notes(event)
        announce(actor, event, "seat-late", "game", game.pk, "undone", _who(game, waited, team))
        Game.objects.filter(pk=game.pk).delete()
        Bye.objects.create(round=game.round, team=waited)
        team.joined_in = number + 1
        team.save(update_fields=["joined_in"])
        renew_notes(event, meetings)
    return game


def _swap(round_: Round, one: Team, other: Team) -> tuple[list[Game], list[Game]]:
    """The changed games, and which of them were final."""
    if one.pk == other.pk:
        raise ValidationFailed([Fault("second", "Choose two of them.")])
    places = [_place(round_, team) for team in (one, other)]
    sides = [place for place in places if isinstance(place, Side)]
    if not sides:
        raise ValidationFailed([Fault("second", "Both have a bye in this game.")])
    games = {side.game_id: side.game for side in sides}
    if len(games) + (len(sides) == 1) > 1 and round_.stage != "qualifying":
        raise ValidationFailed(
            [Fault("second", "Who meets whom in this game follows from results: only sides can be changed.")]
        )
    final = [game for game in games.values() if game.state == "final"]
    # Deleted and written again, because no team may sit twice even for a moment.
    Side.objects.filter(pk__in=[side.pk for side in sides]).delete()
    Bye.objects.filter(round=round_, team__in=[one, other]).delete()
    for place, team in zip(places, (other, one), strict=True):
        place.pk, place.team = None, team
        place.save(force_insert=True)
    return list(games.values()), final


def _who(game: Game, waited: Team, late: Team) -> dict[str, Any]:
    return place_of(game) | {"team": str(waited), "late": str(late)}


def _place(round_: Round, team: Team) -> Side | Bye:
    side = Side.objects.select_related("game__round__event").filter(round=round_, team=team).order_by("leg").last()
    place = side or Bye.objects.filter(round=round_, team=team).first()
    if place is None:
        raise ValidationFailed([Fault("first", f"Not in {round_}: {team.full_name}.")])
    return place
