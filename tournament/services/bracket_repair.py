"""Keep the games of a playoff round in play in line with the bracket: void outdated games and open the right ones.

Call `follow_bracket` after every change to the bracket under a round in play. If nothing changed, it writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tournament.access import NOBODY, Actor
from tournament.models import Event, Game, Round, Side, Team
from tournament.queries.bracket import bracket
from tournament.queries.bracket_facts import BracketFacts, MatchFacts
from tournament.queries.placings import SEEDS, drawn_seeds, placings, seeds_of
from tournament.queries.playoffs import next_matches
from tournament.queries.scored import sides_with_teams
from tournament.queries.standings import standings
from tournament.services.draws import free_table, write_placing
from tournament.services.rounds import answer_open_call, give_games_of_teams_that_left
from tournament.services.signatures import refresh_results
from tournament.services.transactions import announce, title_of
from tournament.words.phrases import VOID


def follow_bracket(actor: Actor, event: Event) -> None:
    """Void the games in play whose teams are no longer those of their match, and open the pairings that are now right.

    It does nothing while the director still has to decide what counts, or while a tie at the cut is open: nobody knows
    yet who plays. A voided game goes on if its teams are those of the match again. The caller holds the event.
    """
    if event.stage != "playoffs":
        return
    round_ = event.rounds.filter(stage="playoff", state="running").first()
    if round_ is None:
        return
    table = standings(event)
    drawn = bracket(event, table)
    if drawn is None or drawn.asked or drawn.unsettled:
        return
    _void_and_resume(actor, event, round_, drawn)
    open_true_pairings(actor, event, round_)


def keep_seeds(event: Event, *, again: bool = False) -> None:
    """Store the seeds as soon as they are certain, so that a later change of the standings can be noticed.

    Call it before changing qualifying results or who plays; `again` stores the new seeds of a new cut. The caller holds
    the event.
    """
    if event.stage != "playoffs" or not event.cut or not (again or event.frozen_at):
        return
    seeds = drawn_seeds(placings(event))
    if len(seeds) >= event.cut and not again:
        return
    at_cut = standings(event).cut
    if at_cut is None or at_cut.level:
        return
    certain = seeds_of(at_cut, event.second or 0, ())
    if again or len(seeds) != len(certain):
        write_placing(NOBODY, event, "drawn", SEEDS, certain)


def open_true_pairings(actor: Actor, event: Event, round_: Round) -> list[Game]:
    """Open the matches of the bracket's round in play that can be played and have no game yet. Returns the games.

    A match keeps the table of its voided game. The caller holds the event.
    """
    drawn = bracket(event)
    games = list(round_.games.prefetch_related(sides_with_teams()))
    if drawn is None or not (places := {match.key: match for match in drawn.matches}):
        return []
    number = max((places[game.match].round for game in games if game.match in places), default=0)
    ready = [match for match in next_matches(drawn) if match.round == number]
    if drawn.final_alone:
        # The final has options of its own, and all games of a round have the same.
        is_final = any(game.match == drawn.final.key for game in games)
        ready = [match for match in ready if (match.key == drawn.final.key) == is_final]
    made = [_open(round_, match, games) for match in ready]
    if made:
        Game.objects.filter(pk__in=[game.pk for game in made]).update(state="playing")
        refresh_results(event, [game.pk for game in made])
        give_games_of_teams_that_left(actor, event, round_)
        for game in made:
            announce(
                actor,
                event,
                "draw",
                "round",
                round_.number,
                "begin",
                _who(round_, game, game.sides.select_related("team")),
            )
    return made


def _void_and_resume(actor: Actor, event: Event, round_: Round, drawn: BracketFacts) -> None:
    gone = drawn.voided
    # A game that an official voided is followed by a later game of the same teams.
    last = {match.key: game.pk for match in drawn.matches for game in match.games if not game.stale}
    again = set(last.values())
    for game in round_.games.exclude(state="final").prefetch_related(sides_with_teams()):
        if game.pk in gone and game.state != VOID:
            void_game(actor, event, game)
            announce(actor, event, "void", "game", game.pk, "void", _who(round_, game, game.sides.all()))
        elif game.state == VOID and game.pk in again:
            Game.objects.filter(pk=game.pk).update(state="playing")
            refresh_results(event, [game.pk])
            announce(actor, event, "void", "game", game.pk, "counts", _who(round_, game, game.sides.all()))


def _who(round_: Round, game: Game, sides: Iterable[Side]) -> dict[str, Any]:
    """The place of a game and its teams, in the form that the journal stores."""
    return {"round": title_of(round_), "table": game.table, "teams": [side.team.name for side in sides]}


def void_game(actor: Actor, event: Event, game: Game) -> None:
    """End a game without a result. Its entries stay on record. The caller holds the event."""
    game.state, game.version = VOID, game.version + 1
    game.save(update_fields=["state", "version"])
    answer_open_call(actor, event, game)


def _open(round_: Round, match: MatchFacts, games: Sequence[Game]) -> Game:
    """Add a game to a round, at the table of the match's earlier game or else at a free one."""
    table = next((game.table for game in games if game.match == match.key), 0)
    table = table or free_table(round_, match.teams)
    busy = [game.leg for game in games if game.table == table or set(match.teams) & _numbers(game)]
    leg = max([len(match.games), *busy]) + 1
    game = Game.objects.create(round=round_, table=table, match=match.key, leg=leg)
    teams = {team.number: team for team in Team.objects.filter(event=round_.event, number__in=match.teams)}
    Side.objects.bulk_create(
        Side(game=game, round=round_, leg=leg, index=index, team=teams[number])
        for index, number in enumerate(match.teams)
    )
    return game


def _numbers(game: Game) -> set[int]:
    return {side.team.number for side in game.sides.all()}
