"""Addresses of the public pages."""

from django.urls import path

from tournament.views import (
    board,
    bracket,
    finalsheet,
    notices,
    pictures,
    publicteams,
    rulebook,
    schedule,
    share,
    standings,
)

urlpatterns = [
    path("", standings.standings_page, name="standings"),
    path("schedule/", schedule.schedule_page, name="schedule"),
    path("search/", schedule.search, name="search"),
    path("teams/", publicteams.teams_page, name="teams"),
    path("teams/<int:number>/", publicteams.team_page, name="team"),
    path("bracket/", bracket.bracket_page, name="bracket"),
    path("picture.png", share.event_picture, name="event-picture"),
    path("pictures/", pictures.pictures_page, name="pictures"),
    path("rules/", rulebook.rules_page, name="rules"),
    path("corrections/", notices.corrections, name="corrections"),
    path("board/", board.board_page, name="board"),
    path("games/<int:pk>/", finalsheet.game_page, name="public-game"),
]
