"""Functions built for C: called from C programs that link nothing else."""

import json
import os
import re
import shutil
import subprocess
from inspect import signature
from pathlib import Path

import carrychain
import pytest
from c_calls import WARNINGS, CCall, CFailure, assert_all, compiled, flat
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import Int
from carrychain.ring.library.build import check
from carrychain.ring.library.certificate import digest
from draws import share
from test_examples_python import CALLS as PYTHON_CALLS
from test_examples_python import example
from test_ring_front_examples import CALLS as LISP_CALLS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# What an object may call: of C, and of the compiler for divisions of 128 bits.
OUTSIDE = {"malloc", "free", "memcpy", "memmove", "memset", "_GLOBAL_OFFSET_TABLE_"}
OUTSIDE |= {"__udivti3", "__umodti3", "__divti3", "__modti3"}

# What is called of the examples, but has integers that stay big, or lists of them.
UNBUILT = {
    "lisp": {
        "blowfish": {"blowfish-encrypt", "blowfish-decrypt"},
        "siphash": {"siphash"},
        "paper": {"add-a"},
        # nothing is declared
        "plain": {
            *("sorted-middle", "found", "shortest-paths", "edit-distance", "primes-below", "sets-left"),
            *("distances", "queens"),
        },
    },
    "python": {
        "blowfish": {"decrypt"},
        "mt19937": {"numbers"},
        "pcg64": {"numbers"},
        # its ints have no widths
        "plain": {
            *("binom", "collatz", "fib", "knapsack", "longest_collatz", "matrices", "partitions", "queens"),
        },
        "sha512": {"sha512"},
        "speck": {"encrypt", "decrypt"},
        "string_hashes": {"djb2_exact", "sdbm_exact"},
    },
}
# Kinds that a library needs, because the annotations say int.
KINDS = {
    "adler32": ["adler32(bytes, u32) -> u32"],
    "chacha20": ["chacha20_block(bytes, u32, bytes) -> bytes", "chacha20(bytes, u32, bytes, bytes) -> bytes"],
    "crc32": ["crc32(bytes, u32) -> u32", "crc32_bitwise(bytes) -> u32"],
    "keccak": ["shake128(bytes, u16) -> bytes"],
    "mt19937": ["nth(u32, u32) -> u32"],
    "murmur3": ["murmur3_128(bytes, u32) -> u128"],
    "pcg64": ["nth(u128, u128, u8) -> u64"],
    "plain": ["digit_sums(u32)", "isqrt(u64) -> u64", "sum_of_squares(u16) -> u64"],
    "xoshiro256": ["splitmix64(u64)", "following(tuple[u64, u64, u64, u64])"],
    "xxhash64": ["xxh64(bytes, u64) -> u64"],
}


def symbols(path: Path) -> set[str]:
    """What the object needs of others."""
    lines = subprocess.run(["nm", "-u", path], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"U (\S+)", lines))


def built(path: Path, directory: Path, **options) -> dict:
    """The functions by their names in the source."""
    made = carrychain.build(path, directory, **options)
    return {function.written: function for function in made.functions}


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("built")


def vectors(language: str, calls: dict, directory: Path, kinds: dict, of: int, target: str | None) -> tuple:
    """The headers, calls and libraries of one in `of` programs: the vectors of what can be built."""
    made, includes, linked = [], [], []
    for name in share(f"built {language} {target}", calls, of):
        of_program = calls[name]
        path = EXAMPLES / language / f"{name}.{'py' if language == 'python' else 'lisp'}"
        called = {function for function, *_ in of_program} - UNBUILT[language].get(name, set())
        if not called:
            continue
        given = [each for each in kinds.get(name, ()) if each.partition("(")[0] in called]
        annotated = sorted(called - {each.partition("(")[0] for each in given})
        functions = built(path, directory, functions=annotated, kinds=given, prefix=f"{name}_", target=target)
        assert set(functions) == called
        for function, args, wanted in of_program:
            if function in called:
                c, args = functions[function], defaulted(language, name, function, args)
                if not any(taken.whole and x not in taken.type for taken, x in scalars(c, flat(args))):
                    made.append(CCall(c, tuple(flat(args)), tuple(flat(wanted)) if c.gives else ()))
        includes.append(f"{name}.h")
        linked.append(directory / f"lib{name}.a")
        if target is None:
            assert symbols(directory / f"{name}.o") <= OUTSIDE
    return includes, made, linked


