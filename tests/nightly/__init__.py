"""Every promise of safety as a command: `python -m tests.nightly` runs them all and prints one table."""
