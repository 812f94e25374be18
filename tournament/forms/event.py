"""The event as a form: what, when, where, by which rules; everything else is folded into a line with its values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

from tournament.errors import DomainError
from tournament.forms.fields import (
    MoneyField,
    NameField,
    PlainForm,
    choice_field,
    offered,
)
from tournament.forms.roster.form import RosterForm
from tournament.models import Event, Season
from tournament.pairing.bracket import Form, Losers
from tournament.queries.draws import ONE_AT_A_TIME
from tournament.queries.events import blank_event, event_fields
from tournament.queries.rules import (
    Ruleset,
    game_choices,
    ruleset,
    sheets_of,
)
from tournament.words.phrases import (
    MOVEMENTS,
    NAMES_SHOWN,
    SECOND_LOSERS,
    VERIFY_CLOSING,
    WHO_LOSES,
    hall_time,
    money,
    time_of_day,
)

BEST_OF = [(1, "one game"), (3, "best of 3"), (5, "best of 5"), (7, "best of 7")]
CURRENCIES = [("$", "$"), ("€", "€"), ("£", "£")]
NEAR = (
    ("America/New_York", "Eastern (New York)"),
    ("America/Chicago", "Central (Chicago)"),
    ("America/Denver", "Mountain (Denver)"),
    ("America/Los_Angeles", "Pacific (Los Angeles)"),
    ("America/Anchorage", "Alaska (Anchorage)"),
    ("Pacific/Honolulu", "Hawaii (Honolulu)"),
)
# What losers play, where it is usual.
SHORT_LOSERS = {"out": "", "places-4": ", third place"}
# Single players are drawn in groups, whatever the movement of teams is, unless the director draws by hand.
SINGLES_MEET = [("moving", "Everybody meets different players"), ("by-hand", MOVEMENTS["by-hand"])]
MOMENT = forms.DateTimeInput(attrs={"type": "datetime-local"})
MOMENTS = ("entries_from", "entries_until")
# What is folded: its key, its title, its fields. The fields that are always open are in
# `templates/events/_fields.html`.
FOLDS = (
    ("rounds", "Games and draw", ("rounds_planned", "movement", "keep_apart", "stakes_apart")),
    ("money", "Money", ("fee_cents", "pot_cents", "all_in", "currency")),
    ("playoffs", "Playoffs", ("cut", "best_of", "losers", "second", "second_losers")),
    ("names", "Players’ names", ("names",)),
    ("season", "Season", ("season",)),
    ("check-in", "Check-in", ("checks_in",)),
    ("checking", "Sheets from paper", ("verify_closing",)),
    ("paper", "Paper and time", ("paper", "time_zone", "room_until")),
    (
        "entries",
        "Players enter themselves",
        ("entries_now", "entries_from", "entries_until", "entry_limit", "entries_wait", "entry_words"),
    ),
)


@dataclass(frozen=True, slots=True)
class Fold:
    """A group of fields behind one line. `summary` is their present values; it is open if one of them has a fault."""

    key: str
    title: str
    summary: str
    fields: list[Any]

    @property
    def is_wrong(self) -> bool:
        return any(field.errors for field in self.fields)


@cache
def time_zones() -> list[tuple[str, Any]]:
    """The time zones of the United States by their usual names, then all others."""
    available = available_timezones()
    near = [(zone, words) for zone, words in NEAR if zone in available or zone == "America/New_York"]
    named = {zone for zone, _ in near}
    rest = sorted(zone for zone in available if "/" in zone and not zone.startswith("Etc/") and zone not in named)
    groups: list[tuple[str, Any]] = [("United States", near)]
    if rest:
        groups.append(("Everywhere", [(zone, zone.replace("_", " ")) for zone in rest]))
    return [*groups, ("Other", [("UTC", "UTC")])]


class EventForm(PlainForm):
    """An event's facts. Only fields that the chosen rule sheet's game has are shown; the others stay as they are."""

    name = NameField(label="Name", longest=60, free=True, widget=forms.TextInput(attrs={"maxlength": 60}))
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    place = NameField(
        label="Place",
        longest=60,
        free=True,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "Hall and town"}),
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones)
    game = forms.ChoiceField(label="Game", choices=game_choices, widget=forms.RadioSelect, required=False)
    sheet = forms.ChoiceField(label="Rule sheet")
    rounds_planned = forms.IntegerField(
        label="Games", min_value=1, max_value=60, help_text="Games each team plays before the playoffs."
    )
    movement = forms.ChoiceField(label="Who meets whom", choices=list(MOVEMENTS.items()))
    keep_apart = forms.BooleanField(label="Keep the same city or club apart where possible", required=False)
    stakes_apart = forms.BooleanField(
        label="In the last game, teams that are through or out play each other",
        required=False,
        help_text=(
            "Only where games are drawn by record, and once it is set how many reach the playoffs. "
            "Their records may then differ, but nobody meets again because of it."
        ),
    )
    fee_cents = MoneyField(label="Entry fee", help_text="Leave empty for no fee.")
    pot_cents = MoneyField(label="Boston pot, each", help_text="Leave empty for no pot.")
    all_in = forms.BooleanField(label="Everybody is in the pot", required=False)
    currency = forms.ChoiceField(label="Currency", choices=CURRENCIES)
    cut = forms.IntegerField(
        label="How many reach the playoffs",
        min_value=1,
        max_value=1024,
        required=False,
        help_text="Leave empty to decide later. 1: no playoffs, first place is the champion.",
    )
    best_of = forms.TypedChoiceField(label="A playoff match is", choices=BEST_OF, coerce=int)
    losers = forms.ChoiceField(label="Who loses a playoff match …", choices=list(WHO_LOSES.items()), required=False)
    second = forms.IntegerField(
        label="Of the others, how many play a second bracket",
        min_value=2,
        max_value=1024,
        required=False,
        error_messages={"min_value": "A second bracket needs at least two."},
        help_text="Leave empty for none.",
    )
    second_losers = forms.ChoiceField(label="There, who loses …", choices=list(SECOND_LOSERS.items()), required=False)
    checks_in = forms.BooleanField(label="Check in before game 1", required=False)
    paper = forms.ChoiceField(label="Paper size", choices=[("letter", "Letter"), ("a4", "A4")])
    room_until = forms.TimeField(
        label="The room closes at",
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text="The desk then says what to leave out if the games would take longer. Leave empty if nobody minds.",
    )
    names = forms.ChoiceField(
        label="How players’ names are shown",
        choices=list(NAMES_SHOWN.items()),
        required=False,
        help_text="Officials always see full names. Players can ask to show less than this, never more.",
    )
    season = forms.ModelChoiceField(
        queryset=Season.objects.all(),
        label="Counts in the season",
        required=False,
        empty_label="none",
        help_text="Its points count once it’s finished.",
    )
    verify_closing = forms.ChoiceField(
        label="Sheets typed from paper and not verified", choices=list(VERIFY_CLOSING.items()), required=False
    )
    entries_now = forms.BooleanField(
        label="Open entries now", required=False, help_text="Players can enter as soon as you save this."
    )
    entries_from = forms.DateTimeField(
        label="Entries open",
        required=False,
        widget=MOMENT,
        help_text="From then on players can enter on the event’s entry page. Empty, and not open now: no entry page.",
    )
    entries_until = forms.DateTimeField(
        label="Entries close", required=False, widget=MOMENT, help_text="Leave empty to close when game 1 starts."
    )
    entry_limit = forms.IntegerField(
        label="At most",
        min_value=1,
        max_value=9999,
        required=False,
        help_text="Later entries go on the waiting list. Leave empty for no limit.",
    )
    entries_wait = forms.BooleanField(label="The desk approves every entry", required=False)
    entry_words = NameField(
        label="How to pay, and anything players should know",
        longest=200,
        free=True,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "Cash at the door, doors open at 6"}),
    )
    verify_own = forms.BooleanField(
        label="Yes: a paper sheet counts when I have typed it",
        required=False,
        widget=forms.CheckboxInput(attrs={"aria-describedby": "alone"}),
    )

    def __init__(self, *args: Any, pinned: tuple[str, ...] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.rules = self._rules()
        choice_field(self, "sheet").choices = sheets_of(self.rules.game.key, self.initial.get("sheet", ""))
        if str(self.data.get("sheet", "")).partition("/")[0] != self.rules.game.key:
            self.fields["sheet"].error_messages["invalid_choice"] = f"Choose the rule sheet of {self.rules.game.title}."
        self.initial["game"] = self.rules.game.key
        self.initial["losers"] = Form(self.initial["losers"], self.initial["places_to"]).answer
        opens = self.initial.get("entries_from")
        self.are_open = bool(opens and opens <= timezone.now())
        for name in MOMENTS:
            if moment := self.initial.get(name):
                self.initial[name] = (
                    hall_time(moment, self.initial["time_zone"]).replace(tzinfo=None).isoformat(timespec="minutes")
                )
        if self.rules.singles:
            choice_field(self, "movement").choices = SINGLES_MEET
            self.fields["rounds_planned"].help_text = "Games each player plays before the playoffs."
        for name in self._not_asked():
            del self.fields[name]
        # An imported event may have values that no new event is offered.
        for name in ("currency", "time_zone"):
            field, own = choice_field(self, name), self.initial.get(name)
            if own and not field.valid_value(own):
                field.choices = [*offered(field), (own, own)]
        for name in (*pinned, *(["game"] if "sheet" in pinned else [])):
            if name in self.fields:
                self.fields[name].disabled = True
                self.fields[name].help_text = "Fixed since the games began."

    def clean_verify_closing(self) -> str:
        return self.cleaned_data["verify_closing"] or "warns"

    def clean_names(self) -> str:
        return self.cleaned_data["names"] or "full"

    def clean(self) -> dict[str, Any]:
        """Times are those of the hall's clock. Times for entries are checked only if players enter themselves."""
        cleaned = super().clean() or {}
        zone = cleaned.get("time_zone")
        for name in MOMENTS:
            if cleaned.get(name) and zone:
                cleaned[name] = cleaned[name].replace(tzinfo=ZoneInfo(zone))
        if cleaned.get("entries_now"):
            self._open_now(cleaned)
        if "losers" in cleaned:
            form = Form.from_answer(cleaned["losers"], cleaned.get("second"), cleaned.get("second_losers", ""))
            cleaned |= {"losers": form.losers, "places_to": form.places_to, "second_losers": form.second_losers}
        if "cut" in cleaned:
            cleaned["no_playoffs"] = cleaned["cut"] == 1
            cleaned["cut"] = None if cleaned["no_playoffs"] else cleaned["cut"]
        opens, closes = map(cleaned.get, MOMENTS)
        if closes and opens and closes <= opens:
            self.add_error("entries_until", "Entries close before they open.")
        if not opens:
            cleaned.pop("entries_wait", None)
        return cleaned

    def _open_now(self, cleaned: dict[str, Any]) -> None:
        """Entries open at this minute; a time typed next to it is not silently dropped."""
        typed = self.data.get("entries_from")
        if typed and typed != self.initial.get("entries_from"):
            self.add_error("entries_from", "Entries open now or at this time, not both.")
        cleaned["entries_from"] = timezone.now().replace(second=0, microsecond=0)

    def folds(self) -> list[Fold]:
        """What is folded, each group with its present values."""
        summaries = {"rounds": self._rounds, "money": self._money, "playoffs": self._playoffs}
        summaries |= {"check-in": self._check_in, "checking": self._checking, "paper": self._paper}
        summaries["names"] = lambda: self._words("names") if self["names"].value() else NAMES_SHOWN["full"]
        summaries["entries"] = self._entries
        summaries["season"] = lambda: self._words("season") if self["season"].value() else "no season"
        folds = []
        for key, title, names in FOLDS:
            if fields := [self[name] for name in names if name in self.fields]:
                folds.append(Fold(key, title, summaries[key](), fields))
        return folds

    def _rules(self) -> Ruleset:
        """The rules that the form is about: the chosen sheet, or the first one of another game."""
        own = self.initial.get("sheet", "")
        wanted = self.data.get("sheet") or own
        game = self.data.get("game") or wanted.partition("/")[0]
        sheets = [key for key, _ in sheets_of(game, own)] or [own]
        sheet = wanted if wanted in sheets else sheets[0]
        options, printed = (self.initial.get(name) if sheet == own else None for name in ("options", "printed"))
        return ruleset(sheet, json.dumps(options or {}, sort_keys=True), printed or "")

    def _not_asked(self) -> set[str]:
        """Fields that the game does not have, unless the event has a value; and those that are settled already."""
        without = set() if self.rules.rules.counts_bostons or self.initial.get("pot_cents") else {"pot_cents"}
        # Once games are played nobody else is put into the pot; teams in it can still be let out.
        is_fixed = self.initial.get("frozen_at") and not self.initial.get("all_in")
        if "pot_cents" in without or is_fixed:
            without.add("all_in")
        if not Season.objects.exists():
            without.add("season")
        if self.are_open:
            without.add("entries_now")
        if not self.rules.has_matches and not self.initial.get("cut"):
            without |= {"cut", "best_of", "losers", "second", "second_losers"}
        if self.rules.singles or not self.rules.has_matches:
            # They are never drawn by record, and without playoffs nobody is through or out.
            without.add("stakes_apart")
        return without

    def _words(self, name: str) -> str:
        """The chosen option of a field, in its words."""
        value = str(self[name].value())
        choices = offered(choice_field(self, name))
        flat = [pair for choice in choices for pair in (choice[1] if isinstance(choice[1], list) else [choice])]
        return next((words for key, words in flat if str(key) == value), value)

    def _rounds(self) -> str:
        count = str(self["rounds_planned"].value() or "")
        words = self._words("movement")
        apart = ", same city or club apart" if self["keep_apart"].value() else ""
        by_stake = ", through or out play each other last" if self._is_by_stake() else ""
        return f"{count or '?'} game{'' if count == '1' else 's'}, {words[:1].lower()}{words[1:]}{apart}{by_stake}"

    def _is_by_stake(self) -> bool:
        """Whether the last game is drawn by who is through or out; only a draw by record can be."""
        if "stakes_apart" not in self.fields or self["movement"].value() != "swiss":
            return False
        return bool(self["stakes_apart"].value())

    def _money(self) -> str:
        fee, pot = (self._sum(name) for name in ("fee_cents", "pot_cents"))
        parts = [f"{fee} a {self.rules.unit}" if fee else "no fee"]
        if "pot_cents" in self.fields:
            parts.append(f"{pot} into the Boston pot" if pot else "no Boston pot")
        return ", ".join(parts)

    def _sum(self, name: str) -> str:
        """An amount of money as it was typed, or empty."""
        if name not in self.fields:
            return ""
        try:
            cents = self.fields[name].clean(str(self[name].value() or ""))
        except forms.ValidationError:
            return str(self[name].value())
        return money(cents, str(self["currency"].value())) if cents else ""

    def _playoffs(self) -> str:
        if not (cut := self["cut"].value()):
            return "decided later"
        if str(cut) == "1":
            return "none, first place is the champion"
        answer, second = str(self["losers"].value() or Losers.OUT), self["second"].value()
        losers = SHORT_LOSERS[answer] if answer in SHORT_LOSERS else f", who loses {self._words('losers')}"
        others = f", a second bracket of {second}" if second else ""
        return f"{cut} advance, {self._words('best_of')} a match{losers}{others}"

    def _check_in(self) -> str:
        return "before game 1, by phone or at the desk" if self["checks_in"].value() else "no check-in"

    def _checking(self) -> str:
        if self["verify_closing"].value() == "blocks":
            return "a game stays open until they are verified"
        return "a game can be closed before they are verified"

    def _entries(self) -> str:
        opens = ("entries_now" in self.fields and self["entries_now"].value()) or self["entries_from"].value()
        limit, words = self["entry_limit"].value(), "yes" if opens else "no"
        return f"yes, at most {limit} {self.rules.unit}s" if limit and words == "yes" else words

    def _paper(self) -> str:
        closes = self._closes()
        words = f"{self._words('paper')} · {self._words('time_zone')}"
        return f"{words} · the room closes at {closes}" if closes else words

    def _closes(self) -> str:
        """When the room closes, as it was typed if that is no time."""
        typed = self["room_until"].value() or ""
        try:
            closes = self.fields["room_until"].clean(typed)
        except forms.ValidationError:
            return str(typed)
        return time_of_day(closes) if closes else ""


