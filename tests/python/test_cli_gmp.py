"""carrychain gmp run: an unchanged program with our functions in GMP's place."""

import ctypes.util
import os
import subprocess
import sys

import pytest
from command import complaint, run

# Loads libgmp after it has begun, privately, as extension modules do; its mpz functions call ours.
PROGRAM = """
import ctypes
gmp = ctypes.CDLL("libgmp.so.10")
here = ctypes.CDLL(None)
x, y = (ctypes.c_void_p * 2)(), (ctypes.c_void_p * 2)()
text = ctypes.create_string_buffer(100000)
gmp.__gmpz_init(x)
gmp.__gmpz_ui_pow_ui(x, ctypes.c_ulong(7), ctypes.c_ulong(50000))
gmp.__gmpz_init(y)
gmp.__gmpz_mul(y, x, x)
gmp.__gmpz_sqrt(y, y)
gmp.__gmpz_get_str(text, 10, y)
print(text.value.decode() == "{number}", hasattr(here, "__gmpn_mul"))
"""

needs_gmp = pytest.mark.skipif(not ctypes.util.find_library("gmp"), reason="libgmp is not here")


def digits() -> str:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(0)
        return str(7**50000)
    finally:
        sys.set_int_max_str_digits(before)


@needs_gmp
def test_a_program_runs_on_our_functions():
    program = PROGRAM.replace("{number}", digits())
    result = run("gmp", "run", sys.executable, "-c", program)
    assert (result.returncode, result.stdout, result.stderr) == (0, "True True\n", "")


def test_the_programs_status_and_options_are_its_own():
    result = run("gmp", "run", "sh", "-c", "echo $0 $1 >&2; exit 7", "--help", "-x")
    assert (result.returncode, result.stderr) == (7, "--help -x\n")


def test_it_goes_before_what_is_preloaded():
    result = run("gmp", "run", "sh", "-c", "echo $LD_PRELOAD", env={"LD_PRELOAD": "libm.so.6"})
    assert result.stdout.endswith("libcarrychain-gmp.so:libm.so.6\n")


def test_a_program_that_is_not_there():
    assert complaint(run("gmp", "run", "no-such-program"), 2) == (
        "carrychain: can't run 'no-such-program': No such file or directory"
    )
    assert "PROGRAM" in complaint(run("gmp", "run"), 2)


@needs_gmp
def test_memory_for_the_size_asked_for_is_refused_as_gmp_does():
    """GMP's own message and end, also where the memory that is missing would be ours."""
    program = """
import ctypes, resource
gmp = ctypes.CDLL("libgmp.so.10")
x = (ctypes.c_void_p * 2)()
gmp.__gmpz_init(x)
gmp.__gmpz_ui_pow_ui(x, ctypes.c_ulong(7), ctypes.c_ulong(10000000))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2000000, used + 2000000))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
gmp.__gmpz_mul(x, x, x)
"""
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    alone = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    result = run("gmp", "run", sys.executable, "-c", program)
    assert result.returncode == alone.returncode < 0
    assert result.stderr.startswith("GNU MP: Cannot allocate memory (size=")
    assert alone.stderr.startswith("GNU MP: Cannot allocate memory (size=")
