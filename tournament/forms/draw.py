"""The draw as a form: by lot or by number; and a round seated by hand."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.models import Event
from tournament.queries.draws import DrawOverview, draw_plan
from tournament.queries.rules import ruleset_of


class DrawForm(forms.Form):
    """Seats by lot (with a number, so that the draw can be repeated) or by team number."""

    LOT, NUMBER = "lot", "number"

    seats = forms.ChoiceField(
        label="First seats",
        choices=[(LOT, "drawn by lot"), (NUMBER, "by number")],
        required=False,
    )
    seed = forms.IntegerField(
        label="Draw number (leave empty for a new draw)",
        min_value=0,
        max_value=999_999,
        required=False,
    )

    @property
    def by_number(self) -> bool:
        return self.cleaned_data.get("seats") == self.NUMBER


class HandDrawForm(forms.Form):
    """One select per seat; whoever is at no table sits out. `tables` is what was chosen, empty tables left out."""

    accept = forms.BooleanField(label="Draw it all the same", required=False)

    def __init__(self, event: Event, number: int, overview: DrawOverview, data: Any = None) -> None:
        super().__init__(data)
        plan = draw_plan(event, before=number)
        rules = ruleset_of(event)
        # As many tables as the smallest ones would need; seats that stay empty make smaller tables.
        self.sides = rules.table_sizes[-1]
        self.count = max(len(plan.entrants) // rules.smallest_table, 1)
        drawn = next((round_ for round_ in overview.rounds if round_.number == number), None)
        seated = {table.table: table.teams for table in drawn.tables} if drawn else {}
        choices = [("", "–"), *((str(one.number), f"{one.number} {one.label}") for one in plan.entrants)]
        for table in range(1, self.count + 1):
            for side in range(self.sides):
                teams = seated.get(table, ())
                initial = str(teams[side][0]) if side < len(teams) else ""
                label = f"Table {table}, side {side + 1}"
                field = forms.ChoiceField(choices=choices, required=False, initial=initial, label=label)
                field.widget.attrs["aria-label"] = label
                self.fields[f"t{table}s{side}"] = field

    @property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        rows = [
            [self.cleaned_data.get(f"t{table}s{side}") for side in range(self.sides)]
            for table in range(1, self.count + 1)
        ]
        return tuple(tuple(int(team) for team in row if team) for row in rows if any(row))

    def rows(self) -> list[tuple[int, list[Any]]]:
        """The selects, table by table."""
        return [(table, [self[f"t{table}s{side}"] for side in range(self.sides)]) for table in range(1, self.count + 1)]
