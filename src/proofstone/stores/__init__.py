"""Other programs' memory stores, read into the same records as a vault (spec page 8).

Which program a folder is of is told by ``stores.detect``, which knows all formats and is imported
when that is asked.
"""

from proofstone.stores.port import Capabilities, LeftOut, Place, Store, StoreContents, Subject

__all__ = [
    "Capabilities",
    "LeftOut",
    "Place",
    "Store",
    "StoreContents",
    "Subject",
]
