"""GGUF v3 files: written and read, weights as F32, F16 or Q8_0."""

import struct
from math import prod
from pathlib import Path

import numpy as np

ALIGNMENT = 32
TYPES = {'F32': 0, 'F16': 1, 'Q8_0': 8}
U32, I32, F32, BOOL, STRING, ARRAY, U64 = 4, 5, 6, 7, 8, 9, 10
SCALARS = {0: 'B', 1: 'b', 2: 'H', 3: 'h', U32: 'I', I32: 'i', F32: 'f', BOOL: '?', U64: 'Q', 11: 'q', 12: 'd'}


def quantize(values):
    """Blocks of 32 numbers in 8 bits with a common scale."""
    blocks = np.ascontiguousarray(values, np.float32).reshape(-1, 32)
    scale = np.abs(blocks).max(1, keepdims=True) / 127
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale > 0)
    made = np.zeros(len(blocks), np.dtype([('scale', '<f2'), ('values', 'i1', 32)]))
    made['scale'] = scale[:, 0]
    made['values'] = np.round(blocks * inverse)
    return made.tobytes()


def _bytes_of(values, kind):
    if kind == 'Q8_0':
        return quantize(values)
    return np.ascontiguousarray(values, '<f4' if kind == 'F32' else '<f2').tobytes()


def _string(text):
    data = text.encode()
    return struct.pack('<Q', len(data)) + data


def _value(kind, value):
    if kind == STRING:
        return _string(value)
    if kind == ARRAY:
        of, items = value
        return struct.pack('<IQ', of, len(items)) + b''.join(_value(of, item) for item in items)
    return struct.pack('<' + SCALARS[kind], value)


def write(path, entries, tensors):
    """Entries are (key, kind, value), an array being (kind, items); tensors are (name, array, type)."""
    header = [b'GGUF', struct.pack('<IQQ', 3, len(tensors), len(entries))]
    for key, kind, value in entries:
        header += [_string(key), struct.pack('<I', kind), _value(kind, value)]
    offset, data = 0, []
    for name, array, kind in tensors:
        content = _bytes_of(array, kind)
        content += bytes(-len(content) % ALIGNMENT)
        # The fastest dimension comes first, the other way round than in torch.
        dims = array.shape[::-1]
        header += [_string(name), struct.pack(f'<I{len(dims)}QIQ', len(dims), *dims, TYPES[kind], offset)]
        offset += len(content)
        data.append(content)
    head = b''.join(header)
    with open(path, 'wb') as file:
        file.write(head + bytes(-len(head) % ALIGNMENT))
        file.writelines(data)


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, format):
        values = struct.unpack_from('<' + format, self.data, self.at)
        self.at += struct.calcsize('<' + format)
        return values if len(values) > 1 else values[0]

    def string(self):
        size = self.take('Q')
        self.at += size
        return self.data[self.at - size : self.at].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            of, count = self.take('IQ')
            return [self.value(of) for _ in range(count)]
        return self.take(SCALARS[kind])


def read(path):
    """The entries as a dictionary, and the weights in fp32 by name."""
    reader = _Reader(Path(path).read_bytes())
    if reader.take('4s') != b'GGUF' or reader.take('I') != 3:
        raise ValueError(f'{path} is no GGUF file of version 3')
    tensors, count = reader.take('QQ')
    entries = {}
    for _ in range(count):
        key = reader.string()
        entries[key] = reader.value(reader.take('I'))
    found = []
    for _ in range(tensors):
        name = reader.string()
        dims = [reader.take('Q') for _ in range(reader.take('I'))]
        found.append((name, dims[::-1], *reader.take('IQ')))
    start = -(-reader.at // ALIGNMENT) * ALIGNMENT
    return entries, {name: _numbers(reader.data, shape, kind, start + at) for name, shape, kind, at in found}


def _numbers(data, shape, kind, at):
    count = prod(shape)
    if kind == TYPES['Q8_0']:
        blocks = np.frombuffer(data, [('scale', '<f2'), ('values', 'i1', 32)], count // 32, at)
        values = blocks['scale'].astype(np.float32)[:, None] * blocks['values']
    else:
        values = np.frombuffer(data, '<f4' if kind == TYPES['F32'] else '<f2', count, at)
    return values.astype(np.float32).reshape(shape)
