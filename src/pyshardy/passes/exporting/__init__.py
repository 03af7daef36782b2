"""Passes that turn the shardings of propagation into a finished program."""
