"""The commands ``pyshardy`` and ``sdy-opt``."""
