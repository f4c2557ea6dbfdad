"""Results that were measured before, and elsewhere: kept in bench/results, installed with the package."""

import json
from importlib.resources import files

from .machine import ORIGIN


def names(prefix: str) -> list[str]:
    """Of the files that begin so: one a processor."""
    return sorted(
        each.name for each in (files("carrychain") / "results").iterdir() if each.name.startswith(prefix)
    )


def load(name: str) -> dict:
    return json.loads((files("carrychain") / "results" / name).read_text(encoding="utf-8"))


def origin(results: dict) -> dict[str, str]:
    """Where, when and how they were measured, as far as they say so."""
    return {name: results["machine"].get(name, f"{name} not recorded") for name in ORIGIN}
