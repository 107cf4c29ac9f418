"""A report's look and its texts: contrast, and that no text becomes markup in either form."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from proofstone.curation.report_html import html_report
from proofstone.curation.report_markdown import markdown_report
from proofstone.curation.report_plots import WIDTH, bars, columns
from proofstone.curation.report_style import DARK, GROUNDS, INKS, LIGHT, Palette, style_sheet
from proofstone.curation.report_values import (
    Count,
    Decision,
    Due,
    Evidence,
    Named,
    Question,
    Report,
    Source,
    Twice,
    Waiting,
)
from proofstone.curation.report_words import in_plain_words, in_short, moment
from proofstone.domain.records import Problem

VOID = {"meta"}
HOSTILE = st.text(st.sampled_from("<>&\"'`|*_[]()!#~:/\\-\n\r\t @ax1.\u202e\u200b\x1b\x00"))
"""Everything that either form would act on, and what hides or moves text."""


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_ratio_is_the_standards_own() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_has_the_contrast_that_it_needs(palette: Palette) -> None:
    for ink, ground in product(INKS, GROUNDS):
        assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
    for ground in GROUNDS:
        assert contrast(palette["bar"], palette[ground]) >= 3, ground


def test_the_style_uses_these_colours_and_no_others() -> None:
    style = style_sheet()
    rules = style.split("*{box-sizing", 1)[1]
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgb|hsl", rules)
    used = set(re.findall(r"var\(--(\w+)\)", style))
    assert used == set(LIGHT) == set(DARK) == {*INKS, *GROUNDS, "line", "bar"}
    text_colours = set(re.findall(r"(?<![-\w])(?:color|fill):var\(--(\w+)\)", style))
    assert text_colours <= {*INKS, "bar"}
    for wanted in ("prefers-color-scheme:dark", "@media print", "@media (min-width"):
        assert wanted in style
    assert "http" not in style
    assert "url(" not in style


def report_of(text: str, number: int = 3) -> Report:
    """A report in which every text that comes from the vault is ``text``."""
    source = Source(trust=text, polarity=text, text=text, place=text)
    evidence = Evidence(sources=(source,), more=1, missing=2)
    counts = (Count(text, number), Count(text, 0))
    return Report(
        vault=text,
        at="2026-11-27T09:00:00Z",
        since="",
        figures=(Count("decisions", 1),),
        period="day",
        decided=counts,
        oldest=timedelta(hours=50),
        tainted=1,
        ages=counts,
        risks=counts,
        matches=counts,
        verdicts=counts,
        trust=counts,
        actions=(text,),
        people=((text, (1,)),),
        decisions=(
            Decision(
                ruling_id=text,
                time=text,
                author=text,
                via=text,
                action=text,
                subject=text,
                statement=f"x{text}",
                reason=f"x{text}",
                state=text,
                evidence=evidence,
            ),
        ),
        waiting=(
            Waiting(
                proposal_id=text,
                statement=f"x{text}",
                layer=text,
                age=timedelta(hours=50),
                verdict=text,
                risk=text,
                match=text,
                reasons=(text,),
                tainted=True,
                until=f"x{text}",
                evidence=evidence,
            ),
        ),
        questions=(
            Question(
                inquiry_id=text,
                question=f"x{text}",
                context=f"x{text}",
                priority=text,
                opened=text,
                concerns=(Named(identifier=text, statement=f"x{text}"),),
            ),
        ),
        due=(Due(memory_id=text, statement=f"x{text}", since=text, change_condition=f"x{text}"),),
        twice=(
            Twice(
                proposal_id=text,
                statement=f"x{text}",
                memory_id=text,
                other=f"y{text}",
                how=text,
                score=0.5,
            ),
        ),
        problems=(Problem(code=text, path=text, message=text, advice=f"x{text}", line=7),),
        left_off={
            "decisions": 0,
            "waiting": 4,
            "questions": 2,
            "due": 1,
            "twice": 0,
            "problems": 0,
        },
    )


class Structure(HTMLParser):
    """The elements of a page with their attributes, and its texts; fails when it is not nested."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.shape: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Coordinates depend on the length of labels, not on what they say.
        kept = [(name, value) for name, value in attrs if name not in ("x", "y", "width")]
        self.shape.append((tag, tuple(kept)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


PLAIN_PAGE = Structure(html_report(report_of("plain words")))


@given(HOSTILE.filter(str.strip) | st.text(min_size=1).filter(str.strip))
def test_no_text_can_change_the_page(text: str) -> None:
    page = html_report(report_of(text))
    assert Structure(page).shape == PLAIN_PAGE.shape
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e]", page)


def test_a_page_asks_for_nothing_and_runs_nothing() -> None:
    names = {name for name, _ in PLAIN_PAGE.shape}
    assert names.isdisjoint({"script", "link", "img", "iframe", "object", "form", "base", "image"})
    for _, attributes in PLAIN_PAGE.shape:
        for name, value in attributes:
            assert not name.startswith("on")
            if name in ("href", "src", "xlink:href"):
                assert (value or "").startswith("#")
    policy = next(dict(a)["content"] for n, a in PLAIN_PAGE.shape if dict(a).get("http-equiv"))
    assert "default-src 'none'" in (policy or "")


def test_a_page_can_be_read_without_seeing_it() -> None:
    shape = PLAIN_PAGE.shape
    assert dict(shape[0][1])["lang"] == "en"
    levels = [int(name[1]) for name, _ in shape if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    names = [name for name, _ in shape]
    assert names.count("table") == names.count("caption") > 0
    identifiers = [dict(a)["id"] for _, a in shape if "id" in dict(a)]
    assert len(identifiers) == len(set(identifiers))
    for name, attributes in shape:
        given_to = dict(attributes)
        if name == "svg":
            assert given_to["role"] == "img"
        for reference in (given_to.get("aria-labelledby") or "").split():
            assert reference in identifiers
        if name == "a":
            assert (given_to["href"] or "").removeprefix("#") in identifiers
        if name == "th":
            assert given_to["scope"] in ("row", "col")


def markdown_kinds(text: str) -> list[str]:
    """Every kind of token of a Markdown document, in order, with the texts that are not code."""
    kinds: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(text):
        kinds.append(token.type)
        for child in token.children or ():
            kinds.append(child.type)
            if child.type == "text":
                kinds.append(child.content)
    return kinds


PLAIN_MARKDOWN = markdown_kinds(markdown_report(report_of("plain words")))


@given(HOSTILE.filter(str.strip) | st.text(min_size=1).filter(str.strip))
def test_no_text_can_change_the_markdown(text: str) -> None:
    written = markdown_report(report_of(text))
    assert markdown_kinds(written) == PLAIN_MARKDOWN
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e]", written)


def test_markdown_shows_the_text_that_was_given() -> None:
    text = "a `b` ``c`` <i> [x](y) *z* @all"
    for token in MarkdownIt("commonmark").parse(markdown_report(report_of(text))):
        for child in token.children or ():
            if child.type == "code_inline" and child.content.startswith("xa"):
                assert child.content == f"x{text}"
                return
    raise AssertionError("the statement is not there")


@given(st.lists(st.builds(Count, st.text(string.printable, max_size=40), st.integers(0, 10**6))))
def test_plots_stay_within_their_frame(counts: list[Count]) -> None:
    for draw in (bars, columns):
        svg = draw("Title", counts, "p")
        Structure(svg)
        for bar in re.findall(r"<rect [^>]*>", svg):
            found = {k: float(v) for k, v in re.findall(r'(x|y|width|height)="([\d.]+)"', bar)}
            assert found["x"] + found["width"] <= WIDTH + 0.2
            assert found["y"] >= 0
    assert svg.count("<rect ") == sum(count.number > 0 for count in counts)


def test_bars_are_as_long_as_their_numbers() -> None:
    svg = bars("Title", [Count("a", 10), Count("b", 5), Count("c", 0)], "p")
    widths = [float(width) for width in re.findall(r'<rect [^>]*?width="([\d.]+)"', svg)]
    assert widths[1] == pytest.approx(widths[0] / 2, abs=0.1)
    assert widths[2] == 0
    assert "a 10, b 5" in svg


def test_columns_have_their_numbers_where_there_is_room() -> None:
    few = columns("Title", [Count(str(n), n) for n in (3, 0, 7)], "p")
    assert re.findall(r'class="number"[^>]*>(\d+)<', few) == ["3", "7"]
    many = columns("Title", [Count(str(n), n) for n in range(40)], "p")
    assert re.findall(r'class="number"[^>]*>(\d+)<', many) == ["39"]


TOLD = [
    ("2026-11-26T17:02:00Z", "2026-11-26 17:02"),
    ("2026-11-26T17:02:00.5Z", "2026-11-26 17:02"),
    ("2026-12-01", "2026-12-01"),
    ("2026-11-26T17:02:00+01:00", "2026-11-26T17:02:00+01:00"),
    ("yesterday", "yesterday"),
]


@pytest.mark.parametrize(("time", "told"), TOLD)
def test_times_are_told_to_the_minute_and_never_guessed(time: str, told: str) -> None:
    assert moment(time) == told


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("needs_evidence", "needs evidence"),
        ("It names snake_case, and stays", "It names snake_case, and stays"),
        ("poisoned", "poisoned"),
    ],
)
def test_chosen_reasons_are_words_and_written_ones_stay(reason: str, told: str) -> None:
    assert in_plain_words(reason) == told


