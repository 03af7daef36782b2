"""``python -m pyshardy`` is the command ``pyshardy``."""

from pyshardy.cli.main import main

if __name__ == "__main__":
    main()
