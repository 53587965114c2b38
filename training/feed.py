"""
Keeps shards of training conversations ahead of a trainer: python3 feed.py FOLDER TOKENIZER [--seed 1000] [--count 3000]

Every shard is made by a new process of the generator with a seed of its own, so a generator that is edited while a model
is trained is in use from the next shard on. FOLDER/position holds the number of the shard that is being trained on.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from shards import read_jsonl, shard_numbers, shard_path, write_shard
from tokens import Tokenizer

GENERATOR = Path(__file__).parent / 'generate' / 'index.ts'
KEPT_BEHIND = 8
ANOTHER_SEED = 1_000_000


def generate(split, seed, count, out, generator=GENERATOR):
    """Run the generator; returns what it complained about, or nothing."""
    node = os.environ.get('NODE', 'node')
    command = [node, str(generator), '--split', split, '--seed', str(seed), '--count', str(count), '--out', str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    return '' if done.returncode == 0 else done.stderr[-400:] or f'exit {done.returncode}'


def position_of(folder):
    path = Path(folder) / 'position'
    return int(path.read_text()) if path.exists() else 0


def feed(folder, tokenizer, seed, count, ahead, longest, generator):
    """Works until its parent process is gone."""
    folder.mkdir(parents=True, exist_ok=True)
    parent, failures = os.getppid(), 0
    while os.getppid() == parent:
        position, there = position_of(folder), shard_numbers(folder)
        for number in there:
            if number < position - KEPT_BEHIND:
                shard_path(folder, number).unlink()
        following = max([*there, position - 1]) + 1
        if following > position + ahead:
            time.sleep(2)
            continue
        raw = folder / 'raw.jsonl'
        # A generator that cannot make one conversation may well make those of another seed.
        trouble = generate('train', seed + following + failures * ANOTHER_SEED, count, raw, generator)
        if trouble:
            failures += 1
            print(f'feed: shard {following}: {trouble}', file=sys.stderr, flush=True)
            time.sleep(min(failures, 15))
            continue
        write_shard(shard_path(folder, following), read_jsonl(raw, tokenizer, longest)[0])
        raw.unlink()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', type=Path)
    parser.add_argument('tokenizer', type=Path)
    parser.add_argument('--seed', type=int, default=1000)
    parser.add_argument('--count', type=int, default=2000)
    parser.add_argument('--ahead', type=int, default=3)
    parser.add_argument('--longest', type=int, default=2048)
    parser.add_argument('--generator', type=Path, default=GENERATOR)
    given = parser.parse_args()
    os.nice(5)
    feed(
        given.folder, Tokenizer(given.tokenizer), given.seed, given.count, given.ahead, given.longest, given.generator
    )  # fmt: skip


if __name__ == '__main__':
    main()
