"""Tests of the sentences that are made from what the rows say."""
