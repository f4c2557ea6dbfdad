"""What a measurement must state with its numbers: the machine, the system, the versions."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from carrychain import __version__
from carrychain.bindings import cpu

# AMD's generations by family and models, as Linux's arch/x86/kernel/cpu/amd.c tells them apart: a virtual
# machine's brand is the same for all.
ZEN = (
    (25, 0x00, 0x0F, "Zen 3"),
    (25, 0x10, 0x1F, "Zen 4"),
    (25, 0x20, 0x5F, "Zen 3"),
    (25, 0x60, 0xAF, "Zen 4"),
    (26, 0x00, 0x2F, "Zen 5"),
    (26, 0x40, 0x4F, "Zen 5"),
    (26, 0x60, 0x7F, "Zen 5"),
)


def generation(vendor: str, family: int, model: int) -> str:
    """The processor's generation by its usual name, or by its numbers."""
    for zen, first, last, name in ZEN:
        if (vendor, family) == ("AuthenticAMD", zen) and first <= model <= last:
            return name
    return f"family {family}, model {model}"


def processor() -> str:
    try:
        lines = (line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines())
        found = {name.strip(): value.strip() for name, _, value in lines}
    except OSError:
        found = {}
    names = map(found.get, ("model name", "cpu", "Model"))
    brand = cpu.brand() or next(filter(None, names), platform.machine())
    try:
        numbers = int(found["cpu family"]), int(found["model"])
    except (KeyError, ValueError):
        return brand
    return f"{brand} ({generation(found['vendor_id'], *numbers)})"


def system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, {platform.system()} {platform.release()} {platform.machine()}"


# What says where figures come from, wherever they are stored or shown.
ORIGIN = ("processor", "kernel", "date", "command")


def origin(command: str) -> dict[str, str]:
    """The origin of what ``command`` measures here and now."""
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
