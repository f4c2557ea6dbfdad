"""The C program that times our functions next to their peers: its suites and their rows."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

from .timing import ANY, Only

# What installs what it needs, and builds it.
BUILDS = "`make report` or `make bench` in Carrychain's source tree builds it"


class NoProgram(Exception):
    """One line that says why there are no rows, and what to do about it."""


@contextmanager
def program() -> Iterator[Path]:
    """The program that the build placed with the package's modules."""
    try:
        with as_file(files("carrychain") / "carrychain-bench") as path:
            if not path.is_file():
                raise FileNotFoundError(path)
            yield path
    except FileNotFoundError:
        raise NoProgram(_absent()) from None


def _absent() -> str:
    """Why there is no program. pip records what the package was installed from."""
    try:
        origin = json.loads(distribution("carrychain").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    if "dir_info" in origin:
        return f"the bench program was not built, for want of GMP's headers (Debian: libgmp-dev): {BUILDS}"
    return f"the bench program, which times the peers, is not in this installation: {BUILDS}"


def flint() -> str | None:
    """The library inside python-flint, if that is installed. It is newer than those of distributions."""
    package = find_spec("flint")
    places = package.submodule_search_locations if package else None
    for place in places or ():
        for library in Path(place).parent.glob("python_flint.libs/libflint*"):
            return str(library)
    return None


# The peers' libraries, by the program's options.
Libraries = Mapping[str, str | None]
NONE: Libraries = {}


def _command(path: Path, libraries: Libraries, *options: str) -> list:
    return [path, *(each for named in libraries.items() if named[1] for each in named), *options]


def suites(path: Path, *, libraries: Libraries = NONE) -> list[str]:
    """The program's suites. Also raises NoProgram if one of ``libraries`` is not what it should be."""
    listed = subprocess.run(_command(path, libraries, "--list"), capture_output=True, text=True)
    if listed.returncode:
        raise NoProgram(f"the bench program does not run: {listed.stderr}")
    return listed.stdout.split()


def rows(
    path: Path,
    wanted: Iterable[str],
    *,
    quick: bool = False,
    every: bool = False,
    only: Only = ANY,
    libraries: Libraries = NONE,
) -> Iterator[dict]:
    """Rows as they are measured, of all suites if none is given.

    ``every`` means every size, which takes hours.
    """
    options = [*(["--quick"] if quick else []), *(["--all"] if every else []), *only.options()]
    with subprocess.Popen(
        _command(path, libraries, *options, *wanted), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            for line in process.stdout:
                yield json.loads(line)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise NoProgram(f"the bench program ended with status {process.returncode}")


def suite(name: str, *, quick: bool = False) -> list[dict]:
    """All rows of one suite."""
    with program() as path:
        if name not in suites(path):
            raise NoProgram(
                f"the bench program was built without the suite {name}, for want of OpenSSL's headers "
                f"(Debian: libssl-dev): {BUILDS}"
            )
        return list(rows(path, [name], quick=quick, libraries={"--flint": flint()}))
