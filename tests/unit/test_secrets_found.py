"""Secrets are found and masked, examples are not, and values never leave the finder."""

from __future__ import annotations

import pytest

from proofstone.domain import secrets_found
from proofstone.domain.secrets_found import Confidence, SecretFinding

# Made-up values, put together here so that no file holds anything that looks like a key.
ALNUM = "q8Zk2LmW0xTfR7bVn4YsJd6HcPa9UgEe3iOo"
DIGEST = "9f3a77c2b1e04d58a6f0c3d27b94e81d"
REAL = {
    "AWS access key": "AKIA" + "Q3ZK7LMW2XTFR9BV",
    "AWS secret key": "aws_secret_access_key = " + (ALNUM + "wXyz")[:40],
    "Anthropic API key": "sk-ant-" + "api03-" + ALNUM,
    "OpenAI API key": "sk-" + "proj-" + ALNUM,
    "Google API key": "AIza" + ALNUM[:35],
    "GitHub token": "ghp_" + ALNUM,
    "GitLab token": "glpat-" + ALNUM[:20],
    "Slack token": "xoxb-" + "17653672481-19874698323-" + ALNUM[:24],
    "Stripe key": "sk_live_" + ALNUM[:24],
    "npm token": "npm_" + ALNUM,
    "Hugging Face token": "hf_" + ALNUM[:34],
    "Databricks token": "dapi" + DIGEST,
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "1c2VyIjoiYW5hIn0." + ALNUM,
    "authorization header": "Authorization: Basic " + "YW5hOnM0dSFw",
    "bearer token": "Bearer " + ALNUM,
    "API key header": "X-Api-Key: " + ALNUM[:20],
    "password in a URL": "postgres://ana:" + "s4u!pq" + "@db1.atlas.test/main",
    "private key": "-----BEGIN RSA PRIVATE "
    + "KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("kind", REAL)
def test_shapes_are_found_and_masked(kind: str) -> None:
    text = f"Before. {REAL[kind]} After."
    found = secrets_found.find(text)
    assert [(f.kind, f.confidence) for f in found] == [(kind, Confidence.HIGH)]
    value = text[found[0].start : found[0].end]
    shown = secrets_found.masked(text)
    assert f"[{kind}]" in shown
    assert value not in shown
    assert shown.startswith("Before. ")
    assert shown.endswith(" After.")
    assert value not in repr(found)


@pytest.mark.parametrize(
    "text",
    [
        'password = "s4u!pqr"',
        "DB_PASSWORD=s4upqr77xy",
        "password: s4upqr",
        "password: Tr0ub4dor&3",
        '{"client_secret": "q8Zk2LmW0xTf"}',
        "api_key: q8Zk2LmW0xTfR7bV",
        "the staging password is Tr0ub4dor&3.",
        "contraseña: s4upqr77xy",
        "senha = 's4upqr77'",
        "数据库密码：s4upqr77xy",
        "密码是s4upqr77xy",
        "token=q8Zk2LmW0xTfR7bVn4Ys",
        "my_secret => 'q8Zk2LmW0x'",
    ],
)
def test_passwords_and_keys_in_assignments(text: str) -> None:
    found = secrets_found.find(text)
    assert [f.confidence for f in found] == [Confidence.HIGH]
    value = text[found[0].start : found[0].end]
    assert any(c.isdigit() or c in "!&" for c in value)
    assert value not in secrets_found.masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "AKIAXXXXXXXXXXXXXXXX",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $ATLAS_TOKEN",
        "Authorization: Bearer YOUR_API_KEY_GOES_HERE",
        "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "password: str",
        "password = os.environ['ATLAS_PASSWORD']",
        "password = getpass()",
        "password=args.password",
        "password_file: /run/secrets/db",
        "PASSWORD=${ATLAS_PASSWORD}",
        "password: {{ vault_password }}",
        "password: changeme",
        "api_key = settings.api_key",
        "postgres://user:password@localhost/db",
        "postgres://user:${PASSWORD}@localhost/db",
        "https://atlas.example:8443/a@b",
        "next_page_token=CAE1",
        "The password is stored in the vault.",
        "The token: see the handbook",
        "Passwords are hashed with argon2id.",
        "password: argon2id",
        "password: see 1Password",
        "Password: 1Password",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "sk-learn is a machine learning library with a long description of itself",
        "secret: true",
        "密码用 argon2id 做哈希。",
    ],
)
def test_examples_references_and_prose_are_no_secrets(text: str) -> None:
    assert secrets_found.find(text) == ()
    assert secrets_found.masked(text) == text


def test_a_header_without_a_key_is_masked_but_does_not_refuse() -> None:
    header = "-----BEGIN OPENSSH PRIVATE " + "KEY-----"
    found = secrets_found.find(f"Keys start with {header} as you know.")
    assert [(f.kind, f.confidence) for f in found] == [("private key", Confidence.LOW)]


def test_overlapping_findings_become_one_that_covers_them() -> None:
    low = SecretFinding("a", 0, 6, Confidence.LOW)
    high = SecretFinding("b", 4, 9, Confidence.HIGH)
    other = SecretFinding("c", 9, 11, Confidence.LOW)
    assert secrets_found.merged([other, high, low]) == (
        SecretFinding("b", 0, 9, Confidence.HIGH),
        other,
    )


def test_findings_of_a_caller_are_masked_too() -> None:
    finding = SecretFinding("badge number", 3, 7, Confidence.HIGH)
    assert secrets_found.masked("id 4711.", [finding]) == "id [badge number]."
