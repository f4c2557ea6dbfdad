"""``python -m carrychain``, the same as ``carrychain``."""

from carrychain.cli import main

if __name__ == "__main__":
    main()