def defaulted(language: str, name: str, function: str, args: tuple) -> tuple:
    if language == "lisp":
        return args
    bound = signature(getattr(example(name), function)).bind(*args)
    bound.apply_defaults()
    return bound.args


def scalars(function, args: list) -> list:
    pairs = zip(function.takes, args, strict=True)
    return [(taken, x) for taken, x in pairs if isinstance(taken.type, Int)]


def test_vectors_of_lisp_programs(directory):
    assert_all(directory / "lisp", *vectors("lisp", LISP_CALLS, directory / "lisp", {}, 3, None))


def test_vectors_of_python_programs(directory):
    found = vectors("python", PYTHON_CALLS, directory / "python", KINDS, 3, None)
    assert_all(directory / "python", *found)


# A check of each kind, by its line; (f 1 0) and the like fail where the table says.
FAILING = """(deftype u8 () '(unsigned-byte 8))
(deftype octets () '(simple-array u8 (*)))
(defun quotient (x y)
  (declare (type (signed-byte 32) x y))
  (floor x
         y))
(defun element (a i)
  (declare (type octets a) (type (signed-byte 64) i))
  (aref a
        i))
(defun put (a i x)
  (declare (type octets a) (type (unsigned-byte 16) i x))
  (setf (aref a 0) 7)
  (setf (aref a i)
        x)
  nil)
(defun narrow (x)
  (declare (type (unsigned-byte 16) x))
  (the u8
       (* x x)))
(defun even-half (x)
  (declare (type (integer 0 1000) x))
  (when (oddp x)
    (error "odd {0}"))
  (ash x -1))
(defun made (n x)
  (declare (type (integer -3 100) n) (type u8 x))
  (make-array n :element-type 'u8
                :initial-element x))
(defun pair (a)
  (declare (type (simple-array (unsigned-byte 64) (*)) a))
  (values (aref a 0) (aref a
                           1)
          (evenp (aref a 0))))
(defun root (x)
  (declare (type (signed-byte 64) x))
  (isqrt
    x))
(defun helped (a i)
  (declare (type octets a) (type (unsigned-byte 32) i))
  (logxor (element a i) (element a (- i 1))))
(defun bits (a)
  (declare (type (simple-array bit (*)) a))
  (loop for x across a sum x))
(defun words (n x)
  (declare (type (integer 0 9) n) (type (signed-byte 16) x))
  (make-array n :element-type '(signed-byte 16) :initial-element x))
(defun big-word (x y)
  (declare (type (signed-byte 128) x) (type (unsigned-byte 100) y))
  (values (logxor x y) (mod x 1000003)))
(defun backwards (a)
  (declare (type octets a))
  (let ((found (make-array (length a) :element-type 'u8)))
    (dotimes (i (length a) found)
      (setf (aref found i) (aref a (- (length a) i 1))))))
(defun same (a)
  (declare (type octets a))
  a)
(defun far (a i j)
  (declare (type octets a) (type (signed-byte 64) i j))
  (setf (aref a (* i j))
        9)
  (aref a (+ i
             j)))
(defun vast (n m)
  (declare (type (unsigned-byte 40) n m))
  (length (make-array (* n m) :element-type 'u8)))
"""
INDEX, RANGE, ZERO = "CC_EINDEX", "CC_ERANGE", "CC_EZERODIVIDE"
# Function, arguments, and values or a code and a line.
FAILURES = [
    ("quotient", (-7, 2), (-4, 1)),
    ("quotient", (-7, 0), CFailure(ZERO, 5)),
    ("quotient", (-(1 << 31), -1), (1 << 31, 0)),
    ("element", (b"abc", 2), (99,)),
    ("element", (b"abc", 3), CFailure(INDEX, 9)),
    ("element", (b"abc", -1), CFailure(INDEX, 9)),
    ("element", (b"", 0), CFailure(INDEX, 9)),
    ("element", (b"abc", -(1 << 63)), CFailure(INDEX, 9)),
    ("narrow", (15,), (225,)),
    ("narrow", (16,), CFailure(RANGE, 19)),
    ("narrow", (0xFFFF,), CFailure(RANGE, 19)),
    ("even-half", (1000,), (500,)),
    ("even-half", (7,), CFailure("CC_EINVAL", 24)),
    ("even-half", (1001,), CFailure(RANGE, 21)),
    ("even-half", (0xFFFF,), CFailure(RANGE, 21)),
    ("made", (3, 5), (b"\5\5\5",)),
    ("made", (0, 5), (b"",)),
    ("made", (100, 0), (bytes(100),)),
    ("made", (-1, 5), CFailure(RANGE, 28)),
    ("made", (-4, 5), CFailure(RANGE, 26)),
    ("made", (101, 5), CFailure(RANGE, 26)),
    ("pair", ([1 << 63, 5],), (1 << 63, 5, True)),
    ("pair", ([7, 0],), (7, 0, False)),
    ("pair", ([7],), CFailure(INDEX, 32)),
    ("pair", ([],), CFailure(INDEX, 32)),
    ("root", ((1 << 63) - 1,), (3037000499,)),
    ("root", (-1,), CFailure(RANGE, 37)),
    ("helped", (b"\1\2", 1), (3,)),
    ("helped", (b"\1\2", 0), CFailure(INDEX, 9)),
    ("helped", (b"\1\2", 2), CFailure(INDEX, 9)),
    ("bits", ([1, 0, 1, 1],), (3,)),
    ("bits", ([1, 0, 2],), CFailure(RANGE, 42)),
    ("words", (3, -5), ([-5, -5, -5],)),
    ("words", (9, 0x7FFF), ([0x7FFF] * 9,)),
    ("words", (10, 0), CFailure(RANGE, 45)),
    ("big-word", (-(1 << 127), (1 << 100) - 1), (-(1 << 127) ^ (1 << 100) - 1, -(1 << 127) % 1000003)),
    ("big-word", (5, 1 << 100), CFailure(RANGE, 48)),
    ("backwards", (b"abc",), (b"cba",)),
    ("same", (b"abc",), (b"abc",)),
    ("far", (b"abc", 1, 1), (99,)),
    ("far", (b"abc", -1, -2), CFailure(INDEX, 63)),
    ("far", (b"abc", 1 << 62, 4), CFailure(INDEX, 61)),
    ("far", (b"abc", -(1 << 63), 1 << 63 - 1), CFailure(INDEX, 61)),
    ("far", (b"abc", -1, 2), CFailure(INDEX, 61)),
    ("far", (b"abc", 0, (1 << 63) - 1), CFailure(INDEX, 63)),
    ("vast", (3, 5), (15,)),
    ("vast", (1 << 32, 1 << 32), CFailure("CC_ENOMEM", 67)),
    ("vast", ((1 << 40) - 1, (1 << 40) - 1), CFailure("CC_ENOMEM", 67)),
]


