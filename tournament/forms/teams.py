"""Teams as forms: the secretary's list read into rows, one team typed, changed, withdrawn; players' own entries."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.forms.fields import NameField, PlainForm, choice_field, keep_known
from tournament.models import Event, Player, Round, Team
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.queries.lineups import lineup, open_rounds
from tournament.queries.registrations import comes_alone, entry_of, names_team, renamed_by
from tournament.queries.roster import (
    LARGEST_NUMBER,
    LARGEST_TABLE,
    RosterRow,
    marks_of,
    plain_facts_of,
    players_wanted,
)
from tournament.queries.rules import asks_for_pot, everybody_in_pot
from tournament.queries.scored import sides_with_teams
from tournament.words.phrases import NAMES_SHOWN, money

# A team as forms: typed at the desk, changed, withdrawn, merged, or with a substitute.


class TeamForm(PlainForm):
    """One team. `row` is what was typed, as the list of teams has it."""

    number = forms.IntegerField(
        label="No.",
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="Leave empty for the next free number.",
    )
    name = NameField(label="Team")
    city = NameField(label="City", free=True, required=False)
    club = NameField(label="Club", free=True, required=False)
    shown_as = NameField(
        label="Shown as", required=False, help_text="In place of a team name that gives away who plays."
    )
    home = forms.IntegerField(
        label="Stays at table",
        min_value=1,
        max_value=LARGEST_TABLE,
        required=False,
        help_text="For a walker, say, or a hearing loop. Leave empty to move like everybody else.",
    )
    # The page says how these two stood when it was opened: `changed_data` tells what was set on it.
    paid = forms.BooleanField(label="Has paid", required=False, show_hidden_initial=True)
    in_pot = forms.BooleanField(label="In the Boston pot", required=False, show_hidden_initial=True)

    field_order = "number name player1 player2 player3 player4 city club shown_as home paid in_pot".split()

    def __init__(self, event: Event, data: Any = None, row: RosterRow | None = None) -> None:
        super().__init__(data, initial=self._initial(row))
        self.given = row
        self.places = players_wanted(event)
        self._add_players()
        if self.places == 1:
            self.fields["name"].label = "Player"
        if row is not None:
            self.fields["number"].help_text = ""
            keep_known(self, (row.name, *row.players, row.shown_as))
        if row is not None and event.frozen_at is not None:
            # Once games are played, money goes through receipts: under Money, or with a reason on the list.
            for mark in MARKS:
                del self.fields[mark]
        elif everybody_in_pot(event):
            del self.fields["in_pot"]
        is_shown_otherwise = row is not None and (row.shown_as or row.hides)
        if event.names == "full" and not is_shown_otherwise:
            del self.fields["shown_as"]
        self.order_fields(self.field_order)

    def _add_players(self) -> None:
        """A field for each player and one for a substitute; more if the team already has more players."""
        # Who plays alone is the team: a name is all that is needed.
        wanted = self.places + 1 if self.places > 1 else 0
        known = len(self.given.players) if self.given else 0
        self.players = max(wanted, known)
        for position in range(1, self.players + 1):
            label = f"Player {position}" if position <= self.places else "Substitute"
            self.fields[f"player{position}"] = NameField(label=label, required=False)

    @property
    def row(self) -> RosterRow:
        cleaned = self.cleaned_data
        players = tuple(cleaned[f"player{position}"] for position in range(1, self.players + 1))
        named_players = tuple(name for name in players if name)
        return RosterRow(
            number=cleaned["number"],
            name=cleaned["name"],
            players=named_players,
            shown_as=cleaned.get("shown_as", ""),
            home=cleaned["home"],
            **{fact: cleaned[fact] for fact in PLAIN_FACTS},
            **self._marks,
        )

    @property
    def new_names(self) -> list[str]:
        """The names of team and players that were not there before."""
        before = (self.given.name, *self.given.players) if self.given else ()
        return [name for name in dict.fromkeys((self.row.name, *self.row.players)) if name not in before]

    @property
    def _marks(self) -> dict[str, Any]:
        """The marks as they were set; as they stood where the form does not ask for them."""
        given = marks_of(self.given) if self.given else {}
        return given | {mark: self.cleaned_data[mark] for mark in MARKS if mark in self.fields}

    @staticmethod
    def _initial(row: RosterRow | None) -> dict[str, Any]:
        if row is None:
            return {}
        players = {f"player{position}": name for position, name in enumerate(row.players, start=1)}
        own = {"number": row.number, "name": row.name, "home": row.home, "shown_as": row.shown_as}
        return {**own, **players, **plain_facts_of(row), **marks_of(row)}


class WithdrawalForm(PlainForm):
    """A team leaves, or is sent away."""

    after_round = forms.IntegerField(label="Last game it plays", min_value=0, max_value=999)
    disqualified = forms.BooleanField(label="Disqualified", required=False)


class SubstituteForm(PlainForm):
    """Somebody plays in a player's place."""

    position = forms.TypedChoiceField(label="Who does not play", coerce=int)
    into = NameField(label="Who plays instead")
    from_round = forms.TypedChoiceField(label="From", coerce=int)
    only = forms.BooleanField(label="In this game only", required=False)
    reason = forms.CharField(label="Reason", max_length=200, required=False)

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data, prefix=None)
        rounds = open_rounds(team.event)
        players = lineup(team, rounds[0][0], whole=True) or (team.full_name,)
        choice_field(self, "position").choices = list(enumerate(players))
        choice_field(self, "from_round").choices = rounds


