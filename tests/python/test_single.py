"""The files to copy are compiled alone, by each compiler that is here, and give what they should."""

import shutil
import subprocess
from pathlib import Path

import pytest
from pace import HANG

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


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("single")
    done = subprocess.run([ROOT / "tools/single", "-o", folder, "checksum"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [f"{folder}/checksum.h", f"{folder}/checksum.c"]
    return folder


@pytest.mark.parametrize("compiler", MACHINES)
def test_checksum(made, compiler, tmp_path):
    runner = MACHINES[compiler]
    for program in [compiler, *runner[:1]]:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")
    (tmp_path / "main.c").write_text(CHECKSUM)
    flags = ["-std=c17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{made}"]
    subprocess.run([compiler, *flags, "main.c", made / "checksum.c", "-o", "main"], cwd=tmp_path, check=True)
    result = subprocess.run([*runner, tmp_path / "main"], capture_output=True, text=True, timeout=HANG)
    assert (result.returncode, result.stdout) == (0, "right 1\n")


def test_nothing_but_what_is_public_is_seen(made, tmp_path):
    """All else has a name that begins with cc_, too, and is hidden."""
    command = ["gcc", "-O2", "-c", made / "checksum.c", "-o", "checksum.o"]
    subprocess.run(command, cwd=tmp_path, check=True)
    said = subprocess.run(
        ["nm", "-g", "--defined-only", "checksum.o"], cwd=tmp_path, capture_output=True, text=True
    )
    names = [line.split()[-1] for line in said.stdout.splitlines()]
    assert names
    assert [name for name in names if not name.startswith("cc_")] == []
