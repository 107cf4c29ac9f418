"""Secrets in text: keys, tokens, private keys, bearer headers, passwords (spec page 4, Capture).

Findings name a kind and a span, never the value. `proofstone.curation.secrets` adds what the
detect-secrets library knows; this module has what that library lacks or is loose about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from proofstone.domain.late_pattern import late_pattern


class Confidence(StrEnum):
    """How sure a finding is. ``high`` refuses a capture; ``low`` only masks what is shown."""

    HIGH = "high"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """A secret: its kind in words, and the span of its value in the text."""

    kind: str
    start: int
    end: int
    confidence: Confidence


COVER = "•"
"""Stands for a character of a secret where lengths must stay."""
LINE_ENDS = "\n\r"

# Shapes that say by themselves what they are. The secret is the group "value", else the match.
_SHAPES = tuple(
    (kind, late_pattern(pattern))
    for kind, pattern in (
        (
            "private key",
            r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|[\s>])+"
            r"[A-Za-z0-9+/=:]{8}(?:(?!-----END)[\s\S])*(?:-----END [A-Z0-9 ]{1,40}-----)?",
        ),
        ("age secret key", r"AGE-SECRET-KEY-1[0-9A-Z]{40,}"),
        ("AWS access key", r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}"),
        (
            "AWS secret key",
            r"(?i:aws|amazon)[^\n]{0,40}?(?i:secret|key)[^\n]{0,20}?[\"'=:\s]"
            r"(?P<value>[0-9A-Za-z/+]{40})(?![0-9A-Za-z/+=])",
        ),
        ("Anthropic API key", r"sk-ant-[A-Za-z0-9_-]{20,}"),
        ("OpenAI API key", r"(?<![A-Za-z0-9_-])sk-(?!ant-)(?:[a-z]+-)?[A-Za-z0-9_-]{32,}"),
        ("Google API key", r"(?<![A-Za-z0-9])AIza[0-9A-Za-z_-]{35}"),
        ("Google OAuth secret", r"GOCSPX-[0-9A-Za-z_-]{20,}"),
        ("Google OAuth token", r"(?<![A-Za-z0-9])ya29\.[0-9A-Za-z_-]{20,}"),
        ("GitHub token", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36,}"),
        ("GitHub token", r"github_pat_[A-Za-z0-9_]{40,}"),
        (
            "GitLab token",
            r"(?<![A-Za-z0-9])gl(?:pat|dt|ft|soat|rt|cbt|imt|agent)-[A-Za-z0-9_-]{20,}",
        ),
        ("Slack token", r"xox[abeoprs]-(?:\d+-)*[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}"),
        ("Slack webhook", r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/]{20,}"),
        ("Discord webhook", r"https://discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{20,}"),
        ("Stripe key", r"(?<![A-Za-z0-9])[rs]k_(?:live|test)_[0-9A-Za-z]{20,}"),
        ("webhook signing secret", r"whsec_[0-9A-Za-z+/=]{24,}"),
        ("SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
        ("npm token", r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}"),
        ("PyPI token", r"pypi-[A-Za-z0-9_-]{50,}"),
        ("Hugging Face token", r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}"),
        ("Databricks token", r"(?<![A-Za-z0-9])dapi[0-9a-f]{32}"),
        ("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
        ("Vault token", r"(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{20,}"),
        ("Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
        ("Linear key", r"lin_api_[A-Za-z0-9]{32,}"),
        ("Notion token", r"(?<![A-Za-z0-9])(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})"),
        ("Telegram bot token", r"(?<![\w:/])\d{8,10}:AA[0-9A-Za-z_-]{33}"),
        ("Azure storage key", r"AccountKey=(?P<value>[A-Za-z0-9+/]{86}==)"),
        ("Azure signature", r"[?&]sig=(?P<value>[A-Za-z0-9%+/]{40,}(?:=|%3D)?)"),
        (
            "JSON web token",
            r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        ),
        (
            "authorization header",
            r"(?i:(?:proxy-)?authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token"
            r"|digest))"
            r"\s{1,3}(?P<value>[A-Za-z0-9._~+/=-]{8,})",
        ),
        ("bearer token", r"(?<![A-Za-z])(?i:bearer)\s{1,3}(?P<value>[A-Za-z0-9._~+/-]{20,}=*)"),
        (
            "API key header",
            r"(?i:x-(?:api|auth)-(?:key|token)[\"']?\s{0,3}[:=]\s{0,3}[\"']?)"
            r"(?P<value>[A-Za-z0-9._~+/=-]{12,})",
        ),
        (
            "password in a URL",
            r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,64}:"
            r"(?P<value>[^\s/@\"'<>]{3,128})@(?=[A-Za-z0-9\[])",
        ),
    )
)

_NEEDED = {
    "private key": ("private key",),
    "age secret key": ("age-secret-key-",),
    "AWS access key": ("a3t", "abia", "acca", "akia", "asia"),
    "AWS secret key": ("aws", "amazon"),
    "Anthropic API key": ("sk-ant-",),
    "OpenAI API key": ("sk-",),
    "Google API key": ("aiza",),
    "Google OAuth secret": ("gocspx-",),
    "Google OAuth token": ("ya29.",),
    "GitHub token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    "GitLab token": ("gl",),
    "Slack token": ("xox", "xapp-"),
    "Slack webhook": ("hooks.slack.com",),
    "Discord webhook": ("/api/webhooks/",),
    "Stripe key": ("k_live_", "k_test_"),
    "webhook signing secret": ("whsec_",),
    "SendGrid key": ("sg.",),
    "npm token": ("npm_",),
    "PyPI token": ("pypi-",),
    "Hugging Face token": ("hf_",),
    "Databricks token": ("dapi",),
    "DigitalOcean token": ("_v1_",),
    "Vault token": ("hvs.", "hvb.", "hvr."),
    "Shopify token": ("shp",),
    "Linear key": ("lin_api_",),
    "Notion token": ("ntn_", "secret_"),
    "Telegram bot token": (":aa",),
    "Azure storage key": ("accountkey=",),
    "Azure signature": ("sig=",),
    "JSON web token": ("eyj",),
    "authorization header": ("authorization",),
    "bearer token": ("bearer",),
    "API key header": ("x-api-", "x-auth-"),
    "password in a URL": ("://",),
}
"""What every secret of a shape holds, in lower case: finding that is much quicker."""

_PRIVATE_KEY_HEADER = late_pattern(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")

# A name, a sign and a value. What the name must say decides how much the value must look like one.
_ASSIGNMENT = late_pattern(
    r"(?i:(?P<name>pass(?:word|wd|phrase|code)|pwd|(?<![a-z])pass|contraseña|contrasena|senha"
    r"|密码|口令"
    r"|(?:client|app|shared|signing|webhook|jwt|session|consumer|api|app)?[_-]?secret(?:[_-]?key)?"
    r"|(?:api|access|auth|service|account|private|encryption|master|admin)[_-]?key"
    r"|(?:api|access|auth|bot|refresh|secret|personal|deploy|session|private)[_-]?token"
    r"|(?<![a-z])token))"
    r"(?P<close>[\"'`\])]{0,2})\s{0,3}(?::=|=>|={1,3}|[:：])\s{0,3}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{4,200})(?P=quote)|(?P<bare>[^\s\"'`,;]{4,200}))"
)
_NAMES = ("pass", "pwd", "contrase", "senha", "密码", "口令", "secret", "key", "token")
"""What every name of an assignment holds."""
_LONGEST_BEFORE = 16
"""Characters of a name that may stand before that."""
_FOLDS = "\u017f\u212a\u0130\u0131"
"""The characters that count as Latin letters where case does not."""
_SAID = late_pattern(
    r"(?i:(?<![a-z])(?:password|passphrase|contraseña|senha)\s(?:is|es|é)(?: now)?(?: set to)?:?\s)"
    r"[\"'`]?(?P<value>[^\s\"'`,;]{6,100})|(?:密码|口令)(?:是|为)\s?(?P<other>[!-~]{6,100})"
)

_PLACEHOLDER = late_pattern(
    r"(?i:example|placeholder|change.?me|your[_.-]?|\bmy[_-]?(?:secret|password|token|key)|dummy"
    r"|sample"
    r"|redacted|masked|removed|hidden|insert|replace|todo|fixme|secret[_-]?here|xxxx|\*\*\*"
    r"|\.\.\.|…|•••"
    r"|1234567|abcdef(?!\d)|foobar|hunter2-not-real|not[_-]?a[_-]?(?:real|secret)|fake|<[^>]*>"
    r"|\{\{)"
)
_REFERENCE = late_pattern(
    r"(?:[$%@&<{\[(/~.]|\\\$|\./)|(?:[A-Za-z_]\w*(?:\.|->|::))+[A-Za-z_]\w*[\])}.]*$"
    r"|[A-Za-z_]\w*[(\[]"
    r"|(?i:os\.|process\.env|env[:.(]|getenv|vault:|secret[:s]|ssm:|arn:|op://|file:|https?://"
    r"|keyring"
    r"|none|null|nil|true|false|undefined|string|str|text|bytes|required|optional|empty|unset)"
)
_SPOKEN_FOR = late_pattern(
    r"(?i:password|passwd|pass|pwd|secret|token|user(?:name)?|key|test|admin"
    r"|1password|argon2\w*|bcrypt|scrypt|pbkdf2\w*|sha-?\d+|md5|base64|oauth2?|saml2?|ed25519)"
)
"""Words that stand where a value could, and say what it is or how it is kept."""

# Documented by their makers as examples.
_DOCUMENTED = (
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lI",
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
    "YWxhZGRpbjpvcGVuc2VzYW1l",
    "mF_9.B5f-4.1JqM",
)


def find(text: str) -> tuple[SecretFinding, ...]:
    """All secrets in ``text``, in order, none overlapping another."""
    low = _lowered(text)
    return merged([*_shaped(text, low), *_assigned(text, low), *_headers(text, low)])


def masked(text: str, findings: Iterable[SecretFinding] | None = None) -> str:
    """``text`` with each secret replaced by its kind in brackets.

    ``findings`` are those of ``find``, or of a caller who knows more kinds.
    """
    parts: list[str] = []
    at = 0
    for finding in merged(find(text) if findings is None else findings):
        parts += [text[at : finding.start], f"[{finding.kind}]"]
        at = finding.end
    return "".join([*parts, text[at:]])


def covered(text: str, findings: Iterable[SecretFinding] | None = None) -> str:
    """``text`` with each secret covered by its kind and dots, of the same length and lines.

    Every offset into the text stays right, so that spans of it can be marked in what is shown.
    """
    parts: list[str] = []
    at = 0
    for finding in merged(find(text) if findings is None else findings):
        value = text[finding.start : finding.end]
        label = f"[{finding.kind}]".ljust(len(value), COVER)
        if len(label) > len(value) or any(end in value for end in LINE_ENDS):
            label = "".join(c if c in LINE_ENDS else COVER for c in value)
        parts += [text[at : finding.start], label]
        at = finding.end
    return "".join([*parts, text[at:]])


def merged(findings: Iterable[SecretFinding]) -> tuple[SecretFinding, ...]:
    """The findings in order. Of those that overlap the surest stays, widened to hold them all."""
    kept: list[SecretFinding] = []
    for finding in sorted(findings, key=lambda f: (f.start, -f.end, f.confidence, f.kind)):
        if kept and finding.start < kept[-1].end:
            last = kept[-1]
            better = (
                finding
                if (finding.confidence, last.confidence) == (Confidence.HIGH, Confidence.LOW)
                else last
            )
            kept[-1] = SecretFinding(
                better.kind, last.start, max(last.end, finding.end), better.confidence
            )
        else:
            kept.append(finding)
    return tuple(kept)


def is_example(value: str) -> bool:
    """Whether a value is a documented example, a placeholder, or too plain to be a secret."""
    if _PLACEHOLDER.search(value) or any(known in value for known in _DOCUMENTED):
        return True
    return len(set(value)) <= min(4, len(value) // 2)


def _lowered(text: str) -> str:
    """``text`` in lower case, each character in its place; empty where that cannot be had."""
    low = text.lower()
    is_plain = text.isascii() or (
        len(low) == len(text) and not any(fold in text for fold in _FOLDS)
    )
    return low if is_plain else ""


def _may_have(low: str, needed: tuple[str, ...]) -> bool:
    return not low or any(part in low for part in needed)


def _shaped(text: str, low: str) -> Iterator[SecretFinding]:
    for kind, pattern in _SHAPES:
        if not _may_have(low, _NEEDED[kind]):
            continue
        for found in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            value = found[group]
            if _is_no_value(value) if kind == "password in a URL" else is_example(value):
                continue
            yield SecretFinding(kind, found.start(group), found.end(group), Confidence.HIGH)


def _assignments(text: str, low: str) -> Iterator[re.Match[str]]:
    """What ``_ASSIGNMENT.finditer`` gives, looking only where a name can begin."""
    if not low:
        yield from _ASSIGNMENT.finditer(text)
        return
    done = 0
    for place in sorted({at for name in _NAMES for at in _places(low, name)}):
        for start in range(max(done, place - _LONGEST_BEFORE), place + 1):
            found = _ASSIGNMENT.match(text, start)
            if found is not None:
                yield found
                done = found.end()
                break
            done = max(done, start + 1)


def _places(low: str, part: str) -> Iterator[int]:
    at = low.find(part)
    while at >= 0:
        yield at
        at = low.find(part, at + 1)


def _assigned(text: str, low: str) -> Iterator[SecretFinding]:
    for found in _assignments(text, low):
        group = "quoted" if found["quoted"] is not None else "bare"
        value = found[group]
        confidence = _confidence(found["name"].lower(), value, quoted=group == "quoted")
        if confidence is not None:
            kind = "password" if _is_password(found["name"].lower()) else "secret in an assignment"
            yield SecretFinding(kind, found.start(group), found.end(group), confidence)
    said = _SAID.finditer(text) if _may_have(low, _NAMES[:6]) else ()
    for found in said:
        group = "value" if found["value"] is not None else "other"
        value = found[group].rstrip(".!?)")
        if not value or _is_no_value(value) or not _is_mixed(value):
            continue
        start = found.start(group)
        yield SecretFinding("password", start, start + len(value), Confidence.HIGH)


def _headers(text: str, low: str) -> Iterator[SecretFinding]:
    if not _may_have(low, _NEEDED["private key"]):
        return
    for found in _PRIVATE_KEY_HEADER.finditer(text):
        yield SecretFinding("private key", found.start(), found.end(), Confidence.LOW)


def _confidence(name: str, value: str, *, quoted: bool) -> Confidence | None:
    if _is_no_value(value) or (quoted and " " in value.strip() and not _is_password(name)):
        return None
    if name == "token":
        return Confidence.HIGH if len(value) >= 16 and _is_mixed(value) else None
    if _is_mixed(value) and len(value) >= (6 if quoted or _is_password(name) else 8):
        return Confidence.HIGH
    return Confidence.LOW if quoted and len(value) >= 6 else None


def _is_no_value(value: str) -> bool:
    return bool(_REFERENCE.match(value) or _SPOKEN_FOR.fullmatch(value) or is_example(value))


def _is_mixed(value: str) -> bool:
    """Whether a value has characters of two sorts, as made-up passwords and keys have."""
    letters = any(c.isalpha() for c in value)
    digits = any(c.isdigit() for c in value)
    signs = any(c in "!#$%&*+/=?@^~|" for c in value.rstrip("!?"))
    return letters + digits + signs >= 2


def _is_password(name: str) -> bool:
    return name.startswith(("pass", "pwd", "contrase", "senha", "密码", "口令"))
