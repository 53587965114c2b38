"""
Trains the model: python3 train.py RUN --tokenizer TOKENIZER --shards FOLDER [--minutes 100 | --tokens 40e6]

A run that was stopped, also by a kill, goes on from its last checkpoint when it is started again with the same
arguments: same batches, same rates. RUN gets last.pt, best.pt (by the held-out score), curve.jsonl and tokenizer.model.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import torch

from checkpoint import load, save, warm_weights
from engine import Engine
from evaluate import score
from feed import GENERATOR, generate
from model import Shape, count_parameters, start_weights
from optimizer import Optimizer
from packing import pack
from shards import arrange, read_jsonl, read_shard, shard_numbers, shard_path
from tokens import Tokenizer

WARM_UP = 100
DECAY = 0.45
SHORT_FIRST = 0.12
SPARE_SHARDS = 5
# How the program ends when it was asked to stop before the budget was spent.
STOPPED = 3


def rate_factor(progress, steps):
    """Of the full rates: up for some steps, then full, then down to nothing over the last part."""
    return max(0.0, min(1.0, (steps + 1) / WARM_UP, (1 - progress) / DECAY))


class Stream:
    """The batches of all shards, one after another; `state` says exactly where it is."""

    def __init__(self, folder, state):
        self.folder, self.state, self.batches = Path(folder), state, None

    def next(self, progress, batch_tokens):
        if self.batches is None or self.state['batch'] >= len(self.batches):
            if self.batches is not None or self.state['file'] is None:
                self._open_next(progress, batch_tokens)
            self.batches = arrange(
                read_shard(shard_path(self.folder, self.state['file'])),
                self.state['shard'], self.state['size'], self.state['share'],
            )  # fmt: skip
        batch = self.batches[self.state['batch']]
        self.state['batch'] += 1
        return batch

    def _open_next(self, progress, batch_tokens):
        """The next shard; while there is none, one of the latest again in another order."""
        shard = self.state['shard'] + 1
        position = self.folder / 'position'
        # In one step: the feed reads it at any moment.
        fresh = position.with_suffix('.new')
        fresh.write_text(str(self.state['following']))
        os.replace(fresh, position)
        waited = time.monotonic()
        while not shard_path(self.folder, self.state['following']).exists():
            there = [each for each in shard_numbers(self.folder) if each < self.state['following']]
            if there and time.monotonic() - waited > 5:
                repeated = random.Random(shard).choice(there[-SPARE_SHARDS:])
                print(f'no new shard yet: {repeated} again', flush=True)
                self.state |= {'file': repeated}
                break
            time.sleep(0.5)
        else:
            self.state |= {'file': self.state['following'], 'following': self.state['following'] + 1}
        share = 0.5 if progress < SHORT_FIRST else 1.0
        self.state |= {'shard': shard, 'batch': 0, 'share': share, 'size': batch_tokens}


class Run:
    """A training run in a folder."""

    def __init__(self, given):
        self.given, self.folder = given, given.run
        self.folder.mkdir(parents=True, exist_ok=True)
        tokenizer = self.folder / 'tokenizer.model'
        if not tokenizer.exists():
            shutil.copy(given.tokenizer, tokenizer)
        settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(given).items()}
        (self.folder / 'settings.json').write_text(json.dumps(settings, indent=2))
        self.tokenizer = Tokenizer(tokenizer)
        self.state = {'steps': 0, 'tokens': 0, 'seconds': 0.0, 'best': -1.0}
        stream = {'shard': -1, 'file': None, 'following': 0, 'batch': 0, 'share': 1.0, 'size': given.batch}
        last, kept = self.folder / 'last.pt', None
        if last.exists():
            kept, self.shape = load(last)
            self.weights, self.state, stream = kept['weights'], kept['state'], kept['stream']
        else:
            self.shape = Shape(self.tokenizer.size, given.width, given.layers, given.hidden)
            self.weights = (
                warm_weights(self.shape, given.seed, self.tokenizer, given.warm)
                if given.warm
                else start_weights(self.shape, given.seed)
            )
        self.engine = Engine(self.shape, given.plain)
        self.weights = {name: weight.to(self.engine.device) for name, weight in self.weights.items()}
        self.optimizer = Optimizer(self.weights, given.matrix_rate, given.other_rate)
        if kept:
            self.optimizer.restore(kept['optimizer'])
        self.stream = Stream(given.shards, stream)
        self.stopping = False

    @property
    def progress(self):
        by_time = self.state['seconds'] / (self.given.minutes * 60) if self.given.minutes else 0.0
        return max(by_time, self.state['tokens'] / self.given.tokens if self.given.tokens else 0.0)

    def save(self):
        kept = {'weights': self.weights, 'shape': self.shape.as_dict(), 'state': self.state}
        save(self.folder / 'last.pt', kept | {'optimizer': self.optimizer.state(), 'stream': self.stream.state})

    def train(self):
        """Until the budget is spent or a signal asks to stop."""
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._stop)
        count = count_parameters(self.weights)
        print(f'{count:,} parameters, engine {self.engine.name}, from {self.state["tokens"]:,} tokens', flush=True)
        held_out = self._held_out()
        saved = scored = shown = time.monotonic()
        losses, before = [], (self.state['tokens'], self.state['seconds'])
        while self.progress < 1 and not self.stopping:
            started = time.monotonic()
            losses.append(self._step())
            now = time.monotonic()
            self.state['seconds'] += now - started
            if now - shown > 20:
                self._show(losses, before)
                shown, losses, before = now, [], (self.state['tokens'], self.state['seconds'])
            if now - saved > self.given.save_every:
                self.save()
                saved = now
            if now - scored > self.given.score_every:
                self._score(held_out)
                scored = time.monotonic()
        if not self.stopping:
            self._score(held_out)
        self.save()
        print('stopped' if self.stopping else 'done', flush=True)

    def _stop(self, *_):
        self.stopping = True

    def _step(self):
        late = self.progress > 0.3
        chosen = self.stream.next(self.progress, self.given.late_batch if late else self.given.batch)
        loss, hit, found = self.engine.gradients(self.weights, pack(chosen))
        self.optimizer.step(self.weights, found, rate_factor(self.progress, self.state['steps']))
        self.state['steps'] += 1
        self.state['tokens'] += sum(len(each.tokens) for each in chosen)
        return loss, hit.float().mean().item()

    def _show(self, losses, before):
        loss, hit = (sum(each) / len(losses) for each in zip(*losses))
        speed = (self.state['tokens'] - before[0]) / (self.state['seconds'] - before[1])
        print(
            f'{self.progress:6.1%} step {self.state["steps"]:6} tokens {self.state["tokens"] / 1e6:7.2f}M'
            f' loss {loss:.4f} hit {hit:.4f} {speed:6.0f} tok/s shard {self.stream.state["file"]}',
            flush=True,
        )

    def _held_out(self):
        """Conversations that are never learned from, made once for each run."""
        found = {}
        for split in ('id', 'test'):
            path = self.folder / f'{split}.jsonl'
            if not path.exists():
                trouble = generate(split, self.given.held_out_seed, self.given.held_out, path, self.given.generator)
                if trouble:
                    print(f'no {split} conversations: {trouble}', flush=True)
                    continue
            found[split] = read_jsonl(path, self.tokenizer, self.shape.context)
        return found

    def _score(self, held_out):
        row = {'tokens': self.state['tokens'], 'minutes': round(self.state['seconds'] / 60, 1)}
        row |= {split: score(self.engine, self.weights, *found) for split, found in held_out.items()}
        with (self.folder / 'curve.jsonl').open('a') as file:
            file.write(json.dumps(row) + '\n')
        short = {split: {key: row[split][key] for key in ('loss', 'exact')} for split in held_out}
        print(f'score {json.dumps(short)}', flush=True)
        reached = row['test']['exact'] if 'test' in row else 0.0
        if reached >= self.state['best']:
            self.state['best'] = reached
            content = {'weights': self.weights, 'shape': self.shape.as_dict(), 'state': self.state, 'scores': row}
            save(self.folder / 'best.pt', content)


def start_feed(given, run):
    """The generator in a process of its own, which ends with this one."""
    command = [
        sys.executable, str(Path(__file__).parent / 'feed.py'), str(given.shards), str(run.tokenizer.path),
        '--seed', str(given.data_seed), '--generator', str(given.generator), '--count', str(given.count),
        '--longest', str(run.shape.context),
    ]  # fmt: skip
    return subprocess.Popen(command)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[1])
    parser.add_argument('run', type=Path)
    parser.add_argument('--tokenizer', type=Path, required=True)
    parser.add_argument('--shards', type=Path, required=True)
    parser.add_argument('--minutes', type=float, default=0)
    parser.add_argument('--tokens', type=float, default=0)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--data-seed', type=int, default=100_000)
    parser.add_argument('--width', type=int, default=192)
    parser.add_argument('--layers', type=int, default=6)
    parser.add_argument('--hidden', type=int, default=512)
    parser.add_argument('--batch', type=int, default=8192)
    parser.add_argument('--late-batch', type=int, default=12288)
    parser.add_argument('--matrix-rate', type=float, default=0.004)
    parser.add_argument('--other-rate', type=float, default=0.001)
    parser.add_argument('--save-every', type=float, default=120, help='seconds')
    parser.add_argument('--score-every', type=float, default=480, help='seconds')
    parser.add_argument('--held-out', type=int, default=150)
    parser.add_argument('--held-out-seed', type=int, default=7)
    parser.add_argument('--count', type=int, default=2000, help='conversations in a shard')
    parser.add_argument('--generator', type=Path, default=GENERATOR)
    parser.add_argument('--warm', type=Path, help='a checkpoint or GGUF to begin with instead of random weights')
    parser.add_argument('--plain', action='store_true', help='plain torch in fp32')
    given = parser.parse_args()
    if not given.minutes and not given.tokens:
        parser.error('a budget is needed: --minutes or --tokens')
    return given


def main():
    given = read_arguments()
    torch.set_num_threads(given.threads)
    os.environ['OMP_NUM_THREADS'] = str(given.threads)
    run = Run(given)
    feed = start_feed(given, run)
    try:
        run.train()
    finally:
        feed.terminate()
        feed.wait()
    if run.stopping:
        sys.exit(STOPPED)


if __name__ == '__main__':
    main()
