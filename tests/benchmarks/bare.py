"""The references: bare Django views under the site's own settings, beside the site's own addresses."""

from __future__ import annotations

import os
from collections.abc import Callable

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from tests.sure import sure
from tournament.models import Event, Journal, Team
from tournament.urls import urlpatterns as site_patterns

ROWS = """<!doctype html><html><body><table>{% for row in rows %}<tr id="team-{{ row.number }}">
<td>{{ forloop.counter }}</td><td>{{ row.number }}</td><td><a href="/teams/{{ row.number }}/">{{ row.name }}</a></td>
<td>{{ row.city }}</td><td>{{ row.club }}</td><td>{{ row.status }}</td><td>{{ row.paid }}</td><td>{{ row.in_pot }}</td>
</tr>{% endfor %}</table></body></html>"""
STATEMENTS = "X-Statements"


class StatementsMiddleware:
    """Says how many statements an answer took, those that begin and end a transaction too, where a request asks it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if STATEMENTS not in request.headers:
            return self.get_response(request)
        connection.ensure_connection()
        with CaptureQueriesContext(connection) as queries:
            response = self.get_response(request)
        response[STATEMENTS] = str(len(queries))
        return response


def process(request: HttpRequest) -> HttpResponse:
    """Say which process answers, so that its work can be measured."""
    return HttpResponse(str(os.getpid()))


def hello(request: HttpRequest) -> HttpResponse:
    """Answers, and does nothing else."""
    return HttpResponse("hello")


def rows(request: HttpRequest, count: int) -> HttpResponse:
    template = engines["django"].from_string(ROWS)
    return HttpResponse(template.render({"rows": Team.objects.order_by("number").values()[:count]}, request))


@csrf_exempt
def insert(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        event = sure(Event.objects.order_by("pk").first())
        Journal.objects.create(
            event=event, action="bare", noun="bare", code="text", facts={"text": request.POST["text"]}
        )
    return HttpResponse("done")


urlpatterns = [
    path("hello/", hello),
    path("process/", process),
    path("rows/<int:count>/", rows),
    path("insert/", insert),
    # As the site has them, and not included: what it finds among its own addresses it must find here.
    *site_patterns,
]
