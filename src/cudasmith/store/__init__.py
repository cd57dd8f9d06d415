"""store: what was built, kept on disk by content, shared by processes, bounded in size."""

from cudasmith.store.entry import Entry, StoreError, digest, published, refuse_deleted, refuse_full_disk
from cudasmith.store.keep import Usage, clear, trim, usage
from cudasmith.store.memory import cores, free_bytes, total_bytes
from cudasmith.store.place import ignored_settings, limit_bytes, root
from cudasmith.store.slots import held_by_parent, most_at_once, slot
from cudasmith.store.temporary import remove_abandoned_folders, temporary_folder

__all__ = [
    "Entry",
    "StoreError",
    "Usage",
    "clear",
    "cores",
    "digest",
    "free_bytes",
    "held_by_parent",
    "ignored_settings",
    "limit_bytes",
    "most_at_once",
    "published",
    "refuse_deleted",
    "refuse_full_disk",
    "remove_abandoned_folders",
    "root",
    "slot",
    "temporary_folder",
    "total_bytes",
    "trim",
    "usage",
]
