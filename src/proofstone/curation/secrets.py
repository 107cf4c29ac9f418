"""The whole secret finder: the detect-secrets library, and what it lacks (spec page 4, Capture).

From the library come the shapes of vendors' keys. Its guesses by entropy and by variable name
are left out: they refuse commit hashes and prose; `proofstone.domain.secrets_found` looks at
assignments more closely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol

from proofstone.domain import secrets_found
from proofstone.domain.secrets_found import Confidence, SecretFinding

_SURE = (
    "ArtifactoryDetector",
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "CloudantDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "IbmCloudIamDetector",
    "IbmCosHmacDetector",
    "MailchimpDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SoftlayerDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)
_UNSURE = ("JwtTokenDetector", "PrivateKeyDetector")
"""A header alone is no key, and a JSON web token without a signature opens nothing."""


_NEEDED = {
    "ArtifactoryDetector": ("akc", "ap"),
    "AWSKeyDetector": ("a3t", "abia", "acca", "akia", "asia", "aws"),
    "AzureStorageKeyDetector": ("accountkey=",),
    "CloudantDetector": ("cl",),
    "DiscordBotTokenDetector": (".",),
    "GitHubTokenDetector": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "GitLabTokenDetector": ("gl", "gr1348941"),
    "IbmCloudIamDetector": ("key", "pwd", "pw", "pass", "token"),
    "IbmCosHmacDetector": ("secret",),
    "MailchimpDetector": ("-us",),
    "NpmDetector": (":_authtoken=",),
    "OpenAIDetector": ("t3blbkfj",),
    "PypiTokenDetector": ("pypi-",),
    "SendGridDetector": ("sg.",),
    "SlackDetector": ("xox", "hooks.slack.com"),
    "SoftlayerDetector": ("sl", "softlayer"),
    "SquareOAuthDetector": ("sq0csp-",),
    "StripeDetector": ("k_live_",),
    "TelegramBotTokenDetector": (":",),
    "TwilioKeyDetector": ("ac", "sk"),
    "JwtTokenDetector": ("eyj",),
    "PrivateKeyDetector": ("private key", "putty-user-key-file-2"),
}
"""What every line holds that a detector finds something in, case folded: most lines have none."""


class _Detector(Protocol):
    secret_type: str

    def analyze_string(self, string: str) -> Iterator[str]: ...


def find(text: str) -> tuple[SecretFinding, ...]:
    """All secrets in ``text``, in order, none overlapping another."""
    return secrets_found.merged([*secrets_found.find(text), *_by_library(text)])


def masked(text: str) -> str:
    """``text`` with each secret replaced by its kind in brackets."""
    return secrets_found.masked(text, find(text))


def covered(text: str) -> str:
    """``text`` with each secret covered, every offset and line staying as it was."""
    return secrets_found.covered(text, find(text))


def _by_library(text: str) -> Iterator[SecretFinding]:
    offset = 0
    for line in text.splitlines(keepends=True):
        folded = line.casefold()
        for detector, confidence, needed in _detectors():
            if not any(part in folded for part in needed):
                continue
            for value in set(detector.analyze_string(line)):
                if not value or secrets_found.is_example(value):
                    continue
                start = line.find(value)
                while start >= 0:
                    end = start + len(value)
                    yield SecretFinding(
                        detector.secret_type, offset + start, offset + end, confidence
                    )
                    start = line.find(value, end)
        offset += len(line)


@cache
def _detectors() -> tuple[tuple[_Detector, Confidence, tuple[str, ...]], ...]:
    # Imported when first needed: the library takes longer to load than most commands run.
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    by_type: Mapping[str, type[_Detector]] = get_mapping_from_secret_type_to_class()
    classes = {found.__name__: found for found in by_type.values()}
    return tuple(
        (classes[name](), confidence, _NEEDED[name])
        for names, confidence in ((_SURE, Confidence.HIGH), (_UNSURE, Confidence.LOW))
        for name in names
    )
