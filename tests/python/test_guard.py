"""tools/guard.py: a tool's processes end with it, however it ends, and when they hang."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from draws import share
from events import until

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import guard  # noqa: E402

# a child, its child in a session of its own, and an orphan; each says its number, and none hears a hint
TOOL = """
import os, signal, subprocess, sys, time
import guard

guard.together()
STUBBORN = "trap '' INT TERM HUP; echo $$; sleep 1000; sleep 1000"
subprocess.Popen(["sh", "-c", STUBBORN])
subprocess.Popen(["setsid", "sh", "-c", f"sh -c \\"{STUBBORN}\\" & {STUBBORN}"])
subprocess.run(["sh", "-c", f"(setsid sh -c \\"{STUBBORN}\\") & exit"])
# at once, as the shells' are: all write into one pipe
os.write(1, b"%d\\n" % os.getpid())
ENDING
"""


def begin(ending: str, *make: str) -> subprocess.Popen:
    command = [*make, sys.executable, "-c", TOOL.replace("ENDING", ending)]
    environment = os.environ | {"PYTHONPATH": str(TOOLS)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def numbers(process: subprocess.Popen) -> list[int]:
    return [int(process.stdout.readline()) for _ in range(5)]


def assert_gone(pids: list[int]) -> None:
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("ending", ["time.sleep(1000)", "while True: pass"])
def test_all_end_with_the_tool(number, ending):
    process = begin(ending)
    pids = numbers(process)
    process.send_signal(number)
    assert process.wait() == (-number if number == signal.SIGKILL else 128 + number)
    assert_gone(pids)


def test_all_end_with_make(tmp_path):
    tool = tmp_path / "tool.py"
    tool.write_text(TOOL.replace("ENDING", "time.sleep(1000)"))
    (tmp_path / "Makefile").write_text(f"all:\n\t@{sys.executable} {tool}\n")
    process = subprocess.Popen(
        ["make", "-C", str(tmp_path), "-s"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(TOOLS)},
    )
    pids = numbers(process)
    process.kill()
    assert_gone(pids)


@pytest.mark.parametrize("status", [0, 3])
def test_a_tool_that_ends_by_itself(status):
    process = begin(f"sys.exit({status})")
    pids = numbers(process)
    assert process.wait() == status
    assert_gone(pids)


@pytest.mark.parametrize("hanging", ["sleep 1000 & sleep 1000", "while :; do :; done"])
def test_what_hangs_is_killed(monkeypatch, hanging):
    monkeypatch.setattr(guard, "IDLE", 1)
    monkeypatch.setattr(guard, "BUSY", 0.5)
    process = subprocess.Popen(["sh", "-c", f"sh -c '{hanging}'; exit 3"])
    with pytest.raises(guard.Hung, match="no word in"):
        guard.wait(process, lambda: 0)
    assert not guard.below(process.pid) and process.returncode == -signal.SIGKILL


def test_what_speaks_or_works_is_left_alone(monkeypatch):
    monkeypatch.setattr(guard, "IDLE", 1)
    monkeypatch.setattr(guard, "BUSY", 0.5)
    words = iter(range(1000))
    process = subprocess.Popen(["sleep", "3"])
    assert guard.wait(process, lambda: next(words)) == 0
    monkeypatch.setattr(guard, "BUSY", 1000)
    process = subprocess.Popen([sys.executable, "-c", "import time\nwhile time.process_time() < 2: pass"])
    assert guard.wait(process, lambda: 0) == 0


HANGING = """
import ctypes, subprocess, threading
import pytest

def test_before():
    pass

def wait():
    threading.Event().wait()

def child():
    subprocess.run(["sh", "-c", "echo a child $$ >&2; sleep 1000; sleep 1000"], stderr=open("child", "w"))

def hold():
    # the interpreter's lock, with which none of its threads could do anything
    ctypes.PyDLL(None).pause()

def spin():
    while True:
        pass

@pytest.mark.parametrize("hang", [HANG])
def test_hangs(hang):
    print("as far as here")
    hang()

def test_after():
    pass
"""


# threads asleep, a child, C that holds the interpreter's lock, work
HANGS = ("wait", "child", "hold", "spin")


def hung(directory: Path, hangs: Iterable[str], *spread: str) -> tuple[int, str]:
    """The status and the words of tests that hang in these ways; the child of one has ended."""
    (directory / "test_hanging.py").write_text(HANGING.replace("HANG", ", ".join(hangs)))
    limits = "import guard\nguard.IDLE, guard.BUSY = 2, 0.5\n"
    (directory / "conftest.py").write_text(f"import ends\n{limits}from ends import pytest_configure\n")
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *spread],
        cwd=directory,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
    )
    said = tests.stdout + tests.stderr
    for hang in hangs:
        assert f"\n{named(hang)} hangs: no word in " in said, said
        assert f"in {hang}" in said, said
    if "child" in hangs:
        assert_gone([int((directory / "child").read_text().split()[-1])])
    return tests.returncode, said


def named(hang: str) -> str:
    return f"test_hanging.py::test_hangs[{hang}]"


def test_tests_that_hang_are_ended_and_named(tmp_path):
    """And those behind them go on."""
    _, said = hung(tmp_path, HANGS, "-n", "1")
    assert f"{len(HANGS)} failed, 2 passed" in said, said
    for hang in HANGS:
        assert f"crashed while running '{named(hang)}'" in said, said


@pytest.mark.parametrize("hang", share("tests that hang", HANGS, 2))
def test_a_test_that_hangs_ends_all_in_its_process(tmp_path, hang):
    status, said = hung(tmp_path, [hang])
    assert status == -signal.SIGABRT, said