@pytest.fixture(scope="module")
def failing(directory) -> dict:
    """The functions of FAILING, by their names."""
    functions = built(written(directory / "failing.lisp", FAILING), directory)
    assert len(functions) == len(re.findall(r"^\(defun ", FAILING, re.MULTILINE))
    return functions


@pytest.mark.parametrize(
    "options", [("gcc", "-O0"), ("gcc", "-O2", "-fsanitize=address,undefined"), ("g++",)]
)
def test_failures_tell_code_and_line(directory, failing, options):
    calls = [CCall(failing[name], given, wanted) for name, given, wanted in FAILURES]
    # what was stored before the failure stays; an argument that is refused stops before that
    put = failing["put"]
    calls += [
        CCall(put, (b"\1\2", 1, 255), (), {"a": b"\7\xff"}),
        CCall(put, (b"\1\2", 1, 256), CFailure(RANGE, 14), {"a": b"\7\2"}),
        CCall(put, (b"\1\2", 2, 1), CFailure(INDEX, 14), {"a": b"\7\2"}),
    ]
    # each call of malloc fails in turn
    calls += [CCall(failing["made"], (3, 5), CFailure("CC_ENOMEM", 28), fails_at=0)]
    calls += [CCall(failing["backwards"], (b"abc",), CFailure("CC_ENOMEM"), fails_at=0)]
    assert_all(directory, ["failing.h"], calls, [directory / "libfailing.a"], *options)


