"""From the cut to the champion by requests alone: teams that are level at it, a best-of-three final, the end."""

from __future__ import annotations

import html
import itertools
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tests.sure import sure
from tests.tournament.results.evenings import bracket_of, cut_of, played_round, win
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.bracket import champion_of
from tournament.queries.sheet import sheet_now
from tournament.services.playoffs import finish_event

LOTS = {"seed": "7", "witness": "Vic"}


class Desk:
    """A director at the desk of one event, who only sends what the pages offer."""

    def __init__(self, event: Event, director: User) -> None:
        self.event, self.client, self.base = event, signed_in(director), f"/desk/{event.slug}/"

    def post(self, address: str, **typed: str) -> None:
        answer = self.client.post(f"{self.base}{address}", typed)
        assert answer.status_code == 302, html.unescape(answer.content.decode())

    def sees(self, *texts: str) -> bool:
        page = html.unescape(self.client.get(f"{self.base}playoffs/").content.decode())
        return all(text in page for text in texts)

    def level(self) -> tuple[int, ...]:
        """The teams that are level at the cut as it stands now."""
        self.event.refresh_from_db()
        return cut_of(self.event).level

    def play(self, better: int = 0) -> list[int]:
        """Write the open games, sign them for both sides, close their rounds; gives the teams that won."""
        winners, rounds = [], []
        for game in Game.objects.filter(round__event=self.event, state="playing", round__state="running"):
            self.post(f"games/{game.pk}/entries/", seat=str(better), bid="4", books="11")
            code = sheet_now(game).code
            for side in "01":
                self.post(f"games/{game.pk}/signatures/", side=side, code=code, reason="signed on paper")
            winners.append(game.sides.get(index=better).team.number)
            rounds.append(game.round.number)
        for number in dict.fromkeys(rounds):
            self.post(f"rounds/{number}/closure/")
        return winners

    def tie_games(self) -> None:
        """Each against each: one game after another, until none is left."""
        for better in itertools.cycle((0, 1)):
            self.play(better)
            following = self.event.rounds.filter(stage="tiebreak", state="planned").first()
            if following is None:
                return
            self.post(f"rounds/{following.number}/start/")

    def bracket(self) -> None:
        for _ in range(9):
            if champion_of(self.event) is not None:
                return
            self.post("playoffs/rounds/")
            self.play()


def level(dana: User, count: int, size: int) -> Desk:
    """`count` teams won their only game with 5; the cut is `size`."""
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 2 * count)
    played_round(event, [(one, one + count, win(0)) for one in range(1, count + 1)])
    desk = Desk(event, dana)
    desk.post("playoffs/cut/", size=str(size), best_of="1")
    return desk


def finished(desk: Desk, teams: int) -> bool:
    desk.bracket()
    desk.post("playoffs/end/")
    desk.event.refresh_from_db()
    made = cut_of(desk.event)
    return (desk.event.stage, len(made.advance), made.level) == ("over", teams, ())


def test_two_level_teams_play_one_game_and_the_final_is_best_of_three(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_teams(event, 6)
    played_round(event, [(1, 4, win(0, 7)), (2, 5, win(0)), (3, 6, win(0))])
    desk = Desk(event, dana)
    desk.post("playoffs/cut/", size="2", best_of="3")
    assert desk.sees("Books and Night Owls are tied for the last place")
    desk.post("playoffs/tiebreak/", method="game")
    (won,) = desk.play()
    event.refresh_from_db()
    assert cut_of(event).advance == (1, won)
    for better, titles in ((0, "Final, game 1"), (1, "Final, game 2"), (1, "Final, game 3")):
        assert desk.sees(titles) and champion_of(event) is None
        desk.post("playoffs/rounds/")
        desk.play(better)
    assert sure(champion_of(event))[0] == won
    assert desk.client.post(f"{desk.base}playoffs/rounds/").status_code == 409
    assert finished(desk, 2)


@pytest.mark.parametrize(("count", "size"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
@pytest.mark.parametrize("method", ["lots", "bye", "all-play"])
def test_three_and_four_level_teams_go_the_way_the_director_picks(
    dana: User, count: int, size: int, method: str
) -> None:
    desk = level(dana, count, size)
    assert desk.sees(f"are tied for the last {'place' if size == 1 else f'{size} places'}")
    assert desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": "game"}).status_code == 422
    desk.post("playoffs/tiebreak/", method=method, **(LOTS if method != "all-play" else {}))
    if method == "all-play":
        desk.tie_games()
    if method == "bye":
        for _ in range(count):
            desk.play()
            if not desk.sees("/tiebreak/rounds/"):
                break
            desk.post("playoffs/tiebreak/rounds/")
    if left := desk.level():
        # Who won and lost as often as another, or went out in the same round: the director picks again.
        assert desk.sees("are tied")
        desk.post("playoffs/tiebreak/", **({"method": "game"} if len(left) == 2 else {"method": "lots"} | LOTS))
        desk.play()
    assert finished(desk, size)


@pytest.mark.parametrize(
    ("count", "method", "said", "shown"),
    [
        (2, "game", "The tie-break is in play.", "One game: Aces – Books (Tie-break, table 1)."),
        (
            3,
            "lots",
            "Saved. The standings show what was decided, and why.",
            "Lots drawn with seed 7, watched by Vic, recorded by dana: Books, Aces, Night Owls in this order.",
        ),
    ],
)
def test_tie_break_says_whether_it_is_decided_and_names_the_teams(
    dana: User, count: int, method: str, said: str, shown: str
) -> None:
    desk = level(dana, count, 1)
    answer = desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": method, **LOTS}, follow=True)
    breaks = html.unescape(answer.content.decode()).partition("breaks")[2].partition("</ul>")[0]
    line = " ".join(re.sub(r"<[^>]+>", "", breaks.partition("<li>")[2].partition("</li>")[0]).split())
    assert ([str(one) for one in answer.context["messages"]][1:], line) == ([said], shown)


def test_head_to_head_is_refused_at_the_desk_where_the_teams_have_not_met(dana: User) -> None:
    desk = level(dana, 3, 1)
    answer = desk.client.post(f"{desk.base}playoffs/tiebreak/", {"method": "head-to-head"})
    assert (answer.status_code, desk.sees("are tied for the last place")) == (422, True)


def test_bracket_shows_the_points_of_a_single_game(dana: User, client: Client) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    assert [side.score for match in bracket_of(event).matches for side in match.sides] == [5, 0, 5, 0, None, None]
    page = client.get(f"/e/{event.slug}/bracket/").content.decode()
    assert re.findall(r'<b class="score">(.*?)</b>', page) == ["5", "0", "5", "0"]


def test_the_desk_of_a_finished_event_names_the_champion_first(dana: User, client: Client) -> None:
    event = seeded(dana, 2)
    play_round(dana, event, better=1)
    finish_event(Actor(dana), event)
    client.force_login(dana)
    page = client.get(f"/desk/{event.slug}/").content.decode()
    card = page.split("Final places</a></h3>")[1].split("</section>")[0]
    assert "Leaders" not in page
    assert re.findall("<td>(.*?)</td>", card)[:4] == ["1", "Books", "2", "Aces"]
