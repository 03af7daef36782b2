"""Compares pyshardy with the real Shardy passes that are compiled into jaxlib."""
