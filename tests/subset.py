"""What `pytest -m quick` runs: some examples of each layer and each noun, a small part of all tests.

It is for after each change, beside the folder of what was changed. A folder of tests that is not here has its reason in
`LEFT_OUT`; `tests/architecture/test_subset.py` asks for one of the two.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
QUICK = (
    "tests/architecture",
    "tests/benchmarks/test_beside.py",
    "tests/games/test_melds.py",
    "tests/scoring/test_document.py",
    "tests/scoring/test_options.py",
    "tests/scoring/back_alley/test_checks.py",
    "tests/scoring/bid_whist/test_checks.py",
    "tests/scoring/okinawa/test_checks.py",
    "tests/scoring/spades/test_checks.py",
    "tests/scoring/standings/test_tiebreaks.py",
    "tests/tournament/archive/test_refused.py",
    "tests/tournament/desk/test_taken_back.py",
    "tests/tournament/games/test_voids.py",
    "tests/tournament/lists/test_columns.py",
    "tests/tournament/management/test_epochs.py",
    "tests/tournament/money/test_ledger.py",
    "tests/tournament/pairing/test_bracket.py",
    "tests/tournament/persons/test_cases.py",
    "tests/tournament/registrations/test_waiting.py",
    "tests/tournament/reports/test_spreading.py",
    "tests/tournament/results/test_standings.py",
    "tests/tournament/season/test_version.py",
    "tests/tournament/serving/test_certificates.py",
    "tests/tournament/setup/test_team_facts.py",
    "tests/tournament/static_files/test_files.py",
    "tests/tournament/submissions/test_half_done.py",
    "tests/tournament/tablet/test_signing.py",
    "tests/tournament/test_entries.py",
    "tests/tournament/verifying/test_command.py",
    "tests/tournament/words/test_sentences.py",
)
LEFT_OUT = {
    "tests/browser": "a browser takes as long to start as all of this",
    "tests/browser/javascript": "as above",
    "tests/hosted": "starts a site of several processes",
    "tests/journeys": "plays whole evenings",
    "tests/nightly": "takes a night",
    "tests/tournament/demo": "plays evenings of every sheet",
    "tests/tournament/installed": "builds the package and installs it",
}


def is_quick(file: Path) -> bool:
    """Whether a file of tests is in the subset."""
    return any(file.is_relative_to(ROOT / name) for name in QUICK)