def test_the_short_version_counts_and_says_none_of_the_vaults_words() -> None:
    report = replace(
        report_of("<b>_words_</b>"),
        figures=(
            Count("decisions", 1),
            Count("waiting for a person", 3),
            Count("memories in force", 1),
            Count("open inquiries", 1),
        ),
        verdicts=(Count("verified", 2), Count("rejected", 1), Count("<b>_words_</b>", 4)),
        risks=(Count("low", 1), Count("high", 2)),
    )
    assert list(in_short(report)) == [
        "3 proposals wait for a person, the oldest for 2 days: 2 passed every check, "
        "1 cannot be ratified as it is.",
        "2 are of high poisoning risk, 1 is tainted (imported, or with orders to agents in the "
        "text).",
        "1 decision by 1 person.",
        "1 memory in force; nobody has reviewed 0, and 0 are due for review.",
        "1 question is open.",
        "The check of the vault finds nothing wrong.",
    ]


def test_what_a_proposal_and_a_memory_do_not_share_is_marked_in_both() -> None:
    pair = Twice(
        proposal_id="p", statement="Ships on Thursdays", memory_id="m",
        other="Ships on <i>Tuesdays</i>", how="duplicate",
    )  # fmt: skip
    page = html_report(replace(report_of("x"), twice=(pair,)))
    assert "Ships on <mark>Thursdays</mark>" in page
    assert "Ships on <mark>&lt;i&gt;Tuesdays&lt;/i&gt;</mark>" in page
