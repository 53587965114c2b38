"""The weights of the model under the names that llama.cpp gives them, there and back."""

import numpy as np
import torch

import gguf
from model import Shape
from tokens import END

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
NAME = 'talaria-mini'
KINDS = {'F32': 0, 'F16': 1, 'Q8_0': 7}


def entries_of(shape, tokenizer, kind, words=()):
    """The header; `words` are those that calls hold besides the conversation’s. A piece that is always one piece has real spaces in it, or it would never be found in a text."""
    ids = range(tokenizer.size)
    texts = [tokenizer.text_of(id) if tokenizer.kinds[id] == 4 else tokenizer.pieces.id_to_piece(id) for id in ids]
    return [
        ('general.architecture', gguf.STRING, 'llama'),
        ('general.name', gguf.STRING, NAME),
        ('general.license', gguf.STRING, 'MIT'),
        ('general.file_type', gguf.U32, KINDS[kind]),
        ('llama.context_length', gguf.U32, shape.context),
        ('llama.embedding_length', gguf.U32, shape.width),
        ('llama.block_count', gguf.U32, shape.layers),
        ('llama.feed_forward_length', gguf.U32, shape.hidden),
        ('llama.attention.head_count', gguf.U32, shape.heads),
        ('llama.attention.head_count_kv', gguf.U32, shape.heads),
        ('llama.attention.layer_norm_rms_epsilon', gguf.F32, shape.eps),
        ('llama.rope.dimension_count', gguf.U32, 32),
        ('llama.rope.freq_base', gguf.F32, shape.theta),
        ('llama.vocab_size', gguf.U32, tokenizer.size),
        ('tokenizer.ggml.model', gguf.STRING, 'llama'),
        ('tokenizer.ggml.tokens', gguf.ARRAY, (gguf.STRING, texts)),
        ('tokenizer.ggml.scores', gguf.ARRAY, (gguf.F32, [tokenizer.pieces.get_score(id) for id in ids])),
        ('tokenizer.ggml.token_type', gguf.ARRAY, (gguf.I32, tokenizer.kinds)),
        ('tokenizer.ggml.bos_token_id', gguf.U32, tokenizer.bos),
        ('tokenizer.ggml.eos_token_id', gguf.U32, tokenizer.pieces.piece_to_id(END)),
        ('tokenizer.ggml.eot_token_id', gguf.U32, tokenizer.pieces.piece_to_id(END)),
        ('tokenizer.ggml.unknown_token_id', gguf.U32, tokenizer.pieces.unk_id()),
        ('tokenizer.ggml.add_bos_token', gguf.BOOL, True),
        ('tokenizer.ggml.add_eos_token', gguf.BOOL, False),
        ('tokenizer.ggml.add_space_prefix', gguf.BOOL, False),
        ('tokenizer.chat_template', gguf.STRING, CHAT_TEMPLATE),
        *([('talaria.words', gguf.ARRAY, (gguf.STRING, list(words)))] if words else []),
    ]


def _places(shape):
    """Our names, the part of the rows, and the names in the file; joined matrices are separate there."""
    d, f = shape.width, shape.hidden
    yield 'embed', slice(None), 'token_embd.weight'
    yield 'norm', slice(None), 'output_norm.weight'
    for layer in range(shape.layers):
        block = f'blk.{layer}'
        yield f'{layer}.attend_norm', slice(None), f'{block}.attn_norm.weight'
        for index, part in enumerate('qkv'):
            yield f'{layer}.qkv', slice(index * d, index * d + d), f'{block}.attn_{part}.weight'
        yield f'{layer}.out', slice(None), f'{block}.attn_output.weight'
        yield f'{layer}.feed_norm', slice(None), f'{block}.ffn_norm.weight'
        yield f'{layer}.gate_up', slice(0, f), f'{block}.ffn_gate.weight'
        yield f'{layer}.gate_up', slice(f, 2 * f), f'{block}.ffn_up.weight'
        yield f'{layer}.down', slice(None), f'{block}.ffn_down.weight'


def tensors_of(weights, shape, kind):
    """
    The weights for a file. Rows of q and k stay where they are: the model was trained with rotary positions on
    neighbouring pairs, which is what llama.cpp computes.
    """
    for ours, rows, theirs in _places(shape):
        array = weights[ours][rows].float().cpu().numpy()
        yield theirs, array, kind if array.ndim == 2 else 'F32'


def read_model(path):
    """Weights, shape and the texts of the tokens of a file of this layout."""
    entries, arrays = gguf.read(path)
    shape = Shape(
        len(entries['tokenizer.ggml.tokens']), entries['llama.embedding_length'], entries['llama.block_count'],
        entries['llama.feed_forward_length'],
    )  # fmt: skip
    parts = {}
    for ours, _, theirs in _places(shape):
        parts.setdefault(ours, []).append(arrays[theirs])
    weights = {name: torch.from_numpy(np.concatenate(each)) for name, each in parts.items()}
    return weights, shape, entries['tokenizer.ggml.tokens']
