"""Cases: small, odd, named; the same each time; nothing but the own shapes where sizes are fixed."""

from __future__ import annotations

import attrs

from cudasmith.model import Capture, Graph, InputSpec, Ref, Value
from cudasmith.stages._verify.work import Work
from cudasmith.stages.cases import at_sizes, cases, grown, shrunk_sizes

BIG = (1 << 63) - 1


def image_capture(**changes: object) -> Capture:
    x = Value("x", (128, 64, 256, 256), ("s0", "64", "s2", "s3"), "float32")
    graph = Graph((x,), (), (), Ref("x"))
    made = Capture(
        inputs=(InputSpec("x", x), InputSpec("flag", None, True)),
        free_sizes=(("s0", 128, 1, BIG), ("s2", 256, 3, BIG), ("s3", 256, 3, BIG)),
        init_literals=((), True),
        train=graph,
        eval=graph,
        state=(),
        forward_args=("x", "flag"),
        class_name="Model",
        same=True,
        dynamic=True,
    )
    return attrs.evolve(made, **changes)


def named(capture: Capture, name: str, full: bool = False):
    return next(c for c in cases(capture, full=full, seed=0) if c.name == name)


def test_the_first_case_is_small_and_keeps_fixed_dimensions():
    first = cases(image_capture(), full=False, seed=0)[0]
    assert first.name == "shrunk"
    assert first.inputs[0].shape == (3, 64, 12, 10)


def test_sizes_differ_so_that_an_exchange_shows():
    sizes = shrunk_sizes(image_capture())
    assert len(set(sizes.values())) == 3


def test_the_same_arguments_give_the_same_cases():
    assert cases(image_capture(), full=True, seed=3) == cases(image_capture(), full=True, seed=3)


def test_names_say_the_danger():
    names = {c.name for c in cases(image_capture(), full=False, seed=0)}
    wanted = {
        "prime_sizes",
        "x_dim0_is_1",
        "empty_x_dim0",
        "last_dim_33",
        "values_special",
        "layout_transposed",
    }
    assert wanted <= names


def test_the_empty_case_has_no_elements():
    assert named(image_capture(), "empty_x_dim0").inputs[0].shape == (0, 64, 12, 10)


def test_a_size_of_one_is_tried_below_the_captured_minimum():
    assert named(image_capture(), "x_dim2_is_1").inputs[0].shape == (3, 64, 1, 10)


def test_no_case_is_larger_than_the_budget():
    names = [c.name for c in cases(image_capture(), full=False, seed=0)]
    assert "last_dim_1031" in names  # the longest that is cheap with 64 x 12 rows
    assert "last_dim_4099" not in names
    wide = Value("x", (128, 4096, 256), ("s0", "4096", "s2"), "float32")
    graph = Graph((wide,), (), (), Ref("x"))
    capture = image_capture(
        inputs=(InputSpec("x", wide),),
        train=graph,
        eval=graph,
        free_sizes=(("s0", 128, 1, BIG), ("s2", 256, 1, BIG)),
    )
    assert not [
        c.name for c in cases(capture, full=False, seed=0) if c.name in ("last_dim_4099", "last_dim_1031")
    ]


def test_sizes_that_may_have_to_be_equal_change_together():
    keys = Value("k", (8, 512, 64), ("s0", "s1", "64"), "float32")
    values = Value("v", (8, 512, 64), ("s0", "s2", "64"), "float32")
    graph = Graph((keys, values), (), (), Ref("k"))
    capture = image_capture(
        inputs=(InputSpec("k", keys), InputSpec("v", values)),
        train=graph,
        eval=graph,
        free_sizes=(("s0", 8, 1, BIG), ("s1", 512, 1, BIG), ("s2", 512, 1, BIG)),
    )
    for case in cases(capture, full=False, seed=0):
        assert dict(case.sizes)["s1"] == dict(case.sizes)["s2"], case.name


def test_the_full_case_has_the_problems_own_shape():
    full = named(image_capture(), "full", full=True)
    assert full.full and full.inputs[0].shape == (128, 64, 256, 256)


def test_modes_that_differ_are_both_verified():
    names = [c.name for c in cases(image_capture(same=False), full=False, seed=0)]
    assert names[:2] == ["shrunk", "shrunk_eval"]


def test_fixed_sizes_give_only_the_own_shapes():
    x = Value("x", (4, 8), ("4", "8"), "float32")
    graph = Graph((x,), (), (), Ref("x"))
    capture = image_capture(
        inputs=(InputSpec("x", x),), train=graph, eval=graph, free_sizes=(), dynamic=False
    )
    assert {i.shape for c in cases(capture, full=False, seed=0) for i in c.inputs} == {(4, 8)}


def test_dimensions_follow_their_expressions():
    x = Value("x", (10, 19), ("s0", "2*s0 - 1"), "float32")
    graph = Graph((x,), (), (), Ref("x"))
    capture = image_capture(
        inputs=(InputSpec("x", x),), train=graph, eval=graph, free_sizes=(("s0", 10, 2, BIG),)
    )
    for case in cases(capture, full=False, seed=0):
        if "empty" not in case.name:
            rows, columns = case.inputs[0].shape
            assert columns == 2 * rows - 1


def test_growing_doubles_up_to_the_own_sizes_and_keeps_odd_sizes_odd():
    capture = image_capture()
    assert grown(capture, {"s0": 3, "s2": 13, "s3": 10}) == {"s0": 7, "s2": 27, "s3": 20}
    assert grown(capture, {"s0": 128, "s2": 256, "s3": 200}) == {"s0": 128, "s2": 256, "s3": 256}
    assert grown(capture, {"s0": 128, "s2": 256, "s3": 256}) is None


def test_a_case_moves_to_other_sizes():
    case = named(image_capture(), "shrunk")
    moved = at_sizes(image_capture().inputs, case, {"s0": 2, "s2": 40, "s3": 41})
    assert moved.inputs[0].shape == (2, 64, 40, 41)
    assert dict(moved.sizes)["s3"] == 41


def test_a_heavy_operator_still_gets_its_values_and_layouts(monkeypatch):
    small = next(c for c in cases(image_capture(), full=False, seed=0) if c.name == "shrunk").inputs[0].shape
    just = Work(elements=64 * 3 * 3, operations=1 << 40)  # one image of the least height and width
    monkeypatch.setattr("cudasmith.stages.cases.MAX_WORK", just)
    found = cases(image_capture(), full=False, seed=0)
    assert small != (1, 64, 3, 3)
    assert found[0].inputs[0].shape == (1, 64, 3, 3)
    assert {"values_special", "layout_transposed"} <= {c.name for c in found}
