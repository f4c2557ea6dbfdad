"""The files to copy are compiled alone, by the compilers that are here, and give what they should.

Bounded: a third of the files by compilers, drawn from the tree; all with CC_TEST_LONG=1.
"""

import random
import shutil
import subprocess
from itertools import product
from pathlib import Path

import carrychain
import pytest
from draws import share

ROOT = Path(__file__).resolve().parents[2]
# compilers, and what runs what they make
MACHINES = {
    "gcc": [],
    "clang": [],
    "i686-linux-gnu-gcc": ["qemu-i386-static", "-L", "/usr/i686-linux-gnu"],
    "aarch64-linux-gnu-gcc": ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
    "powerpc64-linux-gnu-gcc": ["qemu-ppc64-static", "-L", "/usr/powerpc64-linux-gnu"],
    "s390x-linux-gnu-gcc": ["qemu-s390x-static", "-L", "/usr/s390x-linux-gnu"],
}
CHECKSUM = """
#include "checksum.h"
#include <stdio.h>
#include <string.h>

static unsigned char data[4200], copied[4200];

/* RFC 1071, word by word as the network has them, and back into memory's order */
static uint16_t slowly(const unsigned char *p, size_t len)
{
	uint64_t sum = 0;
	uint16_t field;
	unsigned char bytes[2];
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? p[i] : (uint64_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	bytes[0] = (unsigned char)~(sum >> 8);
	bytes[1] = (unsigned char)~sum;
	memcpy(&field, bytes, 2);
	return field;
}

int main(void)
{
	size_t count, t, len, wrong = 0, tried = 0;
	const struct cc_cpu_tier *tiers = cc_cpu_tiers(&count);
	uint32_t x = 1;

	for (len = 0; len < sizeof(data); len++)
		data[len] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
	for (t = 0; t < count; t++) {
		cc_cpu_set_mask(tiers[t].needs);
		for (len = 0; len < 4100; len += len < 600 ? 1 : 97) {
			const unsigned char *from = data + len % 64;

			wrong += cc_checksum(from, len) != slowly(from, len);
			wrong += cc_checksum_fold(cc_checksum_copy(copied, from, len, 0)) != slowly(from, len);
			wrong += memcmp(copied, from, len) != 0;
			tried += 2;
		}
	}
	printf("%s %d\\n", wrong ? "wrong" : "right", tried > 1000);
	return wrong != 0;
}
"""


# 7^EXPONENT of so many digits is a product by transforms, and its text by division; / 7^(EXPONENT - 1) is 7
BIGINT = """
#include "bigint.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
	cc_bigint seven = CC_BIGINT_INIT, x = CC_BIGINT_INIT, y = CC_BIGINT_INIT;
	char *digits;
	int wrong = cc_bigint_from_string(&seven, "7", 10);

	wrong |= cc_bigint_pow(&x, &seven, EXPONENT);
	wrong |= cc_bigint_pow(&y, &seven, EXPONENT - 1);
	digits = cc_bigint_to_string(&x, 10);
	wrong |= !digits || strlen(digits) != LENGTH || strncmp(digits, "FIRST", 20) ||
		strcmp(digits + LENGTH - 20, "LAST");
	cc_string_free(digits);
	wrong |= cc_bigint_divmod_floor(&x, &y, &x, &y);
	wrong |= cc_bigint_cmp(&x, &seven);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&seven);
	printf("%s 1\\n", wrong ? "wrong" : "right");
	return wrong != 0;
}
"""
FIXED = """
#include "fixed.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
	static const unsigned char bytes[3][BYTES] = {NUMBERS}, wanted[BYTES] = {WANTED};
	unsigned char got[BYTES];
	cc_word x[4][8 * BYTES / CC_WORD_BITS];
	size_t n = 8 * BYTES / CC_WORD_BITS, i;
	int wrong = 0;

	for (i = 0; i < 3; i++)
		wrong |= cc_fz_from_bytes(x[i], n, bytes[i], BYTES, CC_BIG_ENDIAN);
	wrong |= cc_fz_powmod(x[3], x[0], x[1], x[2], n);
	wrong |= cc_fz_to_bytes(got, BYTES, x[3], n, CC_BIG_ENDIAN);
	wrong |= memcmp(got, wanted, BYTES);
	printf("%s 1\\n", wrong ? "wrong" : "right");
	return wrong != 0;
}
"""


def listed(number: int, size: int) -> str:
    return ", ".join(map(str, number.to_bytes(size, "big")))


