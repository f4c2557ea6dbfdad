# SPDX-License-Identifier: MIT
"""tools/kept.py: a run of hours goes on where it was ended, and repeats what failed."""

import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from kept import Kept  # noqa: E402

TREE, SEED = 7, 5


@pytest.fixture(scope="module")
def tool():
    loader = SourceFileLoader("tools_test", str(TOOLS / "test"))
    module = module_from_spec(spec_from_loader("tools_test", loader))
    # its dataclasses look for their module there
    sys.modules["tools_test"] = module
    loader.exec_module(module)
    return module


@pytest.fixture
def run(tool, tmp_path):
    """Runs parts, of which some fail; gives the names of those that ran, the total, and the seed before."""

    def run(tree=TREE, seed=SEED, **fails):
        ran = []

        def part(name, failed):
            return tool.Part(name, lambda: ran.append(name) or tool.Result(passed=2, failed=int(failed)))

        kept = Kept(tmp_path / "kept.json", tree)
        known = kept.seed
        kept.begin(seed)
        total, _ = tool.all_of([part(*each) for each in fails.items()], 1, False, kept)
        if not total.failed:
            kept.end()
        return ran, str(total), known

    return run


def test_what_failed_is_repeated_alone(run, capsys):
    assert run(a=False, b=True, c=False) == (["a", "b", "c"], "6 passed, 1 failed, 0 skipped", None)
    capsys.readouterr()
    assert run(a=False, b=False, c=False) == (["b"], "6 passed, 0 failed, 0 skipped", SEED)
    said = capsys.readouterr().out
    assert re.search(
        r"^kept    a .* 2 passed, 0 failed, 0 skipped .* s, passed \d+-\d+-\d+ \d+:\d+$", said, re.M
    )
    assert re.search(r"^ok      b ", said, re.M)
    # all had passed: nothing is kept
    assert run(a=False, b=False) == (["a", "b"], "4 passed, 0 failed, 0 skipped", None)


def test_of_a_divided_part_only_what_failed_is_repeated(tool, tmp_path):
    kept, ran, fails = Kept(tmp_path / "kept.json", TREE), [], {"b"}

    def piece(name):
        ran.append(name)
        if name == "d":
            raise tool.Failure("no such file")
        return tool.Result(passed=2, failed=int(name in fails))

    def total(*names):
        ran.clear()
        kept.begin(SEED)
        return str(tool.all_of([tool.Part("whole", piece, names, divided=True)], 1, False, kept)[0])

    assert total("a", "b", "c", "d") == "6 passed, 2 failed, 0 skipped"
    assert ran == ["a", "b", "c", "d"]
    fails.clear()
    # another run, which reads the file
    kept = Kept(tmp_path / "kept.json", TREE)
    assert total("a", "b", "c") == "6 passed, 0 failed, 0 skipped"
    assert ran == ["b"]
    # now the part has passed, and what it is made of is not counted again
    assert total("a", "b", "c") == "6 passed, 0 failed, 0 skipped"
    assert ran == []


@pytest.mark.parametrize("other", [{"tree": TREE + 1}, {"seed": SEED + 1}])
def test_another_tree_or_seed_begins_anew(run, other):
    run(a=False, b=True)
    assert run(**other, a=False, b=False)[0] == ["a", "b"]


def test_a_part_that_was_interrupted_has_not_passed(run, monkeypatch):
    class Interrupted(Exception):
        pass

    keep = Kept.passed

    def passed(self, name, **counted):
        if name == "b":
            raise Interrupted
        keep(self, name, **counted)

    with monkeypatch.context() as patch, pytest.raises(Interrupted):
        patch.setattr(Kept, "passed", passed)
        run(a=False, b=False, c=False)
    assert "a" not in run(a=False, b=False, c=False)[0]


def test_each_kernel_is_proven_in_one_part(tool):
    """Whatever its module."""
    names = subprocess.run(
        ["nm", "--defined-only", tool.ROOT / "build/libcarrychain.a"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    kernels = set(re.findall(r"\bcc_\w+_(?:x86_64|bmi2adx|avx\w+)\b", names)) | {"cc_other_mul_avx2"}
    assert len(kernels) > 50
    for kernel in kernels:
        assert len([pattern for pattern in tool.PROVEN if re.search(pattern, kernel)]) == 1, kernel
