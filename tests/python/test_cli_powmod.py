import subprocess
import sys

import pytest
from command import ENVIRONMENT, complaint, run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["3", "5", "7"], "5"),
        (["0x3", "0X05", "0x7"], "5"),
        (["-3", "5", "7"], "2"),
        (["3", "-1", "7"], "5"),
        (["3", "5", "-7"], "-2"),
        (["--", "-3", "5", "-7"], "-5"),
        (["--hex", "2", "300", "0x" + "f" * 100], hex(2**300)),
        (["2", "100", "9" * 4900], str(2**100)),
        (["2", "0", "1"], "0"),
    ],
)
def test_powmod(arguments, said):
    result = run("powmod", *arguments)
    assert (result.returncode, result.stdout, result.stderr) == (0, said + "\n", "")


def test_files(tmp_path):
    (tmp_path / "e").write_text("  0xdeadbeef\n")
    result = run("powmod", "@/dev/stdin", f"@{tmp_path}/e", "1000000007", input="12345\n")
    assert result.stdout == f"{pow(12345, 0xDEADBEEF, 1000000007)}\n"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["2", "3"], 2, "carrychain powmod: Missing argument 'M'."),
        (["2", "3", "0"], 1, "carrychain: m must not be 0"),
        (["2", "-1", "8"], 1, "carrychain: a negative e needs an odd m"),
        (["3", "-1", "9"], 1, "carrychain: b has no inverse modulo m"),
        (
            ["x", "3", "5"],
            2,
            "carrychain powmod: B must be a whole number, decimal, or hexadecimal after 0x, or",
        ),
        (["2", "1e6", "5"], 2, "carrychain powmod: E must be a whole number, "),
        (["2", "3", "0x"], 2, "carrychain powmod: M must be a whole number, "),
        (["2", "3", ""], 2, "carrychain powmod: M must be a whole number, "),
        (["2", "٣", "5"], 2, "carrychain powmod: E must be a whole number, "),
        (["2", "3", "--fast"], 2, "carrychain powmod: No such option '--fast'."),
        (
            ["2", "0x1" + "0" * 4096, "5"],
            2,
            "carrychain powmod: e has 16385 bits: powmod takes 16384 at most",
        ),
        (["2", "3", "@/nonexistent"], 1, "carrychain: /nonexistent: No such file or directory"),
        (["2", "3", "@/"], 1, "carrychain: /: Is a directory"),
        (
            ["2", "3", "@/dev/zero"],
            2,
            "carrychain powmod: M: '/dev/zero' holds more than 1,000,000 characters",
        ),
        (["2", "3", "@/dev/null"], 2, "carrychain powmod: M must be a whole number, "),
        (
            ["2", "3", "@/bin/sh"],
            2,
            "carrychain powmod: M must be a whole number, which '/bin/sh' does not hold",
        ),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_what_is_wrong(arguments, status, said):
    assert complaint(run("powmod", *arguments), status).startswith(said)


LONG_WORK = """
import os, signal, threading, time
import carrychain
m = 2**16383 + 1
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    carrychain.powmod_many([3] * 500, [m - 2] * 500, [m] * 500)
except KeyboardInterrupt:
    print(time.monotonic() - begun, flush=True)
    os._exit(0)
"""


def test_ctrl_c():
    result = subprocess.run(
        [sys.executable, "-c", LONG_WORK], capture_output=True, text=True, env=ENVIRONMENT, timeout=120
    )
    assert float(result.stdout) < 2
