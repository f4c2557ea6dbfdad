# SPDX-License-Identifier: MIT
"""The portable tier's kernels, as a compiler makes them of their C."""

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import objects, run

COMPILERS = ("gcc", "clang")
SOURCE = objects.ROOT / "src/limbs/generic.c"
KERNELS = (
    *("add", "sub", "mul_1", "addmul_1", "submul_1"),
    *("lshift", "rshift", "mul_basecase", "sqr_basecase"),
)


def compilers():
    """Those that are here."""
    return [name for name in COMPILERS if shutil.which(name)]


@functools.cache
def image(compiler):
    """Its object, linked; a kernel's name is that of a tier called after the compiler."""
    with tempfile.TemporaryDirectory() as directory:
        compiled = Path(directory) / "generic.o"
        options = ["-std=c17", "-O2", "-ffreestanding", "-fno-stack-protector", f"-I{objects.ROOT}/include"]
        subprocess.run([compiler, *options, "-c", SOURCE, "-o", compiled], check=True)
        made = run.Image([compiled, run.around(directory)])
    for name in KERNELS:
        made.functions[f"cc_limbs_{name}_{compiler}"] = made.functions[name]
    return made
