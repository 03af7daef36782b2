"""The process that holds MLIR and the real Shardy passes; `reference.py` starts it and talks to it.

It imports jaxlib and builds one MLIR context, then forks a child for every message that arrives on its standard input.
The child inherits the warm context, runs one pipeline, or one after the other if the message holds several requests,
and answers; what it does to the context, or how it dies, is lost with it. jax itself is never imported, so the process
stays small, without threads, and cheap to fork.

A message is eight bytes of length (big endian) followed by that much JSON.
"""

from __future__ import annotations

import json
import os
import re
import signal
import struct
import sys
import tempfile
from collections.abc import Mapping
from typing import IO, Any, BinaryIO

_LENGTH = struct.Struct(">Q")
_STDERR_TAIL = 4000


def read_message(stream: IO[bytes]) -> dict[str, Any] | None:
    """Returns the next message of `stream`, or None where the stream ends, be it in the middle of a message."""
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(header)
    body = stream.read(size)
    if len(body) < size:
        return None
    message: dict[str, Any] = json.loads(body)
    return message


def write_message(stream: IO[bytes], message: Mapping[str, object]) -> None:
    """Writes `message` to `stream` and flushes it."""
    body = json.dumps(message).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def _make_context() -> Any:
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _mlirHlo
    from jaxlib.mlir._mlir_libs._mlir import ir  # the plain Context: the public one starts a thread pool
    from jaxlib.mlir.dialects import chlo, mpmd, sdy, stablehlo

    context = ir.Context()
    context.enable_multithreading(False)
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    for dialect in (sdy, mpmd, chlo, stablehlo):
        dialect.register_dialect(context)
    _mlirHlo.register_mhlo_dialect(context)
    return context


def _place(location: object) -> str:
    match = re.match(r'loc\("([^"]*)":(\d+):(\d+)', str(location))
    return f"{match[1]}:{match[2]}:{match[3]}" if match else "<unknown>:0:0"


def _record(diagnostic: Any, lines: list[str]) -> bool:
    severity = str(diagnostic.severity).rsplit(".", 1)[-1].lower()
    lines.append(f"{_place(diagnostic.location)}: {severity}: {diagnostic.message}")
    for note in diagnostic.notes:
        _record(note, lines)
    return True


def _parse(context: Any, text: str, lines: list[str]) -> Any:
    """Parses `text`; a failure's diagnostics are appended to `lines` and None is returned."""
    from jaxlib.mlir import ir

    try:
        return ir.Module.parse(text, context)
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            _record(diagnostic, lines)
        return None


def _uses(root: Any) -> list[list[list[int]]]:
    """For every result and block argument in `root`, its uses in order, as numbers of the user in pre-order and of the
    operand; values in the order of their operations, results before block arguments."""
    operations: list[Any] = []
    pending = [root]
    while pending:
        op = pending.pop()
        operations.append(op)
        nested = [one.operation for region in op.regions for block in region for one in block]
        pending.extend(reversed(nested))
    numbers = {op: number for number, op in enumerate(operations)}
    values = [
        value
        for op in operations
        for value in [*op.results, *(one for region in op.regions for block in region for one in block.arguments)]
    ]
    return [[[numbers[use.owner.operation], use.operand_number] for use in value.uses] for value in values]


def _run(context: Any, request: Mapping[str, Any]) -> dict[str, object]:
    from jaxlib.mlir import ir, passmanager

    context.allow_unregistered_dialects = request["allow_unregistered"]
    lines: list[str] = []
    answer: dict[str, object] = {"ok": False, "diagnostics": lines}
    with context, ir.Location.unknown(context):
        handler = context.attach_diagnostic_handler(lambda diagnostic: _record(diagnostic, lines))
        module = _parse(context, request["text"], lines)
        if module is not None:
            try:
                manager = passmanager.PassManager.parse(request["pipeline"])
                if request["tree_directory"]:
                    manager.enable_ir_printing(
                        print_before_all=True, print_after_all=True, tree_printing_dir_path=request["tree_directory"]
                    )
                manager.enable_verifier(request["verify"])
                manager.run(module.operation)
                answer["ok"] = True
                if request["printing"]:
                    answer["printings"] = [module.operation.get_asm(**one) for one in request["printing"]]
                answer["text"] = module.operation.get_asm(print_generic_op_form=True)
                answer["pretty"] = module.operation.get_asm()
                if request["debug_info"]:
                    answer["pretty_with_locations"] = module.operation.get_asm(enable_debug_info=True)
                    answer["text_with_locations"] = module.operation.get_asm(
                        enable_debug_info=True, print_generic_op_form=True
                    )
                if request["uses"]:
                    answer["uses"] = _uses(module.operation)
            except ir.MLIRError as error:
                for diagnostic in error.error_diagnostics:
                    _record(diagnostic, lines)
            except ValueError as error:
                lines.append(f"<unknown>:0:0: error: {error}")
        handler.detach()
        if request["also_normalize"] is not None:
            unreadable: list[str] = []
            ours = _parse(context, request["also_normalize"], unreadable)
            if ours is not None:
                answer["normalized"] = ours.operation.get_asm(print_generic_op_form=True)
            answer["normalized_error"] = "\n".join(unreadable)
    return answer


def _answer_in_child(context: Any, request: Mapping[str, Any], errors: BinaryIO) -> dict[str, Any]:
    """Returns the child's answer; where it died, an answer that says how."""
    errors.seek(0)
    errors.truncate()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.dup2(errors.fileno(), 2)
        signal.alarm(request["seconds"])  # nobody handles SIGALRM, so it ends even a loop inside C++
        with os.fdopen(writing, "wb") as stream:
            several = request.get("requests")
            if several is None:
                write_message(stream, _run(context, request))
            else:
                write_message(stream, {"answers": [_run(context, one) for one in several]})
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        answer = read_message(stream)
    _, status = os.waitpid(pid, 0)
    errors.seek(0)
    printed = errors.read().decode(errors="replace")
    if answer is not None:
        return answer | {"printed": printed}
    said = printed[-_STDERR_TAIL:].strip()
    code = os.waitstatus_to_exitcode(status)
    reason = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    return {"ok": False, "crashed": True, "diagnostics": [f"the reference died: {reason}", *filter(None, [said])]}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers one message after the other until `requests` ends."""
    context = _make_context()
    with tempfile.TemporaryFile() as errors:
        while (request := read_message(requests)) is not None:
            write_message(answers, _answer_in_child(context, request, errors))


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