def programs() -> dict[str, str]:
    exponent = 12000
    text = str(7**exponent)
    bigint = {"EXPONENT": exponent, "LENGTH": len(text), "FIRST": text[:20], "LAST": text[-20:]}
    size = 64
    b, e, m = (int.from_bytes(random.Random(i).randbytes(size), "big") for i in range(3))
    numbers = ", ".join(f"{{{listed(each, size)}}}" for each in (b, e, m))
    fixed = {"BYTES": size, "NUMBERS": numbers, "WANTED": listed(pow(b, e, m), size)}
    made = {"checksum": CHECKSUM, "bigint": BIGINT, "fixed": FIXED}
    for name, values in (("bigint", bigint), ("fixed", fixed)):
        for word, value in values.items():
            made[name] = made[name].replace(word, str(value))
    return made


PROGRAMS = programs()
SOME = share("single files", product(PROGRAMS, [each for each in MACHINES if shutil.which(each)]), 3)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("single")
    done = subprocess.run([ROOT / "tools/single", "-o", folder, *PROGRAMS], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [f"{folder}/{name}.{end}" for name in PROGRAMS for end in "hc"]
    return folder


@pytest.mark.parametrize("name", [f"{name}.{end}" for name in PROGRAMS for end in "hc"])
def test_version_and_licence_come_first(made, name):
    lines = (made / name).read_text().splitlines()
    assert lines[:3] == [
        "/* SPDX-License-Identifier: MIT */",
        "/*",
        f" * {name} of Carrychain {carrychain.__version__}, made by tools/single.",
    ]
    licence = (ROOT / "LICENSE").read_text().splitlines()
    assert [line.removeprefix(" *").removeprefix(" ") for line in lines[4 : 4 + len(licence)]] == licence


@pytest.mark.parametrize(("name", "compiler"), SOME)
def test_compiled_alone(made, name, compiler, tmp_path):
    runner = MACHINES[compiler]
    if runner and not shutil.which(runner[0]):
        pytest.skip(f"{runner[0]} is not here")
    (tmp_path / "main.c").write_text(PROGRAMS[name])
    flags = ["-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{made}"]
    command = [compiler, *flags, "main.c", made / f"{name}.c", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    result = subprocess.run([*runner, tmp_path / "main"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "right 1\n")


def test_all_in_one_program(made, tmp_path):
    included = "".join(f'#include "{name}.h"\n' for name in PROGRAMS)
    (tmp_path / "main.c").write_text(f"""{included}
int main(void)
{{
	cc_bigint x = CC_BIGINT_INIT;
	cc_word r[1], b[1] = {{3}}, e[1] = {{5}}, m[1] = {{7}};
	int wrong = cc_checksum("", 0) != 0xffff || cc_fz_powmod(r, b, e, m, 1) || r[0] != 5;

	wrong |= cc_bigint_set_u64(&x, 5);
	cc_bigint_clear(&x);
	return wrong;
}}
""")
    command = ["gcc", f"-I{made}", "main.c", *(made / f"{name}.c" for name in PROGRAMS), "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


def test_u128_in_a_kernel(tmp_path):
    """It asks for no header of the compiler's where there is none."""
    subprocess.run([ROOT / "tools/single", "-o", tmp_path, "u128.h"], check=True, capture_output=True)
    linux = {
        "limits.h": "#define UINTPTR_MAX (~0UL)",
        "math64.h": "#define mul_u64_u64_div_u64 mul_u64_u64_div_u64",
        "stddef.h": "#define NULL ((void *)0)",
        "types.h": "".join(
            f"typedef __{name.upper()}_TYPE__ {name}_t;" for name in ("uint32", "uint64", "size")
        ),
    }
    (tmp_path / "linux").mkdir()
    for name, text in linux.items():
        (tmp_path / "linux" / name).write_text(f"{text}\n")
    flags = ["-D__KERNEL__", "-nostdinc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}"]
    subprocess.run(["gcc", *flags, "-x", "c", "-fsyntax-only", tmp_path / "u128.h"], check=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_but_what_is_public_is_seen(made, name, tmp_path):
    """All else has a name that begins with cc_, too, and is hidden."""
    subprocess.run(["gcc", "-c", made / f"{name}.c", "-o", "x.o"], cwd=tmp_path, check=True)
    nm = ["nm", "-g", "--defined-only", "x.o"]
    said = subprocess.run(nm, cwd=tmp_path, capture_output=True, text=True)
    names = [line.split()[-1] for line in said.stdout.splitlines()]
    assert names
    assert [name for name in names if not name.startswith("cc_")] == []
