"""Each check of doctor against a fake machine."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cudasmith.gpu.device import Device
from cudasmith.gpu.toolchain import Toolchain
from cudasmith.hostapi.torch_files import torch_in
from cudasmith.model import Condition
from cudasmith.stages import doctor
from cudasmith.stages._doctor import compilers, locks, mend, places, python_side
from cudasmith.stages._doctor import toolkit as checks
from cudasmith.store import memory
from machines import H100, NO_GPU, compiler, machine, script, toolkit, torch

VARIABLES = "CUDA_HOME CUDA_PATH CUDA_INC_PATH LIBRARY_PATH CXX CC NVCC_CCBIN MAX_JOBS TORCH_CUDA_ARCH_LIST TORCH_EXTENSIONS_DIR"


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No tool on PATH, no variable set, no default toolkit, no wheels; the cache below tmp_path."""
    for name in VARIABLES.split():
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    monkeypatch.setattr(checks, "DEFAULT_ROOT", tmp_path / "no-default")
    monkeypatch.setattr(checks, "wheel_headers", lambda: "")
    monkeypatch.setattr(python_side, "DRIVER_FILE", tmp_path / "no-driver")
    return tmp_path / "bin"


def told(condition: Condition | None) -> tuple[str, str]:
    assert condition is not None
    return condition.status, condition.found


# ---- torch as files


def test_torch_is_read_without_being_imported(tmp_path):
    (tmp_path / "utils").mkdir()
    (tmp_path / "version.py").write_text(
        "__version__ = '2.14.1+cu130'\ncuda: Optional[str] = '13.0'\nhip: X = None\n"
    )
    (tmp_path / "utils" / "cpp_extension.py").write_text("x = ['-std=c++20']\nwith FileLock(p):\n")
    found = torch_in(tmp_path)
    assert found is not None
    assert (found.version, found.cuda, found.standard, found.baton) == ("2.14.1+cu130", "13.0", 20, False)


def test_an_older_torch_has_a_baton_and_another_standard(tmp_path):
    (tmp_path / "utils").mkdir()
    (tmp_path / "version.py").write_text("__version__ = '2.8.0+cpu'\ncuda = None\n")
    (tmp_path / "utils" / "cpp_extension.py").write_text("x = '-std=c++17'\nbaton = FileBaton(p)\n")
    found = torch_in(tmp_path)
    assert found is not None
    assert (found.cuda, found.standard, found.baton) == ("", 17, True)


def test_a_folder_without_version_is_no_torch(tmp_path):
    assert torch_in(tmp_path) is None


def test_the_doctor_does_not_import_torch():
    code = "import sys; from cudasmith.stages.doctor import examine; examine(); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# ---- torch and GPU


def test_no_torch_fails_with_the_command():
    condition = python_side.torch(machine())
    assert told(condition) == ("fail", "not installed")
    assert condition.remedy == f"{sys.executable} -m pip install torch"


def test_a_cpu_torch_is_enough_without_a_gpu_and_fails_beside_one():
    assert python_side.torch(machine(torch(""))).status == "ok"
    assert python_side.torch(machine(torch(""), H100)).status == "fail"


def test_a_gpu_that_does_not_answer_is_told_apart_from_none(tmp_path, monkeypatch):
    assert told(python_side.gpu(machine(device=NO_GPU))) == ("warn", "none: no NVIDIA driver is loaded")
    loaded = tmp_path / "version"
    loaded.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  Wed Aug 27\n")
    monkeypatch.setattr(python_side, "DRIVER_FILE", loaded)
    status, found = told(python_side.gpu(machine(device=Device(reason="cuInit answered 803"))))
    assert status == "warn" and "580.82.07" in found and "803" in found
    assert told(python_side.gpu(machine(device=H100))) == ("ok", "NVIDIA H100, sm_90")


@pytest.mark.parametrize(("knows", "status"), [("12.8", "fail"), ("13.0", "ok"), ("14.1", "ok")])
def test_the_driver_must_know_torchs_major_cuda(knows, status):
    assert told(python_side.driver(machine(torch(), Device("X", 9, 0, cuda=knows))))[0] == status


def test_a_python_without_headers_fails(tmp_path, monkeypatch):
    monkeypatch.setattr(python_side.sysconfig, "get_paths", lambda: {"include": str(tmp_path)})
    assert python_side.python_header(machine()).status == "fail"
    (tmp_path / "Python.h").touch()
    assert python_side.python_header(machine()).status == "ok"


# ---- compilers


def test_no_compiler_fails():
    condition = compilers.host_compiler(machine())
    assert (condition.status, condition.remedy) == ("fail", "sudo apt install g++")


