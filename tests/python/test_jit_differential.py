"""Random Python programs come to the same compiled as in CPython; those that once did not, too; and a wrong
compiler is noticed."""

import pytest
from jit_damages import DAMAGES
from jit_differential import batch

PROGRAMS = 60  # of the long run (`python tests/python/jit_differential.py`) the first
ENOUGH = 400  # in so many a wrong compiler is found


@pytest.mark.parametrize("name", DAMAGES)
def test_a_wrong_compiler_is_noticed(name, tmp_path):
    for seed in range(ENOUGH):
        differing, _ = batch(range(seed, seed + 1), tmp_path, DAMAGES[name])
        if differing:
            return
    pytest.fail(f"{ENOUGH} programs come to the same")


def test_none_is_noticed_where_nothing_is_wrong(tmp_path):
    differing, told = batch(range(PROGRAMS), tmp_path, lambda function: function)
    assert not differing and told.calls > 1000
