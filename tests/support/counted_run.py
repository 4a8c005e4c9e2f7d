"""The command line, with a line in a file for every sample that Inspect says is finished.

python -m tests.support.counted_run COUNTS run causallink ...
"""

import sys
from pathlib import Path

from inspect_ai.hooks import Hooks, SampleEnd, hooks

from causarium.cli import main


@hooks(name="finished_samples", description="Writes down which samples are finished.")
class FinishedSamples(Hooks):
    async def on_sample_end(self, data: SampleEnd) -> None:
        with counts.open("a", encoding="utf-8") as file:
            file.write(f"{data.sample.id} {data.sample.uuid}\n")


if __name__ == "__main__":
    counts = Path(sys.argv.pop(1))
    main()
