"""``pyshardy view``: a server for this machine alone, renewed with the file, ended by Ctrl-C."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pyshardy.cli import main
from tests.report.test_mesh_drawing import PROGRAM as PROGRAM

Captured = pytest.CaptureFixture[str]
_SECONDS = 60
_HEEDING_CTRL_C = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from pyshardy.cli.main import main
main()
"""
"""The command, also where whoever runs the tests has them ignore Ctrl-C, as in the background of a shell."""


@contextmanager
def viewing(program: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The command, and the port that it serves on."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HEEDING_CTRL_C, "view", str(program), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/\S* shows ", line)
        assert found is not None, line
        yield process, int(found[1])
    finally:
        process.kill()
        process.communicate()


def get(port: int, path: str, *, host: str | None = None, method: str = "GET") -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    connection.putrequest(method, path, skip_host=True)
    if host != "":
        connection.putheader("Host", f"127.0.0.1:{port}" if host is None else host.replace("PORT", str(port)))
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, dict(answer.getheaders())


@pytest.mark.slow
def test_it_serves_this_machine_renews_and_ends(program: Path) -> None:
    with viewing(program) as (process, port):
        status, frame, headers = get(port, "/")
        assert status == 200 and "<iframe" in frame and "default-src 'none'" in headers["Content-Security-Policy"]
        status, page, headers = get(port, "/report")
        assert status == 200 and "Content-Security-Policy" in page and headers["Cache-Control"] == "no-store"
        assert get(port, "/report", method="HEAD")[1] == "" and get(port, "/etc/passwd")[0] == 404
        assert get(port, "/report", method="POST")[0] == 501

        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1:{port}.evil.example", "127.0.0.1", ""):
            for path in ("/", "/report", "/version"):
                status, text, _ = get(port, path, host=host)
                assert status == 403 and "main" not in text
        assert get(port, "/", host="localhost:PORT")[0] == 200

        before = get(port, "/version")[1]
        program.write_text(PROGRAM.replace("15x", "30x"))
        assert get(port, "/version")[1] != before
        assert "30x4xf32" not in page and "30x4xf32" in get(port, "/report")[1]
        program.write_text("func.func @main(%a: <script>alert(1)</script>")
        last, problem = get(port, "/report")[1], get(port, "/problem")[1]
        assert "30x4xf32" in last and "<script>alert" not in last and "has no plan now" in problem
        program.unlink()
        assert "cannot open input file" in get(port, "/problem")[1] and get(port, "/report")[1] == last
        program.write_text(PROGRAM)
        assert get(port, "/report")[1] == page and get(port, "/problem")[1] == ""

        process.send_signal(signal.SIGINT)
        assert process.wait(_SECONDS) == 130
        assert process.stderr is not None and process.stderr.read() == "pyshardy: interrupted\n"


@pytest.mark.slow
def test_the_browser_shows_the_new_plan_by_itself(program: Path) -> None:
    from tests.report.page.browser import opened

    with viewing(program) as (_, port), opened(f"http://127.0.0.1:{port}/", "#view=memory") as watched:
        inside = watched.page.frame_locator("iframe")
        inside.get_by_role("tab", name="Memory", selected=True).wait_for()
        inside.get_by_role("tab", name="Program").click()
        watched.page.wait_for_url(lambda url: "view=memory" not in url, timeout=10_000)
        inside.get_by_text("8 devices, mesh @mesh: x=2, y=4").wait_for()
        program.write_text(PROGRAM.replace('"x"=2', '"x"=4'))
        inside.get_by_text("16 devices, mesh @mesh: x=4, y=4").wait_for()
        program.write_text("func.func @main(%a: <script>alert(1)</script>")
        strip = watched.page.get_by_role("alert")
        strip.get_by_text("has no plan now").wait_for()
        inside.get_by_text("16 devices, mesh @mesh: x=4, y=4").wait_for()
        program.write_text(PROGRAM)
        inside.get_by_text("8 devices, mesh @mesh: x=2, y=4").wait_for()
        assert not strip.is_visible() and watched.complaints == []
        assert {one.partition("#")[0].rpartition("/")[2] for one in watched.requests} == {
            "",
            "problem",
            "report",
            "version",
        }


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the sockets of a process are read from /proc")
@pytest.mark.slow
def test_nobody_else_can_connect(program: Path) -> None:
    with viewing(program) as (_, port):
        listening = [row.split()[1] for row in Path("/proc/net/tcp").read_text().splitlines()[1:] if " 0A " in row]
        assert [one.split(":")[0] for one in listening if int(one.split(":")[1], 16) == port] == ["0100007F"]


@pytest.mark.slow
def test_with_hardware_it_is_a_workbench_under_an_address_with_a_token(program: Path) -> None:
    with viewing(program, "--hardware", "v5e") as (_, port):
        assert get(port, "/")[0] == 404 and get(port, "/report")[0] == 404


def test_a_port_that_is_taken_is_said(program: Path, capsys: Captured) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main.run(["view", str(program), "--port", str(port)]) == 1
    assert capsys.readouterr().err.startswith(f"pyshardy: cannot serve on port {port}: ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-"], "a file is wanted"),
        (["no_such.mlir"], "cannot open input file"),
        (["X", "--port", "70000"], "a port is"),
        (["BARE", "--hardware", "v5e"], "nobody says how many devices there are"),
        (["X", "--hardware", "zx81"], "zx81"),
    ],
)
def test_what_is_wrong_ends_it_before_it_serves(
    arguments: list[str], message: str, program: Path, capsys: Captured
) -> None:
    bare = program.with_name("bare.mlir")
    bare.write_text("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }")
    paths = {"X": str(program), "BARE": str(bare)}
    assert main.run(["view", *[paths.get(one, one) for one in arguments]]) == 1
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


def test_a_wrong_program_ends_it_with_its_diagnostic(tmp_path: Path, capsys: Captured) -> None:
    wrong = tmp_path / "wrong.mlir"
    wrong.write_text("func.func @main(")
    assert main.run(["view", os.fspath(wrong)]) == 1
    assert "error:" in capsys.readouterr().err
