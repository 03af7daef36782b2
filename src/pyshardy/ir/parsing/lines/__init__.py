"""Reads lines of a program by their form, and lines that repeat a layer as one block."""
