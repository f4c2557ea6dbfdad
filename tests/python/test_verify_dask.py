"""verify --engine dask on a cluster started here: what it prints is what one process prints."""

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from carrychain.pcap.datagrams import Datagrams
from command import complaint, run, start
from draws import LONG, random_for, share
from events import until
from rotated import rotate, stream

distributed = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed: nothing of it is tested"
)

FORMS = ([], ["--csv"], ["--json"], ["--json-lines"], ["--by", "conversation"])


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def series(directory: Path, seed: int, count: int, files: int, filler: int = 0) -> list[str]:
    draw = random.Random(seed)
    records = stream(draw, count, filler)
    return rotate(directory, records, sorted(draw.sample(range(1, len(records)), files - 1)))


def timeless(said: str) -> str:
    """Without the seconds that a total took."""
    return re.sub(r"(?m)^(total: .* bytes?), [0-9]+\.[0-9] s$", r"\1", said)


@pytest.mark.parametrize("seed", random_for("test_verify_dask").sample(range(1 << 32), 2 if LONG else 1))
def test_the_same_bytes_as_one_process(cluster, tmp_path, seed):
    names = series(tmp_path / "captures", seed, 300, 40)
    # one that ends early, one that is none, one that is not there, one of another name
    with open(names[7], "ab") as file:
        file.write(b"\1\2\3")
    Path(names[20]).write_bytes(b"GIF89a")
    Path(names[30]).unlink()
    Path(names[31]).rename(tmp_path / "captures" / "other.pcap")
    names[31] = str(tmp_path / "captures" / "other.pcap")
    listed = [word for verdict in ("good", "bad", "unverifiable") for word in ("--list", verdict)]
    for form in share("forms of test_verify_dask", FORMS, 2):
        here = run("verify", *form, *listed, *names)
        there = run("verify", *form, *listed, "--engine", f"dask:{cluster.scheduler_address}", *names)
        assert timeless(there.stdout) == timeless(here.stdout)
        assert there.stderr == here.stderr
        assert there.returncode == here.returncode == 2


def test_a_worker_is_lost(cluster, tmp_path):
    names = series(tmp_path, 1, 400, 24, filler=20)
    here = run("verify", "--csv", "--list", "good", *names).stdout
    with distributed.Client(cluster) as client:
        before = set(client.run(os.getpid).values())
        command = start(
            "verify", "--csv", "--list", "good", "--engine", f"dask:{cluster.scheduler_address}", *names,
            stdout=(tmp_path / "out").open("wb"),
        )  # fmt: skip
        # as soon as there is something of one
        until((tmp_path / "out").read_bytes, command)
        os.kill(min(before), signal.SIGKILL)
        assert command.wait() == 0
        assert (tmp_path / "out").read_text() == here
        until(lambda: len(set(client.run(os.getpid).values()) - {min(before)}) == 2)


def test_the_scheduler_makes_nothing_of_what_it_passes_on(cluster, tmp_path, monkeypatch):
    """It runs in this process: what is 22 MB when it is unpickled is not unpickled here."""
    names = series(tmp_path, 4, 200, 8)
    here = run("verify", "--csv", *names)
    made, make = [], Datagrams.__setstate__

    def noted(self, state):
        made.append(state)
        make(self, state)

    monkeypatch.setattr(Datagrams, "__setstate__", noted)
    there = run("verify", "--csv", "--engine", f"dask:{cluster.scheduler_address}", *names)
    assert (there.stdout, there.stderr, made) == (here.stdout, "", [])


def test_a_cluster_of_its_own_and_urls(tmp_path):
    names = series(tmp_path, 2, 100, 4)
    here = run("verify", "--csv", *names).stdout
    there = run("verify", "--csv", "--engine", "dask", tmp_path.as_uri()).stdout
    assert there.replace("file://", "") == here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "spark", "a"], "--engine is dask or dask:ADDRESS, not 'spark'"),
        (["--engine", "dask", "-"], "- is the standard input, which a cluster can't read: name files"),
        (
            ["--engine", "dask", "--fix", "b", "a"],
            "--engine and --fix exclude each other: give only one of them",
        ),
        (
            ["--engine", "dask", "--threads", "2", "a"],
            "--engine and --threads exclude each other: give only one of them",
        ),
    ],
)  # fmt: skip
def test_misused(tmp_path, arguments, message):
    result = run("verify", *arguments, cwd=tmp_path, stdin=open(os.devnull))  # noqa: SIM115
    assert complaint(result, 2) == f"carrychain verify: {message}"


def test_no_scheduler():
    soon = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
    result = run("verify", "--engine", "dask:tcp://127.0.0.1:1", __file__, env=soon)
    assert "no Dask scheduler at tcp://127.0.0.1:1: " in complaint(result, 2)


LOST = """
import os, time
from distributed import LocalCluster
cluster = LocalCluster(n_workers=0, processes=False, protocol="tcp", dashboard_address=None)
print(cluster.scheduler_address, flush=True)
while not cluster.scheduler.tasks:
    time.sleep(0.05)
os._exit(9)
"""


def test_the_scheduler_is_lost():
    with subprocess.Popen([sys.executable, "-c", LOST], stdout=subprocess.PIPE, text=True) as scheduler:
        try:
            address = scheduler.stdout.readline().strip()
            result = run("verify", "--engine", f"dask:{address}", __file__)
        finally:
            scheduler.kill()
    assert "the Dask scheduler was lost before it was read" in complaint(result, 2)


def test_threads(tmp_path):
    names = series(tmp_path, 3, 100, 3)
    assert run("verify", "--json", "--threads", "1", *names).stdout == run("verify", "--json", *names).stdout
