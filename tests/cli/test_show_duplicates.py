"""``proofstone show duplicates``: the clusters of a whole vault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofstone.cli.main import run

DEMO = str(Path(__file__).parents[2] / "demo-vault")


def test_clusters_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "duplicates", DEMO, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "proofstone/duplicates/1"
    scores = [cluster["score"] for cluster in shown["items"]]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 7
    three = next(cluster for cluster in shown["items"] if cluster["size"] == 3)
    assert [member["id"] for member in three["members"]] == [
        "mem-20261015100402-3f6d18ac",
        "mem-20261029083317-91e5d7c0",
        "prop-ccc6f977ac6fbd54ae91d5f7",
    ]
    for member in three["members"]:
        assert all(near["score"] >= 0.5 for near in member["nearest"])


def test_clusters_for_people_and_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "duplicates", DEMO, "prop-ccc6f977ac6fbd54ae91d5f7"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("mem-20261015100402-3f6d18ac  0.67 mem-20261029083317-91e5d7c0, prop-")
    assert run(["show", "duplicates", DEMO, "--filter", "scope:project:nowhere"]) == 0
    assert capsys.readouterr().out == "no duplicates match the filter\n"
