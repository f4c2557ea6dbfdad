# SPDX-License-Identifier: MIT
"""A bare Debian to try things in, made by debootstrap from the mirrors in this machine's apt configuration.

Needs root. Each command has its own mounts and processes, in namespaces, which end with it however it ends.
So nothing is ever mounted in a directory that is removed.
"""

import re
import shutil
import subprocess
from pathlib import Path

import uml

RELEASE = "bookworm"
# neither its mounts nor its processes are to be seen outside, or to be left there
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
# a chroot on top of the base, which stays as it is: root is the merged view
ENTER = """
set -e
base=$1
place=$2
root=$2/root
shift 2
mount -t overlay overlay -o "lowerdir=$base,upperdir=$place/upper,workdir=$place/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/run"
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/"
exec chroot "$@"
"""


class Chroot:
    """A base and what was changed on top of it; begins without changes, and is removed in the end.

    An interrupted one may be too large for guard's grace: what is left of it is gone when the next begins.
    """

    def __init__(self, base: Path, place: Path):
        self.base, self.place = base, place
        shutil.rmtree(place, ignore_errors=True)
        for part in ("upper", "work", "root"):
            (place / part).mkdir(parents=True)
        # where files are handed in and out
        self.files = place / "upper/srv"
        self.files.mkdir()

    def __enter__(self) -> "Chroot":
        return self

    def __exit__(self, *_) -> None:
        shutil.rmtree(self.place)

    def command(self, script: str, environment: dict[str, str], user: str = "root") -> list[str]:
        """What runs the script by sh -e, as that user, with that environment and nothing else in it."""
        enter = [*APART, "sh", "-c", ENTER, "sh", str(self.base), str(self.place)]
        told = ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items())]
        return [
            *enter,
            f"--userspec={user}:{user}",
            str(self.place / "root"),
            *told,
            "/bin/sh",
            "-ec",
            script,
        ]


def mirrors() -> list[str]:
    """Lines for sources.list: what this machine's apt has of Debian's release."""
    wanted = "$(ORIGIN)|$(CODENAME)|$(REPO_URI)|$(COMPONENT)"
    command = ["apt-get", "indextargets", "--format", wanted, "Created-By: Packages"]
    rows = [
        row.split("|") for row in subprocess.run(command, capture_output=True, text=True).stdout.split("\n")
    ]
    found = {
        f"deb {row[2]} {row[1]} {row[3]}"
        for row in rows
        if row[0] == "Debian" and re.fullmatch(f"{RELEASE}(-updates|-security)?", row[1])
    }
    # the release itself first
    lines = sorted(found, key=lambda line: line.split()[2])
    if not lines or lines[0].split()[2] != RELEASE:
        raise uml.Failed(f"this machine's apt knows no mirror of Debian's {RELEASE}: name one in /etc/apt")
    return lines


def bootstrap(base: Path, packages: tuple[str, ...] = (), apt: str = "") -> None:
    """The base, whole or not at all; APT is configuration for its apt."""
    lines = mirrors()
    if base.exists():
        return
    print(f"debootstrap: {' '.join((RELEASE, *packages))}", flush=True)
    part = base.with_name(f"{base.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    command = [*APART, "debootstrap", "--variant=minbase"]
    command += [f"--include={','.join(packages)}"] if packages else []
    try:
        uml.run(
            [*command, RELEASE, str(part), lines[0].split()[1]],
            base.parent / "debootstrap.log",
            "debootstrap",
        )
        (part / "etc/apt/sources.list").write_text("".join(f"{line}\n" for line in lines))
        (part / "etc/apt/apt.conf.d/99carrychain").write_text(apt)
        part.rename(base)
    finally:
        shutil.rmtree(part, ignore_errors=True)
