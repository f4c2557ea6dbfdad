"""Functions built as crates: called by `cargo test`, from a crate that depends on them."""

import os
import shutil
import subprocess
from pathlib import Path

import carrychain
import pytest
from c_calls import flat
from carrychain.ring.front.python.kinds import Tuple
from carrychain.ring.ir.form import Array, Bool
from carrychain.ring.ir.interface import Null
from carrychain.ring.library.build import check
from carrychain.ring.library.crate import VARIANTS
from carrychain.ring.library.interface import CFunction, elements
from draws import share
from test_examples_python import CALLS as PYTHON_CALLS
from test_ring_front_examples import CALLS as LISP_CALLS
from test_ring_library import EXAMPLES, FAILING, FAILURES, KINDS, UNBUILT, CFailure, written

needs_cargo = pytest.mark.skipif(not shutil.which("cargo"), reason="Cargo is not installed")


def numbers(type_: Array, values) -> str:
    bits, signed, _ = elements(type_)
    kind = f"{'i' if signed else 'u'}{bits}"
    return f"[{', '.join(f'{ord(x) if isinstance(x, str) else x}{kind}' for x in values)}]"


class Call:
    """A call of a safe function, and what it returns."""

    def __init__(self, crate: str, function: CFunction, args: list, wanted):
        self.function = function
        self.takes = iter(zip(function.takes, args, strict=True))
        passed = [self.passed(param.kind) for param in function.params]
        name = function.name.removeprefix(f"cc_{crate}_")
        self.text = f"{crate}::{name}({', '.join(each for each in passed if each != '()')})"
        if isinstance(wanted, CFailure):
            self.text = f"let e = {self.text}.unwrap_err();\n    assert!(matches!(e, {crate}::Error::"
            self.text += f"{VARIANTS[wanted.code]}(_)));\n    assert_eq!(e.place().line, {wanted.line})"
            return
        self.gives = iter(zip(function.gives, wanted, strict=True))
        value = self.given(function.value)
        self.text = f"assert_eq!({self.text}{'.unwrap()' * bool(function.codes)}, {value})"

    def passed(self, kind) -> str:
        if isinstance(kind, Null):
            return "()"
        if isinstance(kind, Tuple):
            return f"({''.join(f'{self.passed(item)}, ' for item in kind.items)})"
        taken, x = next(self.takes)
        match taken.type:
            case Bool():
                return str(x).lower()
            case Array():
                return f"&{'mut ' * taken.written}{numbers(taken.type, x)}"
        return f"{x & (1 << taken.bits) - 1 if not taken.signed else x}"

    def given(self, kind) -> str:
        if isinstance(kind, Null):
            return "()"
        if isinstance(kind, Tuple):
            return f"({''.join(f'{self.given(item)}, ' for item in kind.items)})"
        given, x = next(self.gives)
        match given.type:
            case Bool():
                return str(bool(x)).lower()
            case Array() if given.type.text:
                return f'"{x}"'
            case Array():
                return f"{'vec!' * given.counted}{numbers(given.type, x)}"
        return str(x)


def crate(directory: Path, calls: dict[str, list[Call]], more: str = "") -> None:
    """A crate that depends on these crates beside it, and makes the calls in its tests."""
    (directory / "all/tests").mkdir(parents=True)
    (directory / "all/src").mkdir()
    needs = "".join(f'{name} = {{ path = "../{name}" }}\n' for name in calls)
    head = '[package]\nname = "all"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n'
    written(directory / "all/Cargo.toml", head + needs)
    written(directory / "all/src/lib.rs", "")
    tests = [
        f"#[test]\nfn {name}_{at}() {{\n    {call.text};\n}}\n"
        for name, of_crate in calls.items()
        for at, call in enumerate(of_crate)
    ]
    written(directory / "all/tests/calls.rs", "\n".join([*tests, more]))
    environment = os.environ | {"RUSTFLAGS": "-D warnings", "CARGO_TARGET_DIR": str(directory / "target")}
    command = ["cargo", "test", "--offline", "--quiet", "--test", "calls"]
    ran = subprocess.run(command, cwd=directory / "all", env=environment, capture_output=True, text=True)
    assert not ran.returncode, (ran.stdout + ran.stderr)[-5000:]
    assert f"{len(tests) + more.count('#[test]')} passed" in ran.stdout


