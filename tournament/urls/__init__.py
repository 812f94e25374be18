"""The addresses of the site: nouns, one module an area. Every address stands in the authorization test."""

from django.urls import include, path

from tournament.views import worker

handler400 = "tournament.views.refusals.not_understood"
handler403 = "tournament.views.refusals.forbidden"
handler404 = "tournament.views.refusals.not_found"
handler500 = "tournament.views.refusals.broken"

urlpatterns = [
    path("", include("tournament.urls.site")),
    path("e/<slug:event>/", include("tournament.urls.public")),
    path("desk/<slug:event>/", include("tournament.urls.desk")),
    path("desk/<slug:event>/", include("tournament.urls.setup")),
    path("desk/<slug:event>/", include("tournament.urls.results")),
    path("desk/<slug:event>/", include("tournament.urls.downloads")),
    path("desk/<slug:event>/money/", include("tournament.urls.money")),
    path("desk/<slug:event>/tablets/", include("tournament.urls.tablets")),
    path("practice/", include("tournament.urls.practice")),
    path("t/", include("tournament.urls.tablet")),
    path("sw.js", worker.worker, name="worker"),
]
