"""Setting up an event, changing it, copying last year's, and choosing who runs it.

Rule sheet and options are fixed when round 1 starts.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Prefetch
from django.template.defaultfilters import pluralize
from django.utils import timezone
from django.utils.text import slugify

from scoring.ledger import listed
from scoring.options import EventRules, choose, describe
from scoring.standings.pot import EVERY_TEAM, OPT_IN
from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Ledger, Official, Player, Season
from tournament.models.event import new_wall_code
from tournament.models.team import DUES
from tournament.models.triggers import lay_triggers, lift_triggers
from tournament.queries.draws import draw_plan
from tournament.queries.events import pinned_fields
from tournament.queries.impact import Impact
from tournament.queries.roster import RosterRow, row_of
from tournament.queries.rules import (
    OPEN_LATER,
    POT_ENTRY,
    begun_stages,
    copied_options,
    everybody_in_pot,
    of_stage,
    open_directors,
    option_problems,
    playoff_rounds,
    ruleset,
    ruleset_of,
    stage_problems,
)
from tournament.services.backups import backup_before_deletion
from tournament.services.confirming import ask_first
from tournament.services.draws import draw_rounds, take_back_draw
from tournament.services.ledger import check_pot_is_open, reprice
from tournament.services.people import renew
from tournament.services.players import copied, make_teams
from tournament.services.teams import enter_roster, make_room
from tournament.services.transactions import (
    Shown,
    announce,
    in_line,
    look_again,
    note_site,
    raise_seasons,
    writing,
)
from tournament.words.phrases import RULE_STAGES

FIELDS = tuple(
    "name date place time_zone sheet rounds_planned movement keep_apart stakes_apart fee_cents pot_cents currency cut"
    " no_playoffs best_of losers places_to second second_losers paper room_until verify_own verify_closing names"
    " entries_from entries_until entry_limit entries_wait entry_words checks_in season counts".split()
)
# What a copy of an event takes over. It gets a new seed for the draw.
COPIED = tuple(name for name in FIELDS if name not in ("name", "date", "entries_from", "entries_until", "counts"))
CONFIRM = "Games have been played. Confirm the change: the log and the event book will show it."
OWN_RULES = "The playoffs have options of their own. Take these back first, under “Rule sheet in words”."
OTHER_TABLES = "other-tables"
LOST_DRAW = "draw"
LOSES_DRAW = (
    "The games that are drawn are for tables of another size, so this deletes the draw (number {}). To undo that,"
    " choose what was here before and draw again. Check the box below to go on."
)
OLD_CODE = "Posters with the old code stop working: print them again. Phones that have checked in keep their team."
UNSAID = object()
Tables = tuple[int, tuple[int, ...]]


def create_event(actor: Actor, fields: dict[str, Any]) -> Event:
    """Set up a new event. Its creator becomes its director."""
    with transaction.atomic():
        event = Event(slug=free_slug(fields["name"]), **{name: fields[name] for name in FIELDS if name in fields})
        event.options = event.options or ruleset(event.sheet).suggested
        if fields.get("all_in") and event.pot_cents:
            event.options = event.options | {POT_ENTRY: EVERY_TEAM}
        event.save()
        Official.objects.create(event=event, user=actor.account, role="director")
        with writing(event):
            announce(actor, event, "create", "event", event.pk, "new", {"event": event.name}, after=_plain(event))
    return event


def set_up_event(actor: Actor, fields: dict[str, Any], rows: Sequence[RosterRow] = (), *, draw: bool = False) -> Event:
    """Set up a new event with its teams and its draw: all of it or nothing. A draw by hand is made at the desk."""
    with transaction.atomic():
        event = create_event(actor, fields)
        if rows:
            enter_roster(actor, event, rows)
        if draw and not draw_plan(event).by_hand:
            draw_rounds(actor, event)
    return event


def copy_event(actor: Actor, event: Event, name: str, date: datetime.date, *, with_teams: bool = False) -> Event:
    """Create an event from an earlier one with its rules, rounds, fees, and officials, and its teams (unpaid) if asked.

    It copies the options that the club chose; the others are what the sheet prints when the copy starts.
    """
    with transaction.atomic():
        rules = copied_options(event)
        kept = {field: getattr(event, field) for field in COPIED}
        kept |= {"options": rules.options, "stage_options": rules.stages}
        copy = Event.objects.create(slug=free_slug(name), name=name, date=date, **kept)
        offices = dict(event.officials.values_list("user", "role")) | {actor.account.pk: "director"}
        Official.objects.bulk_create(Official(event=copy, user_id=pk, role=role) for pk, role in offices.items())
        said: dict[str, Any] = {"event": name, "other": "the earlier one" if name == event.name else event.name}
        with writing(copy):
            if with_teams:
                said["teams"] = [_copy_teams(event, copy), ruleset_of(copy).unit]
            announce(actor, copy, "create", "event", copy.pk, "copy", said, after=_plain(copy))
    return copy


def change_event(actor: Actor, event: Event, fields: dict[str, Any], *, confirmed: bool = False) -> Event:
    """Change an event. Once round 1 has started, this needs a confirmation, and the rule sheet stays.

    A new rule sheet begins with its own printed options and the ranking suggested for it. A draw for tables of another
    size is deleted.
    """
    with writing(event) as event:
        before, tables = _plain(event), _tables(event)
        changed = [name for name in FIELDS if name in fields and fields[name] != getattr(event, name)]
        entry_changes = _pot_entry_changes(event, fields)
        if not changed and not entry_changes:
            return event
        _check_change(event, changed, fields, confirmed)
        for name in changed:
            setattr(event, name, fields[name])
        if "sheet" in changed:
            event.options, event.stage_options = ruleset(event.sheet).suggested | _pot_entry_of(event), {}
        event.save(update_fields=[*changed, "options", "stage_options"])
        if "entry_limit" in changed and event.frozen_at is None:
            make_room(actor, event)
        if {"fee_cents", "pot_cents"} & {*changed}:
            reprice(actor, event)
        if entry_changes:
            _change_pot_entry(actor, event, for_all=fields["all_in"])
        if "names" in changed:
            renew(event)
        after = _plain(event)
        old, new = ({name: state[name] for name in changed} for state in (before, after))
        if changed:
            announce(actor, event, "change", "event", event.pk, "event", {"names": changed}, before=old, after=new)
        _take_back_draw(actor, event, tables, confirmed=confirmed)
    return event


def change_options(
    actor: Actor,
    event: Event,
    chosen: dict[str, Any],
    *,
    stages: Mapping[str, Mapping[str, Any]] | None = None,
    confirmed: bool = False,
) -> Event:
    """Choose the options of the rule sheet, and those of `stages` that have their own: None leaves those unchanged.

    Only differences are stored: from the printed sheet, or from the games before the stage. Raises ValidationFailed
    with a fault for each refused choice. Once round 1 has started, options that price a hand or rank a team are fixed;
    those of a stage are fixed once a round of it is drawn. The others need a confirmation. A draw for tables of another
    size is deleted.
    """
    if problems := option_problems(ruleset_of(event).sheet, chosen, has_pot=bool(event.pot_cents)):
        raise ValidationFailed([Fault(problem.field, problem.text, problem.rule) for problem in problems])
    with writing(event) as event:
        rules = ruleset_of(event)
        kept = _differing(rules.sheet.rules, chosen)
        if event.pot_cents and chosen.get(POT_ENTRY, OPT_IN) != rules.sheet.rules.pot_entry:
            kept[POT_ENTRY] = chosen[POT_ENTRY]
        if event.frozen_at is not None:
            # A pinned option that the form does not offer stays as it was: nobody was asked about it.
            kept = {key: value for key, value in event.options.items() if key not in chosen} | kept
        elif POT_ENTRY not in chosen:
            kept = _pot_entry_of(event) | kept
        own = _of_stages(event, choose(rules.sheet.rules, kept)[0], event.stage_options if stages is None else stages)
        old, new = _by_key(event.options, event.stage_options), _by_key(kept, own)
        # An option may be none, which differs from what the sheet prints.
        keys = sorted(key for key in {*new, *old} if new.get(key, UNSAID) != old.get(key, UNSAID))
        if not keys:
            return event
        if event.frozen_at is not None:
            _refuse_locked(event, keys, rules.titles)
            if not confirmed:
                raise ValidationFailed([Fault("confirm", CONFIRM)])
        tables, before, was_for_all = _tables(event), event.options | event.stage_options, everybody_in_pot(event)
        event.options, event.stage_options = kept, own
        event.save(update_fields=["options", "stage_options"])
        if everybody_in_pot(event) != was_for_all:
            _count_pot_anew(actor, event, was_for_all=was_for_all)
        for round_, stage in playoff_rounds(event):
            # Only the clock can still change while the stage's games are played.
            round_.options = of_stage(own, stage)
            round_.save(update_fields=["options"])
        look_again(event)
        said = {"options": {"sheet": event.sheet, "keys": keys}}
        announce(actor, event, "change", "options", event.pk, "options", said, before=before, after=kept | own)
        _take_back_draw(actor, event, tables, confirmed=confirmed)
    return event


def _pot_entry_of(event: Event) -> dict[str, Any]:
    """Who is in the pot according to the event's options."""
    return {key: value for key, value in event.options.items() if key == POT_ENTRY}


