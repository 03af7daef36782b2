"""``python -m pyshardy.viewers.model_explorer FILE.mlir``: Model Explorer with shardings, costs and causes."""

from __future__ import annotations

import argparse
import sys


def run(arguments: list[str]) -> int:
    """The command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pyshardy.viewers.model_explorer",
        description="Opens a StableHLO program in Model Explorer: operations by scope with sharding, local shape, "
        "bytes, time and causes; costs as colours. Needs pip install 'pyshardy[viewers]'.",
    )
    parser.add_argument("file", metavar="FILE", help="the program, in any form that pyshardy reads")
    parser.add_argument(
        "--hardware", metavar="NAME[xN|:AxB]|H.toml", help="the hardware, for times (see pyshardy cost)"
    )
    parser.add_argument("--port", type=int, default=8080, metavar="N", help="the port (default: 8080, or a free one)")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    options = parser.parse_args(arguments)
    try:
        from pyshardy.viewers.model_explorer.launch import visualize

        visualize(options.file, options.hardware, port=options.port, open_browser=not options.no_browser)
    except (ImportError, OSError, ValueError) as error:
        print(f"pyshardy: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
