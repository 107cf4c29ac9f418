"""Looking first for what every secret of a kind holds finds the same secrets, only sooner."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.curation import secrets
from proofstone.domain import secrets_found
from tests.unit.test_secrets_found import DIGEST, REAL
from tests.unit.test_sessions_masking import SECRETS

_BITS = (
    *("pass", "Password", "PWD", "contraseña", "CONTRASEÑA", "senha", "密码", "口令", "Secret"),
    *("client_secret_key", "api-key", "encryption_key", "bot_token", "token", "ToKeN", "KEY"),
    *(
        ":",
        "=",
        ":=",
        "=>",
        " is ",
        "是",
        "：",
        '"',
        "'",
        "`",
        " ",
        "  ",
        "\n",
        "\t",
        "_",
        "-",
        ")",
    ),
    *("s4u!pqr", DIGEST, "q8Zk2LmW0xTf", "hunter2x", "os.environ", "4711", "a", "ſ", "K", "İ"),
    *("ſecret_key", "toKen", "cl_api_key", "softlayer_token", "ibm_iam", "xox", "AC", "SK", "sk-"),
    *(
        "T3BlbkFJ",
        "aws",
        ".cloudant.com",
        "https://",
        "@",
        "-us12",
        "AKC",
        "AP",
        "//r/:_authToken=",
    ),
)
_TEXTS = st.lists(st.sampled_from((*_BITS, *REAL.values(), *SECRETS)), min_size=1, max_size=14).map(
    "".join
)


@settings(max_examples=250, deadline=None)
@given(_TEXTS)
def test_the_same_secrets_are_found(text: str) -> None:
    found = secrets.find(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets_found, "_lowered", lambda _: "")
        everything = tuple((detector, sure, ("",)) for detector, sure, _ in secrets._detectors())
        patch.setattr(secrets, "_detectors", lambda: everything)
        assert secrets.find(text) == found


@pytest.mark.parametrize("kind", REAL)
def test_each_kind_is_found_by_itself_either_way(kind: str) -> None:
    assert secrets.find(REAL[kind]), kind
    assert secrets.find(REAL[kind].upper() + "\nſ\n" + REAL[kind]), kind
