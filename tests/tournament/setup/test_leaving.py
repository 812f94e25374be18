"""A team that leaves while its game is played, and a name that is put right when the sheets are signed."""

from __future__ import annotations

import html
import re

from django.contrib.auth.models import User

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tests.sure import sure
from tests.tournament.results.evenings import played_round, win
from tournament.queries.roster import row_of
from tournament.queries.signatures import standing_signatures


def test_a_team_that_leaves_in_a_round_is_settled_in_that_round(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=3)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    running = played_round(event, [(1, 3, []), (2, 4, [])], state="running")
    client, to = signed_in(dana), f"/desk/{event.slug}/teams/4/withdrawal/"
    page = html.unescape(client.post(to, {"after_round": "1"}).content.decode())
    sentence = "Game 2, table 2: the game goes to Books (rule 46)."
    assert (sentence in page, event.teams.get(number=4).status) == (True, "playing")
    announced = sure(re.search('name="announced" value="([^"]+)"', page)).group(1)
    assert client.post(to, {"after_round": "1", "announced": announced}).status_code == 302
    game = running.games.get(table=2)
    assert (game.state, game.result.winner, event.teams.get(number=4).left_after) == ("final", 0, 1)
    assert running.games.get(table=1).state == "playing"


def test_a_name_is_put_right_after_the_signatures_which_keep_who_signed(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 2)
    round_ = played_round(event, [(1, 2, win(0))])
    game, team = round_.games.get(), event.teams.get(number=1)
    before = list(game.signatures.values_list("side", "name", "code"))
    old = sure(team.players.first()).name
    client = signed_in(dana)
    row = row_of(team)
    names = {f"player{at}": name for at, name in enumerate(("Anne Put-Right", *row.players[1:]), start=1)}
    said = {"number": "1", "name": "Aces High!", **names, "paid": "", "in_pot": ""}
    assert client.post(f"/desk/{event.slug}/teams/1/", said).status_code == 302
    team.refresh_from_db()
    game.refresh_from_db()
    assert (team.name, sure(team.players.first()).name, old) == ("Aces High!", "Anne Put-Right", old)
    assert (game.state, list(game.signatures.values_list("side", "name", "code"))) == ("final", before)
    assert len(standing_signatures(game.signatures.all(), game.result.code)) == 2
