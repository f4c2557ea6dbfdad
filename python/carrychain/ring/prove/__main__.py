"""Proves everything, and says how many claims there were."""

import argparse
import sys
import time

from . import Unproven, demanded, rewrites, transfers


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m carrychain.ring.prove", description=__doc__)
    parser.add_argument("--bounded", action="store_true", help="fewer large widths, for a test")
    bounded = parser.parse_args().bounded
    proven = failed = 0
    for name, proofs in (
        ("transfers", transfers.proofs),
        ("demanded", demanded.proofs),
        ("rewrites", rewrites.proofs),
    ):
        began, count = time.monotonic(), 0
        for claim, prove in proofs(bounded):
            try:
                count += prove()
            except Unproven as reason:
                failed += 1
                print(f"{name}: {claim}: {reason}", flush=True)
        proven += count
        print(f"{name}: {count} claims, {time.monotonic() - began:.1f} s", flush=True)
    print(f"{proven} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
