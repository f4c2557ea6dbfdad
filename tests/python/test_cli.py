import io
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
from dataclasses import replace
from importlib import invalidate_caches
from importlib.metadata import entry_points, version
from itertools import islice

import carrychain
import click
import pytest
from carrychain.bench import c_suites, stored
from carrychain.bench.machine import ORIGIN
from carrychain.bench.timing import DISTURBED, SPREAD_MAX, Only, Timing
from carrychain.bindings import cpu
from carrychain.bindings.fibonacci import fib_bigint
from carrychain.cli import bench as bench_module
from carrychain.cli import demo as demo_module
from carrychain.cli import selftest as selftest_module
from carrychain.cli.commands import HOMES
from carrychain.cli.commands import carrychain as carrychain_command
from carrychain.cli.demo import demo as demo_command
from carrychain.cli.demo import given
from carrychain.cli.demo.chapter import Demo
from click.testing import CliRunner
from command import complaint, run, run_anew, start
from rich.console import Console


def test_the_console_script():
    (script,) = entry_points(group="console_scripts", name="carrychain")
    assert script.value == "carrychain.cli:main"


def test_version():
    assert run("--version").stdout == f"carrychain {version('carrychain')}\n"
    assert carrychain.__version__ == version("carrychain")


def test_alone_it_says_what_there_is():
    result = run()
    assert result.returncode == 0
    for command in ("bench", "checksum", "demo", "fib", "info", "powmod", "report", "selftest", "verify"):
        assert f"  {command} " in result.stdout


def test_unknown_command():
    assert complaint(run("fibonacci"), 2).startswith("carrychain: No such command 'fibonacci'")
    said = complaint(run("verfy", "a.pcap"), 2)
    assert said == "carrychain: No such command 'verfy': did you mean verify?"


@pytest.mark.parametrize("name", HOMES)
def test_a_command_with_a_slip_is_understood(name):
    slips = {name[:at] + name[at + 1 :] for at in range(len(name))}
    slips |= {name[:at] + name[at] + name[at:] for at in range(len(name))}
    slips |= {name[:at] + name[at : at + 2][::-1] + name[at + 2 :] for at in range(len(name) - 1)}
    with carrychain_command.make_context("carrychain", [name]) as context:
        for slip in slips - {name}:
            with pytest.raises(click.UsageError, match=f": did you mean {name}\\?$"):
                carrychain_command.resolve_command(context, [slip])


def test_unknown_tier():
    said = complaint(run_anew("info", env={"CC_CPU": "generic,turbo"}), 2)
    assert said == "carrychain: CC_CPU: there is no tier 'turbo'; the tiers are " + ", ".join(
        tier.name for tier in cpu.tiers()
    )


def test_info():
    result = run("info")
    assert result.returncode == 0
    assert version("carrychain") in result.stdout
    for tier in cpu.tiers():
        (line,) = re.findall(rf"^{re.escape(tier.name)} .*", result.stdout, re.MULTILINE)
        assert ("lacks" in line) == bool(tier.missing())
    assert re.search(r"^limbs .* its fastest for this machine\s*$", result.stdout, re.MULTILINE)


def test_info_when_a_tier_is_forced():
    result = run_anew("info", env={"CC_CPU": "generic"})
    assert re.search(r"^limbs +generic +its fastest that CC_CPU=generic allows", result.stdout, re.MULTILINE)


def test_selftest():
    result = run("selftest")
    assert result.returncode == 0
    passed, failed, skipped = re.fullmatch(
        r"(\d+) passed, (\d+) failed, (\d+) skipped", result.stdout.splitlines()[-1]
    ).groups()
    missing = [tier for tier in cpu.tiers() if tier.missing()]
    assert int(passed) > 100 and failed == "0" and int(skipped) == len(missing)
    assert result.stdout.count("skipped, this machine lacks") == len(missing)


