import os
import random
import signal
import subprocess
import sys
import threading
from importlib import import_module

import click
import pytest
from carrychain.bindings.bigint import to_decimal
from carrychain.cli.commands import carrychain
from command import ENVIRONMENT, complaint, run, shown, start, start_on_terminal
from hypothesis import given, settings
from hypothesis import strategies as st

# the package has the command under its name
powmod_module = import_module("carrychain.cli.powmod")


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
        (["2", "0x1" + "0" * 4096, "5"], "carrychain powmod: e has 16385 bits: powmod takes at most 16384"),
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


@pytest.fixture
def made(tmp_path):
    """Lines of every kind, in a file, and what comes out."""
    draw = random.Random(1)
    some = []
    for bits in [1, 64, 65, 300, 2048, 64] * 20:
        b, e, m = (draw.getrandbits(bits) for _ in range(3))
        some.append((draw.choice((b, -b)), e >> max(bits - 200, 0), draw.choice((m | 1, -m - 1, 2 * m + 2))))
    some += [(3, -1, 7), (5, -(2**70), 2**61 - 1), (0, 0, 1), (2, 10**20, 10**4900), (-(10**6000), 3, 7)]
    path = tmp_path / "lines"
    with open(path, "w") as file:
        for numbers in some:
            words = [hex(each) if draw.randrange(2) else to_decimal(each) for each in numbers]
            blanks = [draw.choice((" ", "\t", "  \t")) for _ in range(2)]
            file.write(words[0] + blanks[0] + words[1] + blanks[1] + words[2] + draw.choice(("\n", " \r\n")))
    return path, [pow(*each) for each in some]


def test_batch(made):
    path, expected = made
    result = run("powmod", "--batch", str(path))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "".join(f"{to_decimal(each)}\n" for each in expected)
    with open(path) as file:
        result = run("powmod", "--hex", "--batch", "-", stdin=file)
    assert result.stdout == "".join(f"{each:#x}\n" for each in expected)
    # cut anywhere
    reader, writer = os.pipe()
    process = start("powmod", "--hex", "--batch=-", stdin=reader, stdout=subprocess.PIPE)
    os.close(reader)
    rest = path.read_bytes().removesuffix(b"\n")
    while rest:
        rest = rest[os.write(writer, rest[:1000]) :]
    os.close(writer)
    assert process.communicate()[0].decode() == result.stdout


def test_a_batch_in_shares(made, monkeypatch):
    """However little is done at once, and read."""
    path, expected = made
    for share, piece in ((1, 1 << 20), (100, 7), (2**24, 1000)):
        monkeypatch.setattr(powmod_module, "SHARE", share)
        monkeypatch.setattr(powmod_module, "PIECE", piece)
        found, last = [], 0
        with open(path, "rb", buffering=0) as file:
            for each, done in powmod_module.shares(file, "lines"):
                found += powmod_module.powers(each)
                assert done >= last
                last = done
        assert found == expected and last == path.stat().st_size


def test_numbers_of_one_size_are_computed_together(monkeypatch):
    asked = []
    monkeypatch.setattr(
        powmod_module.fixed, "powers", lambda some: asked.append(len(some)) or [0] * len(some)
    )
    wide, narrow = (3, 5, 2**2000 + 1), (3, 5, 7)
    powmod_module.powers([wide, narrow, narrow, wide, narrow, (3, 2**100, 7)])
    assert asked == [2, 3, 1]


