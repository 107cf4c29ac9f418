"""Looking through many views for those that a filter lets through (spec pages 7 and 9).

Nothing is made of a memory that the filter does not let through, and of one that it does only what
is then shown. The work is done in pieces, so that who has keys to answer can do that in between.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from proofstone.curation.memory_views import MemoryViews, SomeMemories

if TYPE_CHECKING:
    from typing import TypeAlias

    from proofstone.curation.views import MemoryView, ProposalView
    from proofstone.domain.filters import Filter, Filterable

    Views: TypeAlias = Sequence[ProposalView] | Sequence[MemoryView]

View = TypeVar("View", "ProposalView", "MemoryView")


class Sifting:
    """A filter's way through ``views``: ``done`` of them were looked at."""

    def __init__(self, views: Views, wanted: Filter) -> None:
        self.views = views
        self.wanted = wanted
        self.done = 0
        self._places = array("I")

    def go_on(self, most: int, is_late: Callable[[], bool] = lambda: False) -> bool:
        """Look at up to ``most`` more, at least at one, until it ``is_late``; whether that was
        all."""
        matches = self.wanted.matches
        end = min(self.done + most, len(self.views))
        while self.done < end:
            if matches(filterable(self.views, self.done)):
                self._places.append(self.done)
            self.done += 1
            if is_late():
                break
        return self.done >= len(self.views)

    @property
    def kept(self) -> Views:
        """The views that were let through so far, in their order."""
        return _some(self.views, self._places)


def sift(views: Sequence[View], wanted: Filter) -> Sequence[View]:
    """The views that ``wanted`` lets through."""
    sifting = Sifting(views, wanted)
    sifting.go_on(len(views))
    return cast("Sequence[View]", sifting.kept)


def filterable(views: Views, index: int) -> Filterable:
    """What a filter sees of one of the views."""
    if isinstance(views, MemoryViews):
        return views.filterable(index)
    return views[index].filterable


def filterables(views: Views) -> Iterator[Filterable]:
    """What a filter sees of each."""
    return (filterable(views, index) for index in range(len(views)))


def identifiers(views: Views) -> Sequence[str]:
    """The ids of what the views are of, in their order."""
    if isinstance(views, (MemoryViews, SomeMemories)):
        return views.identifiers
    return [view.proposal_id for view in cast("Sequence[ProposalView]", views)]


def carried_over(kept: Views, before: Sifting, views: Views, most: int, also: str = "") -> Views:
    """What is let through of ``views``, as far as can be said without looking at all of them.

    These are other views of the same vault than those ``before``, of which these were ``kept``.
    They are taken to be let through still; looked at are up to ``most`` that were not there, and
    the one of ``also``.
    """
    now = list(identifiers(views))
    come = set(now).difference(identifiers(before.views))
    looked_at = {also, *[name for name in now if name in come][:most]} if come else {also}
    candidates = set(identifiers(kept)) | looked_at
    matches = before.wanted.matches
    places = (place for place, name in enumerate(now) if name in candidates)
    return _some(
        views,
        array(
            "I",
            (
                place
                for place in places
                if now[place] not in looked_at or matches(filterable(views, place))
            ),
        ),
    )


def _some(views: Views, places: array[int]) -> Views:
    if isinstance(views, MemoryViews):
        return SomeMemories(views, places)
    return [cast("Sequence[ProposalView]", views)[place] for place in places]
