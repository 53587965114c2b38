"""Where the steps of a training run are computed: CUDA, the kernels of this machine, or plain torch."""

import torch

import kernels
from fast import FastStep
from model import forward, gradients


class Engine:
    """`device` is where the weights live."""

    def __init__(self, shape, plain=False):
        self.shape = shape
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self._fast = None
        if self.device.type == 'cpu' and not plain and kernels.is_supported():
            kernels.keep_memory()
            self._fast = FastStep(kernels.load(), shape)
        self.dtype = torch.float32 if plain else torch.bfloat16

    @property
    def name(self):
        return self.device.type if self._fast is None else 'avx512-bf16'

    def gradients(self, weights, batch):
        """The mean loss, which targets were hit, and the gradients by name."""
        if self._fast:
            return self._fast.gradients(weights, batch)
        return gradients(weights, self.shape, batch, self.dtype)

    @torch.no_grad()
    def logits(self, weights, batch):
        """What is predicted for each target."""
        if self._fast:
            return self._fast.forward(weights, batch)[0].float()
        return forward(weights, self.shape, batch, self.dtype).float().cpu()
