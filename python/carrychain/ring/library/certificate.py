"""A certificate beside built files: what they were built from, by which compiler, and what was checked.

Building is reproducible, so that anyone who has the source can build the files again and compare them.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import NamedTuple

import llvmlite
from llvmlite.binding import llvm_version_info

from ... import __version__
from ..call.compiled import sources
from . import linked

# The forms that the C compiler takes part in.
LINKED = ("wheel", "asdf")
RING = Path(__file__).parents[1]
SHOWN = "each rewriting, each range, and each word of each function was shown to do what the program says"


class Certified(NamedTuple):
    """Whether the files are those that the source gives; if not, why."""

    equal: bool
    why: str


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def compiler(emit: str) -> dict[str, str]:
    """What decides about the files of this form, beside the source and the options."""
    folders = sorted(path.parent for path in RING.rglob("*.py"))
    return {
        "carrychain": __version__,
        "sources": digest(sources(*dict.fromkeys(folders))),
        "llvmlite": llvmlite.__version__,
        "llvm": ".".join(map(str, llvm_version_info)),
        **({"cc": linked.version()} if emit in LINKED else {}),
    }


def certificate(
    file: str, source: bytes, options: dict, files: dict[str, bytes], faults: dict[str, str], validate: bool
) -> bytes:
    """`faults`: the functions that were compiled without a step that could not be shown right, and why."""
    checks: dict = {"shown": SHOWN, "without": faults}
    if validate:
        checks["compared"] = "each pass's output was compared with its input"
    content = {
        "source": {"file": os.path.basename(file), "sha256": digest(source)},
        "options": options,
        "compiler": compiler(options["emit"]),
        "checks": checks,
        "files": {name: digest(data) for name, data in files.items()},
    }
    return json.dumps(content, indent=2).encode() + b"\n"


def read_certificate(path: Path) -> dict:
    """ValueError if it is none."""
    try:
        found = json.loads(path.read_bytes())
        if {"source", "options", "compiler", "files"} <= found.keys():
            return found
    except (ValueError, AttributeError):
        pass
    raise ValueError(f"{path.name} is not a certificate")


def compared(found: dict, source: bytes, directory: Path, built: dict[str, bytes]) -> Certified:
    """The files beside the certificate against those that were built again."""
    if digest(source) != found["source"]["sha256"]:
        return Certified(False, "the source is another one")
    for name, wanted in found["files"].items():
        there = (directory / name).read_bytes()
        if digest(there) != wanted:
            return Certified(False, f"{name} is not the file that was certified")
        if there != built.get(name):
            ours = compiler(found["options"]["emit"])
            other = [key for key, value in ours.items() if found["compiler"].get(key) != value]
            by = f" by another compiler ({', '.join(other)})" if other else ""
            return Certified(False, f"{name} is another one when it is built again{by}")
    return Certified(True, "")
