"""The manual pages say what the commands' help does, and roff finds nothing wrong with them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from every_command import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
ROFF = shutil.which("groff")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    directory = tmp_path_factory.mktemp("man")
    subprocess.run([sys.executable, "tools/man", directory], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return directory / "share"


def test_every_command_has_its_page(written):
    names = {path.name for path in (written / "man/man1").iterdir()}
    assert names == {"carrychain.1", *(f"carrychain-{name}.1" for name in COMMANDS)}


@pytest.mark.skipif(not ROFF, reason="groff is not here")
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_pages(written, name):
    path = written / f"man/man1/carrychain{'-' * bool(name)}{name}.1"
    environment = os.environ | {"GROFF_NO_SGR": "1", "LC_ALL": "C.UTF-8"}
    shown = subprocess.run(
        [ROFF, "-man", "-ww", "-Tutf8", "-P-cbou", "-rLL=200n", path],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    text = shown.stdout.replace("\N{HYPHEN}", "-").replace("\N{MINUS SIGN}", "-")
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"):
        assert section in text
    for param in COMMANDS[name].params if name else ():
        if isinstance(param, click.Option) and not param.hidden:
            assert all(option in text for option in param.opts)
    for command in () if name else COMMANDS:
        assert f"carrychain-{command}" in text
