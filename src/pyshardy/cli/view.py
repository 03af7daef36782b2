"""``pyshardy view FILE``: serves the report page to a browser, and makes it anew when the program changes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pyshardy.cli.diagnostics import diagnostic_text
from pyshardy.cli.explained_program import add_sharding
from pyshardy.cli.files import InputProblem
from pyshardy.cli.hardware_options import add_hardware, read_target
from pyshardy.cli.plugin_options import PLUGIN, load_file
from pyshardy.cli.program_input import shown_name
from pyshardy.cli.program_options import add_edits, add_program
from pyshardy.cli.report import made_page
from pyshardy.cli.sharding_options import file_and_strategy, read_sharded_program
from pyshardy.ir.collector import collect_by_hand
from pyshardy.ir.diagnostics import PyshardyError

if TYPE_CHECKING:
    from pyshardy.cli.parser import Commands
    from pyshardy.report.page_server import PageServer
    from pyshardy.workbench.server import WorkbenchServer


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = commands.add_parser(
        "view",
        help="serve the report page to a browser on this machine",
        description="Serves the page of pyshardy report on loopback until Ctrl-C. When the program, or the sharding "
        "file, is saved anew, the browser shows the new plan.",
    )
    add_program(parser)
    add_hardware(parser)
    add_sharding(parser)
    add_edits(parser, "every cause")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="the port (default: any free one)")
    browser = parser.add_mutually_exclusive_group()
    browser.add_argument("--open", action="store_true", help="open a browser")
    browser.add_argument("--no-browser", dest="open", action="store_false", help="open none (default)")
    parser.set_defaults(run=view_command, open=False)


def view_command(options: argparse.Namespace) -> int:
    """Runs ``pyshardy view`` until Ctrl-C."""
    from pyshardy.report.page_server import PageServer

    if options.file == "-":
        raise InputProblem("view reads the program again when it changes: a file is wanted, not standard input")
    if not 0 <= options.port < 1 << 16:
        raise InputProblem(f"--port {options.port}: a port is between 0 and 65535")
    if options.hardware is not None:
        return _served(_workbench(options), options)
    first: list[str] = [made_page([options])]

    def page() -> str:
        return first.pop() if first else _made_anew(options)

    try:
        server = PageServer(page, lambda: _version(options), options.port)
    except OSError as error:
        raise InputProblem(f"cannot serve on port {options.port}: {error.strerror or error}") from None
    server.page()
    return _served(server, options)


def _served(server: PageServer | WorkbenchServer, options: argparse.Namespace) -> int:
    """Serves until Ctrl-C."""
    with server:
        print(f"{server.url} shows {options.file}; Ctrl-C ends", flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(server.url)
        server.serve_forever()
    return 0


def _workbench(options: argparse.Namespace) -> WorkbenchServer:
    """The workbench, which evaluates changes of shardings on the hardware.

    Raises:
        InputProblem: a file cannot be read, or something in it is wrong; nothing can be served.
        PyshardyError: the program is refused.
    """
    from pyshardy.report.page.document import MissingExtra
    from pyshardy.workbench.answers import Answers
    from pyshardy.workbench.server import WorkbenchServer
    from pyshardy.workbench.setting import WrongRequest
    from pyshardy.workbench.sheet import Sheet

    def read() -> Answers:
        target = read_target(options)
        assert target is not None
        module = read_sharded_program(options)
        try:
            beside = _state_of((*options.rules, *options.plugin))
            made = Answers(Sheet(module, target, beside), shown_name(options.file))
        except ValueError as error:
            raise InputProblem(str(error)) from None
        collect_by_hand()
        return made

    def renewed() -> Answers:
        try:
            return read()
        except InputProblem as problem:
            wrong = str(problem)
        except PyshardyError as error:
            wrong = "\n".join(diagnostic_text(one.shortened(), error.source) for one in error.diagnostics)
        raise WrongRequest(f"{options.file} cannot be used now, the last one that could is shown:\n{wrong}")

    try:
        return WorkbenchServer(read(), renewed, lambda: _version(options), options.port)
    except MissingExtra as error:
        raise InputProblem(str(error)) from None
    except OSError as error:
        raise InputProblem(f"cannot serve on port {options.port}: {error.strerror or error}") from None


def _made_anew(options: argparse.Namespace) -> str:
    """The page.

    Raises:
        NoPage: something is wrong with a file, or with the program in it.
    """
    from pyshardy.report.page_server import NoPage

    try:
        for path in options.plugin:
            load_file(path, PLUGIN)
        return made_page([options])
    except InputProblem as problem:
        wrong = str(problem)
    except PyshardyError as error:
        wrong = "\n".join(diagnostic_text(one.shortened(), error.source) for one in error.diagnostics)
    raise NoPage(f"{options.file} has no plan now, this is the last one that it had:\n{wrong}")


def _version(options: argparse.Namespace) -> str:
    """Something else whenever one of the files has changed."""
    shardings = file_and_strategy(options.shardings)[0] if options.shardings is not None else None
    return _state_of((options.file, shardings, options.hardware, *options.rules, *options.plugin))


def _state_of(paths: Iterable[str | None]) -> str:
    """Something else whenever one of the files has changed."""
    found = []
    for path in paths:
        try:
            state = os.stat(path) if path is not None else None
        except OSError:
            state = None
        found.append(f"{state.st_mtime_ns}-{state.st_size}-{state.st_ino}" if state is not None else "none")
    return " ".join(found)