ROOM = """
#include "failing.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
	struct cc_failure failure;
	uint8_t out[8] = "........", data[] = "abcdef";
	size_t length = 2;

	if (made(3, 7, out, &length, &failure) != CC_ENOSPC || length != 3 || failure.line != 26)
		return 1;
	if (memcmp(out, "........", 8) || strcmp(failure.file, "failing.lisp"))
		return 2;
	if (made(3, 7, out, &length, NULL) || length != 3 || memcmp(out, "\\7\\7\\7.....", 8))
		return 3;
	length = 0;
	if (made(0, 7, NULL, &length, NULL) || length)
		return 4;
	/* a result may go where an argument is */
	length = 6;
	if (same(data, 5, data + 1, &length, NULL) || length != 5 || strcmp((char *)data, "aabcde"))
		return 5;
	length = 6;
	if (backwards(data, 6, data, &length, NULL) || strcmp((char *)data, "edcbaa"))
		return 6;
	/* nothing is told, and nothing stored, where nothing fails */
	memset(&failure, 5, sizeof(failure));
	if (even_half(8, &(uint16_t){0}, &failure) || failure.line != 0x05050505)
		return 7;
	if (even_half(7, &(uint16_t){0}, &failure) != CC_EINVAL || strcmp(failure.message, "odd {0}"))
		return 8;
	if (even_half(1001, &(uint16_t){0}, &failure) != CC_ERANGE)
		return 9;
	puts(failure.message);
	return 0;
}
"""


def test_room_for_results(directory, failing):
    (directory / "room.c").write_text(ROOM)
    run = ["gcc", "-std=c17", "-pedantic-errors", *WARNINGS, "room.c", "libfailing.a", "-o", "room"]
    subprocess.run(run, cwd=directory, check=True)
    ran = subprocess.run(["./room"], cwd=directory, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "x is not of type int[0,1000]\n")


ALONE = """
#include "failing.h"
#include <stdio.h>

int main(void)
{
	struct cc_failure failure;
	uint8_t out[100];
	size_t length = sizeof(out);
	FILE *file = fopen("/room", "r");

	if (!file || fgetc(file) != EOF)
		return 1;
	if (made(100, 7, out, &length, NULL) || length != 100 || out[99] != 7)
		return 2;
	if (element(out, 100, 100, out, &failure) != CC_EINDEX || failure.line != 9)
		return 3;
	puts(failure.message);
	return 0;
}
"""


