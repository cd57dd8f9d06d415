"""The line map: a character of the CUDA text is found again in the Python file."""

from __future__ import annotations

import textwrap

import pytest

from cudasmith.model import Candidate
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.regions import Region

HEAD = "from torch.utils.cpp_extension import load_inline\nimport textwrap\n"
CALL = "\next = load_inline(name='e', cpp_sources=[], cuda_sources=[src])\n"


def model(body: str, call: str = CALL) -> FileModel:
    return parse_file(Candidate(HEAD + body + call))


def region(file: FileModel) -> Region:
    found = file.builds[0].cuda
    assert found is not None
    return found


def assert_every_character_is_found(file: FileModel) -> None:
    found, lines = region(file), file.source.lines()
    for i, char in enumerate(found.text):
        place = found.line_column(i)
        assert place is not None
        line, column = place
        shown = (lines[line - 1] + "\n")[column - 1]
        assert shown == char, (i, char, shown)


@pytest.mark.parametrize(
    "body",
    [
        "src = r'''\n__global__ void k() {}\n'''",
        'src = """\n__global__ void k() {}\n"""',
        'src = "__global__ " r"void k() {}"',
        'src = ("__global__ "  # a comment\n       "void k() {}")',
        "a = '__global__ '\nb = 'void k() {}'\nsrc = a + b",
        "src = textwrap.dedent('''\n    __global__ void k() {\n      int i;\n    }\n''')",
        "src = '''\n  __global__ void k() {}\n'''.strip()",
        "src = '__global__ void é() {} // ü'",
        "class M:\n    SRC = '__global__ void k() {}'\nsrc = M.SRC",
    ],
)
def test_each_character_maps_to_the_same_character(body: str) -> None:
    assert_every_character_is_found(model(body))


def test_escapes_map_to_their_backslash() -> None:
    file = model("src = 'a\\n\\x41\\\\b\\\nc'")
    found = region(file)
    assert found.text == "a\nA\\bc"
    columns = [found.line_column(i) for i in range(len(found.text))]
    assert columns == [(3, 8), (3, 9), (3, 11), (3, 15), (3, 17), (4, 1)]


def test_an_f_string_maps_its_literal_parts_and_the_constants_in_it() -> None:
    file = model("N = 256\nT = 'float'\nsrc = f'''int n = {N}; {T} x[{{0}}];'''")
    found = region(file)
    assert found.text == "int n = 256; float x[{0}];"
    assert found.line_column(found.text.index("int")) == (5, 11)
    assert found.line_column(found.text.index("256")) is None
    assert found.line_column(found.text.index("float")) == (4, 6)
    assert found.span(found.text.index("256"), found.text.index("256") + 3) is None


def test_a_replaced_part_maps_to_the_text_that_replaces_it() -> None:
    file = model("src = 'int NAME;'.replace('NAME', 'x')")
    found = region(file)
    assert found.text == "int x;"
    assert found.line_column(4) == (3, 36)


def test_dedent_equals_pythons() -> None:
    body = "    a\n\n      b\n   \n    c\n"
    assert region(model(f"src = textwrap.dedent('''{body}''')")).text == textwrap.dedent(body)


def test_a_list_of_sources_is_joined_by_newlines() -> None:
    file = model("a = 'int a;'\nb = 'int b;'\nsrc = [a, b]", CALL.replace("[src]", "src"))
    assert region(file).text == "int a;\nint b;"
    assert region(file).line_column(0) == (3, 6)
    assert region(file).line_column(region(file).text.index("int b")) == (4, 6)


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = HEAD + "src = '''\nint a;\n'''" + CALL
    file = parse_file(Candidate("\ufeff" + text.replace("\n", "\r\n")))
    assert region(file).line_column(1) == (4, 1)


@pytest.mark.parametrize(
    "body", ["src = open('k.cu').read()", "src = a if b else c", "src = ''\nif a: src += 'int a;'"]
)
def test_what_is_no_constant_is_unresolved(body: str) -> None:
    build = model(body).builds[0]
    assert build.cuda is None
    assert "cuda_sources" in build.unresolved


def test_names_in_a_circle_end() -> None:
    assert model("src = a\na = src").builds[0].unresolved == {"cuda_sources"}


def test_each_flag_is_found_at_its_own_place() -> None:
    call = (
        "\next = load_inline(name='e', cpp_sources=[], cuda_sources='', extra_cuda_cflags=FLAGS + ['-O3'])\n"
    )
    file = model("FLAGS = [\n  '-a -b',\n  '-c',\n]\n", call)
    found = file.builds[0].words("extra_cuda_cflags", file.source)
    assert [(w, s.line, s.column) for w, s in found] == [
        ("-a", 4, 4),
        ("-b", 4, 7),
        ("-c", 5, 4),
        ("-O3", 8, 90),
    ]
    assert file.builds[0].words("extra_cflags", file.source) == ()


@pytest.mark.parametrize(
    "before, spread, known",
    [
        ('kw = dict(functions=["f"], verbose=True)', "kw", True),
        ('kw = {"functions": ["f"]}', "kw", True),
        ("", '{"functions": ["f"]}', True),
        ('kw = {"functions": ["f"]}\nkw["functions"] = ["g"]', "kw", False),
        ('kw = dict(functions=["f"])\nkw.update(functions=["g"])', "kw", False),
        ('kw = dict(functions=["f"])\nkw |= {}', "kw", False),
        ('kw = dict(functions=["f"])\ndef b(**kw): pass', "kw", False),
        ("kw = dict(other)", "kw", False),
        ('kw = {**other, "functions": ["f"]}', "kw", False),
    ],
)
def test_keywords_that_a_dict_gives_are_known_where_nothing_changes_it(
    before: str, spread: str, known: bool
) -> None:
    text = f"from torch.utils.cpp_extension import load_inline\n{before}\nload_inline('m', '', **{spread})\n"
    (call,) = parse_file(Candidate(text)).builds
    assert (call.functions == ("f",)) == known and ("**" in call.unresolved) != known
