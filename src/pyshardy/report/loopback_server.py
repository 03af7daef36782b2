"""The base of servers of pages for browsers on this machine: they listen on loopback only and send strict headers. A
request under another host name is refused, so that a page from elsewhere whose name resolves to loopback cannot read
them.
"""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOOPBACK = "127.0.0.1"


class LoopbackServer(ThreadingHTTPServer):
    """Has ``handler`` answer on ``port`` of loopback (0 is any free one).

    Raises:
        OSError: nothing can be served there.
    """

    daemon_threads = True

    def __init__(self, handler: type[LoopbackHandler], port: int) -> None:
        super().__init__((LOOPBACK, port), handler)
        self._hosts = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}
        if self.server_port == 80:
            self._hosts |= {LOOPBACK, "localhost"}

    @property
    def url(self) -> str:
        """The address for a browser."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def knows(self, host: str | None, origin: str | None = None) -> bool:
        """Whether ``host`` is a name of this server, and ``origin`` none or its own."""
        own = host is not None and host.lower() in self._hosts
        return own and (origin is None or origin.removeprefix("http://").lower() in self._hosts)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignores a browser that closes the connection during an answer, and reports other errors."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers one request."""

    def answer(self, status: int, kind: str, data: bytes, policy: str = "default-src 'none'") -> None:
        """Sends ``data`` of the MIME type ``kind``; ``policy`` is its Content-Security-Policy."""
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def refuse_host(self) -> None:
        """Answers a request under another host name."""
        self.answer(403, "text/plain", b"this server answers under its own address only\n")

    def version_string(self) -> str:
        return "pyshardy"

    def log_message(self, format: str, *arguments: object) -> None:
        """Logs nothing."""
