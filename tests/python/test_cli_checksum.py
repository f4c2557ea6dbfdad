import os
import random
import resource
import signal
import subprocess

import pytest
from carrychain import checksum
from command import complaint, piped, run, run_anew, shown, start, start_on_terminal


def test_files(tmp_path):
    data = [b"", b"\0", random.Random(0).randbytes(3_000_001)]
    paths = [tmp_path / str(i) for i in range(3)]
    for path, content in zip(paths, data, strict=True):
        path.write_bytes(content)
    result = run("checksum", *map(str, paths))
    expected = "".join(f"{checksum(c):04x}  {p}\n" for c, p in zip(data, paths, strict=True))
    assert (result.returncode, result.stdout, result.stderr) == (0, expected, "")


def test_the_standard_input_in_odd_pieces():
    data = random.Random(1).randbytes(1_000_003)
    with start("checksum", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for i in range(0, len(data), 33_333):
            process.stdin.write(data[i : i + 33_333])
            process.stdin.flush()
        process.stdin.close()
        assert process.stdout.read() == f"{checksum(data):04x}  -\n".encode()


def test_what_cannot_be_read_keeps_nothing_else_from_it(tmp_path):
    (tmp_path / "file").write_bytes(b"\1\2")
    names = [str(tmp_path / name) for name in ("missing", "file", "")]
    result = run("checksum", *names)
    assert result.returncode == 2
    assert result.stdout == f"fefd  {names[1]}\n"
    assert result.stderr.splitlines() == [
        f"carrychain: {names[0]}: No such file or directory",
        f"carrychain: {names[2]}: Is a directory",
    ]


def test_a_file_that_may_not_be_read(tmp_path):
    assert complaint(run("checksum", "/proc/self/mem"), 2) == "carrychain: /proc/self/mem: Input/output error"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing argument 'FILE...'."),
        (["-", "-"], "- is the standard input, which can be read only once"),
        (["--fast", "x"], "No such option '--fast'."),
    ],
)
def test_usage(arguments, said):
    assert complaint(run("checksum", *arguments), 2).startswith(f"carrychain checksum: {said}")


def test_any_bytes_in_a_name(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff\xc3"
    with open(name, "wb"):
        pass
    result = piped("checksum", name)
    assert (result.returncode, result.stdout) == (0, b"ffff  " + name + b"\n")


def test_more_than_memory(tmp_path):
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.write(b"\1\2")
        file.truncate(600 << 20)
    limits = (500 << 20, 500 << 20)
    result = run_anew(
        "checksum", str(path), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits)
    )
    assert (result.stdout, result.stderr) == (f"fefd  {path}\n", "")


def test_progress_on_a_terminal(tmp_path):
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    process, terminal = start_on_terminal("checksum", str(path), stdout=subprocess.PIPE)
    seen = shown(terminal, b"%")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    os.close(terminal)
    assert (b"%" in seen, process.returncode, output) == (True, 130, b"")