def test_selftest_says_what_is_wrong(monkeypatch):
    monkeypatch.setitem(selftest_module.FIBONACCI, 100, 1)
    result = CliRunner().invoke(selftest_module.selftest)
    assert result.exit_code == 1
    assert "generic: WRONG: F(100) by squaring" in result.output
    assert re.search(r"passed, [1-9]\d* failed, \d+ skipped\n$", result.output)


def test_demo():
    result = run("demo")
    assert result.returncode == 0, result.stderr
    for carry in ("kept", "collected", "deferred", "given room"):
        assert f"the carry is {carry}" in result.stdout
    for expected in (
        "135988649638049",
        "e9428e31cbf661f9",
        "with the checksum appended 0000",
        "208,988 digits",
        "2,089,877 digits",
    ):
        assert expected in result.stdout
    assert result.stdout.count("check") >= result.stdout.count("✓") == 5
    assert max(map(len, result.stdout.splitlines())) <= 80
    kernel = " ".join(result.stdout[result.stdout.index("in the kernel") :].replace("│", " ").split())
    kept = stored.load("kernel-adjfine.json")
    taken = {
        (row["by"], row["order"]): f"{statistics.median(row['ns']) / 10000:.3g} ns"
        for row in kept["times"]
        if (row["device"], row["calls"]) == ("E810", 10000)
    }
    for order, named in (("random", "in random order"), ("swept", "in ascending order")):
        ours, theirs = taken["native", order], taken["5.19", order]
        assert f"{ours} by this API and {theirs} in Linux 5.19 for arguments {named}" in kernel
    assert re.search(
        r"stored, not measured now: AMD EPYC, Linux 6\.1\.\d+ .*, 20\d\d-\d\d-\d\d, make kernel-measure ",
        kernel,
    )


def test_demo_marks_what_is_disturbed():
    quiet, hit = Timing.of([3.4e6] * 9), Timing.of([3.4e6, 71e6] * 9)
    result = Demo("kept", "u128", "that it is", True, "a power", "a peer", [hit, quiet], each=2)
    console = Console(width=80, file=io.StringIO())
    console.print(demo_module._panel(result))
    assert "time   1.7 ms (disturbed) a power" in console.file.getvalue()
    assert "a peer: 1.7 ms; our time is 1.00x" in console.file.getvalue()


def test_demo_stops_at_a_wrong_answer(monkeypatch):
    monkeypatch.setattr(given, "fib_bigint", lambda n: fib_bigint(n + 1))
    monkeypatch.setitem(sys.modules, "gmpy2", None)
    result = CliRunner().invoke(demo_command)
    assert result.exit_code == 1
    assert "✗ FAILED" in result.output
    assert result.output.endswith("Error: the carry given room: a check failed\n")


@pytest.fixture(scope="module")
def suites():
    result = run("bench", "no such suite")
    if "GMP" in result.stderr:
        pytest.skip("the bench program is not built: GMP's headers are missing")
    return complaint(result, 2).rpartition("give some of ")[2].split(", ")


def test_unknown_suite(suites):
    assert "limbs" in suites


def test_bench(suites, tmp_path):
    path = tmp_path / "rows.json"
    result = run("bench", "--quick", "limbs", "--json", str(path))
    assert result.returncode == 0, result.stderr
    written = json.loads(path.read_text())
    assert written["machine"]["carrychain"] == version("carrychain")
    assert written["machine"]["command"] == "carrychain bench limbs --quick"
    assert all(written["machine"][name] for name in ORIGIN)
    assert len(written["rows"]) > 10
    for row in written["rows"]:
        assert set(row) == {
            *("suite", "case", "size", "impl", "ns_median", "ns_min"),
            *("peer", "ratio", "spread", "disturbed"),
        }
        assert row["suite"] == "limbs"
        assert 0 < row["ns_min"] <= row["ns_median"]
        assert row["disturbed"] == (row["spread"] > SPREAD_MAX)
    assert result.stdout.count(" mpn_") == sum("mpn_" in str(row["peer"]) for row in written["rows"])


