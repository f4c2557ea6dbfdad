"""The root of the command line, and all commands."""

import os
from difflib import get_close_matches
from importlib import import_module

import click

from carrychain import __version__

from .failures import shown

# In the order of the help. Each is imported only when it is used.
HOMES = {
    "demo": (".demo", "demo"),
    "fib": (".fib", "fib"),
    "checksum": (".checksum", "checksum"),
    "verify": (".verify", "verify_command"),
    "extcap": (".extcap", "extcap"),
    "powmod": (".powmod", "powmod"),
    "run": (".run_program", "run_program"),
    "explain": (".explain", "explain"),
    "build": (".build", "build"),
    "gmp": (".gmp", "gmp"),
    "bench": (".bench", "bench"),
    "report": (".report", "report"),
    "selftest": (".selftest", "selftest"),
    "info": (".info", "info"),
}


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in HOMES:
            return None
        module, name = HOMES[cmd_name]
        return getattr(import_module(module, __package__), name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # click would suggest only commands that were imported
        if close := args[0] not in HOMES and get_close_matches(args[0], HOMES, 1):
            raise click.UsageError(f"No such command {shown(args[0])}: did you mean {close[0]}?", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def carrychain(ctx: click.Context) -> None:
    """Exact integers at hardware speed.

    Exit status of every command: 0 success; 1 the answer is "no" (bad checksums, a failed check); 2 trouble
    (wrong usage, or something could not be read, computed or written); 3 something could not be judged, by
    `verify --strict` alone; 130 interrupted.
    """
    if "CC_CPU" in os.environ:
        from carrychain.bindings import cpu

        known = [tier.name for tier in cpu.tiers()]
        for name in cpu.forced():
            if name not in known:
                raise click.UsageError(
                    f"CC_CPU: there is no tier {shown(name)}; the tiers are {', '.join(known)}"
                )
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
