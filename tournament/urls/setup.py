"""Addresses of the setup pages: the event and its rules, teams, draw, rounds, the event file."""

from django.urls import path

from tournament.views import draw, event_file, registration, roster, rounds, setup, teamchange

urlpatterns = [
    path("setup/", setup.event_setup, name="desk-setup"),
    path("setup/options/", setup.event_options, name="desk-options"),
    path("setup/officials/", setup.appoint, name="officials"),
    path("setup/officials/<int:user>/dismissal/", setup.dismiss, name="official-dismissal"),
    path("teams/", registration.team_list, name="desk-teams"),
    path("teams/numbers/", registration.numbers, name="team-numbers"),
    path("teams/<int:number>/", registration.one_team, name="desk-team"),
    path("teams/<int:number>/paid/", registration.paid, name="team-paid"),
    path("teams/<int:number>/pot/", registration.pot, name="team-pot"),
    path("teams/<int:number>/withdrawal/", teamchange.withdrawal, name="team-withdrawal"),
    path("teams/<int:number>/comeback/", teamchange.comeback, name="team-comeback"),
    path("teams/<int:number>/removal/", registration.removal, name="team-removal"),
    path("teams/<int:number>/substitutes/", teamchange.substitute, name="team-substitute"),
    path("teams/<int:number>/merger/", teamchange.merge, name="team-merger"),
    path("rounds/<int:number>/clock/", rounds.clock, name="round-clock"),
    path("rounds/<int:number>/time/", rounds.time, name="round-time"),
    path("rounds/<int:number>/swaps/", teamchange.swap, name="round-swap"),
    path("roster/", roster.roster, name="desk-roster"),
    path("draw/", draw.draw, name="desk-draw"),
    path("draw/removal/", draw.removal, name="draw-removal"),
    path("draw/<int:number>/by-hand/", draw.by_hand, name="draw-by-hand"),
    path("rounds/<int:number>/start/", rounds.start, name="round-start"),
    path("rounds/<int:number>/start/return/", rounds.take_back, name="round-start-return"),
    path("rounds/<int:number>/closure/", rounds.close, name="round-close"),
    path("file/", event_file.event_export, name="event-export"),
    path("file/other-hall/", event_file.other_hall, name="other-hall"),
]
