"""Teams that were swapped after the game: what they were told stays with the table where they no longer sit."""

from __future__ import annotations

import json

from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tests.tournament.archive.filed import told
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Notice
from tournament.services.corrections import correct_sheet
from tournament.services.rounds import close_round
from tournament.services.substitutions import swap_teams


def test_a_notice_to_a_team_that_was_swapped_away_is_in_the_file_and_comes_back(dana: User) -> None:
    event = make_event(director=dana)
    one, two, three, four = make_teams(event, 4)
    games = list(make_round(event, [(one, two), (three, four)]).games.order_by("table"))
    for game in games:
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    facts = MADE_FIVE | {"books": 12}
    correct_sheet(Actor(dana), games[0], position=1, revision=0, facts=facts, reason="as on the film")
    swap_teams(Actor(dana), event, 1, 1, 3, "wrong tables")
    file = json.loads(json.dumps(export_event(event)))
    back = import_event(Actor(dana), file)
    assert told(back) == told(event)
    found = Notice.objects.filter(team__event=back, game__table=1).order_by("pk")
    assert list(found.values_list("team__number", "code")) == [
        (1, "corrected"),
        (2, "corrected"),
        (3, "swapped"),
        (2, "swapped"),
    ]
