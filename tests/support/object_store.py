"""An object store on this machine: moto's S3 server, in a process of its own, with one bucket.

    with object_store() as environment: ...

`environment` are the variables with which any process finds it.
"""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

needs_object_store = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("moto", "flask", "s3fs", "pyarrow")),
    reason="moto, s3fs or pyarrow is not installed",
)
BUCKET = "causarium"
_SERVER = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print("port", server.get_host_and_port()[1], flush=True)
import sys
sys.stdin.read()
server.stop()
"""


@contextmanager
def object_store() -> Iterator[dict[str, str]]:
    """Start the store; yields what the environment of its users must hold."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = next(m[1] for line in process.stdout if (m := re.match(r"port (\d+)", line)))
        environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test-secret",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        make_bucket(environment)
        yield environment
    finally:
        process.stdin.close()
        process.wait(timeout=30)


def make_bucket(environment: dict[str, str]) -> None:
    """Make the bucket, as whoever runs a store does; causarium never makes one."""
    import boto3

    client = boto3.client(
        "s3",
        endpoint_url=environment["AWS_ENDPOINT_URL"],
        aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        region_name=environment["AWS_DEFAULT_REGION"],
    )
    client.create_bucket(Bucket=BUCKET)


def run_causarium(*words: str, environment: dict[str, str] | None = None, **more):
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from causarium.cli import main; main()", *words],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        **more,
    )