@pytest.mark.parametrize(("version", "status"), [("10.2.1", "fail"), ("11.4.0", "ok"), ("12.2.0", "ok")])
def test_an_old_gcc_fails_for_cxx20(bare, version, status):
    compiler(bare / "g++", version)
    condition = compilers.host_compiler(machine())
    assert condition.status == status
    assert version in condition.found
    assert ("g++-11" in condition.remedy) == (status == "fail")


def test_a_clang_without_a_standard_library_fails(bare):
    compiler(bare / "clang++", "14.0.6", refuses="probe.cpp:1: fatal error: 'compare' file not found")
    condition = compilers.host_compiler(machine())
    assert condition.status == "fail" and "'compare' file not found" in condition.why


def test_torch_takes_cxx_and_its_own_standard(bare, monkeypatch):
    old = compiler(bare / "mine++", "9.4.0")
    monkeypatch.setenv("CXX", str(old))
    assert told(compilers.torch_compiler(machine(torch(standard=17))))[0] == "ok"
    assert told(compilers.torch_compiler(machine(torch(standard=20))))[0] == "fail"
    assert compilers.torch_compiler(machine(torch(""))) is None


def test_torch_without_cxx_is_sent_to_the_gcc_that_is_there(bare):
    found = compiler(bare / "g++", "12.2.0")
    condition = compilers.torch_compiler(machine(torch()))
    assert condition is not None
    assert (condition.status, condition.remedy) == ("warn", f"export CXX={found}")


@pytest.mark.parametrize(("version", "status"), [("15.1.0", "ok"), ("16.0.1", "fail")])
def test_nvcc_names_the_newest_gcc_it_takes(bare, tmp_path, version, status):
    compiler(bare / "gcc", version)
    condition = compilers.nvcc_host_compiler(machine(toolchain=toolkit(tmp_path / "cuda")))
    assert told(condition)[0] == status
    assert ("sudo apt install g++-15" in condition.remedy) == (status == "fail")


def test_an_older_gcc_that_is_here_is_only_named(bare, tmp_path):
    compiler(bare / "gcc", "16.0.1")
    for name in ("gcc-14", "g++-14"):
        compiler(bare / name, "14.2.0")
    condition = compilers.nvcc_host_compiler(machine(toolchain=toolkit(tmp_path / "cuda")))
    assert condition is not None
    assert condition.remedy == "export CC=gcc-14 CXX=g++-14 NVCC_CCBIN=g++-14"


# ---- toolkit


def test_no_nvcc_warns_without_a_gpu_and_fails_beside_one():
    assert checks.nvcc(machine(torch())).status == "warn"
    condition = checks.nvcc(machine(torch(), H100))
    assert condition.status == "fail"
    assert "nvidia-cuda-nvcc==13.0.*" in condition.remedy


def test_for_cuda_12_no_wheels_are_named():
    assert (
        checks.nvcc(machine(torch("12.8"))).remedy == "install the CUDA toolkit 12.8, and set CUDA_HOME to it"
    )


@pytest.mark.parametrize(
    ("has", "wants", "device", "status"),
    [
        ("13.0.88", "13.0", NO_GPU, "ok"),
        ("12.8.93", "12.9", NO_GPU, "ok"),
        ("13.2.10", "13.0", NO_GPU, "warn"),
        ("12.4.131", "13.0", NO_GPU, "warn"),
        ("12.4.131", "13.0", H100, "fail"),
    ],
)
def test_versions_are_compared(has, wants, device, status):
    condition = checks.versions(machine(torch(wants), device, Toolchain("/cuda", has)))
    assert told(condition)[0] == status
    if status != "ok" and wants == "13.0":
        assert condition.remedy.startswith(f"{sys.executable} -m pip install 'nvidia-cuda-nvcc==13.0.*' ")


def test_the_extra_names_what_doctor_names():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    for name in checks.WHEELS:
        assert f'"{name}>=13.0,<13.1;' in text


def test_a_shims_folder_is_not_a_cuda_home(bare, tmp_path):
    found = toolkit(tmp_path / "cuda")
    script(bare / "nvcc")
    condition = checks.cuda_home(machine(torch(), toolchain=found))
    assert told(condition) == ("warn", "not set")
    assert condition.remedy == f"export CUDA_HOME={found.root}"
    assert "shim" in condition.why


def test_a_cuda_home_that_names_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_HOME", "/opt/nope")
    found = toolkit(tmp_path / "cuda")
    assert told(checks.cuda_home(machine(torch(), toolchain=found))) == (
        "warn",
        "CUDA_HOME=/opt/nope, which holds no toolkit",
    )
    monkeypatch.setenv("CUDA_HOME", found.root)
    assert told(checks.cuda_home(machine(torch(), toolchain=found)))[0] == "ok"


