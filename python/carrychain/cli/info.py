"""carrychain info: the machine, the versions, the tiers."""

import click
from rich.table import Table

from carrychain.bench.machine import facts
from carrychain.bindings import cpu

from .console import out


@click.command(short_help="Show the processor, the versions and the tiers.")
def info() -> None:
    """The processor, the versions, every tier, and the tier that each module chose."""
    table = Table.grid(padding=(0, 2))
    for name, value in facts().items():
        if name != "tier":
            table.add_row(f"[bold]{name}", value)
    table.add_row("[bold]features", ", ".join(cpu.names(cpu.detected())) or "none that a tier uses")
    out.print(table)

    forced = cpu.forced()
    table = Table(
        "tier",
        "needs",
        "here",
        title="tiers, slowest first",
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
    )
    for tier in cpu.tiers():
        missing = tier.missing()
        if missing:
            here = f"[red]lacks {', '.join(missing)}"
        elif tier.needs & ~cpu.in_use():
            here = "[yellow]available, not allowed by CC_CPU"
        else:
            here = "[green]available"
        table.add_row(tier.name, ", ".join(cpu.names(tier.needs)) or "nothing", here)
    out.print()
    out.print(table)

    why = f"its fastest that CC_CPU={','.join(forced)} allows" if forced else "its fastest for this machine"
    table = Table(
        "module", "tier", "why", title="chosen", title_justify="left", box=None, padding=(0, 2, 0, 0)
    )
    for module in cpu.MODULES:
        table.add_row(module, cpu.chosen(module), why)
    out.print()
    out.print(table)
