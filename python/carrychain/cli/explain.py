"""carrychain explain: how a function of a program is compiled, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from carrychain.files import write_text

from .completion import FILE, functions
from .explain_report import ExplainPrinter, json_text
from .failures import shown
from .program_arguments import complaints

if TYPE_CHECKING:
    from carrychain.ring.ir.form import Module


# -3 is no option, but an argument of the function.
@click.command(
    "explain",
    context_settings={"ignore_unknown_options": True},
    short_help="Show how a Lisp or Python function is compiled.",
)
@click.option("--no-cut", is_flag=True, help="Explain what `carrychain run --no-cut` compiles.")
@click.option("--validate", is_flag=True, help="Compare each pass's output with its input.")
@click.option(
    "--ir", "stage", metavar="PASS", help="Print the IR after this pass: front, inline, simplify, idiom."
)
@click.option("--llvm", "form", flag_value="llvm", help="Print LLVM's IR, optimized.")
@click.option("--asm", "form", flag_value="asm", help="Print the assembly.")
@click.option("--json", "as_json", is_flag=True, help="Print what stayed big as a JSON document.")
@click.option(
    "--html", type=FILE, metavar="FILE", help="Write an HTML page of the source with its widths to FILE."
)
@click.argument("file", type=FILE, metavar="FILE")
@click.argument("function", metavar="FUNCTION", shell_complete=functions)
@click.argument("arguments", metavar="[ARGUMENT]...", nargs=-1)
@click.pass_context
def explain(
    ctx: click.Context,
    file: str,
    function: str,
    arguments: tuple[str, ...],
    no_cut: bool,
    validate: bool,
    stage: str | None,
    form: str | None,
    as_json: bool,
    html: str | None,
) -> None:
    """Show each operation of a function with its range, the bits demanded of it, and its
    container: the word, or the integer of any size, that holds it.

    Below, each expression that stayed big (an integer of any size) is listed once, with all others that have
    the same cause: the use that needs all bits, a declaration and a mask that would cut it, and an estimate
    of its cost. Each suggestion was tried by compiling the program with it.

    A Python function (.py) is explained for the given arguments, written as for `carrychain run`, or for its
    annotations.
    """
    from carrychain.ring.compile import dump, plans
    from carrychain.ring.explain.page import page

    if sum(map(bool, (stage, form, as_json, html, validate))) > 1:
        raise click.UsageError("give one of --ir, --llvm, --asm, --json, --html and --validate", ctx)
    if html and no_cut:
        raise click.UsageError("--html shows what was cut: give it without --no-cut", ctx)
    in_python = file.endswith(".py")
    if arguments and not in_python:
        raise click.UsageError(f"{shown(arguments[0])}: arguments are for functions in Python", ctx)
    with complaints():
        subject = (_in_python if in_python else _in_lisp)(ctx, file, function, arguments)
        if stage or form:
            try:
                text = dump(subject.module, subject.name, f"ir:{stage}" if stage else form, cut=not no_cut)
            except ValueError as error:
                raise click.UsageError(str(error), ctx) from None
            click.echo(text.rstrip())
            return
        if validate:
            from carrychain.ring.compile import validated

            made, validator = validated(subject.module.copy(), not no_cut)
        else:
            made = plans(subject.module.copy(), not no_cut, words=False)
        plan = made[subject.name]
        if not (as_json or html):
            human = ExplainPrinter()
            human.table(plan)
        advised = None if no_cut else subject.report(plan)
    if as_json:
        click.echo(json_text(plan, advised))
    elif html:
        write_text(html, page(advised, subject.listing(advised)))
    elif advised:
        human.advice(advised)
    if validate:
        click.echo(str(validator))


class Subject(NamedTuple):
    """A compiled function: its module, its name there, its report, and its lines."""

    module: Module
    name: str
    report: Callable
    listing: Callable


def _in_lisp(ctx: click.Context, file: str, function: str, arguments: tuple[str, ...]) -> Subject:
    from carrychain.ring.explain.advise import report
    from carrychain.ring.front.lisp.module import module_of, text_of
    from carrychain.ring.ir.names import name_among

    from .explain_page import listing

    text = text_of(file)
    module = module_of(text, file)
    name = name_among(function, module.functions)
    if name is None:
        known = ", ".join([*module.functions][:8]) + (", ..." if len(module.functions) > 8 else "")
        raise click.UsageError(f"{file} has no function {shown(function)}; it has {known or 'none'}", ctx)
    return Subject(module, name, lambda plan: report(text, file, name, plan), listing)


def _in_python(ctx: click.Context, file: str, function: str, arguments: tuple[str, ...]) -> Subject:
    from carrychain.ring.explain.python import Explanation, kinds_for

    from .python_program import arguments_of, function_of

    jitted = function_of(file, function, ctx)
    given = arguments_of(jitted, arguments, ctx) if arguments else ()
    try:
        kinds = jitted._kinds_of(given) if given else kinds_for(jitted, (), {})
    except TypeError as error:
        raise click.UsageError(str(error), ctx) from None
    found = Explanation(jitted, kinds)
    return Subject(found.compiled.module, found.compiled.main, lambda _: found, Explanation.listing)
