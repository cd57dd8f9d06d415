import mmap
import tempfile

with tempfile.TemporaryFile() as file:
    file.truncate(8192)
    view = mmap.mmap(file.fileno(), 8192)
    file.truncate(0)
    view[4096]
