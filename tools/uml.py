# SPDX-License-Identifier: MIT
"""A Linux tree that contains kernel/, and User-Mode Linux built and run from it."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import guard

TOP = Path(__file__).resolve().parent.parent
WORK = TOP / "build-kernel"
RELEASE = "6.1"
TREE = WORK / f"linux-source-{RELEASE}"
STAGE = WORK / "um-stage"
# what make is told of it; with SUBARCH as uname has it, tinyconfig would be a 32-bit one
UM = ("ARCH=um", "SUBARCH=x86_64")
# where in the tree the staged directory is linked in
PLACE = "lib/carrychain"
# User-Mode Linux takes the host's signals on a stack of this size, one within another.  A frame holds all
# vector registers (3.4 KB with AVX-512), and KASAN doubles what stands between: 16 KB overflow under load.
# Nor may a task's stack be virtually mapped: to flush the kernel's range is to unmap it and map it again
# (arch/um/kernel/tlb.c), and a signal in between, which copies from that stack, faults there without end.
STACKS = "CONFIG_KERNEL_STACK_ORDER=4\nCONFIG_VMAP_STACK=n\n"
# seconds of a core between two words of a kernel that has not hung
BUSY = 600
# lines of a log that are shown when what it is of fails, and as many of errors before them
TAIL = 15


# the lock, as long as the process lives
held = None


class Failed(Exception):
    """Said to the user as it is."""


def run(command: list[str], log: Path, what: str, **more) -> None:
    with log.open("w") as out:
        status = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, **more).returncode
    if status:
        lines = log.read_text(errors="replace").splitlines()
        # with several jobs at once the error is seldom last
        wrong = re.compile(r"error|undefined|\*\*\*|No space", re.IGNORECASE)
        said = [line for line in lines[:-TAIL] if wrong.search(line)][-TAIL:]
        shown = "\n".join([*said, "...", *lines[-TAIL:]] if said else lines[-TAIL:])
        raise Failed(f"{what} failed; {log.relative_to(TOP)} has all of this:\n{shown}")


def fetch_packages() -> None:
    """Install from Debian what is not there."""
    if subprocess.run([str(TOP / "tools/setup"), "kernel"]).returncode:
        raise Failed("the packages above are needed")


def unpack(release: str) -> Path:
    """Debian's tree, whole or not at all."""
    directory = WORK / f"linux-source-{release}"
    if directory.exists():
        return directory
    archive = Path(f"/usr/src/linux-source-{release}.tar.xz")
    print(f"unpacking {archive.name}", flush=True)
    part = directory.with_name(directory.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    run(["tar", "xf", str(archive), "-C", str(part), "--strip-components=1"], WORK / "unpack.log", "tar")
    part.rename(directory)
    return directory


def add_line(path: Path, line: str) -> None:
    text = path.read_text()
    if line not in text.splitlines():
        path.write_text(f"{text}\n{line}\n")


def lock() -> None:
    """Until this process ends, nobody else works here: two builds would tear each other's files away."""
    global held
    if held:
        return
    held = (WORK / "lock").open("w")
    fcntl.flock(held, fcntl.LOCK_EX)


def begin() -> None:
    """All that building needs, for us alone."""
    WORK.mkdir(exist_ok=True)
    lock()
    fetch_packages()


def compile_crc(stage: Path) -> None:
    """C of the kernel's from kunit/crc.py, for the suite that compares both with the kernel's own."""
    program = shutil.which("carrychain") or TOP / ".venv/bin/carrychain"
    if not Path(program).exists():
        raise Failed("there is no compiler to make C of kernel/kunit/crc.py: make demo sets it up")
    kinds = [f"--kinds={name}(u32, bytes) -> u32" for name in ("crc32", "crc32c", "crc32_be")]
    command = [str(program), "build", str(TOP / "kernel/kunit/crc.py"), *kinds, "--prefix=natural_"]
    run([*command, "--emit=c", "--target=kernel", "-o", str(stage / "kunit")], WORK / "crc.log", "crc.py")


def tree() -> Path:
    """Debian's Linux with kernel/, src/ and include/ linked in."""
    begin()
    unpack(RELEASE)
    run([str(TOP / "tools/kernel-stage"), str(STAGE)], WORK / "stage.log", "staging")
    compile_crc(STAGE)
    link = TREE / PLACE
    if not link.is_symlink():
        link.symlink_to(STAGE)
    add_line(TREE / "lib/Kconfig", f'source "{PLACE}/Kconfig"')
    add_line(TREE / "lib/Makefile", "obj-y += carrychain/")
    return TREE


def original(tree: Path, name: str) -> str:
    """The text of a file of a tree, without what tree() adds."""
    lines = (tree / name).read_text().splitlines()
    return "\n".join(line for line in lines if "carrychain" not in line).rstrip("\n") + "\n"


def style(tree: Path) -> tuple[int, int, int]:
    """Whether checkpatch --strict says nothing of what is compiled into kernels in their own style."""
    paths = [path for path in (TOP / "kernel").rglob("*.[ch]") if "client" not in path.parts]
    # what is made when the tree is staged
    made = [STAGE / "kunit" / name for name in ("u128_cases.h", "crc.h", "crc.c")]
    paths = [*sorted(paths), TOP / "include/carrychain/u128.h", *made]
    # the pieces of the patch series are looked at as patches
    paths = [str(path) for path in paths if "patch" not in path.parts]
    command = ["perl", "scripts/checkpatch.pl", "--strict", "--no-tree", "--show-types", "-f", *paths]
    said = subprocess.run(command, cwd=tree, capture_output=True, text=True).stdout
    clean = said.count("total: 0 errors, 0 warnings, 0 checks")
    print(f"checkpatch --strict: {clean} of {len(paths)} files clean")
    complaints = re.findall(r"^(?:ERROR|WARNING|CHECK):.*\n#\d+: FILE: .*$", said, re.MULTILINE)
    print("".join(f"  {line}\n" for line in complaints), end="")
    return clean, len(paths) - clean, 0


def settings(config: str) -> dict[str, str]:
    return dict(re.findall(r"^(CONFIG_\w+)=(.*)$", config, re.MULTILINE))


def configure(
    source: Path, output: Path, wanted: str, machine: tuple[str, ...] = UM, base: str | None = None
) -> None:
    """Make OUTPUT/.config of WANTED on top of BASE, unless it is that already; every wish must come true.

    MACHINE: what make is told of it.
    """
    if UM[0] in machine:
        wanted += STACKS
    output.mkdir(parents=True, exist_ok=True)
    asked = output / "asked"
    config = output / ".config"
    if not (config.exists() and asked.exists() and asked.read_text() == wanted):
        make = ["make", "-C", str(source), *machine, f"O={output}"]
        if base:
            run([*make, base], output / "config.log", base)
            with config.open("a") as more:
                more.write(wanted)
        else:
            config.write_text(wanted)
        run([*make, "olddefconfig"], output / "config.log", "olddefconfig")
        got = settings(config.read_text())
        lost = [f"{name}={value}" for name, value in settings(wanted).items() if got.get(name, "n") != value]
        if lost:
            raise Failed(f"this kernel does not let itself be configured with {', '.join(lost)}")
        asked.write_text(wanted)


def make(source: Path, output: Path, *targets: str, machine: tuple[str, ...] = UM) -> None:
    command = ["make", "-C", str(source), *machine, f"O={output}", f"-j{os.cpu_count()}", *targets]
    run(command, output / "build.log", f"building {' '.join(targets) or 'the kernel'}")


def build(name: str, fragments: tuple[str, ...]) -> Path:
    """User-Mode Linux of our tree, configured by files of kernel/; the directory that holds it."""
    source, output = tree(), WORK / name
    configure(source, output, "".join((TOP / "kernel" / fragment).read_text() for fragment in fragments))
    make(source, output)
    return output


def boot(output: Path, *arguments: str) -> str:
    """Run the kernel that OUTPUT holds until it halts; what it said."""
    log = output / "boot.log"
    # what it keeps while it runs would else go into the home directory, and stay there when it dies
    with tempfile.TemporaryDirectory(prefix="uml-") as place, log.open("wb") as out:
        command = [str(output / "linux"), f"uml_dir={place}", "mem=1G"]
        command += ["con=null", "con0=fd:0,fd:1", "console=tty0", *arguments]
        kernel = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        try:
            guard.wait(kernel, lambda: log.stat().st_size, BUSY)
        except guard.Hung as hung:
            raise Failed(f"the kernel did not halt: {hung}: {log.relative_to(TOP)}") from None
        finally:
            # it leaves the terminal as it likes
            if sys.stdin.isatty():
                subprocess.run(["stty", "sane"])
    return log.read_text(errors="replace")


def root(program: str, *libraries: str) -> tuple[str, ...]:
    """A root with nothing but a PROGRAM of kernel/, built statically; what to tell boot() of it."""
    place = WORK / "um-root"
    for name in ("dev", "proc", "sys"):
        (place / name).mkdir(parents=True, exist_ok=True)
    source = str(TOP / "kernel" / program)
    init = str(place / "init")
    command = ["gcc", "-O2", "-Wall", "-Wextra", "-static", "-o", init, source, *libraries]
    run(command, WORK / "init.log", f"compiling {program}")
    return ("root=none", "rootfstype=hostfs", f"rootflags={place}", "rw", "init=/init")


def version(log: str) -> str:
    found = re.search(r"^Linux version (\S+) .*?\((gcc[^)]*\) [\d.]+)", log, re.MULTILINE)
    if not found:
        raise Failed("the kernel said nothing")
    return f"Linux {found[1]} (User-Mode Linux, {found[2]})"
