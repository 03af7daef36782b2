"""What came of a program, for a person: summaries, tables, JSON."""