STORED = """
#[test]
fn stored() {
    let mut data = [1, 2];
    assert_eq!(failing::put(&mut data, 1, 255), Ok(()));
    assert_eq!(data, [7, 255]);
    let e = failing::put(&mut data, 5, 1).unwrap_err();
    assert_eq!((data, e.to_string().as_str()), ([7, 255], "failing.lisp:14: index out of bounds"));
    assert_eq!(failing::made(100, 5), Ok(vec![5; 100]));
    assert_eq!(twice::grown(&mut data, 600), Ok(vec![8; 600]));
    assert_eq!(data, [8, 255]);
}
"""
# What it returns has no room at first: the call is made again, and what it stored is not stored twice.
TWICE = """(defun grown (a n)
  (declare (type (simple-array (unsigned-byte 8) (*)) a) (type (unsigned-byte 16) n))
  (setf (aref a 0) (logand 255 (1+ (aref a 0))))
  (make-array n :element-type '(unsigned-byte 8) :initial-element (aref a 0)))
"""


@needs_cargo
def test_vectors_and_failures(tmp_path):
    """Of an eighth of the examples each function that can be built, and every failure."""
    calls = {}
    every = [("lisp", name) for name in LISP_CALLS] + [("python", name) for name in PYTHON_CALLS]
    for language, name in share("crates", every, 8):
        suffix, of_program = ("lisp", LISP_CALLS) if language == "lisp" else ("py", PYTHON_CALLS)
        called = {function for function, *_ in of_program[name]} - UNBUILT[language].get(name, set())
        given = [each for each in KINDS.get(name, ()) if each.partition("(")[0] in called and suffix == "py"]
        if not called:
            continue
        text = (EXAMPLES / language / f"{name}.{suffix}").read_text()
        path = written(tmp_path / f"{name}_{suffix}.{suffix}", text)
        plain = sorted(called - {each.partition("(")[0] for each in given})
        made = carrychain.build(path, tmp_path, functions=plain, kinds=given, emit="crate")
        functions = {function.written: function for function in made.functions}
        found = calls[path.stem] = []
        for function, args, wanted in of_program[name]:
            flattened = flat(args)
            if function in called and len(flattened) == len(functions[function].takes):
                values = zip(functions[function].takes, flattened, strict=True)
                if all(isinstance(t.type, Array | Bool) or not t.whole or x in t.type for t, x in values):
                    results = flat(wanted) if isinstance(wanted, tuple) else [wanted]
                    results = results if functions[function].gives else []
                    found.append(Call(path.stem, functions[function], flattened, results))
    path = written(tmp_path / "failing.lisp", FAILING)
    made = carrychain.build(path, tmp_path, emit="crate")
    functions = {function.written: function for function in made.functions}
    calls["failing"] = [
        Call("failing", functions[name], list(args), wanted) for name, args, wanted in FAILURES
    ]
    carrychain.build(written(tmp_path / "twice.lisp", TWICE), tmp_path, emit="crate")
    crate(tmp_path, calls | {"twice": []}, STORED)
    assert check(tmp_path / "failing.cert", path).equal
    source = tmp_path / "failing/src/lib.rs"
    written(source, source.read_text() + "\n")
    assert check(tmp_path / "failing.cert", path) == (
        False,
        "failing/src/lib.rs is not the file that was certified",
    )


def test_the_crate_is_for_its_target(tmp_path):
    """Its library is; and another prefix is refused."""
    path = written(tmp_path / "f.lisp", "(defun f (x) (declare (type (unsigned-byte 8) x)) x)")
    carrychain.build(path, tmp_path, emit="crate", target="riscv64-linux-gnu")
    assert '"riscv64-linux"' in (tmp_path / "f/build.rs").read_text()
    with pytest.raises(ValueError, match="a prefix is for names in C"):
        carrychain.build(path, tmp_path, emit="crate", prefix="a_")
