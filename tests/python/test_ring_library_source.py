"""C source of built functions beside their objects, by several compilers: the same vectors, and random input.

A C program calls both with the same arguments, and compares codes, lines, results and arrays.
"""

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import carrychain
import pytest
from c_calls import WARNINGS, CCall, CFailure, assert_all
from carrychain.ring.ir.errors import SourceError
from carrychain.ring.ir.form import Array, Bool
from carrychain.ring.library.interface import CFunction, elements, word_type
from draws import seed, share
from test_examples_python import CALLS as PYTHON_CALLS
from test_ring_front_examples import CALLS as LISP_CALLS
from test_ring_library import EXAMPLES, FAILING, FAILURES, KINDS, MACHINES, UNBUILT, written

SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILERS = [
    ["gcc", "-O0"],
    ["gcc", "-O3"],
    ["clang", "-O3"],
    ["gcc", "-O1", *SANITIZED],
]
# Random calls of each function, of which some take long.
TIMES = 10_000
# What takes as long as its arguments are apart.
ENDLESS = {"sum-of-range"}
# The greatest value of arguments that say how long a call takes.
MOST = {"count": 30, "steps": 1 << 20, "n": 200, "m": 200, "below": 200, "length": 400}

TOP = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = SEED;

static uint64_t drawn(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1d;
}

/* Of any length, all ones, or near a bound. */
static uint64_t number(void)
{
	uint64_t x = drawn();

	switch (drawn() % 8) {
	case 0:
		return x & 3;
	case 1:
		return ~(x & 3);
	case 2:
		return ((uint64_t)1 << x % 64) - (x >> 62 & 1);
	case 3:
		return x;
	default:
		return x >> drawn() % 64;
	}
}

static uint64_t among(uint64_t low, uint64_t high)
{
	return high - low == UINT64_MAX ? number() : low + number() % (high - low + 1);
}

static void wrong(const char *name, int a, int b, struct cc_failure *f, struct cc_failure *g)
{
	printf("%s: %d at %u, %d at %u\\n", name, a, f->line, b, g->line);
	exit(1);
}

