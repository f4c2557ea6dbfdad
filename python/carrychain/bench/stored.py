"""Stored results of earlier measurements: kept in bench/results, and installed with the package."""

import json
from importlib.resources import files

from .machine import ORIGIN


def names(prefix: str) -> list[str]:
    """The files whose names begin so, one per processor."""
    return sorted(
        each.name for each in (files("carrychain") / "results").iterdir() if each.name.startswith(prefix)
    )


def load(name: str) -> dict:
    return json.loads((files("carrychain") / "results" / name).read_text(encoding="utf-8"))


def origin(results: dict) -> dict[str, str]:
    """Where, when and how the results were measured, as far as they say."""
    return {name: results["machine"].get(name, f"{name} not recorded") for name in ORIGIN}
