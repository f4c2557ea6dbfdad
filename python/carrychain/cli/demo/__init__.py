"""carrychain demo: each answer to the carry at work, checked, and timed next to a peer."""

from time import perf_counter

import click
from rich.panel import Panel
from rich.table import Table

from carrychain.bench.machine import processor
from carrychain.bench.timing import DISTURBED, duration

from ..console import out
from ..failures import CheckFailed
from . import collected, deferred, discarded, given, kept
from .chapter import Demo

CHAPTERS = (kept.chapter, collected.chapter, deferred.chapter, given.chapter, discarded.chapter)


@click.command(short_help="Show the carries at work, checked and timed.")
def demo() -> None:
    """What happens to the carry: each answer at work, checked, and timed next to a peer. Under a minute."""
    out.print("[bold]carrychain[/bold]: exact integers at hardware speed")
    out.print(f"[dim]{processor()}, now; each time is the best of several, interleaved with the peer's[/dim]")
    out.print(f"[dim]{DISTURBED}[/dim]\n")
    start = perf_counter()
    for chapter in CHAPTERS:
        with out.status("at work"):
            result = chapter()
        out.print(_panel(result))
        if not result.right:
            raise CheckFailed(f"the carry {result.carry}: a check failed")
    out.print(f"[dim]{len(CHAPTERS)} chapters, every check passed, {perf_counter() - start:.1f} s[/dim]")


def _panel(result: Demo) -> Panel:
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column(overflow="fold")
    for what, text in result.did:
        rows.add_row(what, text)
    mark = "[green]✓[/green]" if result.right else "[red]✗ FAILED[/red]"
    rows.add_row("check", f"{mark} {result.check}")
    ours, *others = result.timings
    rows.add_row("time", f"[bold]{duration(ours.least / result.each)}[/bold]{ours.mark} {result.unit}")
    if not others:
        rows.add_row("peer", f"[yellow]no ratio: {result.peer}[/yellow]")
    for theirs in others:
        ratio = ours.least / theirs.least
        style = "green" if ratio <= 1 else "yellow"
        rows.add_row(
            "peer",
            f"{result.peer}: {duration(theirs.least / result.each)}{theirs.mark}; "
            f"our time is [bold {style}]{ratio:.2f}x[/bold {style}] the peer's",
        )
    return Panel(
        rows, title=f"[bold]the carry is {result.carry}[/bold] · {result.module}", title_align="left"
    )
