"""Whether a commit message is as CONTRIBUTING.md asks: a short subject, an empty line, a body that says why.

``python -m tests.commit_message FILE`` says what is wrong with the message in a file, and exits with status 1 then.
"""

from __future__ import annotations

import sys
from pathlib import Path

LONGEST_SUBJECT = 72


def problem_of(message: str) -> str | None:
    """What is wrong with ``message``; None if nothing is. Lines that begin with ``#`` do not count."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if not subject.strip():
        return "the subject is empty: say what has changed"
    if len(subject) > LONGEST_SUBJECT:
        return f"the subject has {len(subject)} characters: {LONGEST_SUBJECT} are what every tool shows"
    if subject.startswith(("Merge", "Revert")):
        return None
    if len(lines) > 1 and lines[1].strip():
        return "the second line is not empty: it parts the subject from the body"
    if not any(line.strip() for line in lines[2:]):
        return "there is no body: say why in a sentence"
    return None


if __name__ == "__main__":
    problem = problem_of(Path(sys.argv[1]).read_text())
    sys.exit(f"commit message: {problem}" if problem else 0)
