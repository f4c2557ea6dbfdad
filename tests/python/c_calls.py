"""A C program that calls built functions, and compares what they return.

It links the libraries with nothing else. Its malloc fails at the call that it is told to, and it counts what
is not freed.
"""

import subprocess
from pathlib import Path
from typing import NamedTuple

from carrychain.ring.ir.form import Array, Bool
from carrychain.ring.library.interface import CODES, CFunction, elements, word_type

WARNINGS = ["-Wall", "-Wextra", "-Werror"]

TOP = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cc_failure failure;
static int wrong;
static long live, left = -1;

#ifdef __cplusplus
extern "C" {
#endif
void *__real_malloc(size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void __wrap_free(void *block);
#ifdef __cplusplus
}
#endif

void *__wrap_malloc(size_t size)
{
	if (left >= 0 && left-- == 0)
		return NULL;
	live++;
	return __real_malloc(size);
}

void __wrap_free(void *block)
{
	live -= block != NULL;
	__real_free(block);
}

static void check(int number, int as_wanted)
{
	if (as_wanted && !live)
		return;
	printf("call %d: %s:%u:%u %s\\n", number, failure.file, failure.line, failure.column, failure.message);
	wrong = 1;
}

"""

# The same without a libc, for Linux on RISC-V, and for a Cortex-M3 without a system, whose debugger is told
# the status: the number of a wrong call, and 1.
BARE = """
static struct cc_failure failure;
static int wrong;
static long left = -1, live;
static char memory[1 << 20], *free_memory = memory;

void *__wrap_malloc(size_t size);
void __wrap_free(void *block);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
int main(void);
void _start(void);

void *__wrap_malloc(size_t size)
{
	char *block = free_memory;

	if (left >= 0 && left-- == 0)
		return NULL;
	live++;
	free_memory += (size + 15) & ~(size_t)15;
	return block;
}

void __wrap_free(void *block)
{
	live -= block != NULL;
}

void *memcpy(void *to, const void *from, size_t size)
{
	return memmove(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
	volatile char *a = to;
	const char *b = from;
	size_t i;

	for (i = 0; i < size; i++)
		if (a < b)
			a[i] = b[i];
		else
			a[size - 1 - i] = b[size - 1 - i];
	return to;
}

void *memset(void *to, int byte, size_t size)
{
	volatile char *a = to;

	while (size--)
		a[size] = (char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const volatile char *x = a, *y = b;

	while (size--)
		if (*x++ != *y++)
			return 1;
	return 0;
}

static void check(int number, int as_wanted)
{
	if (!wrong && (!as_wanted || live))
		wrong = number + 1;
	free_memory = memory;
}

#ifdef __riscv
void _start(void)
{
	register long status __asm__("a0") = main();
	register long number __asm__("a7") = 93;

	__asm__ volatile("ecall" : : "r"(status), "r"(number));
}
#else
void _start(void)
{
	uint32_t told[] = {0x20026, (uint32_t)main()};
	register uint32_t call __asm__("r0") = 0x20;
	register uint32_t *with __asm__("r1") = told;

	__asm__ volatile("bkpt 0xab" : : "r"(call), "r"(with) : "memory");
}

/* libgcc's, of a division by zero */
int raise(int number);

int raise(int number)
{
	return number;
}

/* the stack's end, and what runs first */
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {0x20400000, (uintptr_t)_start};
#endif

"""

WRAPPED = ["-Wl,--wrap=malloc,--wrap=free"]


class CFailure(NamedTuple):
    """What a call returns if a check fails: the code, and the line if there is one."""

    code: str
    line: int | None = None


class CCall(NamedTuple):
    """`given` and `wanted` are the values, or a failure, in the order of the C function's parameters."""

    function: CFunction
    given: tuple
    wanted: tuple | CFailure
    # for each array that is stored to, by its name, what it holds afterwards
    after: dict | None = None
    # the call of malloc that fails, from 0 on
    fails_at: int = -1


def flat(value) -> list:
    """A tuple's items, and those of tuples in it."""
    return [part for item in value for part in flat(item)] if isinstance(value, tuple) else [value]


def _number(value: int, bits: int, signed: bool) -> str:
    text = f"{value & (1 << bits) - 1:#x}u" + "ll" * (bits == 64)
    return f"({word_type(bits, signed)})({text})" if signed else text


def _array(type_: Array, values) -> tuple[str, str]:
    bits, signed, _ = elements(type_)
    numbers = [ord(x) if isinstance(x, str) else x for x in values]
    texts = ", ".join(_number(x, bits, signed) for x in numbers)
    return word_type(bits, signed), f"{{{texts or 0}}}"


def program(includes: list[str], calls: list[CCall], top: str = TOP) -> str:
    bodies = [_call(at, call) for at, call in enumerate(calls)]
    # many small functions compile faster than one
    functions = [f"static void call_{at}(void)\n{{\n{body}}}\n" for at, body in enumerate(bodies)]
    runs = "".join(f"\tcall_{at}();\n" for at in range(len(calls)))
    heads = "".join(f'#include "{each}"\n' for each in includes)
    return f"{heads}{top}{''.join(functions)}\nint main(void)\n{{\n{runs}\treturn wrong;\n}}\n"


def _call(at: int, call: CCall) -> str:
    lines, args, tests = [], [], []
    for number, (taken, value) in enumerate(zip(call.function.takes, call.given, strict=True)):
        name = f"a{number}"
        match taken.type:
            case Bool():
                args.append(str(int(value)))
            case Array():
                kind, text = _array(taken.type, value)
                const = "" if taken.written else "const "
                lines.append(f"{const}{kind} {name}[] = {text};")
                args += [name, str(len(value))]
                after = (call.after or {}).get(taken.name)
                if after is not None:
                    lines.append(f"const {kind} {name}_after[] = {_array(taken.type, after)[1]};")
                    tests.append(f"!memcmp({name}, {name}_after, {len(after)} * sizeof(*{name}))")
            case _ if taken.bits == 128:
                args += [_number(value, 64, False), _number(value >> 64, 64, taken.signed)]
            case _:
                args.append(_number(value, taken.bits, taken.signed))
    failed = isinstance(call.wanted, CFailure)
    results = [None] * len(call.function.gives) if failed else call.wanted
    for number, (given, value) in enumerate(zip(call.function.gives, results, strict=True)):
        _result(f"r{number}", given, value, lines, args, tests)
    code = CODES[call.wanted.code if failed else "CC_OK"][0]
    tests.insert(0, f"code == {code}")
    if failed and call.wanted.line is not None:
        tests.append(f"failure.line == {call.wanted.line}")
    lines += [
        "int code;",
        "",
        "memset(&failure, 0, sizeof(failure));",
        # a static libc allocates, too
        "live = 0;",
        f"left = {call.fails_at};",
        f"code = {call.function.name}({', '.join([*args, '&failure'])});",
        "left = -1;",
        f"check({at}, {' && '.join(tests)});",
    ]
    return "".join(f"\t{line}\n" for line in lines)


def _result(name: str, given, value, lines: list, args: list, tests: list) -> None:
    match given.type:
        case Bool():
            lines.append(f"bool {name} = false;")
            args.append(f"&{name}")
            tests += [] if value is None else [f"{name} == {int(value)}"]
        case Array():
            kind, text = _array(given.type, value or [0])
            count = given.length if value is None else len(value)
            lines.append(f"{kind} {name}[{max(count or 0, 600 if value is None else 1)}];")
            args.append(name)
            if given.counted:
                lines.append(f"size_t {name}_length = sizeof({name}) / sizeof(*{name});")
                args.append(f"&{name}_length")
                tests += [] if value is None else [f"{name}_length == {count}"]
            if value is not None:
                lines.append(f"const {kind} {name}_wanted[] = {text};")
                tests.append(f"!memcmp({name}, {name}_wanted, {count} * sizeof(*{name}))")
        case _ if given.passed.container == 128:
            lines.append(f"uint64_t {name}[2];")
            args.append(name)
            halves = [] if value is None else [value, value >> 64]
            tests += [f"{name}[{k}] == {_number(half, 64, False)}" for k, half in enumerate(halves)]
        case _:
            bits, signed = given.passed.container, given.passed.negative
            lines.append(f"{word_type(bits, signed)} {name};")
            args.append(f"&{name}")
            tests += [] if value is None else [f"{name} == {_number(value, bits, signed)}"]


def compiled(
    directory: Path, includes: list[str], calls: list[CCall], linked: list[Path], *options: str
) -> Path:
    """The program, linked with these files."""
    bare = "-nostdlib" in options
    (directory / "calls.c").write_text(program(includes, calls, BARE if bare else TOP))
    compiler, *more = options or ("gcc", "-O0")
    command = [compiler, *more, *WARNINGS, "-I", directory, "-o", directory / "calls", directory / "calls.c"]
    subprocess.run([*command, *linked, *WRAPPED, *["-lgcc"] * bare], check=True)
    return directory / "calls"


def assert_all(
    directory: Path, includes: list[str], calls: list[CCall], linked: list[Path], *options: str
) -> None:
    """Every call returns what is wanted."""
    assert calls
    ran = subprocess.run(
        [compiled(directory, includes, calls, linked, *options)], capture_output=True, text=True
    )
    where = ran.stdout.partition(":")[0].removeprefix("call ")
    assert ran.returncode == 0, (ran.stdout, calls[int(where)] if where.isdigit() else ran.stderr)
