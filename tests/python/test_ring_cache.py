"""The cache of compiled programs: what others could have written is not run, and nobody else reads it."""

import os
import stat
from pathlib import Path

import pytest
from carrychain.ring import compile as compiling
from carrychain.ring.call import cache
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.emit import llvm
from carrychain.ring.ir.errors import CheckError, Refused
from carrychain.ring.ir.parse import parse_module

TEXT = "function @f -> (int) {\nb(%x: u8):\n  %r: int = add %x, %x\n  return %r\n}"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A directory for caches, and how often LLVM ran."""
    made = []
    machine_code = llvm.machine_code
    monkeypatch.setattr(llvm, "machine_code", lambda text: made.append(text) or machine_code(text))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    cache._say.cache_clear()
    before = os.umask(0)
    yield tmp_path / "home", made
    os.umask(before)


def run() -> None:
    assert compile_module(parse_module(TEXT)).call("f", 100) == 200


def test_what_was_warned_of_is_warned_of_each_time(home, monkeypatch):
    where, made = home

    def refusing(*_) -> None:
        raise CheckError("not shown")

    monkeypatch.setattr(compiling, "check_regrouped", refusing)
    for _ in range(2):
        with pytest.warns(Refused, match="f is compiled without gather and regroup: .*: not shown"):
            run()
    assert len(made) == 2 and not where.exists()


def mode(path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_nobody_else_reads_it(home, monkeypatch):
    where, made = home
    modes = []
    replace = os.replace

    def note(old, new):
        modes.append(mode(Path(old)))
        replace(old, new)

    monkeypatch.setattr(os, "replace", note)
    run()
    run()
    assert len(made) == 1
    (file,) = (where / "carrychain").iterdir()
    assert [mode(where), mode(where / "carrychain"), mode(file)] == [0o700, 0o700, 0o600]
    assert modes == [0o600]


def test_an_earlier_versions_directory_is_closed(home):
    where, _ = home
    (where / "carrychain").mkdir(parents=True, mode=0o755)
    where.chmod(0o755)
    run()
    assert mode(where / "carrychain") == 0o700


def spoil_directory(where):
    (where / "carrychain").chmod(0o777)


def spoil_group(where):
    (where / "carrychain").chmod(0o720)


def spoil_parent(where):
    where.chmod(0o777)


def spoil_link(where):
    (where / "carrychain").rename(where.parent / "real")
    (where.parent / "real").chmod(0o722)
    (where / "carrychain").symlink_to("../real")


def spoil_far_link(where):
    """The link and what it leads to are ours, but on the way others may put something else."""
    (where.parent / "open").mkdir(mode=0o777)
    where.rename(where.parent / "open" / "home")
    where.symlink_to(where.parent / "open" / "home")


def spoil_circle(where):
    where.rename(where.parent / "elsewhere")
    where.symlink_to(where)


@pytest.mark.parametrize(
    "spoil", [spoil_directory, spoil_group, spoil_parent, spoil_link, spoil_far_link, spoil_circle]
)
def test_what_others_could_write_is_not_touched(home, capfd, spoil):
    where, made = home
    run()
    (file,) = (where / "carrychain").iterdir()
    content = file.read_bytes()
    spoil(where)
    names = sorted(os.walk(where.parent, followlinks=False))
    run()
    run()
    # neither read nor written, and said once
    assert len(made) == 3
    assert sorted(os.walk(where.parent, followlinks=False)) == names
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("carrychain: compiled programs are not kept: ")
    assert content in [path.read_bytes() for path in where.parent.rglob(file.name)]


def test_somebody_elses_directory_is_not_touched(home, capfd, monkeypatch):
    _, made = home
    run()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    run()
    assert len(made) == 2
    assert "is somebody else's" in capfd.readouterr().err


def test_a_link_of_ones_own_is_followed(home, capfd):
    where, made = home
    run()
    where.rename(where.parent / "elsewhere")
    where.symlink_to("elsewhere")
    run()
    assert len(made) == 1
    assert capfd.readouterr().err == ""


def spoil_mode(file):
    file.chmod(0o604)


def spoil_kind(file):
    file.rename(file.with_suffix(".other"))
    file.symlink_to(file.with_suffix(".other"))


def spoil_name(file):
    """It is whole, and another program's."""
    other = TEXT.replace("function @f", "function @g")
    assert compile_module(parse_module(other)).call("g", 100) == 200
    (theirs,) = {*file.parent.iterdir()} - {file}
    theirs.rename(file)


def spoil_text(file):
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)


def spoil_length(file):
    file.write_bytes(file.read_bytes()[:-1])


@pytest.mark.parametrize("spoil", [spoil_mode, spoil_kind, spoil_name, spoil_text, spoil_length])
def test_a_file_that_is_not_as_it_was_made_is_made_again(home, spoil):
    where, made = home
    run()
    (file,) = (where / "carrychain").iterdir()
    spoil(file)
    before = len(made)
    run()
    run()
    assert len(made) == before + 1
    assert mode(file) == 0o600 and not file.is_symlink()


def test_somebody_elses_file_is_made_again(home):
    if os.geteuid():
        pytest.skip("only root can give files away")
    where, made = home
    run()
    (file,) = (where / "carrychain").iterdir()
    os.chown(file, 12345, -1)
    run()
    assert len(made) == 2
    assert file.stat().st_uid == 0


def test_nothing_is_left_where_writing_fails(home, monkeypatch):
    where, _ = home

    def fail(old, new):
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fail)
    run()
    assert list((where / "carrychain").iterdir()) == []


@pytest.mark.parametrize("place", [os.devnull, "file", "file/below"])
def test_where_no_directory_can_be_nothing_is_kept_and_nothing_said(home, capfd, monkeypatch, place):
    where, made = home
    (where.parent / "file").touch(mode=0o600)
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.join(where.parent, place))
    run()
    run()
    assert len(made) == 2
    assert capfd.readouterr().err == ""
