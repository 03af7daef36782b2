"""Tests of the search for strategies."""
