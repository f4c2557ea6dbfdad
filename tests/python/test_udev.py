"""What udev makes of the rule of the device: who may open the node before the module is loaded."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULE = ROOT / "kernel/60-fibonacci.rules"
# As after a boot: kmod has made the node, for root alone, and udevd starts.  A node of ours shows that udevd
# has applied the rules.
START = """
mount -t tmpfs none /dev
mount -t tmpfs none /run
mknod -m 666 /dev/null c 1 3
mknod -m 600 /dev/fibonacci c 10 246
mknod -m 600 /dev/ours c 10 247
mkdir -p /run/udev/rules.d
cp "$@" /run/udev/rules.d
echo 'KERNEL=="ours", MODE="0640", OPTIONS+="static_node=ours"' >/run/udev/rules.d/99-ours.rules
(exec -a systemd-udevd udevadm) >/dev/null 2>&1 &
for _ in $(seq 300); do
    [ "$(stat -c %a /dev/ours)" = 640 ] && break
    sleep .1
done
kill %1
wait
stat -c %a /dev/ours /dev/fibonacci
"""


def modes(*rules: Path) -> list[str]:
    """Of our node and the device's."""
    command = ["unshare", "--mount", "--propagation", "private", "bash", "-c", START, "bash", *rules]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_anyone_may_open_what_loads_the_module(tmp_path):
    if not shutil.which("udevadm"):
        pytest.skip("udev is not installed")
    if os.geteuid() or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("mounts of its own are root's")
    other = tmp_path / "other.rules"
    other.write_text("")
    assert modes(other) == ["640", "600"]
    assert modes(RULE) == ["640", "666"]
