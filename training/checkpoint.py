"""Checkpoints: written whole or not at all, and everything that a run goes on from."""

import os
from pathlib import Path

import torch

from layout import read_model
from model import Shape, start_weights
from tokens import SPACE, Tokenizer


def save(path, content):
    part = Path(path).with_suffix('.part')
    torch.save(content, part)
    os.replace(part, path)


def load(path):
    """The content with its weights, and its shape."""
    content = torch.load(path, map_location='cpu')
    return content, Shape(**content['shape'])


def read_earlier(path):
    """The weights, the shape and the texts of the tokens of a checkpoint or of a GGUF file of ours."""
    if Path(path).suffix == '.gguf':
        return read_model(path)
    content, shape = load(path)
    tokenizer = Tokenizer(Path(path).parent / 'tokenizer.model')
    return content['weights'], shape, [tokenizer.text_of(id) for id in range(tokenizer.size)]


def spell(text, known):
    """The tokens of a text among those that are known, the longest first; what none begins with is left out."""
    at, found, longest = 0, [], max(map(len, known))
    while at < len(text):
        for size in range(min(longest, len(text) - at), 0, -1):
            if text[at : at + size] in known:
                found.append(known[text[at : at + size]])
                at += size - 1
                break
        at += 1
    return found


def warm_weights(shape, seed, tokenizer, path):
    """
    Fresh weights but for what an earlier model knows, where it has the same sizes. Its tokens are matched by text, and a
    new one begins as the mean of those that spell it.
    """
    weights = start_weights(shape, seed)
    old, old_shape, texts = read_earlier(path)
    if (old_shape.width, old_shape.hidden) != (shape.width, shape.hidden):
        raise SystemExit(f'{path} has other sizes: {old_shape}')
    for name, weight in old.items():
        if name != 'embed' and name in weights:
            weights[name] = weight.clone()
    known = {text.replace(SPACE, ' '): id for id, text in enumerate(texts)}
    for id in range(tokenizer.size):
        parts = spell(tokenizer.text_of(id), known)
        if parts:
            weights['embed'][id] = old['embed'][parts].mean(0)
    return weights
