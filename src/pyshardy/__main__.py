"""``python -m pyshardy`` is the command ``pyshardy``."""

from pyshardy.cli.main import main

main()
