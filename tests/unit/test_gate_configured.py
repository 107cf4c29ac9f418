"""Where the endpoint comes from: the command, the environment, a person's file; never a vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.domain.errors import ProofstoneError
from proofstone.gate.configured import (
    GATE_FILE,
    MODEL_VARIABLE,
    URL_VARIABLE,
    endpoint,
    read_gate_file,
)

URL = "http://127.0.0.1:11434/v1"
SECRET = "s3cret-value"


def written(folder: Path, text: str) -> Path:
    (folder / GATE_FILE).write_text(text, encoding="utf-8")
    return folder


def test_each_source_goes_before_the_next(tmp_path: Path) -> None:
    folder = written(tmp_path, f"base_url: {URL}\nmodel: of-the-file\ntimeout: 7\nlimit: 2\n")
    settings = endpoint(environment={}, folder=folder)
    assert (settings.url, settings.model) == (f"{URL}/chat/completions", "of-the-file")
    assert (settings.timeout, settings.limit) == (7.0, 2)
    environment = {MODEL_VARIABLE: "of-the-environment", URL_VARIABLE: "http://127.0.0.1:1/v1"}
    settings = endpoint(environment=environment, folder=folder)
    assert (settings.base_url, settings.model) == ("http://127.0.0.1:1/v1", "of-the-environment")
    settings = endpoint(
        environment=environment, folder=folder, given={"model": "given", "limit": None}
    )
    assert (settings.base_url, settings.model) == ("http://127.0.0.1:1/v1", "given")
    assert settings.limit == 2


def test_which_variable_the_key_comes_from_is_known_and_the_key_is_not_shown() -> None:
    given = {"base_url": URL, "model": "m"}
    environment = {"PROOFSTONE_GATE_KEY": SECRET, "OPENAI_API_KEY": "other"}
    settings = endpoint(environment=environment, folder=None, given=given)
    assert (settings.key_source, settings.key) == ("PROOFSTONE_GATE_KEY", SECRET)
    assert SECRET not in repr(settings)
    without = endpoint(environment={"PROOFSTONE_GATE_KEY": ""}, folder=None, given=given)
    assert (without.key_source, without.key) == ("", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- a\n- b\n", "write lines such as"),
        (f"api_key: {SECRET}\n", "is no setting of it"),
        ("base_url: [a]\n", "base_url: write one value"),
        (f"base_url: {URL}\n\t{SECRET}: x\n", "cannot be read as YAML, line 2"),
        (f"# {'x' * 20_000}", "larger than 16,384 bytes"),
        ("\ud800", "cannot be read as YAML"),
    ],
)
def test_a_faulty_file_says_one_line_and_nothing_of_it_holds(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / GATE_FILE).write_bytes(text.encode("utf-8", "surrogatepass"))
    found = read_gate_file(tmp_path)
    assert found.values == {}
    assert why in found.faults[0]
    with pytest.raises(ProofstoneError) as caught:
        endpoint(environment={}, folder=tmp_path)
    said = str(caught.value)
    assert said == found.faults[0]
    assert SECRET not in said and "\n" not in said


@pytest.mark.parametrize(
    ("environment", "text", "begins"),
    [
        ({URL_VARIABLE: "nowhere", MODEL_VARIABLE: "m"}, "", f"{URL_VARIABLE}: "),
        ({}, "base_url: ftp://x\nmodel: m\n", "gate.yaml: base_url: "),
        ({}, f"base_url: {URL}\nmodel: m\ntimeout: soon\n", "gate.yaml: timeout: "),
        ({}, f"base_url: {URL}\nmodel: m\ntimeout: nan\n", "gate.yaml: timeout: "),
        ({}, f"base_url: {URL}\nmodel: m\nlimit: 2.5\n", "gate.yaml: limit: "),
        ({}, f"base_url: {URL}\nmodel: m\nlimit: 900\n", "gate.yaml: limit: "),
    ],
)
def test_a_value_that_cannot_be_used_is_said_with_its_source(
    tmp_path: Path, environment: dict[str, str], text: str, begins: str
) -> None:
    with pytest.raises(ProofstoneError) as caught:
        endpoint(environment=environment, folder=written(tmp_path, text))
    assert str(caught.value).startswith(begins)


def test_without_an_endpoint_or_a_model_one_line_says_the_three_ways(tmp_path: Path) -> None:
    with pytest.raises(ProofstoneError, match="no endpoint is named") as caught:
        endpoint(environment={}, folder=tmp_path, given={})
    for way in ("--base-url", URL_VARIABLE, str(tmp_path / GATE_FILE)):
        assert way in str(caught.value)
    with pytest.raises(ProofstoneError, match="no model is named"):
        endpoint(environment={URL_VARIABLE: URL}, folder=tmp_path)


def test_the_settings_of_a_vault_name_no_endpoint(tmp_path: Path) -> None:
    """Whoever writes into a vault must not choose where its text goes."""
    (tmp_path / "proofstone.yaml").write_text(f"base_url: {URL}\nmodel: m\n", encoding="utf-8")
    with pytest.raises(ProofstoneError, match="no endpoint is named"):
        endpoint(environment={}, folder=tmp_path)
