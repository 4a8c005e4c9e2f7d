"""The public names of causarium, for type checkers; `__init__.py` loads each on first use."""

from causarium.api.batch import Batch as Batch
from causarium.api.batch import BatchStep as BatchStep
from causarium.api.batch import batch as batch
from causarium.api.benchmark import Benchmark as Benchmark
from causarium.api.benchmark import check as check
from causarium.api.benchmark import list_families as list_families
from causarium.api.benchmark import load as load
from causarium.api.evaluate import estimate as estimate
from causarium.api.evaluate import evaluate as evaluate
from causarium.api.read_run import Run as Run
from causarium.api.reporting import Report as Report
from causarium.api.reporting import write_report as write_report
from causarium.api.rows import PublishedRows as PublishedRows
from causarium.api.rows import Rows as Rows
from causarium.api.rows import published_rows as published_rows
from causarium.api.rows import read_rows as read_rows
from causarium.api.rows import rescore as rescore
from causarium.api.session import Session as Session
from causarium.api.session import Step as Step
from causarium.api.session import open_session as open_session
from causarium.api.session import restore as restore
from causarium.api.verify import verify_logs as verify_logs

__version__: str
