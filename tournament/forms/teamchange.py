"""What happens to teams in the course of an event: a substitute, a merger, two teams put in each other's place."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.forms.fields import NameField, choice_field
from tournament.models import Round, Team
from tournament.queries.lineup import lineup, open_rounds


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
