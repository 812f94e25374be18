"""The addresses of the demo, in front of those of the site. A club's site has none of them."""

from django.contrib.auth.views import LoginView
from django.urls import path

from tournament import urls as site
from tournament.demo import views

handler400, handler403 = site.handler400, site.handler403
handler404, handler500 = site.handler404, site.handler500

sign_in = LoginView.as_view(template_name="demo/sign_in.html", redirect_authenticated_user=True)

urlpatterns = [
    path("", views.home, name="events"),
    path("sign-in/", sign_in, name="sign-in"),
    path("demo/desk/", views.desk, name="demo-desk"),
    path("demo/tablet/", views.tablet, name="demo-tablet"),
    path("demo/cup/", views.cup, name="demo-cup"),
    path("demo/evenings/", views.evenings, name="demo-evenings"),
    path("demo/list/", views.visitors_list, name="demo-list"),
    path("demo/hall/", views.hall, name="demo-hall"),
    path("demo/hall/feed/<slug:slug>/", views.feed, name="demo-feed"),
    path("demo/play/", views.play, name="demo-play"),
    path("demo/play/directing/", views.directing, name="demo-directing"),
    path("demo/play/pause/", views.pause, name="demo-pause"),
    *site.urlpatterns,
]
