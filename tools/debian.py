# SPDX-License-Identifier: MIT
"""Debian's kernels for any architecture, from a separate apt, so that this machine's apt is not changed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import uml

RELEASE = "bookworm"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
SOURCES = f"""\
deb [signed-by={KEYS}] http://deb.debian.org/debian {RELEASE} main
deb [signed-by={KEYS}] http://deb.debian.org/debian {RELEASE}-updates main
deb [signed-by={KEYS}] http://deb.debian.org/debian-security {RELEASE}-security main
"""
# programs that run here while the modules are built: the one other architecture that the apt knows
HOST = "amd64"


class Missing(uml.Failed):
    """What Debian does not have today, or does not give."""


class Apt:
    """Lists and packages of one architecture, below a directory that goes when all is unpacked."""

    def __init__(self, place: Path, architecture: str):
        self.place = place
        for name in ("state/lists/partial", "cache/archives/partial", "etc"):
            (place / name).mkdir(parents=True)
        (place / "status").touch()
        (place / "etc/sources.list").write_text(SOURCES)
        known = " ".join(f'"{each}";' for each in dict.fromkeys((architecture, HOST)))
        (place / "apt.conf").write_text(
            f'Dir "{place}"; Dir::State "state"; Dir::State::status "{place}/status"; Dir::Cache "cache";\n'
            f'Dir::Etc "etc"; Dir::Etc::parts "none"; APT::Architecture "{architecture}";\n'
            f"#clear APT::Architectures; APT::Architectures {{ {known} }};\n"
            'APT::Sandbox::User "root"; Acquire::Languages "none"; Acquire::GzipIndexes "true";\n'
        )
        self.environment = {**os.environ, "APT_CONFIG": str(place / "apt.conf")}
        # a list that can't be had leaves those of the other suites
        said = self.said("apt-get", "-q", "update").splitlines()
        for line in said:
            if lost := re.match(r"E: Failed to fetch \S*/dists/(\S+)/main/binary-(\S+)/", line):
                print(f"  not to be had today: the packages of {lost[1]} for {lost[2]}")

    def said(self, *command: str) -> str:
        done = subprocess.run(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return done.stdout

    def names(self) -> set[str]:
        return set(self.said("apt-cache", "pkgnames").split())

    def unpack(self, package: str, directory: Path) -> None:
        """All but a kernel's own modules, which are large and not asked for."""
        archives = self.place / "archives"
        archives.mkdir()
        log = uml.WORK / "fetch.log"
        try:
            uml.run(
                ["apt-get", "download", package],
                log,
                f"fetching {package}",
                cwd=archives,
                env=self.environment,
            )
        except uml.Failed as failure:
            raise Missing(str(failure)) from None
        archive = next(archives.glob("*.deb"))
        tar = f"dpkg-deb --fsys-tarfile '{archive}' | tar x -C '{directory}' --exclude=./lib/modules"
        uml.run(["bash", "-o", "pipefail", "-c", tar], log, f"unpacking {package}")
        shutil.rmtree(archives)


def numbers(name: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", name)]


def fetch(directory: Path, architecture: str, series: str, flavour: str) -> None:
    """The newest kernel of the series (6.1), its headers and its busybox, unpacked into the directory.

    Debian's tools for building modules are programs, and those of the headers' own architecture do not run
    here; but they are made for every word and byte order, so that those of the host serve.
    """
    print(f"fetching Linux {series} for {architecture} from Debian", flush=True)
    part = directory.with_name(directory.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    apt = Apt(part / "apt", architecture)
    names = apt.names()
    image = re.compile(rf"linux-image-({re.escape(series)}\.\d\S*?-{flavour})(?:-unsigned)?")
    images = {found[1]: name for name in sorted(names, reverse=True) if (found := image.fullmatch(name))}
    abis = [abi for abi in images if f"linux-headers-{abi}" in names and not re.search("-(rt|cloud)-", abi)]
    if not abis:
        raise Missing(f"Debian has no Linux {series} for {architecture} today")
    abi = max(abis, key=numbers)
    version = abi.removesuffix(f"-{flavour}")
    kbuild = next(name for name in (f"linux-kbuild-{version}", f"linux-kbuild-{series}") if name in names)
    headers = f"linux-headers-{version}-common"
    for package in (images[abi], f"linux-headers-{abi}", headers, f"{kbuild}:{HOST}", "busybox-static"):
        apt.unpack(package, part)
    # where the headers find each other once they are installed
    for path in (part / "usr/src").glob("linux-headers-*/Makefile"):
        path.write_text(path.read_text().replace(" /usr/", f" {directory}/usr/"))
    shutil.rmtree(part / "apt")
    part.rename(directory)


def abi(directory: Path) -> str:
    return next((directory / "boot").glob("config-*")).name.removeprefix("config-")
