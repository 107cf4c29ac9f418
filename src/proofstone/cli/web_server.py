"""The workbench in a browser: loopback alone, and nobody without the token (spec page 9, Privacy).

textual-serve runs one workbench for each page and carries its screen over a WebSocket. Around it
stands a guard: every request has to come by the address that was printed (so that no other name can
be made to point here), from a page of ours, and with the token, first in the URL and then in a
cookie. The page loads nothing from any network.
"""

from __future__ import annotations

import hmac
import html
import logging
import secrets
import shlex
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from string import Template

from aiohttp import web
from textual_serve.server import Server

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 32

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>$title</title>
    <link rel="stylesheet" href="/static/css/xterm.css">
    <style>
      @font-face {
        font-family: "Roboto Mono";
        src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf");
      }
      body { background: #14171c; color: #d9dee6; font-family: "Roboto Mono", monospace; }
      .note { position: absolute; inset: 0; display: flex; align-items: center;
              justify-content: center; z-index: 10; background: #14171c; }
      .note a { color: #9cc4f5; margin-left: 1em; }
      .ended, body.-first-byte .opening, body.-closed .opening { display: none; }
      body.-closed .ended { display: flex; }
    </style>
    <link rel="icon" href="data:,">
    <script src="/static/js/textual.js"></script>
    <script src="/focus.js" defer></script>
  </head>
  <body>
    <div class="note opening">Opening the workbench…</div>
    <div class="note ended">The workbench was closed. <a href="">Open it again</a></div>
    <div id="terminal" class="textual-terminal"
         data-session-websocket-url="ws://$address/ws" data-font-size="16"></div>
  </body>
</html>
""")

_FOCUS = """\
new MutationObserver((_, observer) => {
  const keyboard = document.querySelector("#terminal textarea");
  if (keyboard && document.body.classList.contains("-first-byte")) {
    keyboard.focus();
    observer.disconnect();
  }
}).observe(document.body, { attributes: true, childList: true, subtree: true });
"""
"""Gives the keyboard to the workbench as soon as it is drawn."""


class Guard:
    """Lets through what comes by our address, from our page, with the token."""

    def __init__(self, port: int, token: str) -> None:
        self._token = token
        self._addresses = frozenset((f"{LOOPBACK}:{port}", f"localhost:{port}"))
        self._origins = frozenset(f"http://{address}" for address in self._addresses)
        self._cookie = f"proofstone-{port}"

    def refusal(self, request: web.Request) -> str:
        """Why a request is refused; empty when it is let through."""
        if request.host not in self._addresses:
            return "not by this address"
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self._origins:
            return "not from another page"
        if request.path == "/ws" and origin is None:
            return "not without a page"
        offered = request.query.get("token") or request.cookies.get(self._cookie, "")
        if not hmac.compare_digest(offered.encode(), self._token.encode()):
            return "not without the token; open the whole URL that proofstone serve printed"
        return ""

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse with 403, or answer with headers that keep the page to itself."""
        why = self.refusal(request)
        if why:
            raise web.HTTPForbidden(text=f"Refused: {why}.\n")
        response = await handler(request)
        if response.prepared:  # a WebSocket that has ended
            return response
        response.headers.update(self._headers(request.host))
        if request.query.get("token"):
            response.set_cookie(
                self._cookie, self._token, httponly=True, samesite="Strict", path="/"
            )
        return response

    @staticmethod
    def _headers(address: str) -> dict[str, str]:
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            f"font-src 'self' data:; img-src 'self' data:; connect-src 'self' ws://{address}; "
            "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }


def application(command: Sequence[str], title: str, port: int, token: str) -> web.Application:
    """The web application that runs ``command`` for each page."""
    line = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
    server = Server(line, host=LOOPBACK, port=port, title=title)

    async def page(request: web.Request) -> web.Response:
        text = _PAGE.substitute(title=html.escape(title), address=request.host)
        return web.Response(text=text, content_type="text/html")

    async def focus(_: web.Request) -> web.Response:
        return web.Response(text=_FOCUS, content_type="text/javascript")

    app = web.Application(middlewares=[Guard(port, token).middleware])
    app.add_routes(
        [
            web.get("/", page),
            web.get("/focus.js", focus),
            web.get("/ws", server.handle_websocket),
            web.static("/static", server.statics_path),
        ]
    )
    return app


def serve(command: Sequence[str], title: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve until it is interrupted; ``tell`` is given the URL once it can be opened.

    Raises:
        OSError: the port is taken.
    """
    # What textual-serve would say of a session is for its developers, and on nobody's screen.
    logging.getLogger("textual-serve").setLevel(logging.CRITICAL)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with socket.create_server((LOOPBACK, port)) as listening:
        taken = listening.getsockname()[1]
        tell(f"http://{LOOPBACK}:{taken}/?token={token}")
        web.run_app(
            application(command, title, taken, token),
            sock=listening,
            print=None,
            access_log=None,
        )
