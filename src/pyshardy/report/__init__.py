"""Prints results: summaries, tables, JSON, pages and pictures."""