def _pot_entry_changes(event: Event, fields: Mapping[str, Any]) -> bool:
    """Whether the change makes the pot one for everybody, or voluntary. Nothing if there is no pot."""
    has_pot = fields.get("pot_cents", event.pot_cents)
    return bool("all_in" in fields and has_pot and fields["all_in"] != everybody_in_pot(event))


def _change_pot_entry(actor: Actor, event: Event, *, for_all: bool) -> None:
    """Make the pot one for everybody, or voluntary. The caller holds the event."""
    if for_all and event.frozen_at is not None:
        raise ValidationFailed([Fault("all_in", "Games have been played: teams join the pot one at a time now.")])
    check_pot_is_open(event)
    before = event.options
    event.options = before | {POT_ENTRY: EVERY_TEAM if for_all else OPT_IN}
    event.save(update_fields=["options"])
    _count_pot_anew(actor, event, was_for_all=not for_all)
    said = {"options": {"sheet": event.sheet, "keys": [POT_ENTRY]}}
    announce(actor, event, "change", "options", event.pk, "options", said, before=before, after=event.options)


def _count_pot_anew(actor: Actor, event: Event, *, was_for_all: bool) -> None:
    """Everybody in a shared pot stays in when it becomes voluntary. From then on each team can leave."""
    if was_for_all:
        event.teams.update(in_pot=True)
    reprice(actor, event)


