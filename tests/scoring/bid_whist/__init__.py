"""Tests of Bid Whist."""
