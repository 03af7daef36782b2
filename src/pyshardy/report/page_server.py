"""Serves a page on loopback, and makes the browser update it when it changes.

The page itself is unchanged, with its strict Content-Security-Policy: a frame around it, with its own policy, regularly
asks the server for the current version. ``cli.view`` makes the page.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

from pyshardy.report.loopback_server import LoopbackHandler, LoopbackServer

_STYLE = """
html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }
#problem { position: fixed; top: 0; left: 0; right: 0; max-height: 40vh; overflow: auto; margin: 0; padding: 8px 16px;
  background: #8c1d18; color: #fff; font: 13px ui-monospace, monospace; white-space: pre-wrap; z-index: 1 }
#problem[hidden] { display: none }
"""
_SCRIPT = """
"use strict";
const frame = document.querySelector("iframe"), strip = document.getElementById("problem");
frame.src = "/report" + location.hash;
let known = null;
addEventListener("hashchange", () => { frame.contentWindow.location.hash = location.hash; });
async function asked(path) {
  return (await fetch(path, { cache: "no-store" })).text();
}
async function look() {
  try {
    const version = await asked("/version");
    if (version !== known) {
      const problem = await asked("/problem");
      strip.textContent = problem;
      strip.hidden = !problem;
      // The last good plan stays below the reason why there is no new one.
      if (known !== null && !problem) frame.contentWindow.location.reload();
      known = version;
    }
    const { pathname, hash } = frame.contentWindow.location;
    if (pathname === "/report" && hash !== location.hash) history.replaceState(null, "", hash || "/");
    document.title = frame.contentDocument.title || document.title;
  } catch (gone) {
    // The server has ended: what is shown stays.
  }
  setTimeout(look, 1000);
}
look();
"""


class NoPage(Exception):
    """The page cannot be made at present; the message says why."""


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_FRAME = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>pyshardy</title>
<style>{_STYLE}</style>
<body><p id="problem" role="alert" hidden></p><iframe title="the report"></iframe>
<script>{_SCRIPT}</script>
"""
_POLICIES = {
    "/": "default-src 'none'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    f"form-action 'none'; script-src {_hash(_SCRIPT)}; style-src {_hash(_STYLE)}",
    "/report": "frame-ancestors 'self'",
    "/version": "default-src 'none'; frame-ancestors 'none'",
    "/problem": "default-src 'none'; frame-ancestors 'none'",
}
"""The Content-Security-Policy of each address; the report adds its own, stricter one."""


class PageServer(LoopbackServer):
    """Serves ``page()``, made again whenever ``version()`` changes, on ``port`` (0 is any free one). While ``page``
    raises ``NoPage`` the last page stays, and the reason is shown above it.

    Raises:
        OSError: nothing can be served there.
    """

    def __init__(self, page: Callable[[], str], version: Callable[[], str], port: int = 0) -> None:
        super().__init__(_Handler, port)
        self._make = page
        self.version = version
        self._seen: str | None = None
        self._made = b""
        self.problem = ""
        self._making = Lock()

    def page(self) -> bytes:
        """The current page, or the last one that could be made; ``problem`` says why there is no newer one."""
        with self._making:
            now = self.version()
            if self._seen != now:
                try:
                    self._made, self.problem = self._make().encode("utf-8", "replace"), ""
                except NoPage as problem:
                    self.problem = str(problem)
                self._seen = now
            return self._made


class _Handler(LoopbackHandler):
    server: PageServer
    timeout = 60

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if not self.server.knows(self.headers.get("Host")):
            self.refuse_host()
        elif path == "/":
            self.answer(200, "text/html", _FRAME.encode(), _POLICIES[path])
        elif path == "/report":
            self.answer(200, "text/html", self.server.page(), _POLICIES[path])
        elif path == "/problem":
            self.server.page()
            self.answer(200, "text/plain", self.server.problem.encode("utf-8", "replace"), _POLICIES[path])
        elif path == "/version":
            self.answer(200, "text/plain", self.server.version().encode(), _POLICIES[path])
        else:
            self.answer(404, "text/plain", b"there is / and /report\n")

    do_HEAD = do_GET
