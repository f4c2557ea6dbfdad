"""carrychain explain: how a function of a Lisp program was compiled, and why."""

from __future__ import annotations

from textwrap import fill

import click

from .console import out, shown
from .run_program import complaints


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


def explained(plan) -> list[tuple[str, str, str, str, str]]:
    """Operation, range, demand, container and place for each line of the function."""
    from carrychain.ring.ir import Int
    from carrychain.ring.plan import ANY, BIG

    def about(values) -> tuple[str, str, str]:
        whole = [value for value in values if isinstance(value.type, Int)]
        containers = [plan.containers.get(value, 0) for value in whole]
        return (
            "; ".join(range_text(plan.ranges.get(value, ANY)) for value in whole),
            "; ".join(demand_text(plan.demands.get(value, 0)) for value in whole),
            "; ".join("big" if each is BIG else f"{each} bits" if each else "unused" for each in containers),
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


def stayed_big(plan) -> list[str]:
    """For each value that no word holds, the use that wants all of it."""
    lines = []
    for value, use in plan.blame.items():
        position = getattr(use, "position", None) or value.position or plan.function.position
        lines.append(f"{value} stayed big: all of it is wanted by `{use}` ({position})")
    return lines


@click.command("explain", short_help="How a Lisp function was compiled: ranges, demands, containers.")
@click.option("--no-cut", is_flag=True, help="As `carrychain run --no-cut` compiles it.")
@click.option(
    "--ir", "stage", metavar="PASS", help="Print the IR after this pass: front, inline, simplify, idiom."
)
@click.option("--llvm", "form", flag_value="llvm", help="Print LLVM's IR, optimized.")
@click.option("--asm", "form", flag_value="asm", help="Print the assembly.")
@click.argument("file", metavar="FILE")
@click.argument("function", metavar="FUNCTION")
@click.pass_context
def explain(
    ctx: click.Context, file: str, function: str, no_cut: bool, stage: str | None, form: str | None
) -> None:
    """Show each operation of a function with its range, the bits demanded of it, and its container.

    For each value that stayed big, the use that demanded it, and where that stands.
    """
    from carrychain.ring.compile import copy, dump, plans
    from carrychain.ring.front.lisp import load
    from carrychain.ring.front.ssa import printable

    if stage and form:
        raise click.UsageError("give one of --ir, --llvm and --asm", ctx)
    with complaints():
        module = load(file)
        name = printable(function)
        if name not in module.functions:
            raise click.UsageError(f"{file} has no function {shown(function)}", ctx)
        if stage or form:
            try:
                click.echo(dump(module, name, f"ir:{stage}" if stage else form, cut=not no_cut).rstrip())
            except ValueError as error:
                raise click.UsageError(str(error), ctx) from None
            return
        plan = plans(copy(module), not no_cut)[name]
    results = ", ".join(map(str, plan.function.results))
    lines = [("operation", "range", "demanded", "container", "line"), *explained(plan)]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    limit = out.width if out.is_terminal else None
    # what is longer moves what comes after it
    widths[0] = min(widths[0], max(20, limit - sum(widths[1:]) - 8) if limit else 60)
    click.echo(fitted(f"{name} -> ({results}), {plan.function.position}", limit))
    for at, line in enumerate(lines):
        text = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        dim = not at or not line[0].startswith(" ")
        red = "red" if "big" in line[3].split("; ") else None
        click.echo(click.style(fitted(text, limit), dim=dim, fg=red))
    for line in stayed_big(plan):
        click.echo(fitted(line, limit))
    if not plan.blame and not no_cut:
        click.echo("nothing stayed big")


def fitted(text: str, limit: int | None) -> str:
    """In lines of a terminal."""
    return fill(text, limit, subsequent_indent=" " * 6, replace_whitespace=False) if limit else text
