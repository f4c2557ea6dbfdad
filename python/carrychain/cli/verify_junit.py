"""Captures as the test cases of a JUnit report, which CI systems show."""

from xml.sax.saxutils import escape, quoteattr

from carrychain.files import expect_writable, write_text
from carrychain.pcap import Report, conclusions
from carrychain.pcap.causes import wrong_sums
from carrychain.texts import printable

from . import verify_causes, verify_evidence
from .failures import UNJUDGED
from .verify_report import WRONG
from .verify_total import Total

SUITE = "carrychain verify"


def _attributes(**named: str | int) -> str:
    return "".join(f" {name}={quoteattr(_sound(str(value)))}" for name, value in named.items())


def _sound(text: str) -> str:
    """Without what XML has no characters for."""
    return printable(text).encode(errors="backslashreplace").decode()


class JUnit:
    """One case for each capture: an error if it could not be read, a failure if it is corrupt.

    With --strict, what could not be judged is a failure, too.
    """

    def __init__(self, path: str) -> None:
        expect_writable(path)
        self._path = path
        self._cases: list[str] = []
        self._failures = self._errors = 0

    def add(self, report: Report, errors: list[str], status: int) -> None:
        """``status`` is that of this capture alone."""
        within = ""
        wrong = {verdict: count for verdict in WRONG if (count := report.verdicts(verdict))}
        if errors:
            self._errors += 1
            within = f"<error{_attributes(type='unreadable', message='; '.join(errors))}/>"
        elif wrong:
            self._failures += 1
            message = ", ".join(f"{count:,} {verdict}" for verdict, count in wrong.items())
            told = (
                *verify_evidence.sentences(conclusions(report)),
                *verify_causes.sentences(wrong_sums(report), False),
            )
            why = escape("\n".join(map(_sound, told)))
            within = f"<failure{_attributes(type='corruption', message=message)}>{why}</failure>"
        elif status == UNJUDGED:
            self._failures += 1
            unsure = [
                f"{count:,} {verdict}"
                for verdict in ("deferred", "unverifiable")
                if (count := report.verdicts(verdict))
            ]
            unsure += [f"{count:,} not checked"] if (count := report.unknown.total()) else []
            within = f"<failure{_attributes(type='unjudged', message=', '.join(unsure))}/>"
        case = _attributes(classname=SUITE, name=report.name)
        self._cases.append(f"  <testcase{case}>{within}</testcase>\n")

    def write(self, total: Total, status: int) -> None:
        counts = _attributes(
            name=SUITE,
            tests=len(self._cases),
            failures=self._failures,
            errors=self._errors,
            time=f"{total.seconds:.3f}",
        )
        write_text(
            self._path,
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<testsuites>\n <testsuite{counts}>\n{''.join(self._cases)} </testsuite>\n</testsuites>\n",
        )
