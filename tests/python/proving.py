"""What the tests of proofs/ share: the package, which is not installed, and where the objects are."""

import os
import platform
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

if platform.machine() != "x86_64":
    pytest.skip("the kernels are x86-64's", allow_module_level=True)

BUILD = Path(os.environ.get("CARRYCHAIN_BUILD", ROOT / "build"))
