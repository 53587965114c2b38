"""Conversations as tokens, exactly as src/main/llm/local/prompt-tokens.ts writes them."""

import re
from pathlib import Path

import numpy as np
import sentencepiece

from packing import Conversation

BOS, UNKNOWN, START, END = '<s>', '<unk>', '<|im_start|>', '<|im_end|>'
SPACE = '\u2581'
# The two expressions of src/main/models/engines/local/templates/prompt-tokens.ts.
MARKUP = re.compile(r'<[^<>\s]{1,64}>|\[/?[A-Z_]{2,32}\]')
HTML = re.compile(
    r'^</?(?:a|b|i|u|p|em|br|hr|h[1-6]|[uod]l|li|d[td]|div|span|strong|code|pre|table|thead|tbody|tfoot|t[rdh]|caption'
    r'|su[bp]|blockquote|img|small|mark|del|ins)>$'
)
TAGS = ('<tool_call>', '</tool_call>')


def find_markup(texts):
    """An expression for the markup that would become a token of its own wherever it stands."""
    found = {tag for text in texts for tag in MARKUP.findall(text) if not HTML.match(tag)}
    return re.compile('|'.join(map(re.escape, sorted(found, key=lambda tag: (-len(tag), tag))))) if found else None


def _fields(data):
    """The fields of a protobuf message, as (number, value)."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        else:
            size = number() if key & 7 == 2 else {1: 8, 5: 4}[key & 7]
            yield key >> 3, data[at : at + size]
            at += size


def read_kinds(model):
    """The types of all pieces, which GGUF counts alike: 1 normal, 2 unknown, 3 control, 4 user-defined, 6 byte."""
    return [dict(_fields(value)).get(3, 1) for field, value in _fields(model) if field == 1]


class Tokenizer:
    """A sentencepiece model with the rules of the product around it."""

    def __init__(self, path):
        self.path = Path(path)
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(path))
        self.size = self.pieces.vocab_size()
        self.start, self.end = self.pieces.piece_to_id(START), self.pieces.piece_to_id(END)
        self.bos = self.pieces.bos_id()
        self.kinds = read_kinds(self.path.read_bytes())
        self.defined = [self.text_of(id) for id, kind in enumerate(self.kinds) if kind == 4]
        self._markup = find_markup(self.defined)

    def text_of(self, id):
        return self.pieces.id_to_piece(id).replace(SPACE, ' ')

    def _cut(self, text, trusted):
        if not self._markup:
            return [text]
        if trusted:
            return [part for part in re.split(f'({self._markup.pattern})', text) if part]
        pieces, start = [], 0
        for match in self._markup.finditer(text):
            pieces.append(text[start : match.start() + 1])
            start = match.start() + 1
        return [part for part in (*pieces, text[start:]) if part]

    def encode(self, text, role='user'):
        """The tokens of the text of one message; only the program and the model itself may write markup."""
        parts = self._cut(text, role != 'user')
        return [id for part in self.pieces.encode(parts) for id in part] if parts else []

    def decode(self, ids):
        return self.pieces.decode(list(map(int, ids)))

    def render(self, messages):
        """A conversation: everything that the model reads, and what of it is learned."""
        tokens, learned, turn = [self.bos], [0], 0

        def add(ids, number):
            tokens.extend(ids)
            learned.extend([number] * len(ids))

        for message in messages:
            turn += bool(message.get('target'))
            add([self.start, *self.encode(f'{message["role"]}\n')], 0)
            add(
                [*self.encode(message['text'], message['role']), self.end],
                turn if message.get('target') else 0,
            )
            add(self.encode('\n'), 0)
        return Conversation(np.array(tokens, np.int32), np.array(learned, np.int32))
