"""The command line's root, with every command below it."""

import click

from carrychain import __version__
from carrychain.bindings import cpu

from .bench import bench
from .checksum import checksum
from .console import shown
from .demo import demo
from .explain import explain
from .fib import fib
from .info import info
from .powmod import powmod
from .report import report
from .run_program import run_program
from .selftest import selftest
from .verify import verify_command


@click.group(invoke_without_command=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def carrychain(ctx: click.Context) -> None:
    """Exact integers at hardware speed.

    Exit status of every command: 0 all is well; 1 the answer is "no" (bad checksums found, a check that
    failed); 2 trouble (usage, what can't be read, computed or written); 130 interrupted.
    """
    known = [tier.name for tier in cpu.tiers()]
    for name in cpu.forced():
        if name not in known:
            raise click.UsageError(f"CC_CPU names no tier {shown(name)}: give some of {', '.join(known)}")
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for command in (
    demo,
    fib,
    checksum,
    verify_command,
    powmod,
    run_program,
    explain,
    bench,
    report,
    selftest,
    info,
):
    carrychain.add_command(command)
