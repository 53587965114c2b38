"""Muon for the matrices of the layers, AdamW for embeddings and gains."""

import torch

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
STEPS = 5


def orthogonal(stack):
    """The nearest matrices with equal singular values, roughly: a stack of wide matrices, in bf16 because fp32 is slow."""
    a, b, c = NEWTON_SCHULZ
    x = stack / (stack.flatten(1).norm(dim=1)[:, None, None] + 1e-7)
    x = x.bfloat16()
    for _ in range(STEPS):
        gram = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.float()


def _parts(name, matrix):
    """The matrices of their own that a joined one consists of."""
    if name.endswith('.qkv'):
        return matrix.chunk(3)
    return matrix.chunk(2) if name.endswith('.gate_up') else (matrix,)


class Optimizer:
    """Changes the weights in place. `state()` and `restore()` carry everything that a run goes on from."""

    def __init__(self, weights, matrix_rate=0.02, other_rate=0.004, momentum=0.95, decay=0.01):
        self.matrix_rate, self.other_rate, self.momentum, self.decay = matrix_rate, other_rate, momentum, decay
        self.is_matrix = {name: '.' in name and weight.dim() == 2 for name, weight in weights.items()}
        self.first = {name: torch.zeros_like(weight) for name, weight in weights.items()}
        self.second = {
            name: torch.zeros_like(weight) for name, weight in weights.items() if not self.is_matrix[name]
        }
        self.steps = 0

    def step(self, weights, gradients, factor):
        """One step at `factor` of the full rates."""
        self.steps += 1
        by_shape = {}
        for name, weight in weights.items():
            gradient = gradients[name].float()
            if self.is_matrix[name]:
                average = self.first[name].mul_(self.momentum).add_(gradient)
                ahead = gradient.add(average, alpha=self.momentum)
                for part, way in zip(_parts(name, weight), _parts(name, ahead)):
                    is_wide = part.shape[0] <= part.shape[1]
                    way = way if is_wide else way.t()
                    by_shape.setdefault(tuple(way.shape), []).append((part, way, is_wide))
            else:
                self._adam(name, weight, gradient, factor)
        for changes in by_shape.values():
            ways = orthogonal(torch.stack([way for _, way, _ in changes]))
            for (part, _, is_wide), way in zip(changes, ways):
                rate = self.matrix_rate * factor
                stretch = max(1.0, part.shape[0] / part.shape[1]) ** 0.5
                part.mul_(1 - rate * self.decay).add_(way if is_wide else way.t(), alpha=-rate * stretch)

    def _adam(self, name, weight, gradient, factor):
        first = self.first[name].mul_(0.9).add_(gradient, alpha=0.1)
        second = self.second[name].mul_(0.95).addcmul_(gradient, gradient, value=0.05)
        root = second.div(1 - 0.95**self.steps).sqrt_().add_(1e-8)
        weight.addcdiv_(first, root, value=-self.other_rate * factor / (1 - 0.9**self.steps))

    def state(self):
        return {'first': self.first, 'second': self.second, 'steps': self.steps}

    def restore(self, state):
        for mine, given in ((self.first, state['first']), (self.second, state['second'])):
            for name, value in given.items():
                mine[name].copy_(value)
        self.steps = state['steps']
