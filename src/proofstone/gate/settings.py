"""Which endpoint is asked, with what key, and how long it is waited for (spec page 8)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urlsplit

from proofstone.domain.errors import ProofstoneError

KEY_VARIABLES = ("PROOFSTONE_GATE_KEY", "OPENAI_API_KEY")
"""Where a key may come from, and nowhere else. The first that is set counts, even when empty: an
empty PROOFSTONE_GATE_KEY keeps the other one from an endpoint that needs none."""

DEFAULT_TIMEOUT = 120.0
DEFAULT_LIMIT = 4
MAX_LIMIT = 64
MAX_MODEL_CHARACTERS = 200

_COMPLETIONS = "/chat/completions"
_GIVEN: Mapping[str, str] = MappingProxyType({})
"""Every value came with the command."""
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """One endpoint and model. Make it with ``client_settings``, which checks the values.

    ``key_source`` is the variable that the key came from, which may be shown; the key may not.
    ``timeout`` is in seconds for one answer, everything included that the endpoint makes us wait
    for; ``limit`` is how many turns are asked about at once.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    key_source: str = ""
    timeout: float = DEFAULT_TIMEOUT
    limit: int = DEFAULT_LIMIT

    @property
    def url(self) -> str:
        """The address that requests go to."""
        return f"{self.base_url}{_COMPLETIONS}"

    @property
    def is_loopback(self) -> bool:
        """Whether the endpoint is on this machine."""
        return _is_loopback(urlsplit(self.base_url).hostname or "")


def client_settings(
    base_url: str,
    model: str,
    *,
    environment: Mapping[str, str],
    timeout: float = DEFAULT_TIMEOUT,
    limit: int = DEFAULT_LIMIT,
    sources: Mapping[str, str] = _GIVEN,
) -> ClientSettings:
    """Check what a person gave and take the key from ``environment``.

    ``sources`` says, for values that came from elsewhere than the command's options, where from.

    Raises:
        ProofstoneError: an address, model name, key, time or limit that cannot be used. The line
            never repeats a key, nor an address that may hold one.
    """
    url_source = sources.get("base_url", "--base-url")
    address = _address(base_url, url_source)
    name = model.strip()
    if not name or len(name) > MAX_MODEL_CHARACTERS or not name.isprintable():
        raise ProofstoneError(
            f"{sources.get('model', '--model')}: give the endpoint's name of a model, at most "
            f"{MAX_MODEL_CHARACTERS} printable characters"
        )
    if not timeout > 0 or timeout == float("inf"):
        raise ProofstoneError(
            f"{sources.get('timeout', '--timeout')}: give a number of seconds above 0"
        )
    if not 1 <= limit <= MAX_LIMIT:
        raise ProofstoneError(
            f"{sources.get('limit', '--limit')}: give a number of turns from 1 to {MAX_LIMIT}"
        )
    settings = ClientSettings(
        base_url=address,
        model=name,
        key=_key_from(environment),
        key_source=key_source(environment),
        timeout=timeout,
        limit=limit,
    )
    if settings.key and address.startswith("http:") and not settings.is_loopback:
        raise ProofstoneError(
            f"{url_source}: a key would cross the network in the clear; use https, or set "
            f"{KEY_VARIABLES[0]} to nothing for an endpoint that needs no key"
        )
    return settings


def key_source(environment: Mapping[str, str]) -> str:
    """The variable that the key comes from; empty when none is sent."""
    first = next((name for name in KEY_VARIABLES if name in environment), "")
    return first if first and environment[first].strip() else ""


def _key_from(environment: Mapping[str, str]) -> str:
    for name in KEY_VARIABLES:
        value = environment.get(name)
        if value is None:
            continue
        key = value.strip()
        if key and not _KEY.fullmatch(key):
            raise ProofstoneError(f"{name}: the key holds characters that no key has; set it again")
        return key
    return ""


def _address(base_url: str, source: str) -> str:
    example = "give an address such as http://127.0.0.1:11434/v1"
    try:
        parts = urlsplit(base_url.strip())
        has_port = parts.port != 0
    except ValueError:
        raise ProofstoneError(f"{source}: not an address; {example}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not has_port:
        raise ProofstoneError(f"{source}: not an http or https address; {example}")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ProofstoneError(
            f"{source}: no user, password, query or fragment may stand in it; the key comes from "
            f"{' or '.join(KEY_VARIABLES)}"
        )
    address = f"{parts.scheme}://{parts.netloc}{parts.path}"
    if not address.isascii() or not address.isprintable() or " " in address:
        raise ProofstoneError(f"{source}: it holds characters that no address has; {example}")
    return address.rstrip("/").removesuffix(_COMPLETIONS)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
