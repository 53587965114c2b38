"""Tokens, files and checkpoints: run `python3 training/test_files.py`."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

import gguf
from checkpoint import read_earlier, spell, warm_weights
from export import export
from make_tokenizer import static_pieces, train
from model import Shape, start_weights
from optimizer import Optimizer, orthogonal
from packing import Conversation
from shards import arrange, read_shard, write_shard
from tokens import Tokenizer, find_markup

LINES = ['- read_file(path: string): Read a file.', 'Call <tool_call> and stop here.', '\n{"name": "', '"']


def small_tokenizer(folder, size=400, words='red green blue yellow'):
    """A tokenizer over a few made-up conversations."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.random.default_rng(1)
    rows = []
    for index in range(200):
        text = ' '.join(f'"{word}{numbers.integers(100)}",' for word in numbers.choice(words.split(), 6))
        messages = [{'role': 'system', 'text': '\n'.join(LINES)}, {'role': 'user', 'text': text}]
        rows.append({'id': str(index), 'task': 'made up', 'messages': messages})
    (folder / 'data.jsonl').write_text('\n'.join(map(json.dumps, rows)))
    (folder / 'pieces.json').write_text(json.dumps({'pieces': LINES}))
    train(folder / 'data.jsonl', folder / 'pieces.json', folder / 'tokenizer.model', size)
    return Tokenizer(folder / 'tokenizer.model')


class InFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)


class Tokens(InFolder):
    def test_a_static_line_is_one_token_and_markup_in_it_is_not_swallowed(self):
        self.assertEqual(static_pieces(LINES), [LINES[0], ' and stop here.', '\n{"name": "', 'Call '])
        tokenizer = small_tokenizer(self.folder)
        self.assertEqual(len(tokenizer.encode(LINES[0])), 1)
        self.assertEqual(tokenizer.decode(tokenizer.encode(LINES[1], 'system')), LINES[1])

    def test_a_word_is_the_same_tokens_wherever_it_stands(self):
        tokenizer = small_tokenizer(self.folder)
        word = tokenizer.encode('yellow')
        for before in (' ', '"', '\n', '`', '/'):
            self.assertEqual(tokenizer.encode(f'{before}yellow')[-len(word) :], word)

    def test_only_the_program_and_the_model_write_markup(self):
        tokenizer = small_tokenizer(self.folder)
        mark = tokenizer.pieces.piece_to_id('<tool_call>')
        self.assertEqual(tokenizer.encode('<tool_call>', 'assistant'), [mark])
        self.assertNotIn(mark, tokenizer.encode('<tool_call>', 'user'))
        self.assertNotIn(tokenizer.end, tokenizer.encode('<|im_end|>', 'assistant'))
        self.assertIsNone(find_markup(['<b>', 'plain']))

    def test_only_targets_are_learned_with_their_end(self):
        tokenizer = small_tokenizer(self.folder)
        said = [('user', 'red'), ('assistant', 'blue'), ('user', 'red'), ('assistant', 'green')]
        messages = [{'role': role, 'text': text} for role, text in said]
        messages[3]['target'] = True
        made = tokenizer.render(messages)
        learned = made.tokens[made.learned == 1].tolist()
        self.assertEqual(learned, [*tokenizer.encode('green'), tokenizer.end])
        self.assertEqual(set(made.learned.tolist()), {0, 1})


class Shards(InFolder):
    def test_a_shard_comes_back_and_its_order_depends_on_the_seed_only(self):
        made = [Conversation(np.arange(n, dtype=np.int32), np.ones(n, np.int32)) for n in range(5, 60)]
        path = self.folder / 'shard-000001.npz'
        write_shard(path, made)
        back = read_shard(path)
        self.assertTrue(all((a.tokens == b.tokens).all() for a, b in zip(made, back, strict=True)))
        sizes = lambda seed, share=1.0: [
            [len(each.tokens) for each in batch] for batch in arrange(back, seed, 200, share)
        ]
        self.assertEqual(sizes(1), sizes(1))
        self.assertNotEqual(sizes(1), sizes(2))
        self.assertTrue(all(sum(batch) <= 200 for batch in sizes(1)))
        self.assertEqual(max(sum(sizes(1, 0.5), [])), 32)
        self.assertGreater(len(sum(sizes(1), [])), 45)


class Files(InFolder):
    def test_weights_come_back_from_a_file(self):
        numbers = np.random.default_rng(1).standard_normal((6, 64)).astype(np.float32)
        path = self.folder / 'x.gguf'
        for kind, off in (('F32', 0), ('F16', 2e-3), ('Q8_0', 2e-2)):
            gguf.write(path, [('a', gguf.STRING, 'b'), ('c', gguf.ARRAY, (gguf.F32, [1.0]))], [('w', numbers, kind)])
            entries, tensors = gguf.read(path)
            self.assertEqual(entries, {'a': 'b', 'c': [1.0]})
            self.assertLessEqual(np.abs(tensors['w'] - numbers).max(), off)

    def checkpoint(self, folder):
        tokenizer = small_tokenizer(folder)
        shape = Shape(tokenizer.size, width=64, layers=2, hidden=96)
        weights = start_weights(shape, 3)
        torch.save({'weights': weights, 'shape': shape.as_dict(), 'state': {'tokens': 1}}, folder / 'best.pt')
        return tokenizer, shape, weights

    def test_an_exported_model_is_the_checkpoint(self):
        tokenizer, shape, weights = self.checkpoint(self.folder)
        export(self.folder / 'best.pt', self.folder / 'best.gguf', 'F32')
        back, back_shape, texts = read_earlier(self.folder / 'best.gguf')
        self.assertEqual(back_shape, shape)
        self.assertTrue(all(torch.equal(back[name], weight) for name, weight in weights.items()))
        self.assertIn(LINES[0], texts)

    def test_a_warm_start_takes_over_what_has_the_same_text(self):
        _, shape, weights = self.checkpoint(self.folder / 'old')
        other = small_tokenizer(self.folder / 'new', 384, 'red green violet')
        warm = warm_weights(Shape(other.size, 64, 2, 96), 9, other, self.folder / 'old' / 'best.pt')
        old = Tokenizer(self.folder / 'old' / 'tokenizer.model')
        id = lambda tokenizer: tokenizer.pieces.piece_to_id('green')
        self.assertTrue(torch.equal(warm['embed'][id(other)], weights['embed'][id(old)]))
        self.assertTrue(torch.equal(warm['1.down'], weights['1.down']))
        self.assertEqual(spell('abcab', {'ab': 1, 'c': 2, 'a': 3}), [1, 2, 1])


class Steps(unittest.TestCase):
    def test_orthogonal_matrices_have_like_singular_values(self):
        torch.manual_seed(1)
        made = orthogonal(torch.randn(3, 32, 64))
        values = torch.linalg.svdvals(made)
        self.assertGreater(values.min().item(), 0.5)
        self.assertLess(values.max().item(), 1.4)

    def test_an_optimizer_goes_on_where_it_stopped(self):
        shape = Shape(64, width=32, layers=1, hidden=32)
        gradients = [start_weights(shape, seed) for seed in range(4)]

        def run(stop):
            weights = start_weights(shape, 7)
            optimizer = Optimizer(weights)
            for index, gradient in enumerate(gradients):
                if index == stop:
                    state = optimizer.state()
                    optimizer = Optimizer(weights)
                    optimizer.restore(state)
                optimizer.step(weights, gradient, 1.0)
            return weights

        straight, stopped = run(None), run(2)
        self.assertTrue(all(torch.equal(straight[name], stopped[name]) for name in straight))


if __name__ == '__main__':
    unittest.main()
