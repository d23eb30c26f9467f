"""Blurs a mosaic that need not fit into memory, from one Zarr array to another, and says how long it took and what it needed.

    python mosaic.py --side 40000 --chunk 4000 --workers 2

The mosaic is made first, chunk by chunk. Some rows of the result are compared with one call on the rows that they depend on.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import dask.array as da
import numpy as np
import windrow
import windrow.dask
import zarr
from distributed import Client, LocalCluster, progress


def main():
    arguments = parsed()
    # Workers keep the memory of chunks: getting it from the system anew takes longer than filtering it does.
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**25))
    folder = Path(tempfile.mkdtemp(prefix="mosaic-", dir=arguments.folder))
    try:
        cluster = LocalCluster(
            n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=arguments.dashboard
        )
        with cluster, Client(cluster) as client:
            if arguments.dashboard:
                print(f"dashboard: {client.dashboard_link}")
            run(arguments, folder, client)
    finally:
        shutil.rmtree(folder)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=8000, help="rows and columns of the mosaic")
    parser.add_argument("--chunk", type=int, default=2000, help="rows and columns of a task")
    parser.add_argument("--stored", type=int, default=500, help="rows and columns of what Zarr stores together")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--folder", type=Path, default=None, help="where the mosaic lies meanwhile")
    parser.add_argument("--dashboard", default=None, help="address of Dask's dashboard, such as :8787")
    parser.add_argument("--overlap", action="store_true", help="exchange the edges of chunks between tasks")
    return parser.parse_args()


def run(arguments, folder, client):
    side, stored = arguments.side, arguments.stored
    layout = {"shape": (side, side), "chunks": (stored, stored), "dtype": "uint8", "compressors": None}
    source = zarr.create_array(folder / "mosaic.zarr", **layout)
    target = zarr.create_array(folder / "blurred.zarr", **layout)
    shape = da.core.normalize_chunks(arguments.chunk, (side, side))
    finish(client, da.map_blocks(tile, chunks=shape, dtype=np.uint8, meta=np.empty((0, 0), np.uint8)), source)

    chunks = (arguments.chunk, arguments.chunk)
    array = da.from_array(source, chunks, inline_array=True) if arguments.overlap else source
    options = {} if arguments.overlap else {"chunks": chunks}
    blurred = windrow.dask.apply(windrow.gaussian5x5, array, border="reflect101", **options)
    before = client.run(forget_peak)
    started = time.perf_counter()
    finish(client, blurred, target)
    seconds = time.perf_counter() - started
    after = client.run(peak)
    megabytes, chunk = side * side / 1e6, arguments.chunk**2 / 1e6
    print(f"{side}×{side} bytes, {megabytes:.0f} MB, in chunks of {chunk:.1f} MB by {arguments.workers} workers")
    print(f"{seconds:.2f} s, {megabytes / seconds:.0f} MB/s")
    for worker, most in after.items():
        grown = (most - before[worker]) / 1e6
        print(f"a worker's peak above what it had before: {grown:.1f} MB, {grown / chunk:.2f} chunks")
    for row in (0, side // 2 // arguments.chunk * arguments.chunk, side - 1):
        compare(source, target, row)
    print("rows at the edges of the mosaic and of chunks are those of one call")


def tile(block_info=None):
    """A piece of the mosaic: what lies there follows from its place."""
    (y0, y1), (x0, x1) = block_info[None]["array-location"]
    y, x = np.arange(y0, y1, dtype=np.uint32)[:, None], np.arange(x0, x1, dtype=np.uint32)[None, :]
    return ((y * 2654435761 ^ x * 40503) >> 11).astype(np.uint8)


def finish(client, array, target):
    """Computes an array into another, with a progress bar where someone looks at it."""
    stored = client.compute(da.store(array, target, lock=False, compute=False))
    if sys.stderr.isatty():
        progress(stored)
    stored.result()


def compare(source, target, row):
    """Whether a row is that of one call on the rows that it depends on."""
    first, last = max(row - 8, 0), min(row + 9, source.shape[0])
    expected = windrow.gaussian5x5(source[first:last], border="reflect101")[row - first]
    if not np.array_equal(target[row], expected):
        raise SystemExit(f"row {row} differs from one call on the rows around it")


def forget_peak():
    """Lets the system measure a process's peak anew, and returns what it has now."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak():
    """The most bytes of this process that have been in memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
