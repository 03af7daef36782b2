"""The tests of pyshardy: one directory per package under `src`, plus `differential` and `generator`."""
