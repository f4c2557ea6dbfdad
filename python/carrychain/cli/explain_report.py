"""What carrychain explain prints: for people, as JSON."""

from __future__ import annotations

import json
from textwrap import fill

from rich.text import Text

from carrychain.bindings.bigint import to_decimal

from .console import out, printable

# Of an expression, more is in the source.
SHOWN = 64


def power(value: int) -> str:
    """An integer, near a power of two as such: 2^32-1."""
    if abs(value) < 1 << 16:
        return str(value)
    sign = "-" if value < 0 else ""
    size = abs(value)
    for offset, mark in ((0, ""), (1, "-1"), (-1, "+1")):
        near = size + offset
        if near & (near - 1) == 0:
            text = f"2^{near.bit_length() - 1}{mark}"
            return f"{sign}({text})" if sign and mark else sign + text
    return str(value) if size < 1 << 64 else f"{sign}~2^{size.bit_length()}"


def range_text(known) -> str:
    if known.low is not None and known.low == known.high:
        return power(known.low)
    low = "-inf" if known.low is None else power(known.low)
    high = "inf" if known.high is None else power(known.high)
    return f"{low} .. {high}"


def demand_text(mask: int) -> str:
    if mask < 0:
        return "all"
    if mask & (mask + 1) == 0:
        return f"{mask.bit_length()} bits"
    return f"#x{mask:x}"


def container_text(bits: int | None) -> str:
    return "big" if bits is None else f"{bits} bits" if bits else "unused"


def brief(text: str) -> str:
    """A form of the source, on one line and not too long."""
    line = printable(text)
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def explained(plan) -> list[tuple[str, str, str, str, str]]:
    """Operation, range, demand, container and place for each line of the function."""
    from carrychain.ring.ir import Int
    from carrychain.ring.plan import ANY

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


def place(position) -> str:
    return f"{position.line}:{position.column}" if position else ""


def fitted(text: str, limit: int | None) -> str:
    """In lines of a terminal."""
    return fill(text, limit, subsequent_indent=" " * 6, replace_whitespace=False) if limit else text


class Human:
    """The function's operations in a table, and then what stayed big."""

    def __init__(self) -> None:
        # in a file, a line is a line; a terminal's are broken between words
        self._limit = out.width if out.is_terminal else None

    def _print(self, text: str, style: str = "") -> None:
        out.print(Text(fitted(text, self._limit), style), soft_wrap=True)

    def table(self, plan) -> None:
        results = ", ".join(map(str, plan.function.results))
        lines = [("operation", "range", "demanded", "container", "line"), *explained(plan)]
        widths = [max(len(line[column]) for line in lines) for column in range(5)]
        # what is longer moves what comes after it
        widths[0] = min(widths[0], max(20, self._limit - sum(widths[1:]) - 8) if self._limit else 60)
        self._print(f"{plan.function.name} -> ({results}), {plan.function.position}", "bold")
        for at, line in enumerate(lines):
            text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            dim = not at or not line[0].startswith(" ")
            self._print(text, "red" if "big" in line[3].split("; ") else "dim" if dim else "")

    def advice(self, report) -> None:
        if report.refused:
            self._print("all of it is big, as the verifier did not find it exact: a fault of the compiler's")
            return
        for finding in report.findings:
            self._print(f"{brief(finding.text)} stayed big ({finding.position})", "bold red")
            use = f": {brief(finding.use_text)}" if finding.use_text else ""
            self._print(f"  all of it is wanted, as {finding.use}{use} ({finding.use_position})")
            for each in finding.advice:
                self._print(f"  {advice_text(each)}", "green")
            if not finding.advice:
                self._print(f"  {NOTHING_CUTS if report.all_tried else STOPPED}", "yellow")
            if finding.cost.operations:
                self._print(f"  {cost_text(finding.cost)}", "dim")
        if not report.findings:
            self._print("nothing stayed big", "green")


NOTHING_CUTS = "no declaration and no mask that was tried cuts it"
STOPPED = "nothing that was tried cuts it, and not all was: there were too many changes to try"


def advice_text(advice) -> str:
    write = " and ".join(f"{printable(text)} at {place(position)}" for text, position in advice.write)
    if_ = "that is what it holds" if advice.kind == "declare" else "no more bits are wanted"
    then = (
        f"then it is a word of {advice.container} bits" if advice.container else "then nothing of it is left"
    )
    return f"if {if_}, write {write}: {then}"


def cost_text(cost) -> str:
    often = (
        "as often as its loop goes round" if cost.rounds is None else f"at most {cost.rounds:,} times a call"
    )
    if cost.rounds == 1:
        often = "once a call"
    return (
        f"costs {cost.nanoseconds:.1f} ns each time more than a word would, {cost.nanoseconds_long:.0f} ns "
        f"where it has 100 bits; {often} (estimates)"
    )


def json_text(plan, report) -> str:
    """One document; docs/how-to/lisp.md describes its fields. `report` is None where nothing was cut."""
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
    return {
        "kind": finding.kind,
        "expression": finding.text,
        **_where(finding.position),
        "low": _end(finding.known.low),
        "high": _end(finding.known.high),
        "use": {"what": finding.use, "expression": finding.use_text, **_where(finding.use_position)},
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
    from carrychain.ring.advise import widest

    return [
        {
            "kind": kind,
            **_where(report.source.position(offset)),
            "container": "big" if (bits := widest(report.plan, values)) is None else bits,
        }
        for (kind, offset), values in sorted(report.places.items(), key=lambda item: item[0][1])
    ]
