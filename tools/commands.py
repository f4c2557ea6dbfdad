# SPDX-License-Identifier: MIT
"""The commands' own help, for programs that make pages from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import click
from carrychain.cli.commands import carrychain


@dataclass
class Command:
    """One command; a paragraph is its text, and whether it is kept as it is set."""

    name: str
    short: str
    usage: str
    paragraphs: list[tuple[str, bool]]
    options: list[tuple[str, str]]
    below: list[tuple[str, str]]


def paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """Of a docstring, as click's help does: what follows a \\b is kept as it is set."""
    for part in re.split(r"\n\s*\n", text):
        kept = part.lstrip().startswith("\b")
        yield (part.lstrip()[1:].strip("\n") if kept else " ".join(part.split())), kept


def described(name: str, command: click.Command) -> Command:
    ctx = click.Context(command, info_name=name)
    options = [each for each in command.get_params(ctx) if isinstance(each, click.Option)]
    records = [each.get_help_record(ctx) for each in options if not each.hidden]
    names = command.list_commands(ctx) if isinstance(command, click.Group) else []
    below = [(each, command.get_command(ctx, each).get_short_help_str(200)) for each in names]
    return Command(
        name,
        command.get_short_help_str(200),
        " ".join(command.collect_usage_pieces(ctx)),
        list(paragraphs(command.help or "")),
        records,
        below,
    )


def commands() -> Iterator[Command]:
    """The root, then each below it, in the order of its help."""
    yield described("carrychain", carrychain)
    ctx = click.Context(carrychain)
    for name in carrychain.list_commands(ctx):
        yield described(f"carrychain {name}", carrychain.get_command(ctx, name))
