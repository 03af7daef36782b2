"""Sharding files: shardings separate from the code of a model are read, applied to a program, and written."""
