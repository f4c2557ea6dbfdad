#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the programs of docs/tutorial-python.md print of their times, stored: bench/tutorial.py -o FILE

Each is run five times; a row is what the run with the median factor printed.  MD5 in the place of SHA-256 is
another row.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from carrychain.bench.machine import facts, origin
from carrychain.files import write_text

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tutorial-python.md"
PROGRAM = re.compile(r"^```python\n(# (\w+)\.py\n(?s:.*?))^```$", re.MULTILINE)
PRINTED = re.compile(r"CPython ([\d.]+) ms, compiled ([\d.]+) ms: (\d+) times")
RUNS = 5


def programs() -> dict[str, str]:
    found = {name: text for text, name in PROGRAM.findall(PAGE.read_text())}
    timed = {name: text for name, text in found.items() if "times as fast" in text}
    return timed | {"measure md5": timed["measure"].replace("sha256", "md5")}


def printed(text: str, directory: Path) -> dict[str, float]:
    (directory / "program.py").write_text(text)
    command = [sys.executable, "program.py"]
    said = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout
    numbers = map(float, PRINTED.search(said).groups())
    return dict(zip(("cpython_ms", "compiled_ms", "times"), numbers, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", dest="output", type=Path, required=True)
    output = parser.parse_args().output
    rows = []
    with TemporaryDirectory() as temporary:
        for name in ("sha256", "md5"):
            (Path(temporary) / f"{name}.py").write_bytes((ROOT / f"examples/python/{name}.py").read_bytes())
        for name, text in programs().items():
            runs = sorted((printed(text, Path(temporary)) for _ in range(RUNS)), key=lambda run: run["times"])
            rows.append({"case": name} | runs[RUNS // 2])
    machine = origin(f"bench/tutorial.py -o {output}") | facts()
    lines = ",\n".join(json.dumps(row) for row in rows)
    write_text(output, f'{{\n"machine": {json.dumps(machine, indent=1)},\n"rows": [\n{lines}\n]\n}}\n')


if __name__ == "__main__":
    main()
