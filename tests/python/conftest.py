import ctypes
import os
import shutil
import signal
import sys
import tempfile

import draws
import hypothesis
import pytest
from carrychain.bindings import cpu
from ends import pytest_configure  # noqa: F401
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Bounded by number, not by time: the machine may be busy.  No cases of earlier runs.
SCALE = float(os.environ.get("CC_TEST_SCALE", 1))
settings.register_profile(
    "carrychain",
    max_examples=max(20, round(150 * SCALE)),
    deadline=None,
    print_blob=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("carrychain")

# Hypothesis draws constants of the modules imported so far: other ones when other tests ran before.
providers._get_local_constants = lambda: providers._local_constants

# What fails is printed, however long.
sys.set_int_max_str_digits(0)

# A shell's background job ignores Ctrl-C, and what it starts would, too: tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


# What is compiled is kept, but not from one run to another, nor from one process to another.
CACHE = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="carrychain-tests-")


def pytest_unconfigure():
    shutil.rmtree(CACHE)


def state() -> dict:
    """Of this process, what a test may change and the next one would meet."""
    return {
        "rounding": ctypes.CDLL(None).fegetround(),
        "features": cpu.in_use(),
        "directory": os.getcwd(),
        "cache": os.environ.get("XDG_CACHE_HOME"),
        "digits": sys.get_int_max_str_digits(),
        "switch interval": sys.getswitchinterval(),
        **{each.name: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGALRM, signal.SIGPROF)},
    }


@pytest.fixture(autouse=True)
def _as_it_was():
    before = state()
    yield
    assert state() == before


@pytest.fixture
def nothing_kept(monkeypatch):
    """The compiler compiles anew: it is what is tested, and one that was changed may not leave anything."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)


@pytest.fixture(scope="module", params=["generic", "x86_64", "bmi2+adx", "avx2", "avx512ifma"])
def tier(request):
    """Each tier of constant-time integers that this machine can run, in use."""
    (tier,) = (each for each in cpu.tiers() if each.name == request.param)
    if missing := tier.missing():
        pytest.skip(f"this machine lacks {', '.join(missing)}")
    cpu.set_mask(tier.needs)
    yield tier
    cpu.set_mask(cpu.ALL)


def name_of(item):
    """The same wherever pytest was started."""
    return f"{item.path.name} {item.name}"


def pytest_collection_modifyitems(config, items):
    if not draws.LONG:
        config.hook.pytest_deselected(items=[each for each in items if each.get_closest_marker("long")])
        items[:] = [each for each in items if not each.get_closest_marker("long")]


def pytest_runtest_setup(item):
    """Each hypothesis test has a seed of its own, unless --hypothesis-seed gives one to all."""
    if hypothesis.is_hypothesis_test(item.obj) and item.config.getoption("hypothesis_seed") is None:
        hypothesis.seed(draws.seed(name_of(item)))(item.function)


def pytest_terminal_summary(terminalreporter):
    """How to have what failed again, and what tests say of themselves beside having passed."""
    if {"failed", "error"} & terminalreporter.stats.keys():
        terminalreporter.write_line(f"the same cases again: CC_TEST_SEED={draws.GIVEN}")
    for report in terminalreporter.stats.get("passed", []):
        for name, text in report.user_properties:
            if report.when == "call":
                terminalreporter.write_line(f"{name}: {text}")


@pytest.fixture
def draw(request):
    """Python's random numbers, a stream for each test."""
    return draws.random_for(name_of(request.node))


@pytest.fixture
def random(numpy, request):
    """NumPy's, a stream for each test."""
    return numpy.random.default_rng(draws.seed(name_of(request.node)))


@pytest.fixture
def numpy():
    return pytest.importorskip("numpy")


@pytest.fixture
def file(tmp_path):
    """Writes a file of these bytes; its path."""

    def write(data: bytes, name: str = "a.pcap") -> str:
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    return write
