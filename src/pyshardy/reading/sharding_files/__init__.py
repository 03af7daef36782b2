"""Shardings that stand in a file of their own instead of the code of a model: read, put into a program, written."""
