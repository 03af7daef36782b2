"""The public API, as ``import pyshardy`` exports it: functions, and classes with methods for all questions about their
objects."""