def _refuse_locked(event: Event, keys: Sequence[str], titles: Mapping[str, str]) -> None:
    """Raise ValidationFailed for changed options that games are scored by, each with the time it took effect."""
    begun = {"": "game 1"} | {stage: f"the {RULE_STAGES[stage].lower()}" for stage in begun_stages(event)}
    faults = [
        Fault(
            f"stage_options.{stage}.{key}" if stage else f"options.{key}",
            f"“{titles[key]}” has been fixed since {begun[stage]} started: games are scored by it.",
        )
        for stage, _, key in (key.rpartition(".") for key in keys)
        if stage in begun and key not in OPEN_LATER
    ]
    if faults:
        raise ValidationFailed(faults)


def _by_key(options: Mapping[str, Any], stages: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The options of an event by key, and those of its stages as “final.game_at”."""
    return {**options, **{f"{stage}.{key}": value for stage, own in stages.items() for key, value in own.items()}}


def _of_stages(event: Event, rules: EventRules, stages: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What each stage has of its own: its differences from the games before it, as stored."""
    has_playoffs = event.cut is not None or bool(event.stage_options)
    if problems := stage_problems(replace(ruleset_of(event), rules=rules), stages, has_playoffs=has_playoffs):
        raise ValidationFailed([Fault(problem.field, problem.text) for problem in problems])
    own = {}
    for stage in RULE_STAGES:
        own[stage] = _differing(rules, stages.get(stage, {}))
        rules = choose(rules, own[stage])[0]
    return {stage: options for stage, options in own.items() if options}


def free_slug(name: str, model: type[Event | Season] = Event) -> str:
    stem = slugify(name)[:50].strip("-") or model.__name__.lower()
    taken = set(model._default_manager.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(
        slug for slug in (stem, *(f"{stem}-{count}" for count in range(2, len(taken) + 3))) if slug not in taken
    )


def not_copied(event: Event, *, with_teams: bool) -> str:
    """The teams and options that a copy leaves out, in sentences; empty if it takes all."""
    gone = [str(team) for team in event.teams.exclude(status="playing")] if with_teams else []
    idle = [f"“{title.rstrip(':,')}”" for title in copied_options(event).left_out]
    said = f" Not copied, because they left: {listed(gone)}." if gone else ""
    return said + (f" Not copied, because it does nothing by these rules: {listed(idle)}." if idle else "")


def _copy_teams(event: Event, copy: Event) -> int:
    """The teams that play, as entered. Their players stay linked to people, and nobody has paid for the copy yet."""
    old = list(
        event.teams.filter(status="playing").prefetch_related(
            Prefetch("players", Player.objects.select_related("person"))
        )
    )
    rows = [replace(row_of(team), paid=False) for team in old]
    there = [[copied(player) for player in team.players.all()] for team in old]
    make_teams(copy, rows, there)
    return len(old)


def _check_change(event: Event, changed: list[str], fields: dict[str, Any], confirmed: bool) -> None:
    if "entry_limit" in changed and fields["entry_limit"]:
        on_list = event.teams.filter(status="playing").count()
        if on_list > fields["entry_limit"]:
            there = f"{on_list} {ruleset_of(event).unit}s are on the list already"
            raise ValidationFailed([Fault("entry_limit", f"{there}: the limit cannot be lower.")])
    if event.stage_options and "cut" in changed and not fields["cut"] and "sheet" not in changed:
        raise ValidationFailed([Fault("cut", OWN_RULES)])
    if event.frozen_at is None:
        return
    if stuck := [name for name in pinned_fields(event) if name in changed]:
        texts = {"sheet": "The rule sheet has been fixed since game 1 started."}
        late = "The playoffs have begun: their bracket stays as it is."
        raise ValidationFailed([Fault(name, texts.get(name, late)) for name in stuck])
    if "rounds_planned" in changed:
        begun = event.rounds.filter(stage="qualifying").exclude(state="planned").count()
        if fields["rounds_planned"] < begun:
            raise ValidationFailed(
                [Fault("rounds_planned", f"{begun} game{pluralize(begun, ' has,s have')} been played.")]
            )
    if not confirmed:
        raise ValidationFailed([Fault("confirm", CONFIRM)])


def _take_back_draw(actor: Actor, event: Event, tables: Tables, *, confirmed: bool) -> None:
    """If the tables change size, the games drawn for them cannot be played. They are deleted after a confirmation."""
    if tables == _tables(event) or not event.rounds.filter(stage="qualifying", state="planned").exists():
        return
    if not confirmed:
        raise ValidationFailed([Fault(LOST_DRAW, LOSES_DRAW.format(event.seed))])
    take_back_draw(actor, event, OTHER_TABLES)


def _tables(event: Event) -> Tables:
    """How many sides a draw seats at a table, and the most it may seat."""
    rules = ruleset_of(event)
    return rules.seating.sides, rules.table_sizes


def _differing(rules: EventRules, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that differ from the rules, as they are stored."""
    return {
        option.key: list(option.value) if isinstance(option.value, tuple) else option.value
        for option in describe(choose(rules, chosen)[0], rules)
        if option.value != option.default
    }


def _plain(event: Event) -> dict[str, Any]:
    return {
        name: value if isinstance(value := getattr(event, name), int | bool | None) else str(value) for name in FIELDS
    }


def show_on_board(actor: Actor, event: Event, section: str) -> Event:
    """Put one section on the board, or everything in turn. The board asks for it within seconds."""
    with writing(event) as event:
        if event.board_shows != section:
            event.board_shows = section
            event.save(update_fields=["board_shows"])
            announce(actor, event, "board", "event", event.pk, "shows", {"section": section})
    return event


def tell_hall(actor: Actor, event: Event, word: str, minutes: int) -> Event:
    """Show a line on projector, tablets, and phones for some minutes. An empty line removes it."""
    with writing(event) as event:
        event.word = word
        event.word_until = timezone.now() + datetime.timedelta(minutes=minutes) if word else None
        event.save(update_fields=["word", "word_until"])
        facts = {"word": word, "minutes": minutes} if word else {}
        announce(actor, event, "hall-word", "event", event.pk, "shown" if word else "removed", facts)
    return event


def change_wall_code(actor: Actor, event: Event, *, confirmed: str | None = None) -> Event:
    """Give the event a new code on the wall, for when the old one got around. A `confirmed` of None asks nothing."""
    with writing(event, Shown.INSIDE) as event:
        ask_first(Impact(note=OLD_CODE, ground=(event.wall_code,)), confirmed)
        event.wall_code = new_wall_code()
        event.save(update_fields=["wall_code"])
        announce(actor, event, "change", "event", event.pk, "wall-code")
    return event


# The archive: take an event off the front page, and the only act that deletes rows that are otherwise only added.


def archive_event(actor: Actor, event: Event, *, archived: bool) -> Event:
    """Take an event off the front page, or put it back. Raises Conflict while a round is in play."""
    with writing(event) as event:
        if archived and event.rounds.filter(state="running").exists():
            raise Conflict("A game is in play: close it, then archive the event.")
        if archived != (event.archived_at is not None):
            event.archived_at = timezone.now() if archived else None
            event.save(update_fields=["archived_at"])
            announce(actor, event, "archive", "event", event.pk, "archived" if archived else "returned")
            note_site(actor, "archive" if archived else "return", event.name, event.slug)
    return event


def delete_event(actor: Actor, event: Event, typed: str, export: Callable[[Event], Any]) -> Path:
    """Delete an archived event with all its rows. Returns the backup that was made first.

    The triggers are dropped and created again in this one transaction: a failure leaves both event and triggers in
    place.
    """
    _check_deletion(event, typed)
    backup = backup_before_deletion(event, export)
    with in_line(), transaction.atomic():
        locked = Event.objects.select_for_update().get(pk=event.pk)
        _check_deletion(locked, typed)
        note_site(actor, "delete", locked.name, locked.slug)
        raise_seasons(locked.season_id)
        delete_rows(locked)
    return backup


def discard_events(events: Iterable[Event]) -> None:
    """Delete a rehearsal. Neither backup nor log remembers it."""
    for event in events:
        with in_line(), transaction.atomic():
            delete_rows(event)


def delete_rows(event: Event) -> None:
    """Delete an event with all its rows, in the caller's transaction, which also drops and creates the triggers."""
    lift_triggers()
    lines = Ledger._base_manager.filter(event=event)
    # Dues that members paid here stay paid, with the number on their receipt.
    lines.filter(kind=DUES).update(event=None, desk=event.name)
    # A receipt keeps its team as long as it exists.
    lines.delete()
    event.delete()
    # PostgreSQL creates no trigger on a table with pending checks.
    connection.check_constraints()
    lay_triggers()


def _check_deletion(event: Event, typed: str) -> None:
    if event.archived_at is None:
        raise Conflict("Only an archived event can be deleted: archive it first.")
    if " ".join(typed.split()) != event.name:
        raise ValidationFailed([Fault("name", "That is not exactly the event’s name.")])


# Who runs an event: directors and verifiers, each with an account.


def appoint_official(
    actor: Actor, event: Event, username: str, role: str, password: str = "", email: str = ""
) -> tuple[Official, bool]:
    """Make somebody director or verifier. Returns whether an account was created.

    An existing account keeps its password.

    A new account with a mail address has no password until its owner follows the mailed link and chooses one. Raises
    ValidationFailed if a new account has no good password, or if the person already holds this office.
    """
    if role not in dict(Official.ROLES):
        raise ValidationFailed([Fault("role", "Director or verifier?")])
    with writing(event) as event:
        known = User.objects.filter(username__iexact=username.strip()).first()
        user = known or _new_user(username.strip(), password, email)
        office = Official.objects.filter(event=event, user=user).first()
        if office is not None and office.role == role:
            raise ValidationFailed(
                [Fault("username", f"{user.get_username()} is {office.get_role_display().lower()} already.")]
            )
        if office is not None:
            _must_leave_a_director(event, office)
        before = {"role": office.role} if office else None
        office, _ = Official.objects.update_or_create(event=event, user=user, defaults={"role": role})
        code, said = "known" if known else "new", {"name": user.get_username(), "role": role}
        announce(actor, event, "appoint", "official", user.pk, code, said, before=before, after={"role": role})
    return office, known is None


def dismiss_official(actor: Actor, event: Event, user: int) -> str:
    """Remove an official; the account stays. Returns the person's name."""
    with writing(event) as event:
        office = Official.objects.filter(event=event, user__pk=user).select_related("user").first()
        if office is None:
            raise Conflict("This person is no longer an official of this event.")
        _must_leave_a_director(event, office)
        name = office.user.get_username()
        office.delete()
        said = {"name": name, "role": office.role}
        announce(actor, event, "dismiss", "official", user, "dismissed", said, before={"role": office.role})
    return name


def _new_user(username: str, password: str, email: str) -> User:
    user = User(username=username, email=email)
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as fault:
        raise ValidationFailed([Fault("username", text) for text in fault.messages]) from fault
    if settings.MAIL and not email:
        raise ValidationFailed([Fault("email", f"There is no account “{username}” yet: where does its invitation go?")])
    if settings.MAIL:
        user.set_unusable_password()
        user.save()
        return user
    if not password:
        raise ValidationFailed([Fault("password", f"There is no account “{username}” yet: give it a password.")])
    try:
        validate_password(password, user)
    except ValidationError as fault:
        raise ValidationFailed([Fault("password", text) for text in fault.messages]) from fault
    user.set_password(password)
    user.save()
    return user


def _must_leave_a_director(event: Event, office: Official) -> None:
    if office.role == "director" and not open_directors(event).exclude(pk=office.pk).exists():
        raise ValidationFailed([Fault("username", "An event needs a director: appoint another one first.")])
