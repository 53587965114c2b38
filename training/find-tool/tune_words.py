"""Fits resources/models/word-meanings.bin further: where each word lies, and how much it counts in a request and in a tool.

word_meanings.py fits one linear map for all words, which is all that can be learned of words that no request has. This step
moves each word that requests and tools do have by a vector of its own, and all by another small map, so that the tool meant
comes before the others of its server and of some more. Adam on the softmax over them; a tool of the same server counts twice
as much as one of another, and one with nearly the same text does not count.

    pip install numpy torch
    python training/find-tool/tune_words.py

It reads the table that word_meanings.py wrote and replaces it. Four epochs take a minute on a quiet machine.
"""

import random
import re
import struct

import numpy as np
import torch
import torch.nn.functional as F
from texts import ROOT, tools_and_requests, words_of

TABLE = ROOT / "resources/models/word-meanings.bin"
EPOCHS, BATCH, TAU, MORE_SERVERS = 4, 64, 14.0, 25
RATE_WORDS, RATE_MAP, RATE_COUNTS, SLOWER = 0.004, 0.001, 0.02, 0.9985
# exp of it is how much more a tool of the same server counts.
SAME_SERVER, ALIKE, NEAR_COUNTS = 0.7, 0.8, 0.02
# The newest requests were added for this step, and count twice.
NEWEST = 563


def read_table():
    data = TABLE.read_bytes()
    dimensions, count, length = struct.unpack_from("<III", data, 4)
    words = data[16 : 16 + length].rstrip(b"\0").decode().split("\n")
    rows = np.frombuffer(data, np.uint8, offset=16 + length).reshape(count, dimensions + 2)
    vectors = torch.tensor(rows[:, :dimensions].view(np.int8).astype(np.float32)) / 127
    counts = torch.tensor(-rows[:, dimensions:].astype(np.float32) / 16)
    return data[: 16 + length], {word: i for i, word in enumerate(words)}, vectors, counts[:, 0], counts[:, 1]


def write_table(head, vectors, counts):
    largest = np.abs(vectors).max(1, keepdims=True) + 1e-9
    signed = np.round(vectors / largest * 127).astype(np.int8)
    factors = []
    for each in counts:
        f = np.exp(each) * largest[:, 0]
        factors.append(np.clip(np.round(-16 * np.log(np.clip(f / f.max(), 1e-6, 1))), 0, 255).astype(np.uint8))
    TABLE.write_bytes(head + np.concatenate([signed.view(np.uint8), np.stack(factors, 1)], axis=1).tobytes())


def place_of(word, at):
    """The place of a word as src/main/mcp/finding/word-vectors.ts finds it, or None."""
    if word in at or len(word) < 5:
        return at.get(word)
    stem = re.sub(r"(?:ing|ed|es|en|s|n|e)$", "", word)
    parts = [stem] + [word[cut:] for cut in range(3, len(word) - 4)]
    return next((at[part] for part in parts if part in at), None)


def bag(parts, at):
    """Places of the words of a text in parts, each with its weight."""
    placed = [(place_of(word, at), weight) for text, weight in parts for word in words_of(text)]
    return [(place, weight) for place, weight in placed if place is not None]


def meanings(bags, vectors, counts):
    places = torch.tensor([place for each in bags for place, _ in each])
    weights = torch.tensor([float(weight) for each in bags for _, weight in each])
    starts = torch.tensor(np.cumsum([0] + [len(each) for each in bags[:-1]]))
    weighted = weights * torch.exp(counts[places])
    return F.normalize(F.embedding_bag(places, vectors, starts, mode="sum", per_sample_weights=weighted), dim=1)


def main():
    torch.manual_seed(1)
    rng = random.Random(1)
    head, at, before, asked_before, told_before = read_table()
    tools, requests = tools_and_requests()
    requests += requests[-NEWEST:]
    keys = list(tools)
    place = {key: i for i, key in enumerate(keys)}
    told = [bag(((name, 2), (server, 1), (tools[server, name], 1)), at) for server, name in keys]
    items = [(bag(((r["request"], 1),), at), place[r["server"], r["want"]]) for r in requests]
    items = [item for item in items if item[0]]
    of_server = {}
    for i, (server, _) in enumerate(keys):
        of_server.setdefault(server, []).append(i)
    servers = list(of_server)

    moved = torch.nn.Parameter(torch.zeros_like(before))
    turned = torch.nn.Parameter(torch.zeros(before.shape[1], before.shape[1]))
    asked, counted = torch.nn.Parameter(asked_before.clone()), torch.nn.Parameter(told_before.clone())
    groups = [(RATE_WORDS, [moved]), (RATE_MAP, [turned]), (RATE_COUNTS, [asked, counted])]
    adam = torch.optim.Adam([{"params": params, "lr": rate} for rate, params in groups])
    texts = meanings(told, before, told_before)

    def mapped():
        return (before + moved) @ (torch.eye(before.shape[1]) + turned)

    for epoch in range(EPOCHS):
        rng.shuffle(items)
        total = 0.0
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            meant = torch.tensor([right for _, right in batch])
            near = {keys[right][0] for _, right in batch} | {rng.choice(servers) for _ in range(MORE_SERVERS)}
            pool = sorted(i for server in near for i in of_server[server])
            right = torch.tensor([pool.index(int(i)) for i in meant])
            rows = torch.arange(len(batch))
            vectors = mapped()
            said = meanings([words for words, _ in batch], vectors, asked)
            logits = TAU * said @ meanings([told[i] for i in pool], vectors, counted).T
            alike = texts[meant] @ texts[torch.tensor(pool)].T > ALIKE
            alike[rows, right] = False
            same = torch.tensor([[keys[i][0] == keys[int(m)][0] for i in pool] for m in meant])
            same[rows, right] = False
            logits = logits.masked_fill(alike, -1e9) + SAME_SERVER * same
            loss = F.cross_entropy(logits, right) + NEAR_COUNTS * ((asked - asked_before) ** 2).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
            total += loss.item()
            for group in adam.param_groups:
                group["lr"] *= SLOWER
        print(f"epoch {epoch + 1} of {EPOCHS}: {total / (len(items) / BATCH):.3f}", flush=True)
    with torch.no_grad():
        write_table(head, mapped().numpy(), [asked.numpy(), counted.numpy()])


if __name__ == "__main__":
    main()
