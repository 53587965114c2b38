"""Conversations packed into one batch without padding; those that begin alike share the rows of their beginning."""

from dataclasses import dataclass

import numpy as np
import torch

WORTH_SHARING = 32
TURNS = 1024


@dataclass
class Conversation:
    """Tokens, and for each the number of the learned turn that it belongs to, from 1; 0 is not learned."""

    tokens: np.ndarray
    learned: np.ndarray

    @property
    def shareable(self):
        """How many tokens at the beginning no learned token is predicted from."""
        return max(0, int(np.argmax(self.learned > 0)) - 1)


@dataclass
class Batch:
    """
    Rows of several conversations. A segment is (q0, q1, k0, k1, p0, length): the rows that ask, their own keys, and a
    shared beginning. `pick` are the rows from which `wanted` is predicted; `last_segments` counts in these. `turn` tells
    which target belongs to which turn of which conversation (TURNS * conversation + turn).
    """

    tokens: torch.Tensor
    position: torch.Tensor
    segments: torch.Tensor
    owner: torch.Tensor
    pick: torch.Tensor
    pick_position: torch.Tensor
    last_segments: torch.Tensor
    wanted: torch.Tensor
    turn: torch.Tensor


def _common(a, b):
    length = min(len(a), len(b))
    unequal = np.nonzero(a[:length] != b[:length])[0]
    return int(unequal[0]) if len(unequal) else length


def find_shared(conversations):
    """Groups of conversations (by index) with the length of their common beginning, the most saving first."""
    left, groups = list(range(len(conversations))), []
    while len(left) > 1:
        best = (0, 0, [])
        for i in left:
            one = conversations[i]
            limits = {
                j: min(_common(one.tokens, conversations[j].tokens), one.shareable, conversations[j].shareable)
                for j in left
                if j != i
            }
            order = sorted(limits, key=lambda j: -limits[j])
            for count, j in enumerate(order, 1):
                if count * limits[j] > best[0]:
                    best = (count * limits[j], limits[j], [i, *order[:count]])
        if best[0] < WORTH_SHARING:
            break
        groups.append((best[1], sorted(best[2])))
        left = [j for j in left if j not in best[2]]
    return groups, left


def pack(conversations):
    """One batch of conversations; every one must have a learned token."""
    groups, alone = find_shared(conversations)
    parts, segments, row = [], [], 0
    placed = [(0, 0, [i]) for i in alone]
    heads_at = sum(len(conversations[i].tokens) for i in alone)
    heads_at += sum(len(conversations[i].tokens) - length for length, members in groups for i in members)
    for length, members in groups:
        placed.append((heads_at, length, members))
        heads_at += length
    for start, length, members in placed:
        for i in members:
            one = conversations[i]
            own = len(one.tokens) - length
            learned = one.learned[length:]
            turns = np.where(learned > 0, learned + i * TURNS, 0)
            parts.append((one.tokens[length:], turns, np.arange(length, length + own)))
            segments.append((row, row + own, row, row + own, start, length))
            row += own
    for start, length, members in placed:
        if length:
            tokens = conversations[members[0]].tokens[:length]
            parts.append((tokens, np.zeros(length, np.int64), np.arange(length)))
            segments.append((row, row + length, row, row + length, 0, 0))
            row += length
    return _batch(parts, segments, sum(length > 0 for _, length, _ in placed))


def _batch(parts, segments, heads):
    tokens, learned, position = (np.concatenate(each) for each in zip(*parts))
    starts = np.array([segment[0] for segment in segments])
    first = np.zeros(len(tokens), bool)
    first[starts] = True
    wanted_at = np.nonzero((learned > 0) & ~first)[0]
    pick = wanted_at - 1
    q = np.searchsorted(pick, np.array([(a, b) for a, b, *_ in segments]))
    last = np.concatenate((q, np.array(segments)[:, 2:]), 1)
    owner = np.zeros(len(segments), np.uint8)
    owner[len(segments) - heads :] = 1
    as_tensor = lambda values, kind: torch.from_numpy(np.ascontiguousarray(values, kind))
    return Batch(
        tokens=as_tensor(tokens, np.int32),
        position=as_tensor(position, np.int32),
        segments=as_tensor(segments, np.int64),
        owner=as_tensor(owner, np.uint8),
        pick=as_tensor(pick, np.int32),
        pick_position=as_tensor(position[pick], np.int32),
        last_segments=as_tensor(last, np.int64),
        wanted=as_tensor(tokens[wanted_at], np.int32),
        turn=as_tensor(learned[wanted_at], np.int64),
    )
