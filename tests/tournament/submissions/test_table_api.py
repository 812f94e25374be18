"""Schemathesis against the tablet's addresses, as `table_api.json` describes them.

A few cases of each; UPTOWN_CASES=1000 tries a thousand, different ones in every run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.tournament.submissions.conftest import Tablet

pytestmark = pytest.mark.both_databases

CASES = int(os.environ.get("UPTOWN_CASES", "0"))
DOCUMENT = json.loads(Path(__file__).with_name("table_api.json").read_text(encoding="utf-8"))
# Not that something wrong is refused: what a known tablet sends is kept for the desk, whatever it is.
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
OPERATIONS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """The site closes the database's connection after each answer; here the transaction around it is taken back."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_table_api_is_as_it_is_described(path: str, method: str, tablet: Tablet) -> None:
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    schema.app = get_wsgi_application()
    seen = set[int]()

    @settings(
        max_examples=CASES or 15,
        derandomize=not CASES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy())
    def run(case: Any) -> None:
        for token in (tablet.token, "nobody's"):
            with transaction.atomic():
                answer = case.call(headers={"Authorization": f"Table {token}", "Accept-Encoding": "identity"})
                transaction.set_rollback(True)
            case.validate_response(answer, checks=CHECKS)
            seen.add(answer.status_code)

    run()
    assert seen >= {200, 401}
