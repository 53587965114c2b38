"""The kernels against plain torch: run `python3 training/test_fast.py`."""

import unittest

import numpy as np
import torch

import kernels
from fast import FastStep
from model import Shape, forward, gradients, start_weights
from packing import Conversation, find_shared, pack


def made_up(seed, vocabulary, sizes, shared=40):
    """Conversations of these sizes that begin alike but for the first one."""
    numbers = np.random.default_rng(seed)
    head = numbers.integers(1, vocabulary, shared)
    made = []
    for index, size in enumerate(sizes):
        tokens = numbers.integers(1, vocabulary, size)
        if index:
            tokens[:shared] = head
        learned = np.zeros(size, int)
        learned[size * 2 // 3 : size - 5] = 1
        made.append(Conversation(tokens, learned))
    return made


def weights_for(shape):
    weights = start_weights(shape, 1)
    weights['embed'] *= 10
    return weights


class Packing(unittest.TestCase):
    def test_equal_beginnings_are_found(self):
        groups, alone = find_shared(made_up(1, 96, (150, 131, 77, 140)))
        self.assertEqual((groups, alone), ([(40, [1, 2, 3])], [0]))

    def test_sharing_changes_no_logit(self):
        shape = Shape(96, width=64, layers=3, hidden=128, context=256)
        weights, made = weights_for(shape), made_up(2, 96, (150, 131, 77, 140))
        together = forward(weights, shape, pack(made))
        alone = torch.cat([forward(weights, shape, pack([each])) for each in made])
        self.assertLess((together - alone).abs().max().item(), 1e-4)
        self.assertLess(len(pack(made).tokens), sum(len(each.tokens) for each in made) - 79)


@unittest.skipUnless(kernels.is_supported(), 'this machine has no AVX512-BF16')
class Fast(unittest.TestCase):
    def compare(self, threads):
        torch.set_num_threads(threads)
        shape = Shape(96, width=64, layers=3, hidden=128, context=512)
        weights, batch = weights_for(shape), pack(made_up(3, 96, (150, 331, 77, 140, 61)))
        loss, hit, found = FastStep(kernels.load(), shape).gradients(weights, batch)
        exact_loss, _, exact = gradients(weights, shape, batch, torch.float32)
        self.assertLess(abs(loss - exact_loss), 0.01)
        self.assertEqual(len(hit), len(batch.wanted))
        for name, wanted in exact.items():
            off = (found[name].float() - wanted).norm() / wanted.norm()
            self.assertLess(off.item(), 0.03, name)

    def test_gradients_are_those_of_torch(self):
        self.compare(1)

    def test_gradients_are_those_of_torch_with_two_threads(self):
        self.compare(2)


if __name__ == '__main__':
    unittest.main()
