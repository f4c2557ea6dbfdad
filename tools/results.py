# SPDX-License-Identifier: MIT
"""Stores measurements made by tools in bench/results, together with the machine they were made on."""

import json
import os
import re
import subprocess
from datetime import UTC, datetime

import uml


def machine(command: str) -> dict[str, str]:
    said = subprocess.run(["lscpu", "--json"], capture_output=True, text=True, check=True).stdout
    found = {entry["field"]: entry["data"] for entry in json.loads(said)["lscpu"]}
    # a virtual machine's name is the same for many
    model = f"{found['Model name:']} (family {found.get('CPU family:')}, model {found.get('Model:')})"
    system = os.uname()
    kernel = f"{system.sysname} {system.release}"
    return {
        "processor": model,
        "kernel": kernel,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": command,
    }


def store(name: str, content: dict) -> None:
    directory = uml.TOP / "bench/results"
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, indent="\t", ensure_ascii=False)
    # a row, and a list of numbers, is a line
    text = re.sub(
        r"\[\s+(\d[^\[\]{}]*?)\s+\]", lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", text
    )
    text = re.sub(
        r"\{\s+((?:\"\w+\": [^{}]*?))\s+\}", lambda found: "{" + re.sub(r",\n\s+", ", ", found[1]) + "}", text
    )
    (directory / name).write_text(text + "\n")
