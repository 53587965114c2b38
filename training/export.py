"""
Writes a checkpoint as GGUF: python3 export.py RUN/best.pt OUT.gguf [--type Q8_0] [--tokenizer RUN/tokenizer.model]
[--words WORDS.json]
"""

import argparse
import json
import os
from pathlib import Path

import gguf
from checkpoint import load
from layout import entries_of, tensors_of
from tokens import Tokenizer


def export(checkpoint, out, kind='Q8_0', tokenizer=None, words=()):
    """Returns what the checkpoint says about itself."""
    content, shape = load(checkpoint)
    tokenizer = Tokenizer(tokenizer or Path(checkpoint).parent / 'tokenizer.model')
    if tokenizer.size != shape.vocabulary:
        raise SystemExit(f'{tokenizer.path} has {tokenizer.size} pieces, the weights {shape.vocabulary}')
    part = Path(out).with_suffix('.part')
    gguf.write(part, entries_of(shape, tokenizer, kind, words), list(tensors_of(content['weights'], shape, kind)))
    os.replace(part, out)
    return content


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('checkpoint', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--type', choices=('F32', 'F16', 'Q8_0'), default='Q8_0')
    parser.add_argument('--tokenizer', type=Path)
    parser.add_argument('--words', type=Path, help='a list of the generator: `--words`')
    given = parser.parse_args()
    words = json.loads(given.words.read_text()) if given.words else ()
    content = export(given.checkpoint, given.out, given.type, given.tokenizer, words)
    print(f'{given.out}: {given.out.stat().st_size:,} bytes, from {content["state"]["tokens"]:,} tokens')


if __name__ == '__main__':
    main()
