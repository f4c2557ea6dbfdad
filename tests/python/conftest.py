import os
import signal
import sys

import pytest
from carrychain.bindings import cpu
from ends import pytest_configure  # noqa: F401
from hypothesis import settings

# Bounded by number, not by time: the machine may be busy.
settings.register_profile("carrychain", max_examples=150, deadline=None, print_blob=True)
settings.load_profile("carrychain")

# What fails is printed, however long.
sys.set_int_max_str_digits(0)

# A shell's background job ignores Ctrl-C, and what it starts would, too: tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module", params=["generic", "x86_64", "bmi2+adx", "avx2", "avx512ifma"])
def tier(request):
    """Each tier of constant-time integers that this machine can run, in use."""
    (tier,) = (each for each in cpu.tiers() if each.name == request.param)
    if missing := tier.missing():
        pytest.skip(f"this machine lacks {', '.join(missing)}")
    cpu.set_mask(tier.needs)
    yield tier
    cpu.set_mask(cpu.ALL)


def pytest_terminal_summary(terminalreporter):
    """What tests say of themselves beside having passed: as the lines of what is skipped."""
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            if report.when == "call":
                terminalreporter.write_line(f"{name}: {text}")


@pytest.fixture
def seed():
    """Drawn anew, and printed with a failure: no parameter, for a test has one name in every process."""
    seed = int.from_bytes(os.urandom(4), "little")
    print(f"seed {seed}")
    return seed


@pytest.fixture
def random(numpy, seed):
    """NumPy's."""
    return numpy.random.default_rng(seed)


@pytest.fixture
def numpy():
    return pytest.importorskip("numpy")