def test_bench_marks_what_is_disturbed(suites, monkeypatch):
    row = {"suite": "fixed", "case": "powmod_many 8", "size": 16384, "impl": "avx512ifma", "ns_min": 3.4e6}
    row |= {"ns_median": 71e6, "peer": "BN_mod_exp_mont_consttime", "ratio": 20.9, "spread": 19.9}
    rows = [row | {"disturbed": True}, row | {"ns_median": 3.4e6, "ratio": 1.0, "disturbed": False}]
    monkeypatch.setattr(bench_module.c_suites, "rows", lambda *arguments, **options: rows)
    monkeypatch.setattr(bench_module, "OURS", {})
    lines = CliRunner().invoke(bench_module.bench).output.splitlines()
    assert lines[3:] == [
        "powmod_many 8 16384          avx512ifma   71 ms? 20.90 BN_mod_exp_mont_consttime",
        "powmod_many 8 16384          avx512ifma  3.4 ms   1.00 BN_mod_exp_mont_consttime",
        "",
        f"? {DISTURBED}",
    ]
    assert max(map(len, lines)) <= 80
    rows = rows[1:]
    assert "?" not in CliRunner().invoke(bench_module.bench).output


def test_bench_shows_the_best_peer_first(suites, monkeypatch):
    row = {"suite": "natural", "case": "mul", "size": 16, "impl": "avx512ifma", "ns_median": 34, "ns_min": 33}
    row |= {"spread": 0.1, "disturbed": False}
    peers = (("mpn_mul", 0.35), ("flint 3.6.0 fft_small", 0.41))
    rows = [row | {"size": size, "peer": peer, "ratio": ratio} for size in (16, 24) for peer, ratio in peers]
    rows.append(row | {"size": 24, "peer": "none here", "ratio": None, "disturbed": True})
    monkeypatch.setattr(bench_module.c_suites, "rows", lambda *arguments, **options: rows)
    monkeypatch.setattr(bench_module, "OURS", {})
    lines = CliRunner().invoke(bench_module.bench).output.splitlines()
    beside = [" " * 50 + "0.35 mpn_mul", " " * 47 + "?       none here"]
    assert lines[3:8] == [
        "mul 16                       avx512ifma   34 ns   0.41 flint 3.6.0 fft_small",
        beside[0],
        "mul 24                       avx512ifma   34 ns   0.41 flint 3.6.0 fft_small",
        *beside,
    ]


def test_bench_of_some_rows(suites, tmp_path):
    path = tmp_path / "rows.json"
    options = ["--case", "mul 1:2", "--most", "5"]
    assert run("bench", "natural", "--quick", "--all", *options, "--json", str(path)).returncode == 0
    written = json.loads(path.read_text())
    command = "carrychain bench natural --quick --all --case 'mul 1:2' --most 5"
    assert written["machine"]["command"] == command
    assert {(row["case"], row["size"]) for row in written["rows"]} == {("mul 1:2", n) for n in range(2, 6)}
    # no suite has it, in C or in Python
    said = complaint(run("bench", "--case", "no such case"), 2)
    assert said.endswith("no row is asked for by --case 'no such case'")


def test_bench_of_integers(tmp_path, monkeypatch):
    suite = bench_module.integer
    monkeypatch.setattr(suite, "SIZES", (10, 2000))
    monkeypatch.setattr(suite, "BATCH_NS", 1000)
    monkeypatch.setattr(suite, "PEERS", {"builtins.int": "python", "no_such.Number": "no-such-package"})
    path = tmp_path / "rows.json"
    result = CliRunner().invoke(bench_module.bench, ["integer", "--quick", "--json", str(path)])
    assert result.exit_code == 0
    written = json.loads(path.read_text())
    # of what takes long, the shorter alone
    assert len(written["rows"]) == 2 * len(suite.CASES) - len(suite.LONGEST.keys() & suite.CASES)
    for row in written["rows"]:
        assert (row["suite"], row["impl"], row["peer"]) == ("integer", "Integer", "builtins.int")
        assert 0 < row["ns_min"] <= row["ns_median"]
        assert row["ratio"] > 0
    assert written["absent"] == ["no_such.Number (pip install no-such-package)"]
    assert "not here: no_such.Number (pip install no-such-package)" in result.output