def test_an_answer_comes_with_its_question():
    """Lines that are there are not kept waiting for others."""
    process = start("powmod", "--batch", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for b in range(3):
        process.stdin.write(f"{b} 5 7\n".encode())
        process.stdin.flush()
        assert process.stdout.readline() == f"{pow(b, 5, 7)}\n".encode()
    process.stdin.close()
    assert process.stdout.read() == b"" and process.wait() == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "a line must hold B, E and M, separated by blanks; this one has 0 numbers"),
        (b"3 5", "a line must hold B, E and M, separated by blanks; this one has 2 numbers"),
        (b"3 5 7 9", "a line must hold B, E and M, separated by blanks; this one has 4 numbers"),
        (b"3x 5 7", "B must be a whole number, decimal, or hexadecimal after 0x"),
        (b"3 1e6 7", "E must be a whole number, decimal, or hexadecimal after 0x"),
        (b"3 5 @secret", "M must be a whole number, decimal, or hexadecimal after 0x"),
        (b"3 5 \xd9\xa3", "M must be a whole number, decimal, or hexadecimal after 0x"),
        (b"3 5 0x", "M must be a whole number, decimal, or hexadecimal after 0x"),
        (b"3 5 0", "m must not be 0"),
        (b"3 -1 9", "base is not invertible for the given modulus"),
        (b"3 0x1" + b"0" * 4096 + b" 9", "e has 16385 bits: powmod takes at most 16384"),
        (b"3 5 " + b"7" * 1_000_000, "a line has 1,000,000 bytes at most"),
    ],
    ids=lambda value: value[:20].decode(errors="replace") if isinstance(value, bytes) else "",
)
def test_a_line_that_is_wrong(line, said, tmp_path):
    (tmp_path / "lines").write_bytes(b"3 5 7\n3 5 11\n" + line + b"\n3 5 13\n")
    result = run("powmod", "--batch", "lines", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "5\n1\n")
    assert result.stderr == f"carrychain: lines:3: {said}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["3", "5", "7", "--batch", "a"],
            " powmod: --batch takes B, E and M from its FILE: give none of them",
        ),
        (["3", "--batch", "a"], " powmod: --batch takes B, E and M from its FILE: give none of them"),
        (["--batch"], ": Option '--batch' requires an argument."),
        (["--batch", "nonexistent"], ": nonexistent: No such file or directory"),
        (["--batch", ""], ": : No such file or directory"),
        (["--batch", "/"], ": /: Is a directory"),
        (["--batch", "/dev/zero"], ": /dev/zero:1: a line has 1,000,000 bytes at most"),
        (["--batch", "a\nb"], ": a b: No such file or directory"),
    ],
)
def test_what_is_wrong_with_a_batch(arguments, said):
    assert complaint(run("powmod", *arguments), 2).startswith("carrychain" + said)


def test_an_empty_batch():
    result = run("powmod", "--batch", "/dev/null")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert (
        complaint(run("powmod", "--batch", "-", closed=(0,)), 2)
        == "carrychain: standard input: Bad file descriptor"
    )


@pytest.fixture
def long(tmp_path):
    """Of 16384 bits, by the thousand."""
    path = tmp_path / "long"
    # modulo 2^16384 - 1 the powers of 2 come again after as many
    path.write_text(f"2 {2**16383 + 16383:#x} {2**16384 - 1:#x}\n" * 2000)
    return path, f"{2**16383}\n".encode()


def test_ctrl_c_ends_a_batch(long):
    """After whole lines."""
    path, line = long
    process = start("powmod", "--batch", str(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == line
    process.send_signal(signal.SIGINT)
    output, stderr = process.communicate()
    assert (process.returncode, stderr) == (130, b"carrychain: interrupted\n")
    assert output == line * (len(output) // len(line))


def test_a_batch_that_nobody_reads(made):
    path, _ = made
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        result = run("powmod", "--batch", str(path), stdout=pipe)
    assert (result.returncode, result.stderr) == (2, "")
    with open("/dev/full", "w") as full:
        result = run("powmod", "--batch", str(path), stdout=full)
    assert (result.returncode, result.stderr) == (
        2, "carrychain: can't write 'standard output': No space left on device\n",
    )  # fmt: skip


def test_progress_of_a_batch(long):
    path, line = long
    process, terminal = start_on_terminal("powmod", "--batch", str(path), stdout=subprocess.PIPE)
    # so that it is not stopped by a full pipe
    output = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    seen = shown(terminal, b"%")
    process.send_signal(signal.SIGINT)
    reader.join()
    assert process.wait() == 130
    os.close(terminal)
    assert b"computing" in seen and output[0] == line * (len(output[0]) // len(line))


def test_no_progress_among_the_answers(long):
    path, line = long
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:12]))
    process, terminal = start_on_terminal("powmod", "--batch", str(path), streams=("stdout", "stderr"))
    seen = shown(terminal)
    assert process.wait() == 0
    assert seen.replace(b"\r", b"") == line * 12


LONG_WORK = """
import os, signal, threading, time
from carrychain import Modulus, powmod_many
m = 2**16383 + 1
M = Modulus(m)
def interrupt():
    while time.process_time() < begun + 0.5:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
begun = time.process_time()
try:
    threading.Thread(target=interrupt).start()
    {}
except KeyboardInterrupt:
    # the work ends by itself
    while threading.active_count() > 1:
        time.sleep(0.01)
    print("interrupted")
"""
# hours of it
LONG = (
    "powmod_many([3] * 50_000, [m - 2] * 50_000, [m] * 50_000)",
    "M.pow_many([3] * 50_000, m - 2)",
    "while True: M.pow(3, m - 2)",
    "while True: M.pow_public(3, m - 2)",
)


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c(work):
    program = LONG_WORK.format(work)
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT)
    assert (result.stdout, result.stderr) == ("interrupted\n", "")
