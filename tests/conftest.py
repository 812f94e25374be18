"""The named cast: Director Dana, Verifier Vic, the owner Otis, a stranger; teams Aces and Books at table 1."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models.signals import post_migrate
from hypothesis import HealthCheck
from hypothesis import settings as properties

from tests.factories import make_event, make_round, make_teams, make_user
from tests.halls import Hall, Prepared
from tests.quick import emptied_by_rows, kept_tables, migrated_once, one_chain
from tests.subset import is_quick
from tournament.models import Event, Game, Official
from tournament.site.cache import answers

# Programs that a test starts are not measured: some of them may write or compute only so much.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)

# Before any test file is read, because some of them import migrations.
TABLES = kept_tables()

# How `pytest -m quick` reads, before and after `pytest_configure` has added what every run leaves out.
QUICK_RUNS = ("quick", "(quick) and not nightly")

# They keep what they compiled for the next start, as on a club's laptop.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# How long an example takes says something about the machine. The recipe draws the same examples every time, so that it
# fails for what was changed, and a few of the day, by a seed that it prints; runs by hand draw new ones, a night many.
properties.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
properties.register_profile("same", properties.get_profile("new"), derandomize=True)
properties.register_profile("day", properties.get_profile("new"), max_examples=15, database=None)
properties.register_profile("many", properties.get_profile("new"), max_examples=2000)
properties.load_profile(os.environ.get("UPTOWN_EXAMPLES", "new"))


def pytest_configure(config: pytest.Config) -> None:
    """A run of all tests leaves out what is marked nightly; naming a file or a folder runs everything in it."""
    chosen = config.option.markexpr
    if config.args_source is not pytest.Config.ArgsSource.ARGS and "nightly" not in chosen:
        config.option.markexpr = f"({chosen}) and not nightly" if chosen else "not nightly"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that `-m quick` leaves out are not even read: reading all of them takes as long as running the others."""
    if config.option.markexpr in QUICK_RUNS and collection_path.is_file() and not is_quick(collection_path):
        return True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_quick(item.path):
            item.add_marker("quick")


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: Python need not look through it for garbage again and again.

    What queries leave behind is looked through less often.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """The migrations of SQLite's test database run once for all tests and runs until one of them changes."""
    # Tests take rows away, as going back to a backup does; `tests/tournament/verifying/test_verify.py` lays them.
    assert post_migrate.disconnect(sender=apps.get_app_config("tournament"), dispatch_uid="tournament.lay")
    with migrated_once(TABLES):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Emptying the database takes little; nothing here asks for Django's permissions, which are not made again then."""
    assert post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    with emptied_by_rows():
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_clients() -> Iterator[None]:
    """Test clients share one chain of middleware."""
    with one_chain():
        yield


@pytest.fixture(autouse=True)
def fast_passwords() -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def nobody_tried() -> None:
    """What was tried too often in one test keeps nobody out in the next, and no file of one test is sent in another."""
    cache.clear()
    answers.clear()


@pytest.fixture(scope="session")
def prepared_hall(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A data folder with a game in play, for tests that run the site as a process of its own."""
    hall = Hall(tmp_path_factory.mktemp("hall"))
    return Prepared(hall.folder, hall.prepare())


@pytest.fixture
def dana(db: None) -> User:
    return make_user("dana")


@pytest.fixture
def otis(db: None) -> User:
    """The owner of the installation: may set events up."""
    return make_user("otis", is_staff=True)


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody with an account and no office."""
    return make_user("stranger")


@pytest.fixture
def event(dana: User) -> Event:
    """The Columbus Open, directed by Dana."""
    return make_event(director=dana)


@pytest.fixture
def vic(event: Event) -> User:
    user = make_user("vic")
    Official.objects.create(event=event, user=user, role="verifier")
    return user


@pytest.fixture
def game(event: Event) -> Game:
    """Aces against Books at table 1, round 1 in play."""
    aces, books = make_teams(event, 2)
    return make_round(event, [(aces, books)]).games.get()
