"""Paper, Table 1: each operator, asked for a word in each way, takes word instructions alone."""

import pytest

pytest.importorskip("matplotlib")

from carrychain.report.table1 import OPERATORS, instructions

# of x86: a multiplication of bytes moves them first, and where a complement comes it is its own
MOST = 3


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_is_an_instruction_or_two(operator):
    for (form, width), code in instructions(operator).items():
        assert not any(line.startswith(("call", "j")) for line in code), (form, width, code)
        assert len(code) - 2 <= MOST, (form, width, code)
