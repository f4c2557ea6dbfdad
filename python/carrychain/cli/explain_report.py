"""The output of carrychain explain, for people and as JSON."""

from __future__ import annotations

import json
from textwrap import fill

from rich.text import Text

from carrychain.bindings.bigint import to_decimal
from carrychain.ring.explain.telling import container_text, demand_text, place, range_text, told, use_text

from .console import out


def explained(plan) -> list[tuple[str, str, str, str, str]]:
    """Operation, range, demand, container and position for each line of the function."""
    from carrychain.ring.facts.plan import ANY
    from carrychain.ring.ir.form import Int

    def about(values) -> tuple[str, str, str]:
        whole = [value for value in values if isinstance(value.type, Int)]
        return (
            "; ".join(range_text(plan.ranges.get(value, ANY)) for value in whole),
            "; ".join(demand_text(plan.demands.get(value, 0)) for value in whole),
            "; ".join(container_text(plan.containers.get(value, 0)) for value in whole),
        )

    lines = []
    for block in plan.function.blocks:
        lines.append((f"{block.name}:", "", "", "", ""))
        lines += [(f"  {param}: {param.type}", *about([param]), "") for param in block.params]
        for i in block.instructions:
            lines.append((f"  {i}", *about(i.results), place(i.position)))
        lines.append((f"  {block.terminator}", "", "", "", ""))
    return lines


def fitted(text: str, limit: int | None) -> str:
    """The text broken into terminal lines."""
    return fill(text, limit, subsequent_indent=" " * 6, replace_whitespace=False) if limit else text


class ExplainPrinter:
    """The function's operations in a table, followed by what stayed big."""

    def __init__(self) -> None:
        # break lines between words on a terminal only
        self._limit = out.width if out.is_terminal else None

    def _print(self, text: str, style: str = "") -> None:
        out.print(Text(fitted(text, self._limit), style), soft_wrap=True)

    def table(self, plan) -> None:
        results = ", ".join(map(str, plan.function.results))
        lines = [("operation", "range", "demanded", "container", "line"), *explained(plan)]
        widths = [max(len(line[column]) for line in lines) for column in range(5)]
        # longer cells push the following ones to the right
        widths[0] = min(widths[0], max(20, self._limit - sum(widths[1:]) - 8) if self._limit else 60)
        self._print(f"{plan.function.name} -> ({results}), {plan.function.position}", "bold")
        for at, line in enumerate(lines):
            text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            dim = not at or not line[0].startswith(" ")
            self._print(text, "red" if "big" in line[3].split("; ") else "dim" if dim else "")

    def advice(self, report) -> None:
        for text, style in told(report):
            self._print(text, style)


def json_text(plan, report) -> str:
    """One document, whose fields docs/how-to/lisp.md describes. `report` is None with --no-cut."""
    position = plan.function.position
    document = {
        "function": plan.function.name,
        "file": position.file,
        "line": position.line,
        "column": position.column,
        "cut": report is not None and not report.refused,
        "stayed_big": [] if report is None else [_finding(each) for each in report.findings],
        "changes_tried": 0 if report is None else report.trials,
        "all_tried": report is None or report.all_tried,
        "places": [] if report is None else _places(report),
    }
    return json.dumps(document, indent=1)


def _where(position) -> dict:
    return {"line": position.line, "column": position.column}


def _end(value: int | None) -> str | None:
    return None if value is None else to_decimal(value)


def _finding(finding) -> dict:
    use = finding.use
    return {
        "members": [
            {
                "kind": each.kind,
                "expression": each.text,
                **_where(each.position),
                "low": _end(each.known.low),
                "high": _end(each.known.high),
            }
            for each in finding.members
        ],
        "use": {"what": use_text(finding), "expression": use.text, **_where(use.position)},
        "advice": [
            {
                "kind": each.kind,
                "write": [{"text": text, **_where(at)} for text, at in each.write],
                "insertions": [{"text": text, **_where(at)} for text, at in each.insertions],
                "container": each.container or 0,
            }
            for each in finding.advice
        ],
        "cost": {
            "operations": finding.cost.operations,
            "rounds": finding.cost.rounds,
            "nanoseconds": round(finding.cost.nanoseconds, 2),
            "nanoseconds_long": round(finding.cost.nanoseconds_long, 2),
            "estimate": True,
        },
    }


def _places(report) -> list[dict]:
    return [
        {"kind": kind, **_where(position), "container": "big" if bits is None else bits}
        for kind, position, bits in report.wide()
    ]
