"""How much memory there is, so that what can't fit is refused before it begins."""

import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")

UNITS = (("EB", 10**18), ("PB", 10**15), ("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


def size(count: float) -> str:
    """Bytes, for people: "1.2 GB"."""
    for unit, bytes_each in UNITS:
        # 999.96 of one unit would be 1000.0 of it
        if count >= 0.99995 * bytes_each:
            return f"{count / bytes_each:.1f} {unit}"
    return f"{count} bytes"


def _table(path: Path) -> dict[str, int]:
    """The first number behind each name."""
    lines = (line.replace(":", " ").split() for line in path.read_text().splitlines())
    return {name: int(number) for name, number, *_ in lines}


def _of_the_system() -> Iterator[int]:
    yield 1024 * _table(PROC / "meminfo")["MemAvailable"]


def _of_the_address_space() -> Iterator[int]:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        pages = int((PROC / "self" / "statm").read_text().split()[0])
        yield limit - pages * resource.getpagesize()


def _of_control_groups() -> Iterator[int]:
    """In each that this process is in, a limit less what is in use and is no cache of files."""
    for line in (PROC / "self" / "cgroup").read_text().splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers == "memory":
            root, limit, usage, kind = (
                CGROUPS / "memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_",
            )
        elif not controllers:
            root, limit, usage, kind = CGROUPS, "memory.max", "memory.current", ""
        else:
            continue
        path = PurePosixPath(name)
        for each in (path, *path.parents):
            directory = root / each.relative_to("/")
            try:
                most = int((directory / limit).read_text())
                used = int((directory / usage).read_text())
                table = _table(directory / "memory.stat")
            except (OSError, ValueError):
                # not here, or "max"
                continue
            yield most - used + table[f"{kind}active_file"] + table[f"{kind}inactive_file"]


def available() -> int | None:
    """Bytes that can be allocated and used now; None where the system does not say."""
    found = []
    for source in (_of_the_system, _of_the_address_space, _of_control_groups):
        with suppress(OSError, KeyError, ValueError):
            found += source()
    return max(0, min(found)) if found else None


def require(needed: int, what: str) -> None:
    """MemoryError, with both figures, if ``what`` takes more than there is."""
    there = available()
    if there is not None and needed > there:
        raise MemoryError(
            f"not enough memory for {what}: it takes {size(needed)}, and {size(there)} are available"
        )
