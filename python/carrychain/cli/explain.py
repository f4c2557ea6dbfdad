"""carrychain explain: how a function of a Lisp program was compiled, and why."""

from __future__ import annotations

import click

from carrychain.files import write_text

from .console import shown
from .explain_page import page
from .explain_report import Human, json_text
from .run_program import complaints


@click.command("explain", short_help="How a Lisp function was compiled: ranges, demands, containers.")
@click.option("--no-cut", is_flag=True, help="As `carrychain run --no-cut` compiles it.")
@click.option("--verify", is_flag=True, help="Compare what each pass makes with what it was.")
@click.option(
    "--ir", "stage", metavar="PASS", help="Print the IR after this pass: front, inline, simplify, idiom."
)
@click.option("--llvm", "form", flag_value="llvm", help="Print LLVM's IR, optimized.")
@click.option("--asm", "form", flag_value="asm", help="Print the assembly.")
@click.option("--json", "as_json", is_flag=True, help="Print what stayed big as one JSON document.")
@click.option("--html", metavar="FILE", help="Write the source beside its widths to FILE, as a page of HTML.")
@click.argument("file", metavar="FILE")
@click.argument("function", metavar="FUNCTION")
@click.pass_context
def explain(
    ctx: click.Context,
    file: str,
    function: str,
    no_cut: bool,
    verify: bool,
    stage: str | None,
    form: str | None,
    as_json: bool,
    html: str | None,
) -> None:
    """Show each operation of a function with its range, the bits demanded of it, and its container.

    Then each expression that stayed big, once: the use that wants all of it; a declaration and a mask that
    cut it, each of which was tried, by compiling the program with it; and what it costs, as an estimate.
    """
    from carrychain.ring.advise import report
    from carrychain.ring.compile import copy, dump, plans
    from carrychain.ring.front.lisp.module import module_of, text_of
    from carrychain.ring.front.ssa import printable

    if sum(map(bool, (stage, form, as_json, html, verify))) > 1:
        raise click.UsageError("give one of --ir, --llvm, --asm, --json, --html and --verify", ctx)
    if html and no_cut:
        raise click.UsageError("--html shows what was cut: give it without --no-cut", ctx)
    with complaints():
        text = text_of(file)
        module = module_of(text, file)
        name = printable(function)
        if name not in module.functions:
            raise click.UsageError(f"{file} has no function {shown(function)}", ctx)
        if stage or form:
            try:
                click.echo(dump(module, name, f"ir:{stage}" if stage else form, cut=not no_cut).rstrip())
            except ValueError as error:
                raise click.UsageError(str(error), ctx) from None
            return
        if verify:
            from carrychain.ring.validate import validated

            made, validator = validated(copy(module), not no_cut)
        else:
            made = plans(copy(module), not no_cut)
        plan = made[name]
        if not (as_json or html):
            human = Human()
            human.table(plan)
        advised = None if no_cut else report(text, file, name, plan)
    if as_json:
        click.echo(json_text(plan, advised))
    elif html:
        write_text(html, page(advised))
    elif advised:
        human.advice(advised)
    if verify:
        click.echo(str(validator))