@pytest.mark.parametrize("linked", ["libfailing.a", "failing.c"])
def test_alone_in_a_root(directory, failing, linked, tmp_path):
    """A program needs no file but itself, by the library as by the source."""
    if linked.endswith(".c"):
        carrychain.build(directory / "failing.lisp", tmp_path, emit="c")
    else:
        shutil.copy(directory / linked, tmp_path)
        shutil.copy(directory / "failing.h", tmp_path)
    written(tmp_path / "alone.c", ALONE)
    root = tmp_path / "root"
    root.mkdir()
    (root / "room").touch()
    subprocess.run(["gcc", "-O2", "-static", *WARNINGS, "alone.c", linked, "-o", "root/alone"], cwd=tmp_path,
                   check=True)  # fmt: skip
    enter = ["unshare", "--user", "--map-root-user", "chroot", root]
    if os.geteuid() == 0:
        enter = ["chroot", root]
    elif subprocess.run([*enter[:-2], "true"], capture_output=True).returncode:
        pytest.skip("an ordinary user may not chroot here")
    ran = subprocess.run([*enter, "/alone"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "index out of bounds\n"), ran.stderr


def test_the_header_stands_alone(directory, failing):
    root = EXAMPLES.parent
    text = '#include <carrychain/word.h>\n#include "failing.h"\n#include "failing.h"\n#include "other.h"\n'
    built(written(directory / "other.lisp", "(defun two () 2)"), directory)
    for compiler, standard in (("gcc", "c99"), ("gcc", "c17"), ("g++", "c++11")):
        language = "c++" if compiler == "g++" else "c"
        for source in (text, '#include "failing.h"\n'):
            subprocess.run(
                [compiler, f"-std={standard}", "-pedantic-errors", *WARNINGS, "-I", root / "include", "-I",
                 directory, "-x", language, "-fsyntax-only", "-"], input=source, text=True, check=True,
            )  # fmt: skip


def test_nothing_is_needed_where_nothing_is_made(directory, failing):
    text = FAILING.partition("(defun made")[0] + "(defun bits2 (a) (declare (type octets a)) (aref a 0))"
    built(written(directory / "bare.lisp", text), directory)
    assert symbols(directory / "bare.o") <= {"_GLOBAL_OFFSET_TABLE_"}
    data = subprocess.run(["nm", directory / "bare.o"], check=True, capture_output=True, text=True).stdout
    # no state: nothing that may be written
    assert not re.findall(r" [BbDGgSs] ", data)


def test_the_same_source_gives_the_same_files(directory, tmp_path):
    path = written(tmp_path / "failing.lisp", FAILING)
    for at in ("first", "second"):
        built(path, tmp_path / at)
    for name in ("failing.o", "libfailing.a", "failing.h", "failing.cert"):
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


@pytest.mark.parametrize("emit", ["object", "c"])
def test_certificates(emit, tmp_path):
    """What is certified is built again, and is equal until a file or the source changes."""
    path = written(tmp_path / "failing.lisp", FAILING)
    files = carrychain.build(path, tmp_path, functions=["element", "made"], prefix="p_", emit=emit).files
    found = files[-1]
    assert json.loads(found.read_text())["checks"]["without"] == {}
    assert check(found, path) == (True, "")
    for file in files[:-1]:
        data = file.read_bytes()
        file.write_bytes(data + b"x")
        assert check(found, path) == (False, f"{file.name} is not the file that was certified")
        # the certificate is changed, too
        changed = found.read_text().replace(digest(data), digest(data + b"x"))
        other = written(tmp_path / "other.cert", changed)
        assert check(other, path) == (False, f"{file.name} is another one when it is built again")
        changed = re.sub(r'"sources": "\w+"', '"sources": ""', changed)
        other = written(tmp_path / "other.cert", changed)
        by = " by another compiler (sources)"
        assert check(other, path) == (False, f"{file.name} is another one when it is built again{by}")
        file.write_bytes(data)
    assert check(found, path).equal
    other = written(tmp_path / "other.lisp", FAILING + ";")
    assert check(found, other) == (False, "the source is another one")
    with pytest.raises(ValueError, match="is not a certificate"):
        check(path, path)
    files[0].unlink()
    with pytest.raises(FileNotFoundError):
        check(found, path)


def test_the_table_of_examples():
    """The page says of each program how many functions are built, and names the others."""
    text = (EXAMPLES.parent / "docs/decisions/library-examples.md").read_text()
    found = re.findall(r"^\| (\w+)/(\w+) \| (\d+) of (\d+) \| (.*) \|$", text, re.MULTILINE)
    rows = {(language, name): (int(made), int(of), why) for language, name, made, of, why in found}
    expected = {}
    for language, calls in (("lisp", LISP_CALLS), ("python", PYTHON_CALLS)):
        for name, of_program in calls.items():
            called = {function for function, *_ in of_program}
            refused = UNBUILT[language].get(name, set())
            assert refused <= called
            expected[language, name] = len(called - refused), len(called), refused
    assert rows.keys() == expected.keys()
    for key, (made, of, why) in rows.items():
        assert (made, of, set(re.findall("`(.*?)`", why))) == expected[key], key


# Of each target: its compiler, its emulator, and options; on RISC-V without a libc, which Debian's cross
# compiler lacks.
MACHINES = {
    "aarch64-linux-gnu": ("aarch64-linux-gnu-gcc", "qemu-aarch64-static", ["-static"]),
    "armv7-linux-gnueabihf": ("arm-linux-gnueabihf-gcc", "qemu-arm-static", ["-static"]),
    "i686-linux-gnu": ("i686-linux-gnu-gcc", "qemu-i386-static", ["-static"]),
    "riscv64-linux-gnu": (
        "riscv64-linux-gnu-gcc",
        "qemu-riscv64-static",
        ["-static", "-ffreestanding", "-nostdlib", "-Wl,--no-relax"],
    ),
    # the cross compiler's libgcc is for processors that pass floats in registers, of which there are none
    "thumbv7m-none-eabi": (
        "arm-linux-gnueabihf-gcc",
        "qemu-system-arm",
        [
            *("-static", "-ffreestanding", "-nostdlib", "-mcpu=cortex-m3", "-mfloat-abi=soft"),
            "-Wl,--no-warn-mismatch,--section-start=.vectors=0,-Ttext=0x400,--build-id=none",
        ],
    ),
}
# An emulator of a whole machine.
BOARD = ["-M", "mps2-an385", "-display", "none", "-monitor", "none", "-semihosting", "-kernel"]


def assert_emulated(machine: str, directory: Path, includes: list, calls: list, linked: list) -> None:
    """Every call returns what is wanted, under qemu."""
    compiler, emulator, options = MACHINES[machine]
    path = compiled(directory, includes, calls, linked, compiler, *options)
    board = BOARD if "system" in emulator else []
    ran = subprocess.run([emulator, *board, path], capture_output=True, text=True, timeout=300)
    assert calls and ran.returncode == 0, (ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture(params=MACHINES)
def machine(request) -> str:
    *needed, _ = MACHINES[request.param]
    if not all(map(shutil.which, needed)):
        pytest.skip(f"needs {' and '.join(needed)}")
    return request.param


def test_failures_on_other_machines(machine, tmp_path):
    functions = built(written(tmp_path / "failing.lisp", FAILING), tmp_path, target=machine)
    calls = [CCall(functions[name], given, wanted) for name, given, wanted in FAILURES]
    assert_emulated(machine, tmp_path, ["failing.h"], calls, [tmp_path / "libfailing.a"])


def test_vectors_on_other_machines(machine, tmp_path):
    """Of a tenth of the programs."""
    for language, calls, kinds in (("lisp", LISP_CALLS, {}), ("python", PYTHON_CALLS, KINDS)):
        found = vectors(language, calls, tmp_path / language, kinds, 10, machine)
        # none of these may be one that can be built
        if found[1]:
            assert_emulated(machine, tmp_path / language, *found)


REFUSED = {
    "lisp": [
        ("(defun f (x y) (+ x y))", "f cannot be built: x stayed big (1:1)"),
        ("(defun f (x)\n  (declare (type (unsigned-byte 64) x))\n  (* x\n     x x))",
         "f cannot be built: (* x x x) stayed big (3:3)"),
        ("(defun f (n) (declare (type (unsigned-byte 8) n)) (if (= n 0) 0 (f (- n 1))))",
         "f cannot be built: it calls itself, and a library has no limit of the stack's depth"),
        ("(defun f (&optional (n 1)) (declare (type (unsigned-byte 8) n)) n)",
         "f cannot be built: it has an argument that may be left out, or be of several kinds"),
        ("(defun f (n) (declare (type (unsigned-byte 8) n)) (if (= n 0) nil n))",
         "f cannot be built: it returns values of several kinds, or a varying number of values"),
        ("(defparameter *a* (make-array 2 :element-type '(unsigned-byte 8) :initial-element 0))\n"
         "(defun f () (setf (aref *a* 0) 1) (aref *a* 1))",
         "f cannot be built: it changes or returns the program's own array *a*"),
        ("(defun f (a) (declare (type (simple-array integer (*)) a)) (length a))",
         "f cannot be built: a value of type array(int) stayed big"),
    ],
    "py": [
        ("def f(x: int):\n    return x * x\n", "f cannot be built: x stayed big (1:1)"),
        ("def f(x):\n    return x\n",
         "f cannot be built: its parameters have no kinds: annotate them, or give --kinds"),
        ("def f(x: bool):\n    return 1 if x else None\n",
         "f cannot be built: it returns values of several kinds"),
        ("import nothing_like_this\n", "ModuleNotFoundError: No module named 'nothing_like_this'"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "why"), [(kind, *row) for kind in REFUSED for row in REFUSED[kind]])
def test_what_is_refused(kind, text, why, tmp_path):
    path = written(tmp_path / f"refused.{kind}", text)
    with pytest.raises(SourceError) as refused:
        carrychain.build(path, tmp_path, functions=["f"])
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not list(tmp_path.glob("*.o"))


def test_the_rest_of_a_file_may_be_anything(tmp_path):
    """What cannot be compiled is left out, if functions are asked for; nor does quoting read it."""
    text = (
        "(set-dispatch-macro-character #\\# #\\@ (lambda (s c n) (read s t nil t) n))\n"
        '(defclass state () ())\n(defun unfit (x) (warn "no") x)\n'
        "(defun f (n) (declare (type (unsigned-byte 8) n)) (+ n #.(+ 1 2) #4@7))\n"
    )
    path = written(tmp_path / "rest.lisp", text)
    assert [each.name for each in carrychain.build(path, tmp_path, functions=["f"]).functions] == ["f"]
    with pytest.raises(SourceError, match=r"rest.lisp:2:1: defclass makes objects"):
        carrychain.build(path, tmp_path)
    with pytest.raises(SourceError, match=r"rest.lisp:3:18: warn is not a known function"):
        carrychain.build(path, tmp_path, functions=["unfit"])


def test_wrong_uses(tmp_path):
    path = written(
        tmp_path / "p.py", "from carrychain import u8\ndef f(x: u8): return x\ndef f_(x: u8): return x\n"
    )
    length = written(tmp_path / "length.py", "def f(x): return len(x)")
    lisp = written(tmp_path / "p.lisp", "(defun a-b () 1) (defun a_b () 2)")
    for options, why in (
        ({"functions": ["g"]}, "p.py has no function 'g'; it has f, f_"),
        ({"kinds": ["g(u8)"]}, "p.py has no function 'g'; it has f, f_"),
        ({"kinds": ["f(u8"]}, "'f(u8' is not written as f(bytes, u32) -> u32"),
        ({"kinds": ["f(u9)"]}, "u9 is no kind: write bytes"),
        ({"target": "vax-dec-ultrix"}, "no target 'vax-dec-ultrix': the targets are x86_64-linux-gnu"),
        ({"prefix": "1_"}, "'1_' begins no name in C"),
    ):
        with pytest.raises(ValueError, match=re.escape(why)):
            carrychain.build(path, tmp_path, **options)
    with pytest.raises(ValueError, match="a-b and a_b would both be a_b in C"):
        carrychain.build(lisp, tmp_path)
    with pytest.raises(ValueError, match="kinds are for functions in Python"):
        carrychain.build(lisp, tmp_path, kinds=["a-b()"])
    with pytest.raises(SourceError, match="f cannot be built: it returns int, and not always bool"):
        carrychain.build(path, tmp_path, kinds=["f(u8) -> bool"])
    with pytest.raises(SourceError, match="f cannot be built: it returns int, and not always u8"):
        carrychain.build(path, tmp_path, kinds=["f(u16) -> u8"])
    with pytest.raises(SourceError, match="f cannot be built: it takes 1 arguments, and 2 kinds are given"):
        carrychain.build(path, tmp_path, kinds=["f(u8, u8)"])
    with pytest.raises(SourceError, match="an array that it takes or returns has elements of 128 bits"):
        carrychain.build(length, tmp_path, kinds=["f(list[u128])"])
    with pytest.raises(FileNotFoundError):
        carrychain.build(tmp_path / "none.lisp", tmp_path)
