"""Toasts: what they say may quote anything, so nothing reaches them as it is."""

from __future__ import annotations

from textual.app import App
from textual.notifications import SeverityLevel

MAX_TOAST_CHARACTERS = 600
"""A longer message would leave no room for the screen that it speaks of."""


class ToastingApp(App[None]):
    """An application whose every toast is harmless, short, and never read as markup."""

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Say something; ``markup`` is accepted and has no effect."""
        # Imported when first needed: nothing is said in the first picture.
        from proofstone.tui.words import displayed

        super().notify(
            displayed(message, limit=MAX_TOAST_CHARACTERS, newlines=True).text,
            title=displayed(title, limit=80).text,
            severity=severity,
            timeout=timeout,
            markup=False,
        )
