"""The addresses of the demo, in front of those of the site. A club's site has none of them."""

from django.contrib.auth.views import LoginView
from django.urls import path

from tournament import urls as site
from tournament.demo.views import doors, hall, home, play

handler400, handler403 = site.handler400, site.handler403
handler404, handler500 = site.handler404, site.handler500

sign_in = LoginView.as_view(template_name="demo/sign_in.html", redirect_authenticated_user=True)

urlpatterns = [
    path("", home.home, name="events"),
    path("sign-in/", sign_in, name="sign-in"),
    path("demo/desk/", doors.desk, name="demo-desk"),
    path("demo/tablet/", doors.tablet, name="demo-tablet"),
    path("demo/evenings/", doors.evenings, name="demo-evenings"),
    path("demo/hall/", hall.hall, name="demo-hall"),
    path("demo/hall/feed/<slug:event>/", hall.feed, name="demo-feed"),
    path("demo/play/", play.play, name="demo-play"),
    path("demo/play/directing/", play.directing, name="demo-directing"),
    path("demo/play/pause/", play.pause, name="demo-pause"),
    *site.urlpatterns,
]
