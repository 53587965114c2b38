"""The C++ kernels beside this file, built once for this machine and called through ctypes."""

import ctypes
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import torch

HERE = Path(__file__).parent
SOURCES = ('kernels.cpp', 'attention.cpp', 'simd.h')
FLAGS = ('-O3', '-march=native', '-ffast-math', '-fopenmp', '-shared', '-fPIC', '-std=c++17')


def is_supported():
    """Whether this machine can run the kernels: it needs AVX512-BF16 and g++."""
    try:
        flags = Path('/proc/cpuinfo').read_text()
    except OSError:
        return False
    return 'avx512_bf16' in flags and any(
        os.access(Path(folder) / 'g++', os.X_OK) for folder in os.environ.get('PATH', '').split(':')
    )


def load(cache=Path(tempfile.gettempdir()) / 'talaria-kernels'):
    """Build the kernels if their source changed, and load them."""
    key = hashlib.sha256(b''.join((HERE / name).read_bytes() for name in SOURCES)).hexdigest()[:16]
    library = Path(cache) / f'kernels-{key}.so'
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        part = library.with_suffix(f'.{os.getpid()}')
        sources = [str(HERE / name) for name in SOURCES if name.endswith('.cpp')]
        subprocess.run(['g++', *FLAGS, *sources, '-o', str(part)], check=True)
        part.rename(library)
    return Kernels(ctypes.CDLL(str(library)))


def keep_memory():
    """Have freed memory used again instead of given back: large tensors would be paged in anew in every step."""
    libc = ctypes.CDLL(None)
    libc.mallopt(-3, 1 << 30)
    libc.mallopt(-1, (1 << 31) - 1)


def _argument(value):
    if isinstance(value, torch.Tensor):
        return ctypes.c_void_p(value.data_ptr())
    if isinstance(value, float):
        return ctypes.c_float(value)
    return ctypes.c_void_p(None) if value is None else ctypes.c_int64(value)


class Kernels:
    """Thin wrappers that make the outputs; all tensors are contiguous but for the strides that are passed."""

    def __init__(self, library):
        self._library = library
        library.cross_entropy.restype = ctypes.c_double

    def _call(self, name, *values):
        return getattr(self._library, name)(*map(_argument, values), ctypes.c_int(torch.get_num_threads()))

    def norm(self, x, added, gain, eps):
        """x + added, its normed form in bf16, and the inverse of its size."""
        n, d = x.shape
        total = x if added is None else torch.empty_like(x)
        y = torch.empty(n, d, dtype=torch.bfloat16)
        inverse = torch.empty(n)
        self._call('norm_forward', x, added, gain, total, y, inverse, n, d, eps)
        return total, y, inverse

    def norm_backward(self, dy, x, inverse, gain, dx, dgain):
        """Adds to dx and dgain in place; returns dx in bf16."""
        copy = torch.empty(x.shape, dtype=torch.bfloat16)
        self._call('norm_backward', dy, x, inverse, gain, dx, copy, dgain, *x.shape)
        return copy

    def swiglu(self, both):
        n, f = both.shape[0], both.shape[1] // 2
        out = torch.empty(n, f, dtype=torch.bfloat16)
        self._call('swiglu_forward', both, out, n, f)
        return out

    def swiglu_backward(self, both, dout):
        dboth = torch.empty_like(both)
        self._call('swiglu_backward', both, dout, dboth, both.shape[0], both.shape[1] // 2)
        return dboth

    def cross_entropy(self, logits, wanted, scale):
        """The sum of the losses and which were hit; the logits become their gradients."""
        hit = torch.empty(len(wanted), dtype=torch.uint8)
        return self._call('cross_entropy', logits, wanted, hit, *logits.shape, scale), hit

    def scatter_add(self, table, at, rows):
        self._library.scatter_add(*map(_argument, (table, at, rows, *rows.shape)))

    def rotate(self, rows, heads, position, tables, sign=1.0):
        """Rotary positions, in place, on the first `heads` heads of each row."""
        self._call('rotate', rows, rows.stride(0), position, *tables, len(rows), heads, sign)

    def attend(self, q, k, v, position, segments, heads):
        out = torch.empty(len(q), heads * 32, dtype=torch.bfloat16)
        logsum = torch.empty(len(q), heads)
        self._call(
            'attend_forward', q, q.stride(0), k, v, k.stride(0), position, segments, len(segments), heads, out, logsum
        )
        return out, logsum

    def attend_backward(self, q, k, v, position, segments, owner, heads, out, dout, logsum, dq, dk, dv):
        """Writes the gradients of q, k and v, which may be columns of wider tensors."""
        shared = torch.zeros(len(k), 2 * heads * 32) if owner.any() else torch.empty(0)
        self._call(
            'attend_backward', q, q.stride(0), k, v, k.stride(0), position, segments, owner, len(segments), heads, out,
            dout, logsum, shared, dq, dq.stride(0), dk, dv, dk.stride(0),
        )  # fmt: skip
