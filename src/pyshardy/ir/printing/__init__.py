"""Prints programs: names of values, aliases of attributes, the text of operations."""
