"""carrychain extcap: a capture with verdicts as comments, as an interface of Wireshark (extcap(4))."""

import os
import shlex
import subprocess
import sys
from importlib.resources import files

import click

from carrychain import __version__
from carrychain.bindings.capture import VANTAGES
from carrychain.files import Writer, write_text

from .completion import FILE
from .failures import Failure, shown

INTERFACE = "carrychain"
# what --captured-at replaces
FOUND = "found"
DISPLAY = "Checksums of a capture, verified by Carrychain"
# the link type is each packet's own
ANY_LINK = 147
# what `tshark -G folders` calls the folder; older versions have only the system's
FOLDERS = ("Personal Extcap path:", "Extcap path:")


@click.command("extcap", short_help="Show verdicts on checksums in Wireshark.")
@click.option("--install", is_flag=True, help="Install the interface for Wireshark.")
@click.option(
    "--to",
    "folder",
    type=FILE,
    metavar="DIR",
    help="Wireshark's folder of such programs.  Default: what tshark says.",
)
@click.option("--lua", is_flag=True, help="Print a dissector in Lua, for what `verify --csv` found.")
@click.option("--extcap-interfaces", "interfaces", is_flag=True, hidden=True)
@click.option("--extcap-interface", "interface", hidden=True)
@click.option("--extcap-dlts", "links", is_flag=True, hidden=True)
@click.option("--extcap-config", "config", is_flag=True, hidden=True)
@click.option("--extcap-version", "version", hidden=True)
@click.option("--extcap-capture-filter", "condition", hidden=True)
@click.option("--capture", is_flag=True, hidden=True)
@click.option("--fifo", type=FILE, hidden=True)
@click.option("--file", "name", type=FILE, hidden=True)
@click.option("--captured-at", "vantage", type=click.Choice((FOUND, *VANTAGES)), default=FOUND, hidden=True)
@click.pass_context
def extcap(
    ctx: click.Context,
    install: bool,
    folder: str | None,
    lua: bool,
    interfaces: bool,
    interface: str | None,
    links: bool,
    config: bool,
    version: str | None,
    condition: str | None,
    capture: bool,
    fifo: str | None,
    name: str | None,
    vantage: str,
) -> None:
    """Show the verdicts on checksums in Wireshark, each beside its packet.

    --install adds an interface to Wireshark, "Checksums of a capture": it asks for a capture and shows it
    with a comment on each checksum that is bad, unfinished, deferred or unverifiable. In a terminal:

        tshark -i carrychain -o extcap.carrychain.file:a.pcap

    --lua prints a dissector that makes fields of what `carrychain verify --csv` found in the capture that is
    open, so that packets can be filtered by them.
    """
    if folder is not None and not install:
        raise click.UsageError("--to is for --install", ctx)
    if install:
        _install(folder)
    elif lua:
        click.echo(files(__package__).joinpath("wireshark.lua").read_text(), nl=False)
    elif interfaces:
        click.echo(f"extcap {{version={__version__}}}")
        click.echo(f"interface {{value={INTERFACE}}}{{display={DISPLAY}}}")
    elif interface is None and any((links, config, version, condition, capture, fifo, name)):
        raise click.UsageError("Wireshark names the interface: --extcap-interface carrychain", ctx)
    elif interface is None:
        click.echo(ctx.get_help())
    elif interface != INTERFACE:
        raise click.UsageError(f"the interface is {INTERFACE}, not {shown(interface)}", ctx)
    elif links:
        click.echo(f"dlt {{number={ANY_LINK}}}{{name=USER0}}{{display=The capture's link types}}")
    elif config:
        _configuration()
    elif capture:
        if fifo is None or not name:
            raise click.UsageError("--capture needs --fifo and --file: choose a capture", ctx)
        if condition:
            raise click.UsageError("a capture is shown whole: leave the capture filter empty", ctx)
        _capture(name, fifo, vantage)


def _configuration() -> None:
    click.echo(
        "arg {number=0}{call=--file}{display=Capture}{type=fileselect}{mustexist=true}{required=true}"
        "{tooltip=pcap or pcapng, also compressed}"
    )
    click.echo(
        "arg {number=1}{call=--captured-at}{display=Captured at}{type=selector}"
        "{tooltip=Where its packets were captured}"
    )
    click.echo(f"value {{arg=1}}{{value={FOUND}}}{{display=what it shows}}{{default=true}}")
    for each in VANTAGES:
        click.echo(f"value {{arg=1}}{{value={each}}}{{display={each}}}{{default=false}}")


def _capture(name: str, fifo: str, vantage: str) -> None:
    # Wireshark asks five times before it captures
    from carrychain.pcap.commented import commented

    descriptor = os.open(fifo, os.O_WRONLY)
    try:
        out = Writer(descriptor, fifo)
        for piece in commented(name, vantage):
            out.write(piece)
    finally:
        os.close(descriptor)


def _install(folder: str | None) -> None:
    path = os.path.join(folder or _folder(), "carrychain")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # Wireshark's environment may have another Python
    write_text(path, f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m carrychain extcap "$@"\n')
    os.chmod(path, 0o755)
    click.echo(f"{path}: Wireshark shows the interface when it starts")


def _folder() -> str:
    try:
        told = subprocess.run(["tshark", "-G", "folders"], capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Failure("tshark is not installed, so Wireshark's folder is unknown: name it by --to") from None
    lines = [line for name in FOLDERS for line in told.splitlines() if line.startswith(name)]
    if not lines:
        raise Failure("tshark names no folder of extcap programs: name it by --to")
    return lines[0].partition(":")[2].strip()