class LikeForm(PlainForm):
    """A new event by the rules of an earlier one."""

    name = NameField(label="Name", longest=60, free=True, widget=forms.TextInput(attrs={"maxlength": 60}))
    date = forms.DateField(label="Date", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class CopyForm(LikeForm):
    """An event like an earlier one."""

    field_order = ("like",)
    like = forms.ChoiceField(label="Like")
    with_teams = forms.BooleanField(label="Copy the teams too (as unpaid)", required=False)

    def __init__(self, data: Any = None, *, events: list[tuple[str, str]], **settings: Any) -> None:
        super().__init__(data, prefix="copy", **settings)
        choice_field(self, "like").choices = events


class NewEvent:
    """The event's own form and its list of teams, sent together. An uploaded list is shown before it is stored."""

    # The invitation that it begins with, from `tournament/forms/inviting.py`.
    invitation: Any = None

    def __init__(
        self, data: Any = None, files: Any = None, *, is_draft: bool = False, initial: dict[str, Any] | None = None
    ) -> None:
        initial = event_fields(blank_event()) if initial is None else initial
        self.event = EventForm(_recalled(data, initial) if is_draft else data, initial=initial)
        # The list is read for the game that is chosen now, with an unsaved event.
        self.blank = Event(sheet=self.event.rules.sheet.key, options={})
        self.list = self._list(data, files)
        self.draws = data is not None and "draw" in data

    def _list(self, data: Any, files: Any) -> RosterForm:
        return RosterForm(self.blank, data, files)

    @property
    def is_ready(self) -> bool:
        """Whether it was sent to set up the event, and is valid."""
        good = self.event.is_valid() & self.list.is_valid()
        return bool(
            good and not self.list.roster.faults and not self.list.is_rewritten and self.list.is_seen and not self.asks
        )

    @property
    def asks(self) -> bool:
        """Whether the list is only to be checked, or corrected."""
        return bool(self.event.is_bound and ("check" in self.event.data or self.event.data.get("mend")))

    @property
    def status(self) -> int:
        """The status of the page: checking a list is not a fault."""
        if not self.event.is_bound or self.asks:
            return 200
        return 200 if self.list.is_rewritten and self.event.is_valid() and not self.list.roster.faults else 422

    @property
    def fields(self) -> dict[str, Any]:
        """The event's values. If the list says that some are in the pot and some are not, the list decides."""
        fields = self.event.cleaned_data
        return fields | {"all_in": False} if self.list_decides_pot else fields

    @property
    def list_decides_pot(self) -> bool:
        """Whether the pot was to be for everybody, and the list says that some are in it and some are not."""
        fields, in_pot = self.event.cleaned_data, {row.in_pot for row in self.list.roster.rows}
        return bool(fields.get("all_in") and fields.get("pot_cents") and len(in_pot) > 1)

    @property
    def button(self) -> str:
        """The label of the button: “Set up and draw 6 games”."""
        if self.event["movement"].value() == "by-hand":
            return "Set up"
        count = str(self.event["rounds_planned"].value() or "")
        each = self.event["movement"].value() in ONE_AT_A_TIME
        if self.event.rules.singles or not each:
            return f"Set up and draw {count} game{'' if count == '1' else 's'}"
        return "Set up and draw game 1"

    @property
    def carried(self) -> list[tuple[str, str]]:
        """Values for other games that this one does not ask for: they are sent along hidden, and kept for that game."""
        if not self.event.is_bound:
            return []
        data: Any = self.event.data
        unasked = [name for name in EventForm.base_fields if name not in self.event.fields and data.get(name)]
        aside = [(name, value) for name in ("kept-sheet", "kept-movement") for value in data.getlist(name)]
        return [*((name, data[name]) for name in unasked), *aside]

    def refuse(self, refusal: DomainError) -> int:
        """Show a refusal at the list or at its field. Returns the status to answer with."""
        for fault in refusal.faults:
            if fault.field in self.event.fields:
                self.event.add_error(fault.field, fault.text)
            else:
                self.list.roster.faults.append(fault)
        return refusal.status


def _recalled(data: Any, initial: dict[str, Any]) -> Any:
    """The values, for the game that is chosen now.

    Its sheet is the one chosen before a switch to another game, or else its first one. A draw method that it does not
    have is replaced, and returns with a game that has it.
    """
    recalled = data.copy()
    sheets = [recalled.get("sheet", ""), *recalled.getlist("kept-sheet")]
    recalled["sheet"] = next((sheet for sheet in sheets if _game(sheet) == recalled.get("game")), sheets[0])
    form = EventForm(recalled, initial=initial)
    recalled["sheet"] = form.rules.sheet.key
    of_games = {_game(sheet): sheet for sheet in reversed(sheets) if _game(sheet) not in ("", form.rules.game.key)}
    recalled.setlist("kept-sheet", list(of_games.values()))
    movement = choice_field(form, "movement")
    ways = [way for way in (*recalled.getlist("kept-movement"), recalled.get("movement", "")) if way]
    recalled["movement"] = next((way for way in ways if movement.valid_value(way)), offered(movement)[0][0])
    recalled.setlist("kept-movement", [way for way in ways if not movement.valid_value(way)][:1])
    return recalled


def _game(sheet: str) -> str:
    return sheet.partition("/")[0]
