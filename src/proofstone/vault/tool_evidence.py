"""Which tool records of an event may be shown: memleaf's capture setting, as it is now.

memleaf reads stored records through its *current* setting, so switching it to ``metadata`` hides
bodies that are still on disk; so do we (spec page 5, Inbox blocks).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proofstone.domain.conversation import Observation
from proofstone.domain.observations import MODES, renormalised
from proofstone.domain.redaction import redacted
from proofstone.vault.yaml_header import read_yaml

BOUNDED = "bounded"
METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class CapturePolicy:
    """memleaf's ``capture`` settings. Without a config.yaml these are memleaf's defaults."""

    mode: str = BOUNDED
    include_attachments: bool = False


def read_policy(data: bytes) -> CapturePolicy:
    """The policy that a memleaf ``config.yaml`` states. Raises ValueError with the reason.

    A file without the setting is older than it and meant ``metadata``, as memleaf reads it.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8") from error
    header = read_yaml(text.replace("\r\n", "\n"))
    for fault in header.faults:
        if not fault.key or fault.key == "capture":
            raise ValueError(f"line {fault.line - 1}: {fault.message}")
    capture = header.fields.get("capture")
    if capture is None:
        return CapturePolicy(mode=METADATA)
    if not isinstance(capture, Mapping):
        raise ValueError("capture must be a map of keys and values")
    mode = capture.get("tool_evidence_mode")
    if mode is None:
        mode = BOUNDED if capture.get("include_tool_output") is True else METADATA
    if mode not in MODES:
        raise ValueError(f"capture.tool_evidence_mode must be one of {', '.join(MODES)}")
    attachments = capture.get("include_attachments", False)
    if not isinstance(attachments, bool):
        raise ValueError("capture.include_attachments must be true or false")
    return CapturePolicy(mode=str(mode), include_attachments=attachments)


def read_observations(records: object, policy: CapturePolicy) -> tuple[Observation, ...]:
    """The records of an event as the policy lets them be seen, checked and masked anew."""
    return renormalised(records, policy.mode, policy.include_attachments, redacted)
