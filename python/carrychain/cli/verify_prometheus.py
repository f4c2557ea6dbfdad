"""The total of captures as metrics, in the text format that the node exporter's textfile collector reads."""

from collections.abc import Iterable, Mapping

from carrychain.bindings.capture import JUDGED, PROTOCOLS
from carrychain.files import expect_writable, write_text
from carrychain.pcap import Report

from .verify_total import Total

PREFIX = "carrychain_verify"


def _value(text: str) -> str:
    """A label's value, quoted."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _metric(name: str, help_: str, samples: Iterable[tuple[Mapping[str, str], int | float]]) -> Iterable[str]:
    """A gauge: what is told is about some captures, and does not go on from the last ones."""
    yield f"# HELP {PREFIX}_{name} {help_}\n"
    yield f"# TYPE {PREFIX}_{name} gauge\n"
    for labels, value in samples:
        shown = ",".join(f"{label}={_value(text)}" for label, text in labels.items())
        yield f"{PREFIX}_{name}{{{shown}}} {value}\n" if shown else f"{PREFIX}_{name} {value}\n"


def _checksums(total: Total) -> Iterable[tuple[Mapping[str, str], int]]:
    """Of each protocol that there is: the verdicts of all are another metric, which is never missing."""
    for protocol in PROTOCOLS.values():
        if any(total.counts[protocol, verdict] for verdict in JUDGED):
            for verdict in JUDGED:
                yield {"protocol": protocol, "verdict": verdict}, total.counts[protocol, verdict]


def _metrics(total: Total, status: int) -> Iterable[str]:
    verdicts = {
        verdict: sum(count for (_, each), count in total.counts.items() if each == verdict)
        for verdict in JUDGED
    }
    for metric in (
        ("captures", "Captures that were read.", [({}, total.captures)]),
        ("captures_unreadable", "Captures that were not read completely.", [({}, total.unreadable)]),
        ("frames", "Frames in all captures.", [({}, total.frames)]),
        ("frames_without_checksum", "Frames without a known checksum.", [({}, total.without)]),
        ("frames_dropped", "Frames that a live capture dropped.", [({}, total.dropped)]),
        ("bytes", "Bytes of all captures, unpacked.", [({}, total.bytes)]),
        ("checksums", "Checksums by protocol and verdict.", _checksums(total)),
        (
            "verdicts",
            "Checksums of all protocols by verdict.",
            [({"verdict": verdict}, count) for verdict, count in verdicts.items()],
        ),
        ("unchecked", "Frames and datagrams with contents not understood.", [({}, total.unknown.total())]),
        ("exit_status", "The command's exit status.", [({}, status)]),
        ("duration_seconds", "How long the command took.", [({}, round(total.seconds, 3))]),
    ):
        yield from _metric(*metric)


class Prometheus:
    def __init__(self, path: str) -> None:
        expect_writable(path)
        self._path = path

    def add(self, report: Report, errors: list[str], status: int) -> None:
        """Nothing: a capture is in the total."""

    def write(self, total: Total, status: int) -> None:
        write_text(self._path, "".join(_metrics(total, status)))
