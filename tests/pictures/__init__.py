"""The pictures of the README, taken from the demo with Chromium: `python -m tests.pictures`."""
