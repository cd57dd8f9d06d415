"""store: what was built, kept on disk by content, shared by processes, bounded in size."""

from cudasmith.store.entry import Entry, StoreError, digest, published
from cudasmith.store.keep import Usage, clear, trim, usage
from cudasmith.store.place import limit_bytes, root

__all__ = [
    "Entry",
    "StoreError",
    "Usage",
    "clear",
    "digest",
    "limit_bytes",
    "published",
    "root",
    "trim",
    "usage",
]