@pytest.mark.parametrize("there", [True, False])
def test_bench_of_moduli(there, monkeypatch):
    suite = bench_module.modulus
    if there:
        pytest.importorskip("gmpy2")
    else:
        monkeypatch.setattr(suite, "gmpy2", None)
    monkeypatch.setattr(suite, "SIZES", (65, 256))
    monkeypatch.setattr(suite, "BATCH_NS", 1000)
    (few,) = {row["case"] for row in suite.rows(quick=True, only=Only("inverse", 65))}
    assert few == "inverse"
    found = list(suite.rows(quick=True))
    peers = [peer for _, *peers in suite.CASES.values() for peer in peers if there or "gmpy2" not in peer]
    assert len(found) == 2 * len(peers)
    assert {row["peer"].partition(".")[0] for row in found} == ({"pow", "gmpy2"} if there else {"pow"})
    for row in found:
        assert (row["suite"], row["impl"], row["size"] in (65, 256)) == ("modulus", "Modulus", True)
        assert 0 < row["ns_min"] <= row["ns_median"] and row["ratio"] > 0
    assert suite.absent() == ([] if there else ["gmpy2 (pip install gmpy2)"])


def test_what_is_timed_of_moduli_is_the_same():
    pytest.importorskip("gmpy2")
    suite = bench_module.modulus
    for statements in suite.CASES.values():
        answers = [eval(each, suite._timer(each, 256).inner.__globals__) for each in statements]
        assert answers == [answers[0]] * len(statements)


def test_bench_of_jit(tmp_path, monkeypatch):
    suite = bench_module.jit
    few = [case for case in suite.cases() if case.program in ("fnv", "string_hashes")]
    small = suite.DATA[:100]
    few = [replace(each, args=(small,), c=each.c and (small, suite.length(small))) for each in few]
    few += [case for case in suite.cases() if case.name in ("plain.fib", "plain.isqrt")]
    monkeypatch.setattr(suite, "cases", lambda: few)
    monkeypatch.setattr(suite, "BATCH_NS", 1000)
    # Numba takes its time
    monkeypatch.setattr(suite, "find_spec", lambda name: None)
    # one that is no PyPy, and runs no program of FNV's
    pypy = tmp_path / "pypy3"
    ways = ("-c*) echo 7.3.0", "*/fnv.py*) exit 1", f'*) exec {sys.executable} "$@"')
    pypy.write_text(f'#!/bin/sh\ncase "$*" in {" ;; ".join(ways)} ;; esac\n')
    pypy.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(suite, "WARM_NS", 1000)
    path = tmp_path / "rows.json"
    result = CliRunner().invoke(bench_module.bench, ["jit", "--quick", "--json", str(path)])
    assert result.exit_code == 0, result.output
    written = json.loads(path.read_text())
    python = f"CPython {platform.python_version()}"
    peers = [
        (case.name, peer)
        for case in few
        for peer in (
            python,
            *(["gcc -O2"] if case.peer else []),
            "PyPy 7.3.0" + ": does not run" * (case.program == "fnv"),
        )
    ]
    assert [(row["case"], row["peer"]) for row in written["rows"]] == peers
    for row in written["rows"]:
        assert (row["suite"], row["impl"]) == ("jit", "jit")
        assert 0 < row["ns_min"] <= row["ns_median"]
        assert (row["ratio"] is None) == row["peer"].endswith("run") or row["ratio"] > 0
    assert written["absent"] == ["Numba (pip install numba)"]


