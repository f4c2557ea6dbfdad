"""On a terminal of 80 columns, no line is longer: of any command's help, and of what it prints."""

import fcntl
import os
import pty
import random
import re
import struct
import termios
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from command import run
from every_command import COMMANDS, example, make_files

MD5 = str(Path(__file__).resolve().parents[2] / "examples" / "lisp" / "md5.lisp")
# what takes long is looked at by its help alone
LONG = {"bench", "demo", "report"}
CALLS = [["--help"], *([name, "--help"] for name in COMMANDS)]
CALLS += [example(name) for name in COMMANDS if name not in LONG]
CALLS += [["explain", MD5, name] for name in ("md5", "md5-hex")]
CALLS += [["explain", "--no-cut", MD5, "md5"]]


def on_a_terminal(*arguments: str, columns: int) -> str:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 25, columns, 0, 0))
    blocks = []

    def read():
        # the end of a terminal that nobody has open any more is an error
        with suppress(OSError):
            while block := os.read(ours, 1 << 16):
                blocks.append(block)

    reader = threading.Thread(target=read)
    reader.start()
    result = run(*arguments, env={"TERM": "xterm"}, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    reader.join()
    os.close(ours)
    printed = b"".join(blocks)
    assert result.returncode == 0, printed
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode())


@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: " ".join(map(os.path.basename, arguments)))
def test_within_the_terminal(arguments, tmp_path, monkeypatch):
    make_files(tmp_path, random.Random(0))
    monkeypatch.chdir(tmp_path)
    lines = on_a_terminal(*arguments, columns=80).replace("\r", "").splitlines()
    assert lines
    assert [line for line in lines if len(line) > 80] == []
