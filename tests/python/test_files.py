import os
import threading

import pytest
from carrychain.files import CannotWrite, expect_writable, replacing, write_text


def test_nothing_is_there_before_the_end(tmp_path):
    path = tmp_path / "a"
    with replacing(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failed_block_changes_nothing(tmp_path, error):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(error), replacing(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "a", tmp_path / "link"
    link.symlink_to(path)
    write_text(link, "through")
    assert link.is_symlink() and path.read_text() == "through"


def test_a_link_to_what_is_not_there_yet(tmp_path):
    (tmp_path / "link").symlink_to("a")
    write_text(tmp_path / "link", "through")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "a").read_text() == "through"


@pytest.mark.parametrize("name", ["a/", "a/.", "a/b", "missing/../a", "missing/", "circle"])
def test_names_are_what_the_system_takes_them_for(tmp_path, name):
    (tmp_path / "a").write_text("kept")
    (tmp_path / "circle").symlink_to("circle")
    path = f"{tmp_path}/{name}"
    with pytest.raises(OSError):
        os.open(path, os.O_WRONLY | os.O_CREAT)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CannotWrite) as expected:
        expect_writable(path)
    with pytest.raises(CannotWrite) as caught:
        write_text(path, "lost")
    assert str(expected.value) == str(caught.value) and caught.value.filename == path
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "a").read_text() == "kept"


def test_what_can_be_written_is_not_touched_before(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # nobody reads: opening it would wait
    before = sorted(tmp_path.iterdir())
    for name in ("a", "pipe", "/dev/null"):
        expect_writable(tmp_path / name)
    assert sorted(tmp_path.iterdir()) == before
    with pytest.raises(CannotWrite, match="Is a directory"):
        expect_writable(tmp_path)


def test_the_usual_permissions(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_permissions_stay(tmp_path):
    path = tmp_path / "a"
    path.touch(0o600)
    write_text(path, "secret")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join()
    assert got == ["through"] and pipe.is_fifo()


def test_the_error_names_what_was_asked_for(tmp_path):
    path = tmp_path / "no" / "a"
    with pytest.raises(CannotWrite) as caught, replacing(path):
        pass
    assert caught.value.filename == str(path)


def test_a_read_only_file_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("kept")
    # root may write anything, so os.access is told otherwise
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CannotWrite, match="Permission denied"):
        write_text(path, "lost")
    assert path.read_text() == "kept"