def test_bench_of_jit_that_is_wrong(monkeypatch):
    suite = bench_module.jit
    (case,) = (each for each in suite.cases() if each.function == "djb2")
    # C is given one byte less
    monkeypatch.setattr(suite, "cases", lambda: [replace(case, c=(suite.DATA, suite.length(suite.DATA[1:])))])
    monkeypatch.setattr(suite, "find_spec", lambda name: None)
    with pytest.raises(AssertionError, match=r"gcc -O2: string_hashes\.djb2 is wrong"):
        next(suite.rows(quick=True))


def test_bench_of_integers_without_peers(monkeypatch):
    suite = bench_module.integer
    monkeypatch.setattr(suite, "SIZES", (10,))
    monkeypatch.setattr(suite, "BATCH_NS", 1000)
    monkeypatch.setattr(suite, "PEERS", {})
    rows = list(suite.rows(quick=True))
    assert len(rows) == len(suite.CASES) + len(suite.THEORY)
    assert all(row["peer"] is None and row["ratio"] is None for row in rows)


# What the program looks for, under the names that it has in FLINT.
FLINT = """
const char flint_version[] = "9.8.7";
unsigned long flint_mpn_mul(void) { return 0; }
unsigned long flint_mpn_sqr(void) { return 0; }
void fmpz_tdiv_qr(void) {}
void fmpz_sqrtrem(void) {}
void fmpz_gcd(void) {}
void fmpz_set_ui_array(void) {}
void fmpz_fib_ui(long *f, unsigned long n) { *f = n; }
char *fmpz_get_str(void) { return 0; }
int fmpz_set_str(void) { return 0; }
void fmpz_clear(long *f) {}
void flint_free(void *memory) {}
"""


@pytest.fixture
def library(tmp_path):
    """Makes a library of some C."""
    if not shutil.which("cc"):
        pytest.skip("no compiler to make a library with")

    def make(source: str, *options: str) -> str:
        (tmp_path / "peer.c").write_text(source)
        made = str(tmp_path / "libpeer.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", made, str(tmp_path / "peer.c"), *options], check=True)
        return made

    return make


@pytest.mark.parametrize("fast", [pytest.param(False, marks=pytest.mark.long), True])
def test_bench_beside_flint(suites, library, tmp_path, fast):
    flint = library(FLINT + "void mpn_mul_default_mpn_ctx(void) {}" * fast)
    path = tmp_path / "rows.json"
    assert run("bench", "--quick", "fib", "--json", str(path), "--flint", flint).returncode == 0
    rows = json.loads(path.read_text())["rows"]
    beside = {row["peer"] for row in rows if row["impl"] == "squaring"}
    assert beside == {"gmp", "flint 9.8.7 fft_small" if fast else "flint 9.8.7"}
    sizes = {peer: [row["size"] for row in rows if row["peer"] == peer] for peer in beside}
    assert set(sizes[max(beside)]) >= set(sizes[min(beside)]) >= {100, 10_000_000}
    assert all(row["ratio"] > 0 for row in rows)


def test_bench_without_flint(suites, tmp_path, monkeypatch):
    timed = c_suites.rows

    def first(*arguments, **options):
        rows = timed(*arguments, **options)
        yield from islice(rows, 5)
        # which kills the program
        rows.close()

    monkeypatch.setattr(bench_module.c_suites, "rows", first)
    path = tmp_path / "rows.json"
    arguments = ["--quick", "fib", "--json", str(path), "--flint", ""]
    assert CliRunner().invoke(bench_module.bench, arguments).exit_code == 0
    rows = json.loads(path.read_text())["rows"]
    (absent,) = (row for row in rows if "flint" in row["peer"])
    assert (absent["peer"], absent["ratio"]) == ("flint: absent", None) and absent["ns_min"] > 0


