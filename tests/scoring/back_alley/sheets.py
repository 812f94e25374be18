"""Sheets with options, as a document would choose them."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.back_alley.rules import Rules
from scoring.options import choose


def with_options(rules: Rules, options: Mapping[str, object]) -> Rules:
    chosen, problems = choose(rules, options)
    assert not problems
    return chosen
