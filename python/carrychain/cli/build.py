"""carrychain build: functions of a program as an object, a static library and a header for C."""

from __future__ import annotations

import click

from .completion import FILE, functions
from .failures import CheckFailed
from .program_arguments import complaints


@click.command("build", short_help="Compile Lisp or Python functions to a library for C.")
@click.option("-o", "--output", metavar="DIR", type=FILE, default=".", help="Write the files into DIR.")
@click.option(
    "--function",
    "names",
    metavar="NAME",
    multiple=True,
    shell_complete=functions,
    help="Build this function; may be given several times. Without it, all that can be built.",
)
@click.option(
    "--kinds",
    metavar="KINDS",
    multiple=True,
    help="Build a Python function for arguments of these kinds: 'f(bytes, u32) -> u32'.",
)
@click.option("--prefix", default="", metavar="TEXT", help="Begin each name in C with TEXT.")
@click.option(
    "--emit",
    type=click.Choice(["object", "c", "wheel", "asdf", "crate"]),
    default="object",
    help="Write an object and a library, C source, a wheel for Python, a system for SBCL, or a crate.",
)
@click.option(
    "--target",
    metavar="TRIPLE",
    help="Compile for another machine: aarch64-linux-gnu; C source for Linux modules: kernel.",
)
@click.option(
    "--check",
    "certificate",
    type=FILE,
    metavar="CERT",
    help="Say whether the files beside this certificate are what FILE gives.",
)
@click.option("--validate", is_flag=True, help="Compare each compiler pass's output with its input.")
@click.argument("file", type=FILE, metavar="FILE")
@click.pass_context
def build(
    ctx: click.Context,
    output: str,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    prefix: str,
    emit: str,
    target: str | None,
    certificate: str | None,
    validate: bool,
    file: str,
) -> None:
    """Compile functions of a Lisp or Python program ahead of time, for programs that have neither.

    For sha256.lisp, the files are sha256.o, libsha256.a with that object, and sha256.h. The functions return
    a status code; the header says what each takes, and how it may fail. They call nothing but malloc, free
    and C's functions on memory. With --emit c, the files are sha256.c, which any compiler of C17 takes, and
    sha256.h; with --target kernel, they are for modules of Linux. With --emit wheel, they are a wheel: an
    extension for Python, with its types. With --emit asdf, they are a system for SBCL: sha256-fast.asd, and
    a shared library. With --emit crate, they are a crate for Rust, in the folder sha256.

    A certificate beside them, sha256.cert, says what they were built from. With --check, nothing is written:
    the files beside the certificate are built again from FILE, and compared.

    A function can be built if nothing in it stayed big, as `carrychain explain` tells. A Python function's
    arguments are of the kinds of its annotations, or of --kinds: bytes, bytearray, bool, u8 to u128, i8 to
    i128, int, list[u32], array[u32], memoryview[u32], tuple[u32, bytes].
    """
    from carrychain.ring.library.build import build as built
    from carrychain.ring.library.build import check

    with complaints():
        try:
            if certificate is not None:
                answer = check(certificate, file)
                if not answer.equal:
                    raise CheckFailed(answer.why)
                return
            made = built(
                file,
                output,
                functions=names,
                kinds=kinds,
                prefix=prefix,
                emit=emit,
                target=target,
                validate=validate,
            )
        except ValueError as error:
            raise click.UsageError(str(error), ctx) from None
    for each in made.files:
        click.echo(each)
    by_reason: dict[str, list[str]] = {}
    for name, why in made.unbuilt.items():
        by_reason.setdefault(why, []).append(name)
    for why, which in by_reason.items():
        click.echo(f"not built: {', '.join(which)}: {why}", err=True)
