# SPDX-License-Identifier: MIT
"""Emulated machines that run Debian's kernels, one for each word size and byte order."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import debian
import guard
import uml

PLACE = uml.WORK / "debian"
# to halt is to end the emulator; a panic is a reboot, and that is an end as well
COMMON = ("-display", "none", "-monitor", "none", "-no-reboot", "-m", "1G", "-accel", "tcg,thread=multi")
# the host's other work may keep an emulated processor from its turn: two minutes without one are the kernel's
KERNEL = (
    "panic=-1 oops=panic slub_debug=FZP printk.time=0 printk.devkmsg=on watchdog_thresh=60 "
    "rcupdate.rcu_cpu_stall_timeout=120"
)


@dataclass(frozen=True)
class Machine:
    name: str
    architecture: str
    series: str
    # as the kernel's package ends
    flavour: str
    # before gcc
    cross: str
    bits: int
    emulator: tuple[str, ...]
    console: str

    @property
    def directory(self) -> Path:
        return PLACE / self.name

    def fetch(self) -> str:
        """Debian's kernel, from what was unpacked before or from Debian; its name."""
        if not self.directory.exists():
            debian.fetch(self.directory, self.architecture, self.series, self.flavour)
        return debian.abi(self.directory)

    def boot(self, files: Path) -> str:
        """Until the machine halts, FILES its root; the kernel's log."""
        archive, log, said = (PLACE / f"{self.name}.{end}" for end in ("cpio", "log", "qemu"))
        names = subprocess.run(["find", "."], cwd=files, capture_output=True, check=True).stdout
        with archive.open("wb") as out:
            pack = ["cpio", "-o", "-H", "newc", "--owner", "0:0", "--quiet"]
            subprocess.run(pack, cwd=files, input=names, stdout=out, check=True)
        kernel = next((self.directory / "boot").glob("vmlinu*"))
        command = [*self.emulator, *COMMON, "-kernel", str(kernel), "-initrd", str(archive)]
        command += ["-append", f"console={self.console} {KERNEL}", "-serial", f"file:{log}"]
        log.write_bytes(b"")
        with said.open("wb") as out:
            emulated = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )
            try:
                guard.wait(emulated, lambda: log.stat().st_size, uml.BUSY)
            except guard.Hung as hung:
                raise uml.Failed(f"{self.name} did not halt: {hung}: {log.relative_to(uml.TOP)}") from None
        if emulated.returncode:
            raise uml.Failed(f"QEMU: {said.read_text(errors='replace').strip()}")
        return log.read_text(errors="replace").replace("\r", "")


X86_64 = ("qemu-system-x86_64", "-cpu", "max", "-smp", "2")
# an AMD's of this family would be one that several can't work beside
I386 = ("qemu-system-i386", "-cpu", "max,vendor=GenuineIntel", "-smp", "2")
ARM64 = ("qemu-system-aarch64", "-M", "virt", "-cpu", "max,pauth-impdef=on", "-smp", "2")
S390X = ("qemu-system-s390x", "-cpu", "max", "-smp", "2")
# the emulator does not do what hinders speculation
WITHOUT = ",".join(("cap-cfpc=broken", "cap-sbbc=broken", "cap-ibs=broken", "cap-ccf-assist=off"))
PPC64 = ("qemu-system-ppc64", "-M", f"pseries,{WITHOUT}", "-cpu", "power9", "-smp", "2")
ARM = ("qemu-system-arm", "-M", "virt", "-cpu", "cortex-a15", "-smp", "2")

MACHINES = {
    machine.name: machine
    for machine in (
        Machine("amd64-6.12", "amd64", "6.12", "amd64", "", 64, X86_64, "ttyS0"),
        Machine("amd64-6.1", "amd64", "6.1", "amd64", "", 64, X86_64, "ttyS0"),
        Machine("arm64", "arm64", "6.1", "arm64", "aarch64-linux-gnu-", 64, ARM64, "ttyAMA0"),
        Machine("s390x", "s390x", "6.1", "s390x", "s390x-linux-gnu-", 64, S390X, "ttysclp0"),
        Machine("ppc64el", "ppc64el", "6.1", "powerpc64le", "powerpc64le-linux-gnu-", 64, PPC64, "hvc0"),
        Machine("i386", "i386", "6.1", "686-pae", "i686-linux-gnu-", 32, I386, "ttyS0"),
        Machine("armhf", "armhf", "6.1", "armmp", "arm-linux-gnueabihf-", 32, ARM, "ttyAMA0"),
    )
}


def emulator() -> str:
    said = subprocess.run([X86_64[0], "--version"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0]