class MergeForm(PlainForm):
    """Another entry's players join this team."""

    other = forms.TypedChoiceField(label="The other entry", coerce=int)
    new_name = NameField(label="Name from now on", required=False, help_text="Leave empty to keep the name.")

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data)
        others = team.event.teams.filter(status="playing").exclude(pk=team.pk)
        choice_field(self, "other").choices = [("", "Choose"), *((team_.number, team_.in_full) for team_ in others)]


class SwapForm(PlainForm):
    """Two teams of a round sat in each other's place."""

    first = forms.TypedChoiceField(label="Who", coerce=int)
    second = forms.TypedChoiceField(label="sat in the place of", coerce=int)
    reason = forms.CharField(label="What happened", max_length=200)

    def __init__(self, round_: Round, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        # Every team of the round with where it sits.
        games = round_.games.prefetch_related(sides_with_teams())
        seated = [
            (side.team.number, f"{side.team.in_full} · table {game.table}")
            for game in games
            for side in game.sides.all()
        ]
        seated += [(bye.team.number, f"{bye.team.in_full} · bye") for bye in round_.byes.select_related("team")]
        choice_field(self, "first").choices = choice_field(self, "second").choices = [("", "Choose"), *seated]


# What players type who enter themselves.


FILLED = "A hidden field got filled in, maybe by a browser add-on. It’s empty now: press the button again."


class EntryForm(PlainForm):
    """A team, a single player of a game without teams, or, with `alone`, somebody who looks for a partner.

    With a `player` it changes what this player's private link controls; names that can no longer be changed are not
    asked for. People do not see the field `more`; a program that fills in forms for a person may fill it in.
    """

    name = NameField(label="Team name", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    note = NameField(
        label="A line about yourself",
        longest=120,
        free=True,
        required=False,
        help_text="Anyone who opens the entry page can read it.",
    )
    contact = NameField(
        label="How do we reach you?", longest=120, free=True, help_text="Phone or email. Only the officials see it."
    )
    show = forms.ChoiceField(label="How the names are shown")
    in_pot = forms.BooleanField(label="Join the pot", required=False)
    more = forms.CharField(required=False, label="Leave this empty")

    def __init__(self, event: Event, data: Any = None, *, alone: bool = False, player: Player | None = None) -> None:
        super().__init__(data, prefix="alone" if alone else None)
        entry = entry_of(player) if player else None
        wanted = players_wanted(event)
        self.player = player
        self.is_alone = comes_alone(entry) if entry else alone
        self.rows = renamed_by(player) if player else []
        self.is_fixed = player is not None and not self.rows
        self._add_seats(wanted)
        if not self._asks_team_name(wanted):
            del self.fields["name"]
        if not self.is_alone:
            del self.fields["note"]
        if player is None and asks_for_pot(event):
            self.fields["in_pot"].label = f"Join the pot ({money(event.pot_cents, event.currency)})"
        else:
            del self.fields["in_pot"]
        if player is not None and not player.contact:
            self.fields["contact"].required = False
        # A player may be shown as the event shows everybody, or by less.
        shown_by_event = list(NAMES_SHOWN).index(event.names)
        choice_field(self, "show").choices = list(NAMES_SHOWN.items())[shown_by_event:]
        if player is not None and entry is not None:
            names = [row.full_name for row in self.rows]
            self.initial.update(name=entry.name, note=player.note, contact=player.contact, show=player.show)
            self.initial.update(zip(self.seats, names, strict=True))
            keep_known(self, (entry.name, *names))
        self.order_fields(["name", *self.seats, "note"])

    def _asks_team_name(self, wanted: int) -> bool:
        """Not of a player who comes or plays alone, and not of a partner: their links do not name a team."""
        if self.is_fixed or self.is_alone or wanted == 1:
            return False
        return self.player is None or names_team(self.player)

    def _add_seats(self, wanted: int) -> None:
        """A field for each name that is asked: one's own first, then the partner's."""
        if self.player is not None:
            # A seat keeps its field, whichever players of the entry are known now.
            places = {row.pk: place for place, row in enumerate(entry_of(self.player).players.all())}
            own = {places[row.pk]: row.pk == self.player.pk for row in self.rows}
        else:
            own = {place: place == 0 for place in range(1 if self.is_alone else wanted)}
        self.seats = [f"player{place + 1}" for place in own]
        for seat, (place, is_own) in zip(self.seats, own.items(), strict=True):
            box = forms.TextInput(attrs={"autocomplete": "name" if is_own else "off"})
            self.fields[seat] = NameField(label=_whose(is_own, place, len(own)), required=is_own, widget=box)

    def clean_more(self) -> str:
        if self.cleaned_data["more"]:
            raise forms.ValidationError(FILLED)
        return ""

    @property
    def typed(self) -> dict[str, Any]:
        """The values as an entry keeps them; a player who comes alone has no other name."""
        asked = [name for name in ("contact", "note", "show", "in_pot", "name") if name in self.fields]
        facts: dict[str, Any] = {name: self.cleaned_data[name] for name in asked}
        names = [self.cleaned_data[seat] for seat in self.seats]
        if self.player is None:
            return facts | {"players": [name for name in names if name]}
        renamed = {row.pk: name for row, name in zip(self.rows, names, strict=True) if name}
        return facts | {"names": renamed}


def _whose(is_own: bool, place: int, count: int) -> str:
    if is_own:
        return "Your name"
    return "Your partner’s name" if count <= 2 else f"Your partner’s name ({place + 1})"
