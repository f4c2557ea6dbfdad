import os
import subprocess
import sys

import click
import pytest
from carrychain.cli.commands import carrychain
from command import ENVIRONMENT, complaint, run
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import HANG, patience


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["3", "5", "7"], "5"),
        (["0x3", "0X05", "0x7"], "5"),
        (["-3", "5", "7"], "2"),
        (["3", "-1", "7"], "5"),
        (["3", "-1", "8"], "3"),
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
    (tmp_path / "-").write_text("\r\n-12\t\n")
    result = run("powmod", "@-", "0x2", "@./-", input=" 5\n", cwd=tmp_path)
    assert result.stdout == "-11\n"
    (tmp_path / "e").write_text("  0xdeadbeef\n")
    result = run("powmod", "@/dev/stdin", f"@{tmp_path}/e", "1000000007", input="12345\n")
    assert result.stdout == f"{pow(12345, 0xDEADBEEF, 1000000007)}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2", "3"], "carrychain powmod: Missing argument 'M'."),
        (["2", "3", "0"], "carrychain powmod: m must not be 0"),
        (["2", "-1", "8"], "carrychain powmod: base is not invertible for the given modulus"),
        (["3", "-1", "9"], "carrychain powmod: base is not invertible for the given modulus"),
        (
            ["x", "3", "5"],
            "carrychain powmod: B must be a whole number, decimal, or hexadecimal after 0x, or",
        ),
        (["2", "1e6", "5"], "carrychain powmod: E must be a whole number, "),
        (["2", "3", "0x"], "carrychain powmod: M must be a whole number, "),
        (["2", "3", ""], "carrychain powmod: M must be a whole number, "),
        (["2", "٣", "5"], "carrychain powmod: E must be a whole number, "),
        (["2", "3", "--fast"], "carrychain powmod: No such option '--fast'."),
        (["2", "0x1" + "0" * 4096, "5"], "carrychain powmod: e has 16385 bits: powmod takes 16384 at most"),
        (["2", "3", "@/nonexistent"], "carrychain: M: '/nonexistent': No such file or directory"),
        (["2", "3", "@/"], "carrychain: M: '/': Is a directory"),
        (["2", "3", "@/dev/zero"], "carrychain powmod: M: '/dev/zero' holds more than 1,000,000 bytes"),
        (["2", "3", "@/dev/null"], "carrychain powmod: M: '/dev/null', line 1, column 1: the file must hold"),
        (["2", "3", "@/bin/sh"], "carrychain powmod: M: '/bin/sh', line 1, column 1: the file must hold"),
        (["2", "@-", "@-"], "carrychain powmod: @- is the standard input, which can be read only once"),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_what_is_wrong(arguments, said):
    assert complaint(run("powmod", *arguments), 2).startswith(said)


NUMBER = st.from_regex(r"-?(0x[0-9a-f]{1,40}|[0-9]{1,40})", fullmatch=True)


@pytest.mark.parametrize("place", [0, 1, 2])
@given(
    before=st.text("\n\t ", max_size=5),
    good=NUMBER,
    bad=st.text("ghijkXYZ_.,+'\"é\0", min_size=1),
    more=NUMBER,
)
@settings(max_examples=60)
def test_a_secret_is_never_repeated(place, before, good, bad, more):
    """Of what a file holds, a message has nothing; the place where it goes wrong it has."""
    content = f"{before}{good} {bad}{more}".encode()
    arguments = ["3", "5", "7"]
    arguments[place] = "@-"
    with pytest.raises(click.UsageError) as caught:
        powmod_in_this_process(arguments, content)
    line = before.count("\n") + 1
    column = len(f"{before}{good}".rpartition("\n")[2]) + 1
    assert caught.value.format_message() == (
        f"{'BEM'[place]}: standard input, line {line}, column {column}: the file must hold a whole number,"
        " decimal, or hexadecimal after 0x, and nothing else"
    )
    assert caught.value.__context__ is None


def powmod_in_this_process(arguments, content):
    read, write = os.pipe()
    os.write(write, content)
    os.close(write)
    before = os.dup(0)
    os.dup2(read, 0)
    os.close(read)
    try:
        with carrychain.make_context("carrychain", ["powmod", *arguments]) as context:
            carrychain.invoke(context)
    finally:
        os.dup2(before, 0)
        os.close(before)


def test_a_secret_whole():
    """By the process: stdout, stderr, the status."""
    result = run("powmod", "3", "@-", "7", input="hunter2 is my password\n")
    assert complaint(result, 2).startswith("carrychain powmod: E: standard input, line 1, column 1: ")
    assert "hunter" not in result.stderr and "password" not in result.stderr


LONG_WORK = """
import os, signal, threading, time
from carrychain import Modulus, powmod_many
m = 2**16383 + 1
M = Modulus(m)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    while True:
        {}
except KeyboardInterrupt:
    print(time.monotonic() - begun, flush=True)
    os._exit(0)
"""
LONG = (
    "powmod_many([3] * 500, [m - 2] * 500, [m] * 500)",
    "M.pow_many([3] * 500, m - 2)",
    "M.pow(3, m - 2)",
    "M.pow_public(3, m - 2)",
)


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c(work):
    program = LONG_WORK.format(work)
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG
    )
    assert float(result.stdout) < patience(2), result.stderr