def test_a_slim_toolkits_headers_are_looked_for_elsewhere(tmp_path, monkeypatch):
    found = toolkit(tmp_path / "cuda")
    here = machine(torch(), toolchain=found)
    condition = checks.headers(here)
    assert condition is not None and "cuda-toolkit[cublas,cusparse,cusolver]==13.0.*" in condition.remedy
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in checks.HEADERS:
        (wheels / name).touch()
    monkeypatch.setattr(checks, "wheel_headers", lambda: str(wheels))
    condition = checks.headers(here)
    assert condition is not None
    assert (condition.status, condition.remedy) == ("warn", f"export CUDA_INC_PATH={wheels}")
    monkeypatch.setenv("CUDA_INC_PATH", str(wheels))
    assert told(checks.headers(here))[0] == "ok"
    for name in checks.HEADERS:
        (Path(found.root) / "include" / name).touch()
    monkeypatch.delenv("CUDA_INC_PATH")
    assert told(checks.headers(here))[0] == "ok"


def test_a_missing_plain_libcudart_is_linked_in_the_cache(tmp_path):
    found = toolkit(tmp_path / "cuda", lib="lib")
    here = machine(torch(), toolchain=found)
    condition = checks.runtime_library(here)
    assert told(condition) == ("warn", "libcudart.so.13 only") and condition.fixable
    assert [m.done for m in mend.link_cudart(here)] == [True]
    assert mend.link_cudart(here) == []
    condition = checks.runtime_library(here)
    assert condition is not None and condition.status == "ok"
    assert Path(condition.found).resolve() == tmp_path / "cuda" / "lib" / "libcudart.so.13"
    assert sorted(p.name for p in (tmp_path / "cuda" / "lib").iterdir()) == ["libcudart.so.13"]


def test_a_toolkit_without_any_libcudart(tmp_path):
    found = toolkit(tmp_path / "cuda")
    (tmp_path / "cuda" / "lib64" / "libcudart.so.13").unlink()
    assert told(checks.runtime_library(machine(torch(), H100, found)))[0] == "fail"
    assert mend.link_cudart(machine(torch(), H100, found)) == []


def test_architecture_is_asked_for_without_a_gpu(tmp_path, monkeypatch):
    found = toolkit(tmp_path / "cuda")
    condition = checks.architecture(machine(torch(), toolchain=found))
    assert condition is not None
    assert (condition.status, condition.remedy) == ("warn", "export TORCH_CUDA_ARCH_LIST=9.0")
    assert checks.architecture(machine(torch(""), toolchain=found)) is None
    assert told(checks.architecture(machine(torch(), H100, found))) == ("ok", "9.0, from the GPU")
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", "9.0a")
    assert told(checks.architecture(machine(torch(), H100, found)))[0] == "ok"


@pytest.mark.parametrize(
    ("chosen", "device", "status", "word"),
    [
        ("7.0;9.0", NO_GPU, "warn", "sm_70"),
        ("7.5", H100, "warn", "no kernel image"),
        ("7.5+PTX", H100, "ok", ""),
        ("7.5 9.0", H100, "ok", ""),
    ],
)
def test_a_chosen_architecture_is_compared(tmp_path, monkeypatch, chosen, device, status, word):
    monkeypatch.setenv("TORCH_CUDA_ARCH_LIST", chosen)
    condition = checks.architecture(machine(torch(), device, toolkit(tmp_path / "cuda")))
    assert condition is not None
    assert condition.status == status and word in condition.why


def test_a_gpu_that_nvcc_has_dropped_fails(tmp_path):
    condition = checks.architecture(machine(torch(), Device("V100", 7, 0), toolkit(tmp_path / "cuda")))
    assert told(condition) == ("fail", "sm_70, which nvcc 13.0.88 cannot compile for")


# ---- places


def test_ninja_on_path_beside_python_and_nowhere(bare, tmp_path, monkeypatch):
    monkeypatch.setattr(places.sys, "executable", str(tmp_path / "venv" / "bin" / "python"))
    assert told(places.ninja(machine())) == ("warn", "none")
    assert places.ninja(machine(device=H100)).status == "fail"
    script(tmp_path / "venv" / "bin" / "ninja", "1.13")
    condition = places.ninja(machine())
    assert condition.status == "warn" and condition.remedy == f"export PATH={tmp_path}/venv/bin:$PATH"
    script(bare / "ninja", "1.13")
    assert told(places.ninja(machine())) == ("ok", str(bare / "ninja"))


