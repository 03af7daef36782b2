"""Reads the text of programs: tokens, types, attributes, locations, values, regions."""
