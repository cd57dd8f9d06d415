"""Does explaining a log take time in proportion to its length? Told is the time of four lengths, and their ratios.

    python benchmarks/diagnose_long_log.py              # a log of 18 MB, as torch's headers give with a wrong -std
    python benchmarks/diagnose_long_log.py build.txt    # a log of your own, cut at 1/8, 1/4 and 1/2

The ratio of neighbouring times should be near 2: what grows with the square of the length shows a ratio near 4.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
_ERROR = """In file included from /venv/torch/include/ATen/core/Tensor{n}.h:{n},
                 from cuda.cu:1:
/venv/torch/include/c10/util/Part{n}.h: In instantiation of 'struct c10::detail::Part<{n}, float>':
/venv/torch/include/c10/util/Use.h:{n}:12:   required from 'void c10::use(T) [with T = c10::Part<{n}>]'
/venv/torch/include/c10/util/Part{n}.h:{n}:31: error: 'is_same_v' is not a member of 'std'; did you mean 'is_same'?
  {n} |   static_assert(std::is_same_v<T, float>);
      |                      ^~~~~~~~~
"""


def main() -> int:
    if len(sys.argv) > 1:
        text = Path(sys.argv[1]).read_bytes().decode("utf-8", "replace")
    else:
        text = "".join(_ERROR.format(n=n) for n in range(32_000))
    from cudasmith.stages.diagnose import diagnose

    diagnose("warm")
    times: list[float] = []
    for part in (8, 4, 2, 1):
        cut = text[: len(text) // part]
        start = time.perf_counter()
        diagnose(cut, returncode=1)
        times.append(time.perf_counter() - start)
        ratio = round(times[-1] / times[-2], 2) if len(times) > 1 else None
        print(json.dumps({"mb": round(len(cut) / 1e6, 1), "seconds": round(times[-1], 2), "ratio": ratio}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