"""


def body(function: CFunction) -> str:
    """Calls the function of the object, `o_`, and of the source, `c_`, with random arguments."""
    name = function.name.removeprefix("o_")
    lines = ["struct cc_failure f = {0, 0, NULL, NULL}, g = f;", "int a, b, same;"]
    before, args, other, tests = [], [], [], []
    for at, taken in enumerate(function.takes):
        x = f"a{at}"
        match taken.type:
            case Bool():
                lines.append(f"bool {x} = drawn() & 1;")
                args.append(x)
                other.append(x)
            case Array():
                bits, signed, _ = elements(taken.type)
                kind = word_type(bits, signed)
                lines.append(f"static {kind} {x}[201], {x}_too[201];")
                lines.append(f"size_t {x}_length = drawn() % 8 ? drawn() % 40 : drawn() % 200;")
                low, high = taken.type.element.low, taken.type.element.high
                value = (
                    f"({kind})among({low}, UINT64_C({high}))" if high < 1 << 64 and low >= 0 else "number()"
                )
                before.append(f"for (size_t i = 0; i < 201; i++)\n\t\t{x}[i] = {x}_too[i] = {value};")
                # now and then one that is refused
                before.append(f"if (drawn() % 64 == 0)\n\t\t{x}[0] = {x}_too[0] = ({kind})number();")
                args += [x, f"{x}_length"]
                other += [f"{x}_too", f"{x}_length"]
                tests.append(f"!memcmp({x}, {x}_too, sizeof({x}))")
            case _ if taken.bits == 128:
                lines += [f"uint64_t {x}_low = number();"]
                lines += [
                    f"{word_type(64, taken.signed)} {x}_high = ({word_type(64, taken.signed)})number();"
                ]
                args += [f"{x}_low", f"{x}_high"]
                other += [f"{x}_low", f"{x}_high"]
            case _:
                kind = word_type(taken.bits, taken.signed)
                most = MOST.get(taken.name)
                value = f"among(0, {most})" if most else "number()"
                if not most and taken.whole and taken.type.low >= 0:
                    value = (
                        f"(drawn() % 16 ? among({taken.type.low}, UINT64_C({taken.type.high})) : number())"
                    )
                lines.append(f"{kind} {x} = ({kind}){value};")
                args.append(x)
                other.append(x)
    for at, given in enumerate(function.gives):
        r = f"r{at}"
        if isinstance(given.type, Array):
            bits, signed, _ = elements(given.type)
            kind = word_type(bits, signed)
            lines.append(f"static {kind} {r}[1000], {r}_too[1000];")
            if given.counted:
                lines.append(
                    f"size_t {r}_length = drawn() % 4 ? 1000 : drawn() % 64, {r}_length_too = {r}_length;"
                )
                tests.append(f"{r}_length == {r}_length_too")
            args += [r, *([f"&{r}_length"] if given.counted else [])]
            other += [f"{r}_too", *([f"&{r}_length_too"] if given.counted else [])]
        else:
            if isinstance(given.type, Bool):
                kind = "bool"
            elif given.passed.container == 128:
                kind = "uint64_t"
            else:
                kind = word_type(given.passed.container, given.passed.negative)
            lines.append(f"{kind} {r}[2] = {{0, 0}}, {r}_too[2] = {{0, 0}};")
            args.append(r)
            other.append(f"{r}_too")
        tests.append(f"!memcmp({r}, {r}_too, sizeof({r}))")
    lines += ["", *before]
    lines.append(f"a = o_{name}({', '.join([*args, '&f'])});")
    lines.append(f"b = c_{name}({', '.join([*other, '&g'])});")
    compared = " && ".join(tests or ["1"])
    lines.append(f"same = a == b && f.line == g.line && f.column == g.column && {compared};")
    lines.append(f'if (!same || (a && (strcmp(f.file, g.file) || strcmp(f.message, g.message))))\n'
                 f'\t\twrong("{name}", a, b, &f, &g);')  # fmt: skip
    return f"static void try_{name}(void)\n{{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


def compared(includes: list[str], functions: list[CFunction], times: int) -> str:
    heads = "".join(f'#include "{each}"\n' for each in includes)
    bodies = "\n".join(map(body, functions))
    runs = "".join(
        f"\tfor (int i = 0; i < {times}; i++)\n\t\ttry_{each.name.removeprefix('o_')}();\n"
        for each in functions
    )
    top = TOP.replace("SEED", f"UINT64_C({seed('library source') | 1})")
    return f"{heads}{top}{bodies}\nint main(void)\n{{\n{runs}\treturn 0;\n}}\n"


def both(path: Path, directory: Path, stem: str, target: str | None, **options) -> list[CFunction]:
    """Builds the object with names that begin with o_, and the source with c_; returns the functions."""
    for kind in ("o", "c"):
        part = directory / kind
        made = carrychain.build(
            path,
            part,
            prefix=f"{kind}_{stem}_",
            emit="c" if kind == "c" else "object",
            target=None if kind == "c" else target,
            **options,
        )
        (part / f"{stem}.h").rename(directory / f"{kind}_{stem}.h")
        if kind == "c":
            text = (part / f"{stem}.c").read_text().replace(f'"{stem}.h"', f'"c_{stem}.h"')
            (directory / f"c_{stem}.c").write_text(text)
        else:
            functions = made.functions
    return functions


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> tuple[Path, list[str], list[CFunction]]:
    return drawn(tmp_path_factory.mktemp("both"), 8)


def drawn(directory: Path, of: int, target: str | None = None) -> tuple[Path, list[str], list[CFunction]]:
    """One in so many of the examples, built both ways, objects for the target; their stems and functions."""
    stems, functions = [], []
    every = [("lisp", name) for name in LISP_CALLS] + [("python", name) for name in PYTHON_CALLS]
    for language, name in share(f"library source {target}", every, of):
        path = EXAMPLES / language / f"{name}.{'py' if language == 'python' else 'lisp'}"
        stem = f"{name}_{language}"
        source = written(directory / f"{stem}{path.suffix}", path.read_text())
        called = {f for f, *_ in (LISP_CALLS if language == "lisp" else PYTHON_CALLS)[name]} - ENDLESS
        kinds = KINDS.get(name, []) if language == "python" else []
        wanted = sorted(
            called - UNBUILT[language].get(name, set()) - {each.partition("(")[0] for each in kinds}
        )
        if not wanted and not kinds:
            continue
        functions += both(source, directory, stem, target, functions=wanted[:40], kinds=kinds)
        stems.append(stem)
    functions += both(written(directory / "failing.lisp", FAILING), directory, "failing", target)
    return directory, [*stems, "failing"], functions


def includes(stems: list[str]) -> list[str]:
    """Both headers of each, which have one guard."""
    return [f"{kind}_{stem}.h" for kind, stem in itertools.product("oc", stems)]


@pytest.mark.parametrize(
    "options", [("gcc", "-O0"), ("gcc", "-O2", *SANITIZED), ("clang", "-O2", *SANITIZED)]
)
def test_source_fails_with_code_and_line(options, tmp_path):
    """At least 30 checks, each of which tells what failed, where."""
    if not shutil.which(options[0]):
        pytest.skip(f"needs {options[0]}")
    path = written(tmp_path / "failing.lisp", FAILING)
    made = carrychain.build(path, tmp_path, emit="c")
    assert [each.name for each in made.files] == ["failing.c", "failing.h", "failing.cert"]
    functions = {function.written: function for function in made.functions}
    calls = [CCall(functions[name], given, wanted) for name, given, wanted in FAILURES]
    calls += [CCall(functions["made"], (3, 5), CFailure("CC_ENOMEM", 28), fails_at=0)]
    calls += [CCall(functions["backwards"], (b"abc",), CFailure("CC_ENOMEM"), fails_at=0)]
    assert sum(isinstance(call.wanted, CFailure) for call in calls) >= 30
    assert_all(tmp_path, ["failing.h"], calls, [tmp_path / "failing.c"], *options)


def test_source_is_to_be_read(tmp_path):
    """Names and lines of the program; loops that say when they end."""
    carrychain.build(EXAMPLES / "lisp" / "sha256.lisp", tmp_path, functions=["sha256"], emit="c")
    text = (tmp_path / "sha256.c").read_text()
    for line in (
        "while (i < 16u) {",
        "const uint32_t t1 = ",
        "a = t1 + t2;",
        "/* 79: (t2 (+ (big-sigma-0 a) (maj a b c)))) */",
        "/* line 78: index out of bounds */",
    ):
        assert line in text, line
    assert not re.findall(r"goto (?!leave)", text)
    with pytest.raises(ValueError, match="C source is for every target, or for kernel"):
        carrychain.build(EXAMPLES / "lisp" / "sha256.lisp", tmp_path, emit="c", target="aarch64-linux-gnu")
    with pytest.raises(ValueError, match="no form 'rust': the forms are object, c, wheel, asdf and crate"):
        carrychain.build(EXAMPLES / "lisp" / "sha256.lisp", tmp_path, emit="rust")


# What the kernel's headers declare, by a libc's.
LINUX = {
    "types": """#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
