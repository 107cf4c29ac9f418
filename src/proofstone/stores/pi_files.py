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
