"""Room: model. The nouns: frozen attrs classes, no torch, no files, no printing."""

from cudasmith.model.build import Build, BuildStatus, Extension, KernelResources
from cudasmith.model.candidate import Candidate
from cudasmith.model.condition import Condition, Mend, Status
from cudasmith.model.emulation import Emulation, LaunchCount, RunStatus
from cudasmith.model.errors import CudasmithError, ProblemError
from cudasmith.model.finding import Confidence, Finding, Fix, Severity, Span
from cudasmith.model.graph import (
    Arg,
    Capture,
    Dtype,
    Graph,
    InputSpec,
    Node,
    Opaque,
    Parameter,
    Ref,
    SourceLine,
    StateEntry,
    Value,
)
from cudasmith.model.plan import GraphPlan, HostParam, Kernel, Plan, Step, Tier
from cudasmith.model.problem import Problem
from cudasmith.model.report import Report, StageTime
from cudasmith.model.verdict import Case, CaseResult, CaseStatus, InputCase, Verdict, VerdictStatus

__all__ = [
    "Arg",
    "Build",
    "BuildStatus",
    "Candidate",
    "Capture",
    "Case",
    "CaseResult",
    "CaseStatus",
    "Condition",
    "Confidence",
    "CudasmithError",
    "Dtype",
    "Emulation",
    "Extension",
    "Finding",
    "Fix",
    "Graph",
    "GraphPlan",
    "HostParam",
    "InputCase",
    "InputSpec",
    "Kernel",
    "KernelResources",
    "LaunchCount",
    "Mend",
    "Node",
    "Opaque",
    "Parameter",
    "Plan",
    "Problem",
    "ProblemError",
    "Ref",
    "Report",
    "RunStatus",
    "Severity",
    "SourceLine",
    "Span",
    "StageTime",
    "StateEntry",
    "Status",
    "Step",
    "Tier",
    "Value",
    "Verdict",
    "VerdictStatus",
]