#define S64_MIN INT64_MIN
""",
    "math64": "#define div64_u64(a, b) ((u64)(a) / (b))\n#define div64_s64(a, b) ((s64)(a) / (b))\n",
    "mm": "#define GFP_KERNEL 0\n#define kvmalloc(size, flags) malloc(size)\n",
    "slab": "#include <stdlib.h>\n#define kvfree free\n",
    "string": "#include <string.h>\n",
}


def test_source_for_linux(tmp_path):
    """It gives the same, declares first, is no wider than 100 columns, and has its program's licence."""
    # at the end of the first line, so that the others keep their numbers
    text = FAILING.replace("\n", " ; SPDX-License-Identifier: GPL-2.0 OR MIT\n", 1)
    made = carrychain.build(
        written(tmp_path / "failing.lisp", text), tmp_path, emit="c", target="kernel", prefix="k_"
    )
    wide = "it has integers of 128 bits, which the target lacks"
    # sums of two words, and their products
    assert made.unbuilt == dict.fromkeys(("big-word", "far", "vast"), wide)
    for name, text in LINUX.items():
        (tmp_path / "linux").mkdir(exist_ok=True)
        (tmp_path / f"linux/{name}.h").write_text(text)
    functions = {function.written: function for function in made.functions}
    calls = [CCall(functions[name], *rest) for name, *rest in FAILURES if name in functions]
    calls += [CCall(functions["made"], (3, 5), CFailure("CC_ENOMEM", 28), fails_at=0)]
    strict = ["-O1", "-Wdeclaration-after-statement", "-fsanitize=address,undefined"]
    assert_all(tmp_path, ["failing.h"], calls, [tmp_path / "failing.c"], "gcc", *strict)
    for name, tag in (("failing.c", "// {}"), ("failing.h", "/* {} */")):
        lines = (tmp_path / name).read_text().split("\n")
        assert lines[0] == tag.format("SPDX-License-Identifier: GPL-2.0 OR MIT")
        assert max(len(line.expandtabs(8)) for line in lines) <= 100
        assert not re.findall(r"\b(?:u?int\d+_t|U?INT64_C|malloc|free)\b", "\n".join(lines[30:]))
    with pytest.raises(SourceError, match="big-word cannot be built: it has integers of 128 bits"):
        carrychain.build(
            tmp_path / "failing.lisp", tmp_path, emit="c", target="kernel", functions=["big-word"]
        )
    with pytest.raises(ValueError, match="the target kernel has C source alone: --emit c"):
        carrychain.build(tmp_path / "failing.lisp", tmp_path, target="kernel")


