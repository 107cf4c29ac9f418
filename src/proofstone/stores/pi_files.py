"""Where things are in a pi-persistent-intelligence root (store-formats.md)."""

from __future__ import annotations

L1 = "memory/L1.identity.jsonl"
L2 = "memory/L2.playbooks.jsonl"
PROJECTS = "memory/projects"
EVIDENCE = "memory/evidence.jsonl"
TOMBSTONES = "memory/tombstones.jsonl"
INQUIRIES = "memory/inquiries.jsonl"
CAPTURED = "inbox/captured.jsonl"
PATCHES = "patches"
META = "reports/meta-consolidation"
KEPT_UNSHOWN = ("memory/reinforcement.jsonl", "memory/profiles.jsonl")

REPORTS = "reports"
DERIVED = ("rendered/", "search/")
"""What PI makes again of the rest."""
TEXTS = (
    *("memory/", "inbox/", "patches/", "reports/", "runtime/", "daily/", "sessions/"),
    "scratchpad.md",
)
"""Where PI itself writes."""

DELETED = "[deleted]"
"""What PI leaves of a purged record's statement, and of its evidence."""
PURGED = "[privacy purged]"
"""What PI leaves of a purged candidate's text, and of operations on it."""