def test_the_cache_is_made_or_refused(tmp_path, monkeypatch):
    assert told(places.cache(machine())) == ("ok", f"{tmp_path / 'cache'}, made at first use")
    assert [m.what for m in mend.make_cache(machine())] == [f"made {tmp_path / 'cache'}"]
    assert mend.make_cache(machine()) == []
    assert told(places.cache(machine()))[0] == "ok"
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUDASMITH_CACHE", str(tmp_path / "file" / "cache"))
    condition = places.cache(machine())
    assert condition.status == "fail" and "not a directory" in condition.found
    assert [m.done for m in mend.make_cache(machine())] == [False]


def test_a_directory_that_refuses_files_is_told(tmp_path, monkeypatch):
    def refused(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(places.tempfile, "TemporaryFile", refused)
    assert places.cache(machine()).found == f"{tmp_path / 'cache'}: not writable (Permission denied)"
    assert places.temporary(machine()).status == "fail"


def test_noexec_and_little_room_are_told(monkeypatch):
    monkeypatch.setattr(places, "_free_bytes", lambda place: 100 << 20)
    assert told(places.temporary(machine()))[0] == "warn"
    mend.make_cache(machine())
    assert told(places.cache(machine()))[0] == "warn"
    monkeypatch.setattr(places.os, "statvfs", lambda p: type("S", (), {"f_flag": os.ST_NOEXEC}))
    assert "noexec" in places.temporary(machine()).found


@pytest.mark.parametrize(
    ("total", "free", "jobs", "status", "remedy"),
    [
        (32, 30, "4", "ok", ""),
        (8, 8, "4", "warn", "export MAX_JOBS=2"),
        (32, 2, "4", "warn", "export MAX_JOBS=1"),
        (2, 2, "1", "warn", ""),
    ],
)
def test_memory_is_counted_per_job(monkeypatch, total, free, jobs, status, remedy):
    sizes = type("M", (), {"total": total << 30, "available": free << 30})
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: sizes)
    monkeypatch.setattr(memory, "CGROUPS", ())
    monkeypatch.setenv("MAX_JOBS", jobs)
    condition = places.memory(machine())
    assert (condition.status, condition.remedy) == (status, remedy)


def test_a_containers_limit_counts(tmp_path, monkeypatch):
    for name, text in (
        ("max", 4 << 30),
        ("current", 3 << 30),
        ("stat", f"anon 5\ninactive_file {1 << 30}\n"),
    ):
        (tmp_path / f"memory.{name}").write_text(f"{text}\n")
    files = tuple(tmp_path / f"memory.{name}" for name in ("max", "current", "stat"))
    nothing = (tmp_path / "none",) * 3
    monkeypatch.setattr(memory, "CGROUPS", (files, nothing))
    monkeypatch.setenv("MAX_JOBS", "1")
    assert places.memory(machine()).found.startswith("4.0 GB, 2.0 GB free")


# ---- locks


def lock(root: Path, name: str, age_s: float = 7200) -> Path:
    path = root / "py311_cu130" / name / "lock"
    path.parent.mkdir(parents=True)
    path.touch()
    os.utime(path, (time.time() - age_s, time.time() - age_s))
    return path


def test_stale_batons_are_removed_and_others_left(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "ext"))
    here = machine(torch(baton=True))
    assert told(locks.extension_cache(here)) == ("ok", f"{tmp_path / 'ext'}, no locks")
    stale, young = lock(tmp_path / "ext", "stale"), lock(tmp_path / "ext", "young", age_s=5)
    opened, inside = lock(tmp_path / "ext", "opened"), lock(tmp_path / "ext", "inside")
    sleep = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"]
    with (
        opened.open() as handle,
        subprocess.Popen(
            sleep, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[handle.fileno()]
        ) as one,
        subprocess.Popen(sleep, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=inside.parent) as two,
    ):
        for process in (one, two):
            assert process.stdout is not None
            process.stdout.readline()
        condition = locks.extension_cache(here)
        assert condition.status == "warn" and condition.fixable
        assert str(stale) in condition.remedy and str(young) in condition.remedy
        assert str(opened) not in condition.remedy and str(inside) not in condition.remedy
        done = mend.remove_stale_locks(here)
        for process in (one, two):
            assert process.stdin is not None
            process.stdin.close()
    assert [m.what for m in done if m.done] == [f"removed {stale}"]
    assert [p.exists() for p in (stale, young, opened, inside)] == [False, True, True, True]


