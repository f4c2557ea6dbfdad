"""The kernel's part of the Fibonacci chapter: /dev/fibonacci from inside and from outside."""

from pathlib import Path

from carrychain.bench import stored

from . import page, style


def curve(results: dict, key: str, name: str, step: int) -> list[int]:
    for row in results[key]:
        if step == row["step"] and name in row.values():
            return row["ns"]
    raise KeyError(f"{name}, every {step}")


def draw_strategies(results: dict, step: int, path: Path) -> None:
    strategies = [row["by"] for row in results["kernel"] if row["step"] == step]
    length = len(curve(results, "kernel", strategies[0], step))
    axes = style.axes(f"In the kernel: F(n) for n to {(length - 1) * step:,}", "n", style.TIME)
    for strategy in strategies:
        ns = curve(results, "kernel", strategy, step)
        axes.plot(range(0, length * step, step), [t / 1000 for t in ns], label=strategy)
    axes.set_xlim(0, (length - 1) * step)
    style.save(axes, path)


def draw_sides(results: dict, path: Path) -> None:
    step = 50
    inside = curve(results, "kernel", "squaring", step)
    axes = style.axes("One read of /dev/fibonacci", "n", style.TIME)
    indices = range(0, len(inside) * step, step)
    for label, ns in (
        ("user: the digits read", curve(results, "user", "read", step)),
        ("transfer: in and out of the kernel", curve(results, "user", "transfer", step)),
        ("kernel: F(n)", inside),
    ):
        axes.plot(indices, [t / 1000 for t in ns], label=label)
    axes.set_xlim(indices[0], indices[-1])
    style.save(axes, path)


def decimals(results: dict) -> list[tuple[str, ...]]:
    ours = {row["n"]: row["ns"] for row in results["decimals"] if row["by"] == "kernel"}
    return [
        (
            f"{row['n']:,}",
            f"{ours[row['n']]:,.0f} ns",
            f"{row['ns']:,.0f} ns",
            f"{row['ns'] / ours[row['n']]:.2f}",
        )
        for row in results["decimals"]
        if row["by"] != "kernel"
    ]


def section(directory: Path) -> str:
    results = stored.load("kernel-fib.json")
    peer = next(row["by"] for row in results["decimals"] if row["by"] != "kernel")
    badge = page.before(results)
    draw_strategies(results, 1, directory / "fibdrv-1000.svg")
    draw_strategies(results, 50, directory / "fibdrv-10000.svg")
    draw_sides(results, directory / "fibdrv-read.svg")
    return (
        "<h2>/dev/fibonacci</h2>\n"
        + page.figure(
            badge,
            "fibdrv-1000.svg",
            "The time in the kernel by strategy, allocations and all: the median of 21 samples, each a sweep "
            "over n.",
        )
        + page.figure(badge, "fibdrv-10000.svg", "The same for every 50th n to 10 000.")
        + page.figure(
            badge,
            "fibdrv-read.svg",
            "User time, transfer time and kernel time. In User-Mode Linux a system call is several switches "
            "between processes of the host, and outweighs all else.",
        )
        + page.table(
            badge,
            ("n", "F(n) and its decimals in the kernel", f"{peer}, in user space", "times as fast"),
            decimals(results),
        )
    )
