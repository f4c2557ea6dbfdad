"""vectorize through Dask: chunks of an array, in processes of their own."""

import hashlib
import os
import random

import pytest
from carrychain import vectorize

numpy = pytest.importorskip("numpy", reason="NumPy is not installed: nothing of Dask is tested")
dask_array = pytest.importorskip("dask.array", reason="Dask is not installed: nothing of it is tested")
distributed = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed: nothing of it is tested"
)

import jit_many_functions as functions  # noqa: E402

SIZE = 4096


@pytest.fixture(scope="module")
def blocks():
    """32 MB: rows in chunks of 1024."""
    rows = numpy.random.default_rng(7).integers(0, 256, (8192, SIZE), numpy.uint8)
    return rows, dask_array.from_array(rows, chunks=(1024, SIZE))


def hashed(chunked):
    return chunked.map_blocks(vectorize(functions.hashed, threads=1), drop_axis=1, dtype=numpy.uint32)


def test_chunks_in_threads(blocks):
    rows, chunked = blocks
    found = hashed(chunked).compute(scheduler="threads", num_workers=2)
    assert found.shape == (8192,)
    for at in random.Random(3).sample(range(8192), 20):
        assert found[at] == functions.plain(rows[at].tobytes())


def test_chunks_on_a_cluster(blocks):
    rows, chunked = blocks
    path = os.path.dirname(functions.__file__)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
            env={"PYTHONPATH": os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])},
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        found = client.compute(hashed(chunked)).result()
        made = chunked.map_blocks(
            vectorize(functions.digest, threads=1), chunks=(chunked.chunks[0], 16), dtype=numpy.uint8
        )
        digests = client.compute(made).result()
    assert found.tolist() == vectorize(functions.hashed)(rows).tolist()
    for at in random.Random(4).sample(range(8192), 20):
        assert found[at] == functions.plain(rows[at].tobytes())
        assert digests[at].tobytes() == hashlib.md5(rows[at].tobytes()).digest()
