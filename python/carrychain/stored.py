"""Results that take a kernel of their own to measure: kept in bench/results, installed with the package."""

import json
from importlib.resources import files


def load(name: str) -> dict:
    return json.loads((files("carrychain") / "results" / name).read_text(encoding="utf-8"))


def origin(results: dict) -> str:
    """Where and how they were measured, in a sentence."""
    machine = results["machine"]
    return (
        f"Measured inside {machine['kernel']} on {machine['processor']}, {machine['date']}; "
        f"{machine['command']} measures anew."
    )
