"""`causarium-openenv FAMILY [--level L] [--host 127.0.0.1] [--port 8000]`: serve over HTTP."""

import argparse
from functools import partial

import uvicorn
from openenv.core.env_server.http_server import create_app

from causarium.api.session import open_session
from causarium.errors import UsageError
from causarium_openenv.environment import CausalEnvironment, Reply, Seen


def main() -> None:
    """Serve until Ctrl-C."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("family")
    options.add_argument("--level")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    given = options.parse_args()
    level = {"level": given.level} if given.level else {}
    try:
        open_session(given.family, **level)
    except UsageError as wrong:
        options.error(str(wrong))
    make = partial(CausalEnvironment, given.family, **level)
    app = create_app(make, Reply, Seen, env_name=given.family, max_concurrent_envs=16)
    uvicorn.run(app, host=given.host, port=given.port)


if __name__ == "__main__":
    main()
