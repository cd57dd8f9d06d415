"""DG135."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class ModelArguments(PythonError):
    """The model takes other arguments than it is called with.

    The caller makes ModelNew with the values of get_init_inputs() and calls it with those of get_inputs(), exactly as the
    reference. A rewritten model must keep both signatures.

    Give __init__ and forward the parameters of the reference's, in the same order.
    """

    code = "DG135"
    name = "model-arguments"
    type = "TypeError"
    told = (
        r"^(?:(?P<model>Model\w*)\.)?(?P<method>__init__|forward)\(\) (?P<what>missing \d+ required .*|takes .* but \d+ w.*"
        r"|got an unexpected keyword argument .*)"
    )
    fact = "{model}.{method} {what}"
    remedy = (
        "give {method} the parameters of the reference's {method}, in the same order (self counts as one)"
    )
    CASES = (
        Case("run_forward_arguments", line=8),
        Case("run_forward_surplus", line=8),
        Case("run_init_arguments", line=8),
        Case("init_arguments", says="'eps'", line=10),
        Case("init_too_many", says="but 2", line=10),
        Case("forward_arguments", says="forward", line=11),
    )
