"""Other programs' memory stores, read into the same records as a vault (spec page 8)."""

from proofstone.stores.detect import UnknownStoreError, detect
from proofstone.stores.port import Capabilities, LeftOut, Place, Store, StoreContents, Subject

__all__ = [
    "Capabilities",
    "LeftOut",
    "Place",
    "Store",
    "StoreContents",
    "Subject",
    "UnknownStoreError",
    "detect",
]
