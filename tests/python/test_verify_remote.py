"""verify of URLs: what a store answers, and where it stops."""

import io

import pytest
from carrychain.pcap import captures_in, verify
from command import run
from test_verify_cli import BAD, GOOD
from test_verify_cli import FRAMES as MADE

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: no URL is tested")

FRAMES = len(MADE)


class Lost(io.RawIOBase):
    """A capture of whole records, behind which the store fails."""

    def __init__(self, error: Exception) -> None:
        self._data = io.BytesIO(GOOD)
        self._error = error

    def readinto(self, view) -> int:
        if not (got := self._data.readinto(view)):
            raise self._error
        return got


def told(url: str) -> tuple[int, str | None]:
    *_, (report, _, _) = verify([url])
    return report.frames, report.error


@pytest.fixture
def store():
    files = fsspec.filesystem("memory")
    yield files
    files.store.clear()


def test_a_store_is_searched(store):
    for name in ("/caps/b/a2", "/caps/a10", "/caps/a9"):
        store.pipe(name, GOOD)
    store.pipe("/caps/notes", b"no capture")
    names = [f"memory://{name}" for name in ("/caps/a9", "/caps/a10", "/caps/b/a2")]
    assert captures_in(["memory://caps"]) == (names, ["memory:///caps/notes"])
    assert captures_in(["memory://caps/a*"])[0] == names[:2]
    assert told(names[0]) == (FRAMES, None)


def test_what_is_not_there(store):
    assert told("memory://nothing.pcap") == (0, "No such file or directory")
    assert told("nowhere://a.pcap") == (0, "ValueError: Protocol not known: nowhere")


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (OSError("connection lost"), "OSError: connection lost"),
        (OSError(104, "reset by peer"), "reset by peer"),
        (RuntimeError("no payload"), "RuntimeError: no payload"),
    ],
)
def test_a_store_is_lost(store, monkeypatch, error, what):
    """What comes before that is told, and it is not taken for the capture's end."""
    store.pipe("/a.pcap", GOOD)
    monkeypatch.setattr(type(store), "open", lambda *arguments, **named: Lost(error))
    frames, found = told("memory://a.pcap")
    assert frames == FRAMES
    assert found.startswith(f"not read beyond byte {len(GOOD)}: {what}; ")


def test_repaired(tmp_path):
    """Into a file that is there, and whose name is no URL's."""
    (tmp_path / "a.pcap").write_bytes(BAD)
    (tmp_path / "fixed").write_bytes(b"older")
    result = run("verify", "--fix", str(tmp_path / "fixed"), (tmp_path / "a.pcap").as_uri())
    assert (result.returncode, result.stderr) == (1, "")
    assert (tmp_path / "fixed").read_bytes() == GOOD
