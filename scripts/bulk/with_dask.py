#!/usr/bin/env python3
"""The shards of a job (bulk.py) by the workers of a Dask cluster.

    with_dask.py DIR                            workers on this machine, one for each core
    with_dask.py DIR --workers 4
    with_dask.py DIR --scheduler tcp://HOST:8786    a cluster that is there; DIR is seen by all of it

A worker that dies loses nothing: Dask gives its shard to another, and a shard that was done after all
is found to be done. Started again after any end, it goes on with what is left. Needs Debian's
python3-distributed."""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bulk  # noqa: E402


def run_shard(folder, directory, name):
    """On a worker, which may know nothing of this file's folder."""
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import bulk as own
    own.Job(directory).run(name)
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--scheduler")
    given = parser.parse_args()
    from dask import config
    from dask.distributed import Client, LocalCluster, as_completed
    # A shard goes with its worker only so often before Dask takes it for the culprit.
    config.set({"distributed.scheduler.allowed-failures": 20})
    job = bulk.Job(os.path.abspath(given.dir))
    if given.scheduler:
        client = Client(given.scheduler)
    else:
        # One shard at a time and worker: the threads are those of the command.
        client = Client(LocalCluster(n_workers=given.workers, threads_per_worker=1,
                                     processes=True, dashboard_address=None))
    with client:
        folder = os.path.dirname(os.path.abspath(__file__))
        futures = [client.submit(run_shard, folder, job.directory, name, key=f"shard-{name}",
                                 retries=3, pure=False) for name in job.left()]
        failed = 0
        for future in as_completed(futures):
            if future.status != "finished":
                failed += 1
                print(f"with_dask.py: {future.key}: {future.exception()}", file=sys.stderr)
        return 1 if failed or job.left() else 0


if __name__ == "__main__":
    sys.exit(main())
