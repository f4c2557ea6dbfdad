"""Sentences about what stayed big, for the command explain and for carrychain.explain."""

from __future__ import annotations

from collections.abc import Iterator

from ...texts import printable

# The most characters of an expression; the rest is in the source.
SHOWN = 64
REFUSED = "everything stays big because the checker could not prove it exact: this is a compiler bug"


def power(value: int) -> str:
    """An integer; one near a power of two is shown as 2^32-1."""
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
    """A form of the source on one line, cut if it is long."""
    line = printable(text)
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def place(position) -> str:
    return f"{position.line}:{position.column}" if position else ""


def told(report) -> Iterator[tuple[str, str]]:
    """The report's lines, each with a style."""
    if report.refused:
        yield REFUSED, ""
        return
    for finding in report.findings:
        first, *others = finding.members
        also = ", and with it:" if others else ""
        yield f"{brief(first.text)} stayed big ({first.position}){also}", "bold red"
        for member in others:
            yield f"    {brief(member.text)} ({place(member.position)})", "red"
        yield f"  {wanted_text(finding)} ({finding.use.position})", ""
        for each in finding.advice:
            yield f"  {advice_text(finding, each)}", "green"
        if not finding.advice:
            yield f"  {without_advice(report, finding)}", "yellow"
        if finding.cost.operations:
            yield f"  {cost_text(finding.cost)}", "dim"
    if not report.findings:
        yield "nothing stayed big", "green"
    if report.beyond:
        yield f"big only where ints do not fit 64 bits: {', '.join(map(brief, report.beyond))}", "dim"


def without_advice(report, finding) -> str:
    if report.all_tried:
        return f"no {report.declaration} and no mask that was tried cuts {_them(finding)}"
    return f"no change that was tried cuts {_them(finding)}; there were too many to try all"


def use_text(finding) -> str:
    """What the use does, and with which value."""
    if finding.of is None:
        return f"a value made from {_them(finding)} {finding.use.what}"
    return f"{_them(finding) if len(finding.members) == 1 else brief(finding.of.text)} {finding.use.what}"


def wanted_text(finding) -> str:
    use = f": {brief(finding.use.text)}" if finding.use.text else ""
    each = "it" if len(finding.members) == 1 else "each"
    return f"all bits of {each} are needed because {use_text(finding)}{use}"


def _them(finding) -> str:
    return "it" if len(finding.members) == 1 else "them"


def advice_text(finding, advice) -> str:
    write = " and ".join(f"{printable(text)} at {place(position)}" for text, position in advice.write)
    alone = len(finding.members) == 1
    if advice.kind == "declare":
        if_ = "its values fit" if alone else "their values fit"
    else:
        if_ = "only the low bits are needed"
    if not advice.container:
        then = f"nothing of {_them(finding)} is left"
    elif alone:
        then = f"it is a word of {advice.container} bits"
    else:
        then = f"each is a word of at most {advice.container} bits"
    return f"if {if_}, write {write}: then {then}"


def cost_text(cost) -> str:
    often = "once per loop iteration" if cost.rounds is None else f"at most {cost.rounds:,} times per call"
    if cost.rounds == 1:
        often = "once per call"
    return (
        f"costs an estimated {cost.nanoseconds:.1f} ns more than a word each time, "
        f"{cost.nanoseconds_long:.0f} ns more at 100 bits; {often}"
    )
