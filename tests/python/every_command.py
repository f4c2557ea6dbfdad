"""Every command there is, and how it can be called; a new one is here by itself."""

import click
from captures import frame, pcap
from carrychain.cli.commands import carrychain

CONTEXT = click.Context(carrychain)
COMMANDS = {name: carrychain.get_command(CONTEXT, name) for name in sorted(carrychain.list_commands(CONTEXT))}

# f for `run`, and what `build` builds
PROGRAM = """(defun f (x) (declare (integer x)) (* x x))
(defun g () 1)
"""
# By what an argument is called in the command's help, without the brackets and dots of optional ones.
ARGUMENTS = {
    "N": "100",
    "B": "3",
    "E": "5",
    "M": "7",
    "SUITE": "limbs",
    "FILE": "f.lisp",
    "CAPTURE": "a.pcap",
    "FUNCTION": "f",
    "ARGUMENT": "12",
}


def arguments_of(command: click.Command) -> list[click.Argument]:
    return [param for param in command.params if isinstance(param, click.Argument)]


def options_of(command: click.Command) -> list[click.Option]:
    return [param for param in command.params if isinstance(param, click.Option)]


def make_files(directory, draw) -> None:
    (directory / "f.lisp").write_text(PROGRAM)
    (directory / "a.pcap").write_bytes(pcap(frame(draw, 20)))


def example(name: str) -> list[str]:
    """Arguments with which the command does its work, in a directory of ``make_files``."""
    words = [name]
    if any("--quick" in option.opts for option in options_of(COMMANDS[name])):
        words.append("--quick")
    for argument in arguments_of(COMMANDS[name]):
        # for programs in Python alone
        if name == "explain" and not argument.required:
            continue
        word = argument.make_metavar(click.Context(COMMANDS[name])).strip("[].")
        assert word in ARGUMENTS, f"{name} has an argument {word}: give an example in {__name__}.py"
        words.append(ARGUMENTS[word])
    return words