def test_what_is_not_flint(suites, library):
    said = complaint(run("bench", "--flint", "/dev/null"), 2)
    assert said.startswith(
        "carrychain: the bench program does not run: carrychain-bench: no FLINT: /dev/null: "
    )
    flint = library(FLINT.replace("fmpz_get_str", "fmpz_put_str"))
    said = complaint(run("bench", "--flint", flint), 2)
    assert said.endswith("undefined symbol: fmpz_get_str")


# All but its version is the system's, which it is linked with.
CRYPTO = """
const char *OpenSSL_version(int which) { return "%s 9 Jun 2026"; }
void use(void) { extern void BN_new(void); BN_new(); }
"""


@pytest.fixture
def crypto(suites, library):
    """Makes a libcrypto of some version."""
    with c_suites.program() as path:
        if "fixed" not in c_suites.suites(path):
            pytest.skip("built without OpenSSL's headers")
    return lambda version: library(CRYPTO % version, "-lcrypto")


@pytest.mark.parametrize(
    ("option", "version"), [("--aws-lc", "AWS-LC 9.8.7"), ("--openssl", "OpenSSL 9.8.7")]
)
def test_bench_beside_another_libcrypto(crypto, tmp_path, option, version):
    path = tmp_path / "rows.json"
    options = [option, crypto(version), "--case", "powmod", "--most", "256"]
    assert run("bench", "fixed", "--quick", *options, "--json", str(path)).returncode == 0
    rows = json.loads(path.read_text())["rows"]
    assert [row["peer"] for row in rows] == ["BN_mod_exp_mont_consttime", version.lower(), "mpz_powm_sec"]


def test_what_is_not_another_libcrypto(crypto, library):
    said = complaint(run("bench", "--aws-lc", crypto("OpenSSL 9.8.7")), 2)
    assert said.endswith("no AWS-LC: openssl 9.8.7")
    said = complaint(run("bench", "--openssl", library("int none;")), 2)
    assert "undefined symbol: OpenSSL_version" in said


def test_where_flint_is(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "flint", raising=False)
    monkeypatch.setattr(c_suites, "find_spec", lambda name: None)
    assert c_suites.flint() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    (tmp_path / "flint").mkdir()
    (tmp_path / "flint" / "__init__.py").touch()
    invalidate_caches()
    # not a wheel
    assert c_suites.flint() is None
    (tmp_path / "python_flint.libs").mkdir()
    library = tmp_path / "python_flint.libs" / "libflint-0123.so.24"
    library.touch()
    assert c_suites.flint() == str(library)


@pytest.mark.parametrize(
    ("every", "sizes"),
    [
        (False, sorted({1, *(1 << i for i in range(12)), *(3 << i for i in range(10))})),
        (True, list(range(1, 41))),
    ],
    ids=["some", "all"],
)
def test_the_sizes_of_products(suites, every, sizes):
    with c_suites.program() as path:
        rows = c_suites.rows(path, ["natural"], quick=True, every=every)
        beside_gmp = (row for row in rows if row["peer"] == "mpn_mul")
        found = [(row["case"], row["size"]) for row in islice(beside_gmp, len(sizes))]
        assert found == [("mul", size) for size in sizes]
        # which kills the program
        rows.close()


def test_bench_to_nowhere(suites, tmp_path):
    said = complaint(run("bench", "--quick", "limbs", "--json", str(tmp_path / "no" / "rows.json")), 2)
    assert "No such file or directory" in said


def test_ctrl_c_ends_bench(suites, tmp_path):
    path = tmp_path / "rows.json"
    process = start("bench", "--json", str(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in process.stdout:
        if b"add" in line:
            break
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert (process.returncode, stderr) == (130, b"carrychain: interrupted\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [("info",), ("selftest",), ()])
def test_nowhere_to_print(arguments):
    with open("/dev/full", "w") as full:
        result = run(*arguments, stdout=full)
    assert result.returncode == 2
    assert result.stderr == "carrychain: No space left on device\n"
