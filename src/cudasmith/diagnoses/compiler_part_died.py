"""DG822."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._told import ToldLine


class CompilerPartDied(ToldLine):
    """One of the programs that nvcc runs was ended by a signal.

    Signal 9 means that the system took it down, mostly for lack of memory: each job over torch's headers takes up to three
    gigabytes, and ninja starts as many as there are cores. Signal 11 and others are a crash of the compiler itself.

    For signal 9 set MAX_JOBS=1 or 2, build fewer architectures, or take more memory. For a crash simplify the
    code near the place, lower the optimisation, or use another version of the toolkit.
    """

    code = "DG822"
    name = "compiler-part-died"
    told = r"nvcc error\s*: '(?P<part>[\w+.-]+)' (?:died due to signal (?P<signal>\d+)|core dumped)"
    fact = "{part}, a part of nvcc, was ended by signal {signal}"
    remedy = "signal 9: build with MAX_JOBS=1 or more memory; other signals: a crash of the compiler, try another toolkit or simpler code"
    CASES = (Case("public_cicc_died", says="cicc"),)
