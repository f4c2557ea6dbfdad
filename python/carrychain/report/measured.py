"""The report's measurements on one machine, saved phase by phase, so that an interrupted run can continue."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from carrychain.bench import c_suites
from carrychain.bench.machine import facts, origin
from carrychain.files import write_text

FILE = "measured.json"
COMMAND = "carrychain report"
# what has to be the same for a measurement to go on
SAME = ("processor", "kernel", "carrychain", "compiler", "tier", "command")

Phases = Mapping[str, Callable[[bool], object]]


class Absent(Exception):
    """One line that says why a phase was not measured."""


class Foreign(Exception):
    """One line that says why a file does not hold a report's measurements."""


class Measured:
    """The phases by name, and the machine."""

    def __init__(self, content: dict, *, here: bool = False):
        self.content, self.here = content, here
        self.why: dict[str, str] = {}

    @classmethod
    def load(cls, path: Path) -> "Measured":
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError):
            content = None
        if not isinstance(content, dict) or not isinstance(content.get("machine"), dict):
            raise Foreign(f"{path}: not what a report measured: give the {FILE} beside a report's pages")
        return cls(content)

    @property
    def machine(self) -> dict[str, str]:
        return self.content["machine"]

    @property
    def processor(self) -> str:
        return self.machine.get("processor", "a processor not recorded")

    @property
    def name(self) -> str:
        """The machine's name in legends."""
        return f"{self.processor}, {self.machine.get('date', 'no date')}"

    def __getitem__(self, phase: str):
        """What was measured, or Absent."""
        if phase not in self.content:
            raise Absent(self.why.get(phase, "its phase was left out"))
        return self.content[phase]

    def get(self, phase: str, otherwise=None):
        """What was measured, or a default."""
        return self.content.get(phase, otherwise)


def suite(name: str) -> Callable[[bool], list[dict]]:
    """The phase that runs a suite of the bench program."""
    return lambda quick: c_suites.suite(name, quick=quick)


def measure(path: Path, phases: Phases, say: Callable[[str], None], *, quick: bool = False) -> Measured:
    """Runs each phase that is not in the file yet; ``say`` hears which. A finished file is started again."""
    command = f"{COMMAND} --quick" if quick else COMMAND
    found = Measured(_begun(path, origin(command) | facts()), here=True)
    for number, (name, phase) in enumerate(phases.items(), 1):
        where = f"{number} of {len(phases)}: {name}"
        if name in found.content:
            say(f"{where}: measured before")
            continue
        say(f"{where}: measuring")
        began = monotonic()
        try:
            found.content[name] = phase(quick)
        except (c_suites.NoProgram, Absent) as error:
            found.why[name] = str(error)
            say(f"{where}: {error}")
            continue
        found.content["seconds"][name] = round(monotonic() - began, 1)
        write_text(path, _text(found.content))
    found.content["finished"] = True
    write_text(path, _text(found.content))
    return found


def _text(content: dict) -> str:
    """One row per line, for readers and for diffs."""

    def entry(found: object) -> str:
        if not isinstance(found, list):
            return json.dumps(found)
        return "[\n" + ",\n".join(map(json.dumps, found)) + "\n]"

    return (
        "{\n" + ",\n".join(f"{json.dumps(name)}: {entry(found)}" for name, found in content.items()) + "\n}\n"
    )


def _begun(path: Path, machine: dict[str, str]) -> dict:
    """The results of an interrupted run of this command on this machine."""
    try:
        left = Measured.load(path)
    except (OSError, Foreign):
        left = None
    same = left and all(left.machine.get(name) == machine[name] for name in SAME)
    if same and not left.content.get("finished"):
        return left.content
    return {"machine": machine, "seconds": {}}
