"""``python -m pyshardy`` is the command ``pyshardy``."""

from pyshardy.cli.start import pyshardy

pyshardy()
