"""Masking much text gives what the finder gives on all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.curation import masking, secrets
from proofstone.curation.masking import mask_secrets

SECRETS = (
    "ghp_a8Kd93jfQ0xLm2Zr7Tn5Vb1Yc4We6Hs9UpGi",
    "AKIAQWERTYUIOPASDFGH",
    "AWS_SECRET_ACCESS_KEY=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",
    "sk-ant-api03-Qw8erTy7uIop3As5dFgh2JklZxcVbnM",
    "xoxb-9182736-qwErTyUi98",
    "https://hooks.slack.com/services/T0A1B2C3D/B4E5F6G7H/aB3dE6gH9jK2mN5p",
    "postgres://mira:s3cr3tPw9@db.internal/orion",
    'password = "hunter2-is-Old"',
    "password: tr0ub4dor&3",
    "The password is Zx81-Spectrum9",
    "密码是 Zx81Spectrum",
    "Authorization: Bearer q9w8e7r6t5y4u3i2o1pASDFG",
    "x-api-key: 9f8e7d6c5b4a39281706",
    'client_secret: "9aZ8bY7cX6dW5eV4"',
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTg4NzcifQ.s5Jx0kP2mQ8rT1vW3xY6zA9b",
    "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",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7b\nq1w2e3r4\n-----END RSA PRIVATE KEY-----",
    "7198263541:AAHk3jKs9dLq2wErTy7uIoP5aSdFgH8jKlZ",
    "whsec_a8Kd93jf/0xLm2Zr7+n5Vb1Yc4We6Hs9",
    "AKCp8aB3dE6gH9jK2mN5",
)
PLAIN = (
    "def token(self, key: str) -> None:",
    "    password = get_password(user)",
    "key = sorted(tokens, key=lambda token: token.age)",
    "the secret is out: nobody reads the manual",
    "src/proofstone/vault/captured_turns.py:120: error",
    "uuid 7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10",
    "",
    "commit 2db4619c0ffee2db4619c0ffee2db4619c0ffee0",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_every_kind_of_secret_is_found_among_plain_lines(secret: str) -> None:
    text = "\n".join([*PLAIN, f"  {secret} and more", *PLAIN, secret, *PLAIN])
    assert secrets.find(secret), "the sample is no secret to the finder"
    assert mask_secrets(text) == secrets.masked(text)
    assert secret not in mask_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "password:\n\n  tr0ub4dor&3",
        'api_key\n=\n"9aZ8bY7cX6dW5eV4"',
        "token =\nab12cd34ef56gh78ij",
        "authorization: bearer\nq9w8e7r6t5y4u3i2o1pASDFG",
        "secret:\n\n\n\n\n\n\nx9y8z7w6v5",
        "x\npassword\n" * 5 + "= tr0ub4dor&3",
        "password = tr0ub4dor&3\n" * 40,
        "",
        "\n\n",
    ],
)
def test_values_on_the_next_lines(text: str) -> None:
    for padded in (text, "\n".join([*PLAIN, text, *PLAIN])):
        assert mask_secrets(padded) == secrets.masked(padded)


def test_the_projects_own_files() -> None:
    root = Path(masking.__file__).parent.parent
    for path in sorted(root.glob("*/secrets*.py")):
        text = path.read_text(encoding="utf-8")
        assert mask_secrets(text) == secrets.masked(text)


def test_plain_text_never_meets_the_finder(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> str:
        raise AssertionError(text)

    monkeypatch.setattr(secrets, "masked", refuse)
    text = "A long and plain story, with (code) = self.code(1) and ünïcode.\n" * 200
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    "around", ["{}", "kk{}k", "pass {} token", "zzaxzo{}", "awjeyx{}pw", "toke{}"]
)
@pytest.mark.parametrize(
    "word",
    [
        *("bearer", "authorization", "x-api-", "x-auth-", "aws", "amazon", "sig=", "eyj", "xox"),
        *("hooks", "whsec_", "putty-", "private key", "pass=1", "pwd: 1", "contrase\u00f1a=1"),
        *("senha: 1", "secret=1", "token=1", "api_key=1", "the password is", "密码是"),
    ],
)
def test_no_word_of_a_secret_is_passed_over(word: str, around: str) -> None:
    text = around.format(word)
    assert masking._may_hold(text.encode())
    assert masking._may_hold(text.upper().encode())


@pytest.mark.parametrize(
    "text", ["zoo wax jay kiosk pews", "toke hook ken pas utty whse", "the key"]
)
def test_rare_letters_alone_are_no_word(text: str) -> None:
    assert not masking._may_hold(text.encode())
