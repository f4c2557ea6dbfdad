"""What a measurement has to name beside its numbers: the machine, the system, the versions."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from carrychain import __version__
from carrychain.bindings import cpu


def processor() -> str:
    if brand := cpu.brand():
        return brand
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "cpu", "Model"):
                return value.strip()
    except OSError:
        pass
    return platform.machine()


def system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, {platform.system()} {platform.release()} {platform.machine()}"


# What says where figures come from, wherever they are stored or shown.
ORIGIN = ("processor", "kernel", "date", "command")


def origin(command: str) -> dict[str, str]:
    """Of what ``command`` measures here and now."""
    kernel = f"{platform.system()} {platform.release()}"
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    return dict(zip(ORIGIN, (processor(), kernel, today, command), strict=True))


def facts() -> dict[str, str]:
    tiers = ", ".join(f"{module}: {cpu.chosen(module)}" for module in cpu.MODULES)
    return {
        "processor": processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "system": system(),
        "carrychain": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": cpu.compiler() or "unknown",
        "tier": tiers,
    }
