"""The addresses of that demo. The player's pace is set where the site's process loads them first."""

from tests.tournament.demo.evenings import AT_ONCE
from tournament.demo import player
from tournament.demo.urls import handler400, handler403, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

player.LOOKING_ON = player.DIRECTING = AT_ONCE
