"""Exit statuses: each kind of trouble in each command is status 2, and one line at most.

Of each kind half of the cases, drawn from the tree; CC_TEST_LONG=1 has all.
"""

import os
import random
from collections.abc import Iterator

import pytest
from captures import pcap
from carrychain.cli import run as run_module
from command import complaint, run, run_anew
from draws import share
from every_command import COMMANDS, arguments_of, example, make_files, options_of

# neither a number nor a file's, a function's or a suite's name
NOTHING = ["no such\nthing", "/", "", "@/nonexistent", "/dev/null/a"]


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    make_files(tmp_path, random.Random(0))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bad_usage() -> Iterator[list[str]]:
    for name, command in COMMANDS.items():
        yield [name, "--no-such-option"]
        arguments = arguments_of(command)
        if any(argument.required for argument in arguments):
            yield [name]
        if all(argument.nargs == 1 for argument in arguments):
            yield [*example(name), "surplus"]
        for bad in NOTHING if arguments else ():
            # in which there are captures, or none: verify looks for them
            if (name, bad) == ("verify", "/"):
                continue
            yield [name, *(bad for _ in arguments)]
        for option in options_of(command):
            # a file that can't be, and no number and no choice either
            if not option.is_flag and not option.count:
                yield [*example(name), option.opts[0], "/dev/null/a"]
                yield [*example(name), option.opts[0]]


@pytest.mark.parametrize("arguments", share("bad usage", bad_usage(), 2), ids=repr)
def test_bad_usage(arguments):
    complaint(run(*arguments), 2)


PRINTING = [*map(example, COMMANDS), *([name, "--help"] for name in COMMANDS), [], ["--help"], ["--version"]]


@pytest.mark.parametrize("arguments", share("full output", PRINTING, 2), ids=repr)
def test_full_output(arguments):
    # each command once as a shell begins it
    begin = run if "--help" in arguments else run_anew
    with open("/dev/full", "w") as full:
        result = begin(*arguments, stdout=full)
    assert result.returncode == 2
    assert result.stderr.startswith("carrychain") and result.stderr.count("\n") == 1
    assert result.stderr.endswith("No space left on device\n")


@pytest.mark.parametrize("arguments", share("no output", PRINTING, 2), ids=repr)
def test_no_output(arguments):
    """The shell's >&-."""
    result = run(*arguments, stdout=None, closed=(1,))
    assert result.returncode == 2
    assert result.stderr.startswith("carrychain") and result.stderr.count("\n") == 1
    assert result.stderr.endswith("Bad file descriptor\n")


@pytest.mark.parametrize("arguments", share("nobody reads", PRINTING, 2), ids=repr)
def test_nobody_reads(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        result = run(*arguments, stdout=pipe)
    assert (result.returncode, result.stderr) == (2, "")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("closed", [False, True])
def test_nowhere_to_complain(name, closed):
    with open("/dev/full", "w") as full:
        result = run(name, "--no-such-option", stderr=full, closed=(2,) if closed else ())
    assert (result.returncode, result.stdout) == (2, "")


def test_standard_input_that_is_closed():
    result = run("powmod", "2", "@-", "5", closed=(0,))
    assert complaint(result, 2) == "carrychain: E: standard input: Bad file descriptor"


def test_an_answer_no_that_can_not_be_written(directory):
    """It is lost, and so no answer."""
    (directory / "bad.pcap").write_bytes(
        pcap(bytes(14)[:12] + b"\x08\0" + b"\x45" + bytes(9) + b"\1" + bytes(9))
    )
    assert run("verify", "--json", "bad.pcap").returncode == 1
    with open("/dev/full", "w") as full:
        assert run("verify", "--json", "bad.pcap", stdout=full).returncode == 2


def test_our_own_mistake_is_no_answer(monkeypatch, capsys):
    def mistaken(*_):
        raise KeyError("nobody")

    monkeypatch.setattr(run_module, "invoke", mistaken)
    monkeypatch.setattr(run_module, "drop", lambda descriptor: None)
    assert run_module.run([]) == 2
    assert "KeyError: 'nobody'" in capsys.readouterr().err
