"""Conversations on disk as tokens, and the order in which they become batches."""

import json
import os
from pathlib import Path

import numpy as np

from packing import Conversation


def shard_path(folder, number):
    return Path(folder) / f'shard-{number:06}.npz'


def shard_numbers(folder):
    return sorted(int(path.stem.split('-')[1]) for path in Path(folder).glob('shard-*.npz'))


def rows_of(path):
    """The rows of a file with one JSON value a line."""
    with Path(path).open() as file:
        for line in file:
            yield json.loads(line)


def label_of(message):
    """What is asked of a reply, such as `call memory`."""
    check = message.get('check', {'kind': 'text'})
    return ' '.join(filter(None, (check['kind'], check.get('name'))))


def read_jsonl(path, tokenizer, longest):
    """
    The conversations of a file of the generator, and what is asked of each learned reply; those that are too long or
    teach nothing are out.
    """
    conversations, labels = [], []
    for row in rows_of(path):
        made = tokenizer.render(row['messages'])
        if len(made.tokens) <= longest and made.learned.any():
            conversations.append(made)
            labels.append([label_of(message) for message in row['messages'] if message.get('target')])
    return conversations, labels


def write_shard(path, conversations):
    """Whole or not at all."""
    part = Path(path).with_suffix('.part')
    with part.open('wb') as file:
        np.savez(
            file,
            tokens=np.concatenate([each.tokens for each in conversations]).astype(np.uint16),
            learned=np.concatenate([each.learned for each in conversations]).astype(np.uint16),
            lengths=np.array([len(each.tokens) for each in conversations]),
        )
    os.replace(part, path)


def read_shard(path):
    with np.load(path) as file:
        tokens, learned, lengths = file['tokens'].astype(np.int32), file['learned'].astype(np.int32), file['lengths']
    ends = np.cumsum(lengths)
    return [Conversation(tokens[end - size : end], learned[end - size : end]) for end, size in zip(ends, lengths)]


def arrange(conversations, seed, batch_tokens, share=1.0):
    """
    The batches of a shard: the shortest `share` of its conversations, in an order that depends on the seed only. None is
    larger than `batch_tokens` but for a conversation that is longer by itself, and a last one that is not full is left
    out, because it would weigh as much as the others.
    """
    numbers = np.random.default_rng(seed)
    lengths = np.array([len(each.tokens) for each in conversations])
    allowed = np.nonzero(lengths <= np.quantile(lengths, share))[0]
    batches, batch, size = [], [], 0
    for index in numbers.permutation(allowed):
        if batch and size + lengths[index] > batch_tokens:
            batches.append(batch)
            batch, size = [], 0
        batch.append(conversations[index])
        size += lengths[index]
    return batches or [batch]
