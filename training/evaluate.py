"""
How well weights continue conversations: the share of turns that come out exactly, which for greedy decoding is the share
in which every token is the most likely one. Costs one pass over each conversation.
"""

from collections import Counter

import torch.nn.functional as F

from packing import TURNS, pack


def score(engine, weights, conversations, labels, batch_tokens=4096):
    """Mean loss of a token, the share of exact turns, and that share by what was asked."""
    groups, size = [[]], 0
    for index, each in enumerate(conversations):
        if groups[-1] and size + len(each.tokens) > batch_tokens:
            groups.append([])
            size = 0
        groups[-1].append(index)
        size += len(each.tokens)
    loss = tokens = 0
    turns, exact = Counter(), Counter()
    for group in groups:
        batch = pack([conversations[index] for index in group])
        logits = engine.logits(weights, batch)
        wanted = batch.wanted.long()
        loss += F.cross_entropy(logits, wanted, reduction='sum').item()
        tokens += len(wanted)
        wrong = set(batch.turn[logits.argmax(-1) != wanted].tolist())
        for turn in set(batch.turn.tolist()):
            label = labels[group[turn // TURNS]][turn % TURNS - 1]
            turns[label] += 1
            exact[label] += turn not in wrong
    return {
        'loss': round(loss / tokens, 4),
        'exact': round(exact.total() / turns.total(), 4),
        'kinds': {label: round(exact[label] / turns[label], 3) for label in sorted(turns)},
    }
