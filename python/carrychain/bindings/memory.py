"""How much memory is available, so that work that cannot fit is refused before it begins."""

import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")

UNITS = (("EB", 10**18), ("PB", 10**15), ("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


def size(count: float) -> str:
    """A number of bytes for people to read: "1.2 GB"."""
    for unit, bytes_each in UNITS:
        # 999.96 of one unit would be 1000.0 of it
        if count >= 0.99995 * bytes_each:
            return f"{count / bytes_each:.1f} {unit}"
    return f"{count} bytes"


def _table(path: Path) -> dict[str, int]:
    """The first number after each name."""
    lines = (line.replace(":", " ").split() for line in path.read_text().splitlines())
    return {name: int(number) for name, number, *_ in lines}


def _of_the_system() -> Iterator[int]:
    yield 1024 * _table(PROC / "meminfo")["MemAvailable"]


def _of_the_address_space() -> Iterator[int]:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        pages = int((PROC / "self" / "statm").read_text().split()[0])
        yield limit - pages * resource.getpagesize()


# By what /proc/self/cgroup calls them: where they are, their files, what names in the statistics begin with.
_CONTROL_GROUPS = {
    "": (".", "memory.max", "memory.current", ""),
    "memory": ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
}


def _of_control_groups() -> Iterator[int]:
    """For each control group of this process: its limit, less memory in use other than the file cache."""
    for line in (PROC / "self" / "cgroup").read_text().splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers not in _CONTROL_GROUPS:
            continue
        root, limit, usage, kind = _CONTROL_GROUPS[controllers]
        path = PurePosixPath(name)
        for each in (path, *path.parents):
            directory = CGROUPS / root / each.relative_to("/")
            # where there is none, or "max"
            with suppress(OSError, ValueError):
                most, used = (int((directory / file).read_text()) for file in (limit, usage))
                table = _table(directory / "memory.stat")
                yield most - used + table[f"{kind}active_file"] + table[f"{kind}inactive_file"]


def available() -> int | None:
    """The bytes that can be allocated and used now; None if the system does not say."""
    found = []
    for source in (_of_the_system, _of_the_address_space, _of_control_groups):
        with suppress(OSError, KeyError, ValueError):
            found += source()
    return max(0, min(found)) if found else None


def require(needed: int, what: str) -> None:
    """Raise MemoryError, giving both figures, if ``what`` needs more memory than is available."""
    there = available()
    if there is not None and needed > there:
        raise MemoryError(
            f"not enough memory for {what}: it needs {size(needed)}, but only {size(there)} are available"
        )
