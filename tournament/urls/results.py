"""Addresses of the results pages at the desk."""

from django.urls import path

from tournament.views import boardcontrol, deskstandings, playoffs, pot

urlpatterns = [
    path("standings/", deskstandings.standings_page, name="desk-standings"),
    path("board/", boardcontrol.board_section, name="board-section"),
    path("pot/", pot.pot_page, name="desk-pot"),
    path("playoffs/", playoffs.playoffs_page, name="desk-playoffs"),
    path("playoffs/cut/", playoffs.cut, name="cut"),
    path("playoffs/tiebreak/", playoffs.tiebreak, name="tiebreak"),
    path("playoffs/tiebreak/rounds/", playoffs.tie_round, name="tie-round"),
    path("playoffs/tiebreak/end/", playoffs.tie_end, name="tie-end"),
    path("playoffs/placings/", playoffs.placing, name="placing"),
    path("playoffs/rounds/", playoffs.bracket_round, name="bracket-round"),
    path("playoffs/matches/<slug:key>/again/", playoffs.again, name="match-again"),
    path("playoffs/matches/<slug:key>/out/", playoffs.out, name="match-out"),
    path("playoffs/end/", playoffs.ending, name="ending"),
]
