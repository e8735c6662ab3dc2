#!/usr/bin/env python3
"""Compares variants with the machines of a Ray cluster.

Each shard of the games is a task. A task gives the sums of its games back, a file of some kilobytes, so the machines
need no disk in common. Sums are merged as they arrive. A worker that dies costs its shard, which another one plays
again; a run that is stopped goes on with the shards that are there.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import ray


@ray.remote(num_cpus=1, max_retries=-1)
def play(farrier: str, words: list[str], definitions: dict[str, str], number: int, of: int) -> bytes:
    """Plays a shard, on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in definitions.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        part = pathlib.Path(folder, "part")
        command = [farrier, "compare", *words, "--threads", "1", "--shard", f"{number}/{of}", "--out", str(part)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return part.read_bytes()


def keep(path: pathlib.Path, content: bytes) -> None:
    """Writes a file that is there whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_bytes(content)
    draft.replace(path)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--farrier", default="farrier", help="the program, by the name that it has on all machines")
    ask.add_argument("--shards", type=int, default=64)
    ask.add_argument("--folder", type=pathlib.Path, default="parts", help="where the sums of each shard are kept")
    ask.add_argument("--define", type=pathlib.Path, action="append", default=[], metavar="FILE.toml",
                     help="a definition of your own, named ./FILE.toml among the variants")
    ask.add_argument("words", nargs=argparse.REMAINDER, help="-- and what `farrier compare` is asked")
    asked = ask.parse_args()
    words = [word for word in asked.words if word != "--"]
    definitions = {path.name: path.read_text(encoding="utf-8") for path in asked.define}

    asked.folder.mkdir(parents=True, exist_ok=True)
    place = {number: asked.folder / f"{number}.part" for number in range(1, asked.shards + 1)}
    ray.init(log_to_driver=False)
    begun = time.monotonic()
    waiting = {
        play.remote(asked.farrier, words, definitions, number, asked.shards): number
        for number, path in place.items()
        if not path.exists()
    }
    todo = len(waiting)
    while waiting:
        [done], _ = ray.wait(list(waiting))
        number = waiting.pop(done)
        try:
            keep(place[number], ray.get(done))
        except ray.exceptions.RayTaskError as error:
            print(f"\nshard {number}: {error.cause}", file=sys.stderr)
            return 1
        played = todo - len(waiting)
        left = (time.monotonic() - begun) / played * len(waiting)
        print(f"\r{asked.shards - len(waiting)} of {asked.shards} shards, {left:.0f} s left ", end="", file=sys.stderr)
    print(file=sys.stderr)

    report = ["--report", str(asked.folder / "report.html"), "--csv", str(asked.folder / "figures.csv")]
    parts = [str(path) for path in place.values()]
    return subprocess.run([asked.farrier, "merge", *parts, *report]).returncode


if __name__ == "__main__":
    sys.exit(main())
