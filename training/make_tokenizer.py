"""
Trains the tokenizer: python3 make_tokenizer.py CONVERSATIONS.jsonl PIECES.json OUT.model [--size 1008]

A space, a line feed and every static line of the prompt are tokens of their own, digits stand alone, and what is not in
the vocabulary is spelled in bytes. So no piece begins with a space: a word is the same tokens behind a quote as in prose.
Few pieces are better than many: each must be so frequent that the model learns to copy it wherever it stands.
"""

import argparse
import json
import math
import random
import re
import tempfile
from collections import Counter
from pathlib import Path

import sentencepiece

from shards import rows_of
from tokens import BOS, END, MARKUP, SPACE, START, TAGS, UNKNOWN

SHORTEST = 3


def static_pieces(lines):
    """The lines as single tokens. Markup within a line is cut out, because the product cuts texts there."""
    pieces = {part for line in lines for part in MARKUP.split(line) if len(part.strip()) >= SHORTEST}
    return sorted(pieces, key=lambda piece: (-len(piece), piece))


def texts_of(path, pieces):
    """What is left of the messages when the static lines are out, in lines."""
    known = re.compile('|'.join(map(re.escape, [*pieces, *TAGS, '\n'])))
    counts = Counter()
    for row in rows_of(path):
        for message in row['messages']:
            counts.update(part for part in known.split(message['text']) if part.strip())
    # What is said very often weighs less than that, or a few phrases would take up the vocabulary.
    lines = [line for line, count in sorted(counts.items()) for _ in range(math.isqrt(count))]
    random.Random(1).shuffle(lines)
    return lines


def train(conversations, pieces_file, out, size):
    """Returns the static pieces and the lines that the others were found in."""
    static = static_pieces(json.loads(pieces_file.read_text())['pieces'])
    lines = texts_of(conversations, static)
    # The roles are in every conversation and must be single pieces; every character of ASCII must be there at all.
    lines += ['system', 'user', 'assistant'] * max(1, len(lines) // 20)
    lines.append(' '.join(map(chr, range(33, 127))))
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as corpus:
        corpus.write('\n'.join(lines))
        corpus.flush()
        sentencepiece.SentencePieceTrainer.train(
            input=corpus.name,
            model_prefix=str(out.with_suffix('')),
            model_type='bpe',
            vocab_size=size,
            byte_fallback=True,
            split_digits=True,
            normalization_rule_name='identity',
            remove_extra_whitespaces=False,
            add_dummy_prefix=False,
            character_coverage=1.0,
            max_sentence_length=1 << 16,
            bos_id=1,
            eos_id=-1,
            pad_id=-1,
            unk_id=0,
            unk_piece=UNKNOWN,
            bos_piece=BOS,
            control_symbols=[START, END],
            user_defined_symbols=[*TAGS, SPACE, '\n', *(piece.replace(' ', SPACE) for piece in static)],
            minloglevel=1,
        )
    return static, lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('conversations', type=Path)
    parser.add_argument('pieces', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--size', type=int, default=1008, help='a multiple of 16, which the fast path needs')
    given = parser.parse_args()
    static, lines = train(given.conversations, given.pieces, given.out, given.size)
    print(f'{given.out}: {given.size} pieces, {len(static)} of them static lines, from {len(lines)} lines of text')


if __name__ == '__main__':
    main()
