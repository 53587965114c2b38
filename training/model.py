"""The model in plain torch: what fast.py is checked against, and what runs on CUDA and on CPUs without AVX512-BF16."""

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class Shape:
    """A llama: tied embeddings, heads of 32, rotary positions on neighbouring pairs (as GGUF wants them)."""

    vocabulary: int
    width: int = 192
    layers: int = 6
    hidden: int = 512
    context: int = 2048
    theta: float = 10000.0
    eps: float = 1e-5

    @property
    def heads(self):
        return self.width // 32

    def as_dict(self):
        return asdict(self)


def start_weights(shape, seed):
    """Fresh weights in fp32, by name."""
    torch.manual_seed(seed)
    d, f = shape.width, shape.hidden
    weights = {'embed': torch.randn(shape.vocabulary, d) * 0.02, 'norm': torch.ones(d)}
    for layer in range(shape.layers):
        weights |= {
            f'{layer}.attend_norm': torch.ones(d),
            f'{layer}.qkv': torch.randn(3 * d, d) / math.sqrt(d),
            f'{layer}.out': torch.randn(d, d) / math.sqrt(d) / math.sqrt(2 * shape.layers),
            f'{layer}.feed_norm': torch.ones(d),
            f'{layer}.gate_up': torch.randn(2 * f, d) / math.sqrt(d),
            f'{layer}.down': torch.randn(d, f) / math.sqrt(f) / math.sqrt(2 * shape.layers),
        }
    return weights


def count_parameters(weights):
    return sum(weight.numel() for weight in weights.values())


def rotary_tables(shape):
    """Cosines and sines, 16 a position."""
    speeds = shape.theta ** (-torch.arange(0, 32, 2).double() / 32)
    angles = torch.arange(shape.context).double()[:, None] * speeds
    return angles.cos().float().contiguous(), angles.sin().float().contiguous()


def _norm(x, gain, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain


def _rotate(x, position, tables):
    n, heads = x.shape[0], x.shape[1] // 32
    pairs = x.view(n, heads, 16, 2)
    c, s = (table[position][:, None, :].to(x.dtype) for table in tables)
    a, b = pairs[..., 0], pairs[..., 1]
    return torch.stack((a * c - b * s, a * s + b * c), -1).reshape(n, heads * 32)


def attention_plan(segments, position, key_position, device):
    """Which rows ask, which they see, and a mask, padded to the longest segment."""
    asks = int((segments[:, 1] - segments[:, 0]).max())
    sees = int((segments[:, 3] - segments[:, 2] + segments[:, 5]).max())
    ask = torch.zeros(len(segments), asks, dtype=torch.long)
    see = torch.zeros(len(segments), sees, dtype=torch.long)
    asking = torch.zeros(len(segments), asks, dtype=torch.bool)
    seeing = torch.zeros(len(segments), sees, dtype=torch.bool)
    for index, (q0, q1, k0, k1, p0, length) in enumerate(segments.tolist()):
        ask[index, : q1 - q0] = torch.arange(q0, q1)
        asking[index, : q1 - q0] = True
        own = length + k1 - k0
        see[index, :own] = torch.cat((torch.arange(p0, p0 + length), torch.arange(k0, k1)))
        seeing[index, :own] = True
    later = key_position.long()[see][:, None, :] > position.long()[ask][:, :, None]
    hidden = (later | ~seeing[:, None, :])[:, None]
    return tuple(each.to(device) for each in (ask, asking, see, hidden))


def _attend(q, k, v, plan, heads):
    ask, asking, see, hidden = plan
    split = lambda x, rows: x[rows].view(*rows.shape, heads, 32).transpose(1, 2)
    scores = split(q, ask) @ split(k, see).transpose(2, 3) / math.sqrt(32)
    weights = scores.float().masked_fill(hidden, -1e9).softmax(-1).to(v.dtype)
    found = (weights @ split(v, see)).transpose(1, 2).reshape(*ask.shape, heads * 32)
    return found[asking]


def forward(weights, shape, batch, dtype=torch.float32):
    """Logits of the rows that are asked for; the last layer computes nothing else."""
    device = weights['embed'].device
    cast = {name: weight.to(dtype) for name, weight in weights.items() if weight.dim() == 2}
    tables = tuple(table.to(device) for table in rotary_tables(shape))
    position, pick = batch.position.long().to(device), batch.pick.long().to(device)
    plan = attention_plan(batch.segments, batch.position, batch.position, device)
    last_plan = attention_plan(batch.last_segments, batch.pick_position, batch.position, device)
    d = shape.width
    x = F.embedding(batch.tokens.long().to(device), weights['embed'])
    for layer in range(shape.layers):
        is_last = layer == shape.layers - 1
        h = _norm(x, weights[f'{layer}.attend_norm'], shape.eps).to(dtype)
        qkv = F.linear(h, cast[f'{layer}.qkv'])
        q, k, v = qkv[:, :d], _rotate(qkv[:, d : 2 * d], position, tables), qkv[:, 2 * d :]
        q = _rotate(q[pick], position[pick], tables) if is_last else _rotate(q, position, tables)
        x = x[pick] if is_last else x
        found = _attend(q, k, v, last_plan if is_last else plan, shape.heads)
        x = x + F.linear(found, cast[f'{layer}.out'])
        h = _norm(x, weights[f'{layer}.feed_norm'], shape.eps).to(dtype)
        gate, up = F.linear(h, cast[f'{layer}.gate_up']).chunk(2, -1)
        x = x + F.linear(F.silu(gate) * up, cast[f'{layer}.down'])
    return F.linear(_norm(x, weights['norm'], shape.eps).to(dtype), cast['embed'])


def gradients(weights, shape, batch, dtype):
    """The mean loss, which targets were hit, and the gradients by name."""
    leaves = {name: weight.detach().requires_grad_() for name, weight in weights.items()}
    logits = forward(leaves, shape, batch, dtype).float()
    wanted = batch.wanted.long().to(logits.device)
    loss = F.cross_entropy(logits, wanted)
    found = torch.autograd.grad(loss, list(leaves.values()))
    return loss.item(), (logits.argmax(-1) == wanted).cpu(), dict(zip(leaves, found))
