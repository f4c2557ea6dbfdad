"""How much memory there is, as the system's files say it, and how much F(n) takes."""

import resource
import subprocess
import sys

import pytest
from carrychain import fib
from carrychain.bindings import memory
from carrychain.bindings.fibonacci import digits_memory_needed, memory_needed

GB = 10**9


@pytest.fixture
def system(tmp_path, monkeypatch):
    """Writes files of the system: /proc with 8 GB of memory to be had, and no limits."""

    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY,) * 2)
    write("proc/meminfo", "MemTotal: 16000000 kB\nMemAvailable:    8000000 kB\nHugePages_Total:       0\n")
    write("proc/self/statm", "1000 2 3 4 0 6 0\n")
    return write


def test_of_the_system(system):
    assert memory.available() == 8_192_000_000


def test_of_the_address_space(system, monkeypatch):
    limit = 2 * GB
    monkeypatch.setattr(
        resource, "getrlimit", lambda which: (limit, limit) if which == resource.RLIMIT_AS else None
    )
    assert memory.available() == limit - 1000 * resource.getpagesize()
    limit = 1000
    assert memory.available() == 0


STAT = "anon 5\n{0}active_file 300\n{0}inactive_file 4000\n"


def test_of_a_control_group(system):
    system("proc/self/cgroup", "0::/a.slice/b.service\n")
    system("cgroup/a.slice/b.service/memory.max", "max\n")
    system("cgroup/a.slice/memory.max", f"{3 * GB}\n")
    system("cgroup/a.slice/memory.current", f"{GB}\n")
    system("cgroup/a.slice/memory.stat", STAT.format(""))
    assert memory.available() == 2 * GB + 4300


def test_of_a_control_group_of_the_first_kind(system):
    system("proc/self/cgroup", "9:cpu:/other\n4:memory:/a\n0::/\n")
    system("cgroup/memory/a/memory.limit_in_bytes", f"{3 * GB}\n")
    system("cgroup/memory/a/memory.usage_in_bytes", f"{2 * GB}\n")
    system("cgroup/memory/a/memory.stat", STAT.format("total_"))
    assert memory.available() == GB + 4300


def test_nobody_says(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "PROC", tmp_path)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY,) * 2)
    assert memory.available() is None
    memory.require(10**30, "anything")


def test_here():
    there = memory.available()
    assert there is None or there > 0


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (4 * GB, "4.0 GB"),
        (43 * GB**2, "43.0 EB"),
    ],
)
def test_size(count, text):
    assert memory.size(count) == text


def test_fib_does_not_begin(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)
    with pytest.raises(
        MemoryError, match=r"^not enough memory for F\(10001\): it needs \d\.\d kB, but only 1.0 kB are "
    ):
        fib(10_001)
    # nor is it looked at for what is small
    assert fib(100) == 354224848179261915075


MEASURED = """
import sys
from carrychain.bindings.fibonacci import fib_bigint, fib_digits

def now(name):
    with open("/proc/self/status") as lines:
        (line,) = (line for line in lines if line.startswith(name))
        return 1024 * int(line.split()[1])

n, strategy = int(sys.argv[1]), sys.argv[2]
fib_bigint(1000).digits(10)
before = now("VmSize")
if "at once" in sys.argv:
    fib_digits(n, strategy)
else:
    f = fib_bigint(n, strategy)
    print(now("VmPeak") - before)
    f.digits(10)
print(now("VmPeak") - before)
"""


def taken(*arguments: str) -> list[int]:
    command = [sys.executable, "-c", MEASURED, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return [int(line) for line in result.stdout.split()]


@pytest.mark.parametrize("n", [20_000_000, 33_554_432, 50_000_001])
@pytest.mark.parametrize("strategy", ["squaring", "doubling"])
def test_what_it_takes(n, strategy):
    """F(n) itself, its conversion, and its digits from n alone."""
    computed, converted = taken(str(n), strategy)
    (at_once,) = taken(str(n), strategy, "at once")
    for it_takes, needed in (
        (computed, memory_needed(n, strategy)),
        (converted, memory_needed(n, strategy, decimal=True)),
        (at_once, digits_memory_needed(n, strategy)),
    ):
        assert needed / 2 < it_takes <= needed + 2**20, (it_takes, needed)
