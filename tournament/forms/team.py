"""A team as forms: typed at the desk, changed, withdrawn, merged, or with a substitute."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.forms.fields import NameField, choice_field
from tournament.models import Event, Round, Team
from tournament.queries.lineup import lineup, open_rounds
from tournament.queries.roster import LARGEST_NUMBER, RosterRow, players_wanted


class TeamForm(forms.Form):
    """One team. `row` is what was typed, as the list of teams has it."""

    number = forms.IntegerField(
        label="No.",
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="Leave empty for the next free number.",
    )
    name = NameField(label="Team")
    city = NameField(label="City", required=False)
    club = NameField(label="Club", required=False)
    # The page says how these two stood when it was opened: `changed_data` tells what was set on it.
    paid = forms.BooleanField(label="Has paid", required=False, show_hidden_initial=True)
    in_pot = forms.BooleanField(label="In the Boston pot", required=False, show_hidden_initial=True)

    field_order = ("number", "name", "player1", "player2", "player3", "player4", "city", "club", "paid", "in_pot")

    def __init__(self, event: Event, data: Any = None, row: RosterRow | None = None) -> None:
        super().__init__(data, initial=self._initial(row))
        self.places = players_wanted(event)
        # Who plays alone is the team: a name is all that is needed.
        shown = max(self.places + 1 if self.places > 1 else 0, len(row.players) if row else 0)
        for place in range(1, shown + 1):
            label = f"Player {place}" if place <= self.places else "Substitute"
            self.fields[f"player{place}"] = NameField(label=label, required=False)
        if row is not None:
            self.fields["number"].help_text = ""
        if self.places == 1:
            self.fields["name"].label = "Player"
        self.players, self.given = shown, row
        if row is not None and event.frozen_at is not None:
            # Once games are played, money goes through receipts: under Money, or with a reason on the list.
            del self.fields["paid"], self.fields["in_pot"]
        self.order_fields(self.field_order)

    @property
    def row(self) -> RosterRow:
        said = self.cleaned_data
        players = tuple(said[f"player{place}"] for place in range(1, self.players + 1))
        kept = tuple(name for name in players if name)
        return RosterRow(
            0, said["number"], said["name"], kept, said["city"], said["club"], self._mark("paid"), self._mark("in_pot")
        )

    def _mark(self, name: str) -> bool:
        return bool(self.cleaned_data[name] if name in self.fields else getattr(self.given, name))

    @staticmethod
    def _initial(row: RosterRow | None) -> dict[str, Any]:
        if row is None:
            return {}
        players = {f"player{place}": name for place, name in enumerate(row.players, start=1)}
        said = {"number": row.number, "name": row.name, "city": row.city, "club": row.club}
        return {**said, **players, "paid": row.paid, "in_pot": row.in_pot}


class WithdrawalForm(forms.Form):
    """A team leaves, or is sent away."""

    after_round = forms.IntegerField(label="Last round it plays", min_value=0, max_value=999)
    disqualified = forms.BooleanField(label="Disqualified", required=False)


class SubstituteForm(forms.Form):
    """Somebody plays in a player's place."""

    position = forms.TypedChoiceField(label="Who does not play", coerce=int)
    into = NameField(label="Who plays instead")
    from_round = forms.TypedChoiceField(label="From", coerce=int)
    only = forms.BooleanField(label="In this game only", required=False)
    reason = forms.CharField(label="Reason", max_length=200, required=False)

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data, prefix=None)
        rounds = open_rounds(team.event)
        players = lineup(team, rounds[0][0]) or (team.name,)
        choice_field(self, "position").choices = list(enumerate(players))
        choice_field(self, "from_round").choices = rounds


class MergeForm(forms.Form):
    """Another entry's players join this team."""

    other = forms.TypedChoiceField(label="The other entry", coerce=int)
    new_name = NameField(label="Name from now on", required=False, help_text="Leave empty to keep the name.")

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data)
        others = team.event.teams.filter(status="playing").exclude(pk=team.pk)
        choice_field(self, "other").choices = [("", "Choose"), *((one.number, str(one)) for one in others)]


class SwapForm(forms.Form):
    """Two teams of a round sat in each other's place."""

    first = forms.TypedChoiceField(label="Who", coerce=int)
    second = forms.TypedChoiceField(label="sat in the place of", coerce=int)
    reason = forms.CharField(label="What happened", max_length=200)

    def __init__(self, round_: Round, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        places = _places(round_)
        choice_field(self, "first").choices = choice_field(self, "second").choices = [("", "Choose"), *places]


def _places(round_: Round) -> list[tuple[int, str]]:
    """Every team of a round with where it sits."""
    games = round_.games.prefetch_related("sides__team")
    seated = [(side.team.number, f"{side.team} · table {game.table}") for game in games for side in game.sides.all()]
    return seated + [(bye.team.number, f"{bye.team} · bye") for bye in round_.byes.select_related("team")]
