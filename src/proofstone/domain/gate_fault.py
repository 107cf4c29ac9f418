"""How the readers of a Gate answer say which rule was broken (spec page 2)."""

from __future__ import annotations

from proofstone.domain.gate_types import (
    EvidenceCheck,
    GateRefusal,
    ValidationDetail,
    ValidationReason,
)


class ContractBrokenError(Exception):
    """An answer broke one rule. It holds the rule's identifier and nothing of the answer."""

    def __init__(self, fault: EvidenceCheck | ValidationDetail | ValidationReason) -> None:
        super().__init__(fault.value)
        self.fault = fault

    def refusal(self, stage: str) -> GateRefusal:
        """What is kept of the answer that broke the rule."""
        return GateRefusal(
            stage=stage,
            evidence_check=self.fault if isinstance(self.fault, EvidenceCheck) else None,
            validation_detail=self.fault if isinstance(self.fault, ValidationDetail) else None,
            validation_reason=self.fault if isinstance(self.fault, ValidationReason) else None,
        )