def test_with_flock_a_lock_file_is_harmless(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path))
    path = lock(tmp_path, "x")
    condition = locks.extension_cache(machine(torch(baton=False)))
    assert condition.status == "ok" and "harmless" in condition.why
    assert mend.remove_stale_locks(machine(torch(baton=False))) == []
    assert path.exists()


def test_where_processes_cannot_be_listed_nothing_is_stale(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path))
    monkeypatch.setattr(locks, "PROC", tmp_path / "no-proc")
    path = lock(tmp_path, "x")
    assert not any(m.done for m in mend.remove_stale_locks(machine(torch(baton=True))))
    assert path.exists()


def test_an_extension_directory_that_is_a_file(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "file"))
    assert locks.extension_cache(machine(torch())).remedy == "unset TORCH_EXTENSIONS_DIR"


# ---- fixes and the whole


def test_ninja_is_installed_into_a_venv_only(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(mend, "ninja_beside_python", lambda: None)
    monkeypatch.setattr(
        mend.subprocess, "run", lambda c, **k: ran.append(c) or subprocess.CompletedProcess(c, 0, "", "")
    )
    monkeypatch.setattr(mend, "in_venv", lambda: False)
    assert mend.install_ninja(machine()) == [] and ran == []
    monkeypatch.setattr(mend, "in_venv", lambda: True)
    assert [m.done for m in mend.install_ninja(machine())] == [True]
    assert ran[0][:4] == [sys.executable, "-m", "pip", "install"] and ran[0][-1] == "ninja"


def test_a_check_that_cannot_look_warns_and_the_rest_goes_on(monkeypatch):
    def broken(_: object) -> Condition:
        raise OSError("no such device")

    monkeypatch.setattr(doctor, "CHECKS", (broken, python_side.torch))
    assert [c.status for c in doctor.examine(machine(torch()))] == ["warn", "ok"]


def test_every_check_answers_for_a_bare_and_a_full_machine(tmp_path):
    assert doctor.examine(machine())
    assert len(doctor.examine(machine(torch(), H100, toolkit(tmp_path / "cuda")))) == len(doctor.CHECKS)


def test_a_cuda_home_without_nvcc_is_told_for_any_torch(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_HOME", "/nonexistent")
    found = toolkit(tmp_path / "cuda")
    for torch_here in (torch(), torch(""), None):
        condition = checks.cuda_home(machine(torch_here, toolchain=found))
        assert condition is not None and condition.status == "warn"
        assert condition.found == "CUDA_HOME=/nonexistent, which holds no toolkit"
        assert condition.remedy == f"export CUDA_HOME={found.root}"
    condition = checks.cuda_home(machine(torch()))
    assert condition is not None and condition.remedy == "unset CUDA_HOME"


def test_a_launcher_that_is_not_there_is_told(bare, monkeypatch):
    compiler(bare / "g++", "12.2.0")
    monkeypatch.setenv("CXX", "ccache g++")
    condition = compilers.host_compiler(machine())
    assert (condition.status, condition.remedy) == ("fail", "sudo apt install ccache\nunset CXX")
    script(bare / "ccache")
    assert compilers.host_compiler(machine()).status == "ok"


def test_a_cxx_that_is_no_compiler_is_to_be_unset_where_there_is_another(bare, monkeypatch):
    monkeypatch.setenv("CXX", str(script(bare / "silent")))
    assert told(compilers.host_compiler(machine()))[0] == "fail"
    assert compilers.host_compiler(machine()).remedy == "sudo apt install g++"
    compiler(bare / "g++", "12.2.0")
    condition = compilers.host_compiler(machine())
    assert (condition.status, condition.remedy) == ("fail", "unset CXX") and "no compiler" in condition.found


def test_a_tmpdir_that_is_passed_over_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(tmp_path))
    missing = tmp_path / "gone"
    monkeypatch.setenv("TMPDIR", str(missing))
    condition = places.temporary(machine())
    assert (condition.status, condition.remedy) == ("warn", f"mkdir -p {missing}")
    missing.mkdir()
    assert "TMPDIR" not in places.temporary(machine()).found


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(places.tempfile, "TemporaryFile", lambda **_: Full())
    condition = places.cache(machine())
    assert condition.status == "fail" and condition.found.endswith(": full")


def test_the_cache_is_not_sent_to_a_home_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDASMITH_CACHE", "/proc/none/cache")
    monkeypatch.setenv("HOME", "/proc/none")
    assert places.cache(machine()).remedy.endswith("/cudasmith-cache")
    assert "$HOME" not in places.cache(machine()).remedy
    monkeypatch.setenv("HOME", str(tmp_path))
    assert places.cache(machine()).remedy == "export CUDASMITH_CACHE=$HOME/cudasmith-cache"
