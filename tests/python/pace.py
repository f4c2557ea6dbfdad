"""How long a wait may be on this machine, as busy or as emulated as it now is."""

import subprocess
import sys
import time

# ends what hangs, and judges nothing
HANG = 1200

WORK = [sys.executable, "-c", "sum(range(5_000_000))"]
# of WORK, on an idle processor of 2020
SECONDS = 0.2


def patience(seconds: float) -> float:
    """What takes this long on an idle machine may take that long here, as was just measured."""
    begun = time.monotonic()
    subprocess.run(WORK, check=True)
    return seconds * max(1, (time.monotonic() - begun) / SECONDS)
