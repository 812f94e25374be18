"""The references: bare Django views under the site's own settings, beside the site's own addresses."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from tests.benchmarks.pages import ROWS
from tests.sure import sure


def hello(request: HttpRequest) -> HttpResponse:
    """Answers, and does nothing else."""
    return HttpResponse("hello")


def rows(request: HttpRequest, count: int) -> HttpResponse:
    """As many rows from one query."""
    from tournament.models import Team

    template = engines["django"].from_string(ROWS)
    return HttpResponse(template.render({"rows": Team.objects.order_by("number").values()[:count]}, request))


@csrf_exempt
def insert(request: HttpRequest) -> HttpResponse:
    """Inserts one row and commits."""
    from tournament.models import Event, Journal

    with transaction.atomic():
        event = sure(Event.objects.order_by("pk").first())
        Journal.objects.create(
            event=event, action="bare", noun="bare", code="text", facts={"text": request.POST["text"]}
        )
    return HttpResponse("done")


urlpatterns = [
    path("hello/", hello),
    path("rows/<int:count>/", rows),
    path("insert/", insert),
    path("", include("tournament.urls")),
]
