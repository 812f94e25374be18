"""An evening of 19 teams from the first entry to the champion, and the season's table that it brings: by the pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.urls import reverse

from tests.factories import make_user
from tests.sure import fresh
from tests.tournament.persons.conftest import accept, again, desk_page, enter_alone, enter_team, join, states, table_of
from tests.tournament.persons.visitor import Page, Visitor, confirmed
from tests.tournament.registrations.conftest import open_event
from tests.tournament.results.evenings import finish_game
from tests.tournament.season.clubs import make_season
from tournament.access import Actor
from tournament.models import Event, Game, Person
from tournament.queries.final_places import final_places
from tournament.queries.ledger import cash
from tournament.queries.season import season_facts
from tournament.services.rounds import close_round
from tournament.services.verifying import findings

SCHEME = {"places": [6, 3, 1], "attendance": 1, "members": True, "for": "person"}
LISTED = "\n".join(
    ["Bench – Al Reserve / Bo Reserve / Cy Reserve", *(f"List {n} – Al List{n} / Bo List{n}" for n in range(1, 6))]
)


class Counted(Visitor):
    """A visitor whose presses are counted."""

    presses = 0

    def post(self, address: str, sent: list[tuple[str, str]] | dict[str, Any]) -> Page:
        self.presses += 1
        return super().post(address, sent)

    def counted(self) -> int:
        """The presses since this was asked last."""
        presses, self.presses = self.presses, 0
        return presses


def entered(event: Event, desk: Counted) -> dict[str, Page]:
    """Twelve teams and two singles by phone, the first of them hidden; six teams from a list."""
    pages = {}
    for number in range(1, 13):
        cache.clear()
        name = f"Phone {number}"
        show = "hidden" if number == 1 else "full"
        pages[name] = enter_team(event, name, f"Al Phone{number}", f"Bo Phone{number}", show=show)
    singles = [enter_alone(event, name) for name in ("Sam Single", "Tom Single")]
    accept(desk, event, *range(1, 15))
    join(*singles)
    roster = desk.open(desk_page(event, "desk-roster"))
    confirmed(roster.press("check=yes", text=LISTED).press("accept=yes"))
    return pages


def play_all(dana: User, event: Event, number: int) -> None:
    """The lower number wins every game of a round that is in play; the lowest with 11, the next with 10, down to 5."""
    games = Game.objects.filter(round__event=event, round__number=number).exclude(state="final")
    sides = {game: [side.team.number for side in game.sides.order_by("index")] for game in games}
    for place, game in enumerate(sorted(sides, key=lambda game: min(sides[game]))):
        bidder = sides[game].index(min(sides[game]))
        hands = [
            {"entry": "hand", "bidder": bidder, "bid": "1", "books": 6 + points} for points in (4, max(1, 7 - place))
        ]
        finish_game(fresh(event), game, hands)
    close_round(Actor(dana), fresh(event), number)


def test_19_teams_from_entry_to_champion_and_the_season_s_table(dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    # By this seed team 1 has no bye, so that it wins game 1 and is among the four.
    monkeypatch.setattr("tournament.services.draws.new_seed", lambda: 7)
    season = make_season(scheme=SCHEME, dues_cents=3000)
    owner, desk = Counted(make_user("root", is_staff=True, is_superuser=True)), Counted(dana)
    terms = {"fee_cents": 2000, "pot_cents": 500, "options": {"pot_entry": "every-team"}}
    event = open_event(dana, season=season, entries_wait=True, checks_in=True, rounds_planned=1, **terms)
    pages = entered(event, desk)
    assert (event.teams.count(), desk.counted()) == (19, 3)

    # Everybody who is known is a member; two are guests and owe no dues.
    members = owner.open(reverse("season-members", args=[season.slug]))
    listed = members.press("All who have played")
    form = listed.form("Save")
    guests = [str(Person.objects.get(name=name).pk) for name in ("Al List5", "Bo List5")]
    kept = [pk for pk in form.ticked("member") if pk not in guests]
    owner.post(form.action, form.filled({"member": kept}))
    assert (season.memberships.count(), owner.counted()) == (37, 2)

    # One press a team says that it is here and takes all that it owes; the one who never came had paid before.
    never = event.teams.get(name="Phone 11")
    for team in event.teams.order_by("number"):
        door = desk.open(desk_page(event, "desk-check-in"))
        button = "Take $85" if team == never else "Here and $"
        form = next(form for form in door.forms if ("number", str(team.number)) in form.filled({}) and form.buttons)
        pressed = next(one for one in form.buttons if one.words.startswith(button))
        assert door.send(form, pressed).status == 302
    assert desk.counted() == 19
    books = cash(fresh(event))
    assert (books.taken, books.dues, books.pot_taken, books.owed) == (19 * 2500 + 37 * 3000, 37 * 3000, 9500, 0)
    door = desk.open(desk_page(event, "desk-check-in"))
    assert "18 here 1 not yet $1,585 taken here ✓ Everything is paid" in door.words
    dropped = confirmed(door.press("Drop the no-show"))
    assert f"Dropped: {never.in_full}: $25 goes back." in dropped.words and "Give them their money now" in dropped.words
    assert (cash(fresh(event)).pot, desk.counted()) == (9000, 2)

    # After the draw another player withdraws by the link, and the desk draws again.
    desk.open(desk_page(event, "desk-draw")).press("Draw game 1")
    assert again(pages["Phone 12"]).press("what=withdraw").status == 302
    assert "12 leaving" in states(event)
    to_do = desk.open(desk_page(event, "desk"))
    assert "Phone 12" in to_do.words
    confirmed(to_do.press("Let them go and draw again"))
    started = desk.post(desk_page(event, "round-start", 1), {})
    assert (started.status, fresh(event).stage) == (302, "playing")
    assert desk.counted() == 4
    play_all(dana, event, 1)

    # Cut to four, two rounds, a champion.
    cut = desk.open(desk_page(event, "desk-playoffs"))
    form = next(form for form in cut.forms if "cut" in form.names or "size" in form.names)
    field = "cut" if "cut" in form.names else "size"
    confirmed(desk.post(form.action, [*form.filled({field: "4"})]))
    for number in (2, 3):
        desk.post(desk_page(event, "bracket-round"), {})
        play_all(dana, event, number)
    confirmed(desk.open(desk_page(event, "desk-playoffs")).press("Finish the event"))
    event = fresh(event)
    assert (event.stage, desk.counted() <= 6) == ("over", True)
    places = final_places(event)
    assert (len(places.lines), places.champion and places.champion.number) == (17, 1)
    left = {"Phone 11", "Phone 12"}
    assert left.isdisjoint(line.team for line in places.lines)

    # The season's table, by hand: the champions, who are hidden at this event alone; the reserve never sat; guests have
    # no line.
    assert re.search(r"Al Phone1\b", Visitor().open(desk_page(event, "standings")).words) is None
    table = table_of(season)
    assert [row[2] for row in table[:4]] == [7, 7, 4, 4]
    assert [row[1] for row in table[:2]] == ["Al Phone1", "Bo Phone1"]
    assert len(table) == 2 * 17 - 2
    whole = season_facts(season, whole=True)
    assert [line.name for line in whole.lines[:2]] == ["Al Phone1", "Bo Phone1"]
    setup = owner.open(reverse("season-setup", args=[season.slug]))
    assert "Cy Reserve (Bench): nobody said they played." in setup.words
    assert "Al List5: not a member, so not ranked." in setup.words
    assert [line for line in findings() if "no longer refuses" not in line] == []
