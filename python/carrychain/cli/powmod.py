"""carrychain powmod: B^E mod M."""

import re

import click

from carrychain.bindings import fixed
from carrychain.bindings.bigint import BigInt

from .console import Failure, out, shown

# of what is read from a file, which may have no end
LONGEST = 1_000_000


class Number(click.ParamType):
    name = "number"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        name = param.name.upper()
        if value.startswith("@"):
            value = self._read(value[1:], name, ctx)
        elif re.match("-[^0-9]", value):
            raise click.NoSuchOption(value[:60], ctx=ctx)
        found = re.fullmatch(r"(-?)(0[xX]([0-9a-fA-F]+)|[0-9]+)", value)
        if not found:
            hint = "decimal, or hexadecimal after 0x, or @FILE that holds one of the two"
            raise click.UsageError(f"{name} must be a whole number, {hint}, not {shown(value)}", ctx)
        sign, number, hexadecimal = found.groups()
        # Python's int() refuses 16384 bits in decimal
        magnitude = int(BigInt.from_string(hexadecimal or number, 16 if hexadecimal else 10))
        return -magnitude if sign else magnitude

    @staticmethod
    def _read(path: str, name: str, ctx: click.Context | None) -> str:
        try:
            with open(path, encoding="ascii") as file:
                text = file.read(LONGEST + 1)
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise click.UsageError(
                f"{name} must be a whole number, which {shown(path)} does not hold", ctx
            ) from None
        if len(text) > LONGEST:
            raise click.UsageError(f"{name}: {shown(path)} holds more than {LONGEST:,} characters", ctx)
        return text.strip()


# -3 is no option, but a number.
@click.command(context_settings={"ignore_unknown_options": True}, short_help="B^E mod M in constant time.")
@click.argument("b", type=Number(), metavar="B")
@click.argument("e", type=Number(), metavar="E")
@click.argument("m", type=Number(), metavar="M")
@click.option("--hex", "hexadecimal", is_flag=True, help="Print it in hexadecimal.")
@click.pass_context
def powmod(ctx: click.Context, b: int, e: int, m: int, hexadecimal: bool) -> None:
    """B^E mod M, computed in a time that shows how many words E and M take, and whether M is odd, no more.

    Each is decimal, hexadecimal after 0x, or @FILE: a file with such a number in it, which other users of
    the machine do not see in its list of processes. E and M have 16384 bits at most.
    """
    try:
        result = fixed.powmod(b, e, m)
    except OverflowError as error:
        raise click.UsageError(str(error), ctx) from None
    except ValueError as error:
        raise Failure(str(error)) from None
    out.print(hex(result) if hexadecimal else BigInt(result).to_string(10), soft_wrap=True)
