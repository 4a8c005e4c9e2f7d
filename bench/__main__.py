"""`python -m bench [NAME]`: run the benches and print work, ours, baseline, ratio."""

import signal
import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table


def main() -> int:
    """Run one bench or all of them."""
    here = Path(__file__).parent
    # Baselines lie beside the benches that use them.
    names = sorted(p.stem for p in here.glob("*.py") if "\ndef run(" in p.read_text())
    wanted = sys.argv[1:] or names
    if unknown := sorted(set(wanted) - set(names)):
        print(f"unknown bench {', '.join(unknown)}; benches: {', '.join(names)}", file=sys.stderr)
        return 2
    table = Table("bench", "work", "ours", "baseline", "ratio", "wanted")
    # A bench that is ended early prints what it has measured.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for name in wanted:
            for m in import_module(f"bench.{name}").run():
                baseline = "" if m.baseline is None else f"{m.baseline:,.4g} {m.unit}"
                ratio = "" if m.ratio is None else f"{m.ratio:.1f}x"
                table.add_row(name, m.work, f"{m.ours:,.4g} {m.unit}", baseline, ratio, m.target)
    except KeyboardInterrupt:
        print("ended early", file=sys.stderr)
        return 130
    finally:
        Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
