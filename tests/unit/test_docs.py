"""The documents hold together: links lead somewhere, generated pages are current, none is lost."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from proofstone.domain.gate_types import EvidenceCheck, ValidationDetail, ValidationReason

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]

FENCED = re.compile(r"^(`{3,}).*?^\1[ ]*$", re.M | re.S)
CODE = re.compile(r"(`+).+?\1", re.S)
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(?P<words>.+?)\s*$", re.M)
ELSEWHERE = ("https://", "mailto:")


@dataclass(frozen=True)
class Link:
    """A link or picture: the page it stands on, and where it leads."""

    page: Path
    target: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.target}"


def links() -> Iterator[Link]:
    """Every link of every page, outside of code."""
    for page in PAGES:
        prose = FENCED.sub("", page.read_text(encoding="utf-8"))
        labelled = re.sub(
            r"`", "", CODE.sub(lambda found: re.sub(r"[\[\]()]", "", found[0]), prose)
        )
        for found in LINK.finditer(labelled):
            yield Link(page, found["target"])


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the site and a repository's browser both make them."""
    prose = FENCED.sub("", page.read_text(encoding="utf-8"))
    made: set[str] = set()
    for found in HEADING.finditer(prose):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", found["words"]).replace("`", "")
        kept = re.sub(r"[^\w\s-]", "", words).strip().lower()
        of_site, of_browser = re.sub(r"[-\s]+", "-", kept), re.sub(r"\s", "-", kept)
        if of_site == of_browser:
            made.add(of_site)
    return made


LINKS = list(links())


def test_there_are_links_to_check() -> None:
    assert len(LINKS) > 50
    assert any(link.target.endswith(".svg") for link in LINKS)
    assert any("#" in link.target for link in LINKS)


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_a_link_leads_somewhere(link: Link) -> None:
    if link.target.startswith(ELSEWHERE):
        return
    assert "://" not in link.target, "only https leads elsewhere"
    path, _, anchor = link.target.partition("#")
    place = (link.page.parent / path).resolve() if path else link.page
    assert place.is_file(), "no such file"
    if DOCS in link.page.parents:
        assert DOCS in place.parents, "the site holds nothing outside docs/"
    if anchor:
        assert anchor in anchors(place), "no heading of that page has this anchor"


def test_every_picture_is_shown_drawn_by_one_command_and_needs_no_network() -> None:
    pictures = {picture.name for picture in (DOCS / "images").iterdir()}
    shown = {Path(link.target).name for link in LINKS if "images/" in link.target}
    drawn = set(re.findall(r"-o docs/images/(\S+)", (ROOT / "Makefile").read_text("utf-8")))
    assert pictures == shown == drawn
    for picture in pictures:
        svg = (DOCS / "images" / picture).read_text(encoding="utf-8")
        assert not re.search(r"""url\(["']?https?:|(?:href|src)=["']https?:""", svg), picture


def pages_of_nav(entry: object) -> Iterator[str]:
    """Every page that the navigation names."""
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list):
        for inner in entry:
            yield from pages_of_nav(inner)
    elif isinstance(entry, dict):
        for inner in entry.values():
            yield from pages_of_nav(inner)


def test_the_navigation_has_every_page_once() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    named = sorted(pages_of_nav(settings["nav"]))
    assert named == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_the_site_fetches_nothing() -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] is False
    assert settings["plugins"] == ["search"]
    assert "extra_javascript" not in settings
    assert not re.search(r"url\(|@import", (DOCS / "site.css").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def generated() -> Mapping[str, str]:
    """The reference as the program would write it now."""
    made: Mapping[str, str] = runpy.run_path(str(DOCS / "generate.py"))["pages"]()
    return made


def test_the_reference_is_what_the_program_says(generated: Mapping[str, str]) -> None:
    written = {page.name: page.read_text("utf-8") for page in (DOCS / "reference").iterdir()}
    assert written == generated, "run python docs/generate.py"


def test_every_refusal_of_the_gate_is_explained(generated: Mapping[str, str]) -> None:
    for kind in (*EvidenceCheck, *ValidationDetail, *ValidationReason):
        assert f"| `{kind.value}` |" in generated["errors.md"]


def test_every_variable_of_ours_is_in_the_settings(generated: Mapping[str, str]) -> None:
    sources = (ROOT / "src").rglob("*.py")
    named = {
        name
        for source in sources
        for name in re.findall(r'"(PROOFSTONE_[A-Z_]+)"', source.read_text("utf-8"))
    }
    assert named
    assert {name for name in named if f"| `{name}` |" not in generated["settings.md"]} == set()