@pytest.mark.parametrize("compiler", COMPILERS, ids=" ".join)
def test_source_and_object_agree(programs, compiler):
    directory, stems, functions = programs
    if not shutil.which(compiler[0]):
        pytest.skip(f"needs {compiler[0]}")
    times = TIMES // 10 if len(compiler) > 2 else TIMES
    (directory / "compared.c").write_text(compared(includes(stems), functions, times))
    objects = [directory / "o" / f"{stem}.o" for stem in stems]
    sources = [directory / f"c_{stem}.c" for stem in stems]
    program = directory / "compared"
    strict = ["-std=c17", "-pedantic-errors", *WARNINGS]
    subprocess.run([*compiler, *strict, "-I", directory, "-o", program, directory / "compared.c", *sources,
                    *objects], check=True)  # fmt: skip
    ran = subprocess.run([program], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "target", [name for name, (*_, options) in MACHINES.items() if options == ["-static"]]
)
def test_source_and_object_agree_elsewhere(target, tmp_path):
    """Under an emulator, on machines for which there is a libc."""
    compiler, emulator, options = MACHINES[target]
    for each in (compiler, emulator):
        if not shutil.which(each):
            pytest.skip(f"needs {each}")
    directory, stems, functions = drawn(tmp_path, 12, target)
    # integers of 128 bits, which a compiler for 32 bits has not
    wide = [stem for stem in stems if "cc_u128" in (directory / f"c_{stem}.c").read_text()]
    narrow = "64" not in target.partition("-")[0]
    stems = [stem for stem in stems if not (narrow and stem in wide)]
    functions = [each for each in functions if any(each.name.startswith(f"o_{stem}_") for stem in stems)]
    if not functions:
        pytest.skip("none of these is for 32 bits")
    (directory / "compared.c").write_text(compared(includes(stems), functions, TIMES // 20))
    objects = [directory / "o" / f"{stem}.o" for stem in stems]
    sources = [directory / f"c_{stem}.c" for stem in stems]
    program = directory / "compared"
    command = [compiler, "-O1", *options, *WARNINGS, "-I", directory, "-o", program, directory / "compared.c"]
    subprocess.run([*command, *sources, *objects], check=True)
    ran = subprocess.run([emulator, program], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
