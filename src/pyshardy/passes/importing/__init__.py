"""Passes that prepare a program for propagation."""
