"""One training step on a CPU with AVX512-BF16: the same numbers as model.py within bf16, several times as fast."""

import torch
import torch.nn.functional as F

from model import rotary_tables

BF16 = torch.bfloat16


class FastStep:
    """Forward and backward by hand, so that nothing but matrix products runs in torch."""

    def __init__(self, kernels, shape):
        if any(size % 16 for size in (shape.vocabulary, shape.hidden)) or shape.width % 32:
            raise ValueError('the kernels need sizes that are multiples of 16, and heads of 32')
        self.kernels, self.shape, self.tables = kernels, shape, rotary_tables(shape)

    def forward(self, weights, batch):
        """The logits in bf16 of the rows that are asked for, and what the way back needs."""
        k, shape, d = self.kernels, self.shape, self.shape.width
        cast = {name: weight.to(BF16) for name, weight in weights.items() if weight.dim() == 2}
        x = F.embedding(batch.tokens.long(), weights['embed'])
        added, kept, pick = None, [], batch.pick.long()
        for layer in range(shape.layers):
            is_last = layer == shape.layers - 1
            x, h, inverse = k.norm(x, added, weights[f'{layer}.attend_norm'], shape.eps)
            saved = {'x': x, 'h': h, 'inverse': inverse}
            w = cast[f'{layer}.qkv']
            if is_last:
                asking, keys = h[pick], F.linear(h, w[d:])
                q = F.linear(asking, w[:d])
                k.rotate(q, shape.heads, batch.pick_position, self.tables)
                k.rotate(keys, shape.heads, batch.position, self.tables)
                found = k.attend(
                    q, keys, keys[:, d:], batch.pick_position, batch.last_segments, shape.heads
                )
                x = x[pick]
                saved |= {'asking': asking, 'q': q, 'keys': keys}
            else:
                qkv = F.linear(h, w)
                k.rotate(qkv, 2 * shape.heads, batch.position, self.tables)
                found = k.attend(qkv, qkv[:, d:], qkv[:, 2 * d :], batch.position, batch.segments, shape.heads)
                saved |= {'q': qkv, 'keys': qkv[:, d:]}
            out, logsum = found
            added = F.linear(out, cast[f'{layer}.out'])
            x, h, inverse = k.norm(x, added, weights[f'{layer}.feed_norm'], shape.eps)
            both = F.linear(h, cast[f'{layer}.gate_up'])
            mixed = k.swiglu(both)
            added = F.linear(mixed, cast[f'{layer}.down'])
            kept.append(
                saved
                | {'out': out, 'logsum': logsum, 'x2': x, 'h2': h, 'inverse2': inverse, 'both': both, 'mixed': mixed}
            )
        x, h, inverse = k.norm(x, added, weights['norm'], shape.eps)
        return F.linear(h, cast['embed']), (cast, kept, (x, h, inverse))

    def gradients(self, weights, batch):
        """The mean loss, which targets were hit, and the gradients by name (matrices in bf16)."""
        k, shape, d = self.kernels, self.shape, self.shape.width
        logits, (cast, kept, (x, h, inverse)) = self.forward(weights, batch)
        count = len(batch.wanted)
        loss, hit = k.cross_entropy(logits, batch.wanted, 1.0 / count)
        zeros = lambda name: torch.zeros_like(weights[name])
        found = {'norm': zeros('norm'), 'embed': (logits.t() @ h).float()}
        dx = torch.zeros(count, d)
        change = k.norm_backward(logits @ cast['embed'], x, inverse, weights['norm'], dx, found['norm'])
        for layer in reversed(range(shape.layers)):
            is_last = layer == shape.layers - 1
            name, saved = (lambda part: f'{layer}.{part}'), kept[layer]
            found[name('down')] = change.t() @ saved['mixed']
            dboth = k.swiglu_backward(saved['both'], change @ cast[name('down')])
            found[name('gate_up')] = dboth.t() @ saved['h2']
            found[name('feed_norm')] = zeros(name('feed_norm'))
            change = k.norm_backward(
                dboth @ cast[name('gate_up')],
                saved['x2'], saved['inverse2'], weights[name('feed_norm')], dx, found[name('feed_norm')],
            )  # fmt: skip
            found[name('out')] = change.t() @ saved['out']
            dout = change @ cast[name('out')]
            found[name('attend_norm')] = zeros(name('attend_norm'))
            back = self._last_attention_back if is_last else self._attention_back
            dh, found[name('qkv')] = back(saved, dout, cast[name('qkv')], batch)
            if is_last:
                rest = dx
                dx = torch.zeros(len(batch.tokens), d)
                dx[batch.pick.long()] = rest
            change = k.norm_backward(
                dh, saved['x'], saved['inverse'], weights[name('attend_norm')], dx, found[name('attend_norm')]
            )
        k.scatter_add(found['embed'], batch.tokens, dx)
        return loss / count, hit, found

    def _attention_back(self, saved, dout, w, batch):
        k, heads, d = self.kernels, self.shape.heads, self.shape.width
        q, dqkv = saved['q'], torch.empty_like(saved['q'])
        k.attend_backward(
            q, q[:, d:], q[:, 2 * d :], batch.position, batch.segments, batch.owner, heads,
            saved['out'], dout, saved['logsum'], dqkv, dqkv[:, d:], dqkv[:, 2 * d :],
        )  # fmt: skip
        k.rotate(dqkv, 2 * heads, batch.position, self.tables, -1.0)
        return dqkv @ w, dqkv.t() @ saved['h']

    def _last_attention_back(self, saved, dout, w, batch):
        k, heads, d = self.kernels, self.shape.heads, self.shape.width
        q, keys = saved['q'], saved['keys']
        dq, dkeys = torch.empty_like(q), torch.empty_like(keys)
        k.attend_backward(
            q, keys, keys[:, d:], batch.pick_position, batch.last_segments, batch.owner, heads,
            saved['out'], dout, saved['logsum'], dq, dkeys, dkeys[:, d:],
        )  # fmt: skip
        k.rotate(dq, heads, batch.pick_position, self.tables, -1.0)
        k.rotate(dkeys, heads, batch.position, self.tables, -1.0)
        dh = dkeys @ w[d:]
        dh.index_add_(0, batch.pick.long(), dq @ w[:d])
        return dh, torch.cat((dq.t() @ saved['asking'], dkeys.t() @ saved['h']))
