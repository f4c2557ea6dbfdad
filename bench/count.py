#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count.py [-o FILE] [TRIPLE...]: instructions a call of each checksum scheme, on machines we emulate.

One row of JSON a line, as the bench program's, with "instructions" in the place of times: those of a
call less those of a call that does nothing.  Or all of them in FILE, as the report reads them.

QEMU logs each block of code once as instructions, and then each block it enters.  No plug-in is needed,
which a statically linked QEMU could not load.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EMULATORS = {
    "powerpc64-linux-gnu": "qemu-ppc64-static",
    "powerpc64le-linux-gnu": "qemu-ppc64le-static",
    "aarch64-linux-gnu": "qemu-aarch64-static",
}
# The article's figures: to 512 bytes by 16, to 8 KB by 256, to 64 KB by 1 KB.
GRIDS = ((16, 512), (256, 8192), (1024, 65536))
ENTERED = re.compile(rb"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")
INSTRUCTION = re.compile(rb"^0x([0-9a-f]+):")


def build(triple: str, program: Path) -> int:
    """Compile the counted program; the address of its marker."""
    sources = [*(ROOT / "src/checksum").rglob("*.c"), ROOT / "src/cpu/cpu.c", ROOT / "bench/checksum_count.c"]
    flags = ["-std=c17", "-O2", "-static", f"-I{ROOT}/include", f"-I{ROOT}/src"]
    subprocess.run([f"{triple}-gcc", *flags, "-o", program, *sorted(map(str, sources))], check=True)
    symbols = subprocess.run([f"{triple}-nm", program], check=True, capture_output=True, text=True).stdout
    marker = re.search(r"^([0-9a-f]+) T checksum_count_between$", symbols, re.MULTILINE)
    assert marker
    return int(marker[1], 16)


def intervals(log: Path, marker: int) -> Iterator[int]:
    """How many instructions from each passing of the marker to the next."""
    lengths: dict[int, int] = {}
    block, count, passed = 0, 0, False
    with log.open("rb") as lines:
        for line in lines:
            if line.startswith(b"IN:"):
                block = 0
            elif found := INSTRUCTION.match(line):
                block = block or int(found[1], 16)
                lengths[block] = (int(found[1], 16) - block) // 4 + 1
            elif found := ENTERED.match(line):
                at = int(found[1], 16)
                if at <= marker < at + 4 * lengths[at]:
                    if passed:
                        yield count
                    count, passed = 0, True
                count += lengths[at]


def count(triple: str) -> Iterator[dict]:
    with tempfile.TemporaryDirectory() as directory:
        program, log = Path(directory, "checksum-count"), Path(directory, "log")
        marker = build(triple, program)
        emulator = EMULATORS[triple]
        names = subprocess.run([emulator, program], check=True, capture_output=True, text=True).stdout
        logged = [emulator, "-d", "in_asm,exec,nochain", "-D", log, program]
        for tier, scheme in map(str.split, names.splitlines()):
            done = 0
            for step, last in GRIDS:
                subprocess.run([*logged, tier, scheme, str(step), str(last)], check=True)
                counts = list(intervals(log, marker))
                os.remove(log)
                for i, (empty, whole) in enumerate(zip(counts[::2], counts[1::2], strict=True)):
                    size = step * (i + 1)
                    if size > done:
                        row = {"suite": "checksum_schemes", "case": scheme, "size": size, "impl": tier}
                        yield row | {"machine": triple, "instructions": whole - empty}
                done = last


def version(*command: str) -> str:
    return subprocess.run([*command, "--version"], check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )[0]


def store(path: Path, triples: list[str]) -> None:
    """One line a scheme: its counts, in the order of the sizes."""
    series: dict[tuple[str, ...], dict[int, int]] = {}
    for triple in triples:
        for row in count(triple):
            series.setdefault((triple, row["impl"], row["case"]), {})[row["size"]] = row["instructions"]
    emulator = version(EMULATORS[triples[0]])
    machine = {
        "processor": f"emulated by {emulator}",
        "kernel": f"{platform.system()} {platform.release()}",
        "compilers": [version(f"{triple}-gcc") for triple in triples],
        "emulator": emulator,
        "date": date.today().isoformat(),
        "command": f"bench/count.py -o bench/results/{path.name} {' '.join(triples)}",
    }
    (sizes,) = {tuple(counts) for counts in series.values()}
    lines = [
        json.dumps({"machine": name, "impl": tier, "case": scheme, "instructions": list(counts.values())})
        for (name, tier, scheme), counts in series.items()
    ]
    path.write_text(
        f'{{\n\t"machine": {json.dumps(machine)},\n\t"sizes": {json.dumps(sizes)},\n\t"counts": [\n\t\t'
        + ",\n\t\t".join(lines)
        + "\n\t]\n}\n"
    )


if __name__ == "__main__":
    arguments = sys.argv[1:]
    file = Path(arguments[1]) if arguments[:1] == ["-o"] and len(arguments) > 1 else None
    wanted = arguments[2:] if file else arguments
    for triple in wanted or EMULATORS:
        if triple not in EMULATORS:
            sys.exit(f"count.py: {triple}: give {', '.join(EMULATORS)}, or nothing for all")
        for program in (f"{triple}-gcc", EMULATORS[triple]):
            if not shutil.which(program):
                sys.exit(f"count.py: {program} is not installed")
    if file:
        store(file, wanted or list(EMULATORS))
    else:
        for triple in wanted or EMULATORS:
            for row in count(triple):
                print(json.dumps(row), flush=True)
