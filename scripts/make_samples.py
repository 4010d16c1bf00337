#!/usr/bin/env python3
"""Writes the samples that the program ships: workspaces (.npz with a workspace.json member) in resources/samples.

Needs NumPy. The files are committed; run this only to change them.
"""
import io
import json
import pathlib
import zipfile

import numpy as np

OUT = pathlib.Path(__file__).resolve().parent.parent / "resources" / "samples"


def write(name, tensors, spec, query_tokens=(), key_tokens=(), view=None, key_grid=None):
    spec = {
        "variant": "scaled_dot_product",
        "parameters": {},
        "scale": {"id": "", "parameters": {}},
        "scale_after_softmax": False,
        "masks": [],
        "mask_fill": {"value": "-inf", "mode": "replace"},
        "mask_true": "blocks",
        "statistics": False,
        **spec,
    }
    document = {
        "format": "attnlab-workspace",
        "version": 1,
        "spec": spec,
        "query_tokens": list(query_tokens),
        "key_tokens": list(key_tokens),
        "view": view or {},
    }
    if key_grid:
        document["key_grid"] = {"rows": key_grid[0], "columns": key_grid[1]}
    OUT.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(OUT / f"{name}.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        def add(member, data):
            archive.writestr(zipfile.ZipInfo(member, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)

        for key, value in sorted(tensors.items()):
            buffer = io.BytesIO()
            np.save(buffer, np.ascontiguousarray(value))
            add(f"{key}.npy", buffer.getvalue())
        add("workspace.json", json.dumps(document, ensure_ascii=False, indent=1))


def worked_example():
    """The sentence "the cat drank the milk because it was sweet / hungry" reduced to four words, Q = K = V."""
    rows = {"cat": (0, 2, 2, 0), "milk": (0, 1, 3, 0), "it": (0, 2, 2, 0)}
    for word, last in (("sweet", (0, 0, 4, 0)), ("hungry", (0, 4, 0, 0))):
        table = np.array([*rows.values(), last], dtype=np.float64)
        write(f"milk_or_cat_{word}", {"query": table, "key": table, "value": table}, {"scale": {"id": "sqrt_dk", "parameters": {}}},
              query_tokens=[*rows, word], view={"pinned": [2, 3]})


def whose_hunger():
    """What a pronoun stands for: four features ask for an animate thing, for food, for an action, and for nothing."""
    ask_and_have = {  # word: query, key
        "The": ((2, 0, 0, 0), (0, 0, 0, 1)),
        "cat": ((0.5, 0, 1.5, 0), (3, 0, 0, 0)),
        "drank": ((1.5, 1.5, 0, 0), (0, 0, 2, 0)),
        "the": ((0, 2, 0, 0), (0, 0, 0, 1)),
        "milk": ((0, 0, 2.5, 0), (0, 3, 0, 0)),
        "because": ((0, 0, 2, 0), (0, 0, 0, 1)),
        "it": ((2.5, 0.5, 0, 0), (1, 1, 0, 0)),
        "was": ((1, 0.5, 0, 0), (0, 0, 1, 0)),
        "hungry": ((2, 0, 0, 0), (1, 0, 0, 0)),
    }
    value = np.eye(4)[[3, 0, 2, 3, 1, 3, 0, 2, 0]]
    write("whose_hunger", {"query": np.array([q for q, _ in ask_and_have.values()], dtype=np.float64),
                           "key": np.array([k for _, k in ask_and_have.values()], dtype=np.float64), "value": value},
          {"scale": {"id": "sqrt_dk", "parameters": {}}}, query_tokens=list(ask_and_have), view={"pinned": [6, 1]})


def by_hand():
    """Small enough for paper: the scores are whole numbers."""
    write("by_hand", {"query": np.array([[1, 0, 1], [0, 2, 0], [1, 1, 0]], dtype=np.float64),
                      "key": np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=np.float64),
                      "value": np.array([[1, 0, 0], [0, 1, 0], [2, 2, 1]], dtype=np.float64)},
          {"scale": {"id": "sqrt_dk", "parameters": {}}}, query_tokens="abc", view={"pinned": [2, 0]})


def sinusoids(count, frequencies):
    angles = np.arange(count)[:, None] * np.asarray(frequencies)[None, :]
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(count, -1)


def rotation(frequencies, steps):
    """The map that takes the sinusoids of position i to those of position i + steps (row vectors)."""
    blocks = np.zeros((2 * len(frequencies), 2 * len(frequencies)))
    for n, f in enumerate(frequencies):
        c, s = np.cos(f * steps), np.sin(f * steps)
        blocks[2 * n:2 * n + 2, 2 * n:2 * n + 2] = [[c, s], [-s, c]]
    return blocks


def multi_head():
    """Four heads that do four different things, made by hand so that each picture has a reason."""
    tokens = "The quick brown fox jumped over the lazy dog".split()
    kinds = ["article", "adjective", "noun", "verb", "preposition"]
    of_token = [0, 1, 1, 2, 3, 4, 0, 1, 2]
    frequencies = [1.7, 0.6]
    position = sinusoids(len(tokens), frequencies)                    # 4 features
    kind = np.eye(len(kinds))[of_token]                               # 5 features
    rng = np.random.default_rng(7)
    character = rng.normal(size=(len(tokens), 3)) * 0.5               # 3 features that distinguish words of a kind
    x = np.concatenate([position, kind, character], axis=1).round(3)  # (9, 12)
    width, head = x.shape[1], 4
    w_q, w_k = np.zeros((width, 4 * head)), np.zeros((width, 4 * head))
    w_v = (rng.normal(size=(width, 4 * head)) / np.sqrt(width)).round(3)

    def put(matrix, number, rows, block):
        matrix[rows, number * head:number * head + block.shape[1]] = block

    place, word = slice(0, 4), slice(4, 9)
    put(w_q, 0, place, 3.0 * rotation(frequencies, -1))               # head 0: the previous token
    put(w_k, 0, place, np.eye(4))
    # Head 1: kinds that attend to kinds: nouns and verbs to articles and adjectives, these to nouns.
    asks = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]], float)
    has = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]], float)
    put(w_q, 1, word, 5.0 * asks)
    put(w_k, 1, word, has)
    put(w_q, 2, place, 1.2 * np.eye(4))                               # head 2: a soft neighbourhood
    put(w_k, 2, place, np.eye(4))
    put(w_q, 3, slice(0, width), rng.normal(size=(width, 4)) * 0.15)  # head 3: almost uniform
    put(w_k, 3, slice(0, width), rng.normal(size=(width, 4)) * 0.3)
    write("multi_head_fox",
          {"x": x, "w_q": w_q.round(4), "w_k": w_k.round(4), "w_v": w_v,
           "w_o": (rng.normal(size=(4 * head, width)) / 4).round(3)},
          {"variant": "multi_head", "parameters": {"num_heads": 4}}, query_tokens=tokens, view={"pinned": [3, 2]})


def cross():
    """Three words being written read five words of a source sentence: L = 3, S = 5."""
    rng = np.random.default_rng(11)
    source = ["the", "black", "cat", "sleeps", "."]
    target = ["le", "chat", "noir"]
    meaning = rng.normal(size=(5, 8))
    context = meaning.round(3)
    x = (meaning[[0, 2, 1]] + 0.35 * rng.normal(size=(3, 8))).round(3)
    shared = np.linalg.qr(rng.normal(size=(8, 8)))[0][:, :4]
    write("cross_attention",
          {"x": x, "context": context, "w_q": (1.6 * shared).round(4), "w_k": shared.round(4),
           "w_v": (rng.normal(size=(8, 4)) / np.sqrt(8)).round(3)},
          {"variant": "cross"}, query_tokens=target, key_tokens=source, view={"pinned": [1, 2]})


def padding():
    """Two sentences of different length in one batch: the shorter one is filled up, and the filling is masked."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2, 6, 8)).round(3)
    x[1, 4:] = 0.0
    padded = np.zeros((2, 6), dtype=bool)
    padded[1, 4:] = True
    weights = {f"w_{n}": (rng.normal(size=(8, 8)) / np.sqrt(8) * 1.5).round(3) for n in "qkv"}
    write("padding", {"x": x, "key_padding_mask": padded, **weights},
          {"variant": "multi_head", "parameters": {"num_heads": 2},
           "masks": [{"id": "key_padding", "parameters": {}}]}, view={"batch": 1, "pinned": [0, 3]})


def by_place_and_word(tokens, links, near, far, rng):
    """Queries and keys (T,8): four features of the place, which read the token before with strength `near`, and four of
    the word, by which `links` {reader: word read} find each other with strength `far` wherever they stand."""
    frequencies = [1.1, 0.45]
    place = sinusoids(len(tokens), frequencies)
    word = rng.normal(size=(len(tokens), 4)) * 0.4
    word /= np.linalg.norm(word, axis=1, keepdims=True) * 1.5
    asks = 0.3 * rng.normal(size=word.shape)
    for reader, read in links.items():
        asks[tokens.index(reader)] = far * word[tokens.index(read)]
    query = np.concatenate([near * place @ rotation(frequencies, -1), asks], axis=1)
    return query.round(3), np.concatenate([place, word], axis=1).round(3)


def flash():
    """Twelve words in tiles of 4 x 3: the nearest words come last in a row, so its largest score keeps growing."""
    tokens = "Once upon a time there was a fox who could read maps".split()
    rng = np.random.default_rng(5)
    query, key = by_place_and_word(tokens, {"who": "fox", "read": "fox", "maps": "read", "time": "Once"}, 3.0, 12.0, rng)
    write("flash_tiles", {"query": query, "key": key, "value": rng.normal(size=(12, 4)).round(3)},
          {"variant": "flash", "parameters": {"block_q": 4, "block_k": 3},
           "masks": [{"id": "causal", "parameters": {"alignment": "top_left"}}]},
          query_tokens=tokens, view={"pinned": [10, 7]})


def paged_cache():
    """Decoding: the last three of ten words read a cache whose three pages lie scattered in a pool of six."""
    tokens = "The cat sat on the mat and then it slept".split()
    rng = np.random.default_rng(17)
    query, key = by_place_and_word(tokens, {"it": "cat", "slept": "it", "then": "sat"}, 1.0, 14.0, rng)
    value = rng.normal(size=(10, 4)).round(3)
    size, table = 4, [4, 1, 3]

    def in_pages(rows):
        pool = rng.normal(size=(6 * size, rows.shape[1])).round(3)  # data of earlier sequences
        for token, row in enumerate(rows):
            pool[table[token // size] * size + token % size] = row
        return pool.reshape(6, size, -1)

    write("paged_cache",
          {"query": query[-3:], "key_pages": in_pages(key), "value_pages": in_pages(value),
           "block_table": np.array(table, dtype=np.int64)},
          {"variant": "paged", "parameters": {"mode": "kv_cache", "length": 10},
           "masks": [{"id": "causal", "parameters": {"alignment": "bottom_right"}}]},
          query_tokens=tokens[-3:], key_tokens=tokens, view={"pinned": [1, 1]})


def longformer():
    """The last word looks for the third, far outside its window; only the global token reads everything."""
    tokens = "[CLS] The river ran past the mill , and the miller knew every bend of it".split()
    rng = np.random.default_rng(221)
    query, key = by_place_and_word(tokens, {"it": "river", "bend": "river", "miller": "mill", "ran": "river"}, 2.2, 22.0, rng)
    write("longformer_window", {"query": query, "key": key, "value": rng.normal(size=(16, 4)).round(3)},
          {"variant": "longformer", "parameters": {"window": 4, "global_tokens": [0], "combine": "union"}},
          query_tokens=tokens, view={"pinned": [15, 2]})
def linformer():
    """Keys and values pooled by threes: a soft neighbourhood survives it, a look at single words does not."""
    tokens = "the river runs past the old mill and the wheel keeps turning".split()
    words = sorted(set(tokens))
    place = sinusoids(len(tokens), [0.5, 0.25])                       # 4 features
    word = np.eye(len(words))[[words.index(t) for t in tokens]]       # 10 features
    rng = np.random.default_rng(23)
    query, key = np.zeros((2, 1, 2, len(tokens), 14))
    query[0, 0, :, :4], key[0, 0, :, :4] = 3.0 * place, place         # head 0: neighbours
    query[0, 1, :, 4:], key[0, 1, :, 4:] = 18.0 * word, word          # head 1: the same word elsewhere, and itself
    pool = np.repeat(np.eye(4), 3, axis=0) / 3
    write("linformer_pooled",
          {"query": query.round(4), "key": key.round(4), "value": rng.normal(size=(1, 2, len(tokens), 4)).round(3),
           "linformer_e": pool, "linformer_f": pool},
          {"variant": "linformer"}, query_tokens=tokens, view={"pinned": [5, 1]})


def performer():
    """A flat head, which few features show well, and a sharp one, which they do not."""
    tokens = "a random projection keeps the angles between long vectors almost as they were before".split()
    rng = np.random.default_rng(29)
    place = sinusoids(len(tokens), [1.1, 0.7, 0.4, 0.2])              # 8 features, rows of length 2
    key = np.stack([0.4 * place, 1.2 * place])[None]
    query = np.stack([0.6 * place, 2.0 * place])[None]
    value = sinusoids(len(tokens), [0.3, 0.15]) + 0.2 * rng.normal(size=(1, 2, len(tokens), 4))
    write("performer_features",
          {"query": query.round(4), "key": key.round(4), "value": value.round(3)},
          {"variant": "performer", "parameters": {"features": 64, "seed": 1}}, query_tokens=tokens,
          view={"pinned": [6, 6]})


def reformer():
    """Words of four kinds in turn: the hash finds the kinds without comparing each word with each."""
    kinds = [["cat", "dog", "wolf", "fox"], ["rain", "snow", "wind", "fog"], ["red", "blue", "green", "white"],
             ["saw", "axe", "drill", "file"]]
    tokens = [kind[n] for n in range(4) for kind in kinds]
    rng = np.random.default_rng(31)
    directions = np.linalg.qr(rng.normal(size=(8, 8)))[0][:4]
    kind = np.tile(np.arange(4), 4)
    query = 5.0 * directions[kind] + 0.6 * rng.normal(size=(16, 8))
    write("reformer_buckets",
          {"query": query.round(4), "value": (np.eye(4)[kind] + 0.1 * rng.normal(size=(16, 4))).round(3)},
          {"variant": "reformer", "parameters": {"n_hashes": 2, "n_buckets": 8, "seed": 6},
           "scale": {"id": "none", "parameters": {}}}, query_tokens=tokens, view={"pinned": [0, 4]})
def hierarchical_context():
    """Two paragraphs of two sentences. "It" hints at animals; the gate makes much of what a paragraph has in common."""
    words = [("The", "-"), ("cat", "an"), ("slept", "av"), (".", "."), ("It", "n"), ("purred", "av"), (".", "."),
             ("Stocks", "mn"), ("fell", "mv"), (".", "."), ("Traders", "mn"), ("sold", "mv"), (".", ".")]
    letters = "amnv."  # about animals, about money, noun, verb, full stop
    rng = np.random.default_rng(5)
    kinds = np.array([[1.0 if letter in kind else 0.0 for letter in letters] for _, kind in words])
    kinds[4, 0] = 0.3
    key = np.concatenate([kinds, 0.3 * rng.normal(size=(len(words), 1))], axis=1).round(3)
    # Nouns, the pronoun and verbs attend to nouns, full stops to verbs; all to their own topic.
    asks = np.eye(6)
    asks[3, 2], asks[4, 3] = 1.0, 1.0
    query = (key @ asks).round(3)
    query[4, :2] *= 3.0
    write("hierarchical_context",
          {"query": query, "key": key, "value": key,
           "sentence_ids": np.repeat([0, 1, 2, 3], [4, 3, 3, 3]), "paragraph_ids": np.repeat([0, 1], [7, 6])},
          {"variant": "hierarchical_context"}, query_tokens=[word for word, _ in words], view={"pinned": [4, 1]})


def transformer():
    """A model that nobody has trained: two encoder and two decoder layers of width 16 with two heads."""
    d, hidden, layers = 16, 32, 2
    source = ["<pad>", "the", "cat", "sleeps", "on", "mat", "."]
    target = ["<pad>", "<s>", "le", "chat", "dort", "sur", "tapis", "."]
    rng = np.random.default_rng(17)

    def normal(*shape, scale):
        return (scale * rng.normal(size=shape)).round(3)

    tensors = {"src": np.array([[1, 2, 3, 4, 1, 5, 6, 0]]), "tgt": np.array([[1, 2, 3, 4, 5]]),
               "src_embedding.weight": normal(len(source), d, scale=0.4),
               "tgt_embedding.weight": normal(len(target), d, scale=0.4),
               "generator.weight": normal(len(target), d, scale=0.5), "generator.bias": np.zeros(len(target))}
    for side, attentions, norms in (("encoder", ["self_attn"], 2), ("decoder", ["self_attn", "multihead_attn"], 3)):
        for attention in attentions:
            name = f"{side}.layers.{attention}"
            weight = normal(layers, 3 * d, d, scale=d ** -0.5)
            weight[:, :2 * d] *= 1.3  # queries and keys large enough for selective attention
            tensors[f"{name}.in_proj_weight"] = weight.round(3)
            tensors[f"{name}.in_proj_bias"] = np.zeros((layers, 3 * d))
            tensors[f"{name}.out_proj.weight"] = normal(layers, d, d, scale=d ** -0.5)
            tensors[f"{name}.out_proj.bias"] = np.zeros((layers, d))
        tensors[f"{side}.layers.linear1.weight"] = normal(layers, hidden, d, scale=d ** -0.5)
        tensors[f"{side}.layers.linear1.bias"] = np.zeros((layers, hidden))
        tensors[f"{side}.layers.linear2.weight"] = normal(layers, d, hidden, scale=hidden ** -0.5)
        tensors[f"{side}.layers.linear2.bias"] = np.zeros((layers, d))
        for n in range(1, norms + 1):
            tensors[f"{side}.layers.norm{n}.weight"] = np.ones((layers, d))
            tensors[f"{side}.layers.norm{n}.bias"] = np.zeros((layers, d))
        tensors[f"{side}.norm.weight"] = np.ones(d)
        tensors[f"{side}.norm.bias"] = np.zeros(d)
    write("transformer", tensors, {"variant": "transformer", "parameters": {"num_heads": 2}},
          query_tokens=[target[i] for i in tensors["tgt"][0]], key_tokens=[source[i] for i in tensors["src"][0]],
          view={"stage": "decoder.1.cross.weights", "pinned": [2, 1]})


def patches():
    """A drawn landscape cut into 8 x 8 patches: four words look for their colours, and say where they found them."""
    y, x = np.mgrid[0:64, 0:64]
    picture = np.zeros((64, 64, 3))
    picture[:] = (0.55, 0.75, 0.95)                                   # sky
    picture[y > 42] = (0.35, 0.65, 0.25)                              # grass
    picture[(x - 50) ** 2 + (y - 12) ** 2 < 64] = (1.0, 0.85, 0.2)    # sun
    picture[(abs(x - 20) < 9) & (y > 30) & (y < 52)] = (0.8, 0.25, 0.2)  # house
    picture[(y > 20) & (y <= 30) & (abs(x - 20) < (y - 20) * 1.2)] = (0.4, 0.25, 0.2)  # roof
    means = picture.reshape(8, 8, 8, 8, 3).mean(axis=(1, 3)).reshape(64, 3)
    key = means - means.mean(axis=0)
    words = {"sun": (1.0, 0.85, 0.2), "sky": (0.55, 0.75, 0.95), "grass": (0.35, 0.65, 0.25), "house": (0.8, 0.25, 0.2)}
    colours = np.array(list(words.values())) - means.mean(axis=0)
    query = 30.0 * colours / np.linalg.norm(colours, axis=1, keepdims=True)
    rows, columns = np.divmod(np.arange(64), 8)
    write("patches",
          {"query": query.round(3), "key": key.round(4), "value": np.stack([columns, rows], axis=1).astype(float),
           "key_image": picture.astype(np.float32)},
          {}, query_tokens=list(words), key_tokens=[f"patch {r},{c}" for r, c in zip(rows, columns)],
          view={"pinned": [0, 14]}, key_grid=(8, 8))


def packed_documents():
    """Three sentences packed into one row: the links of words would cross them without the mask."""
    rng = np.random.default_rng(20)
    sentences = ["Anna reads a book", "Bert waters the rose", "then she sleeps"]
    tokens = " ".join(sentences).split()
    ids = np.concatenate([np.full(len(sentence.split()), n) for n, sentence in enumerate(sentences)])
    query, key = by_place_and_word(tokens, {"she": "Anna", "sleeps": "she"}, 1.0, 30.0, rng)
    write("packed_documents",
          {"query": query, "key": key, "value": rng.normal(size=(len(tokens), 4)).round(3), "segment_ids": ids},
          {"masks": [{"id": "causal", "parameters": {}}, {"id": "documents", "parameters": {}}]}, query_tokens=tokens,
          view={"pinned": [9, 0]})


def draft_tree():
    """Speculative decoding: three words in the cache, and six drafted words that form a tree."""
    rng = np.random.default_rng(29)
    cache, drafts = ["the", "cat", "sat"], ["on", "under", "one", "a", "mat", "table"]
    parents = np.array([-1, -1, 0, 1, 2, 3])
    query, key = by_place_and_word(cache + drafts, {"mat": "one", "table": "a", "one": "cat"}, 1.0, 10.0, rng)
    write("draft_tree",
          {"query": query[3:], "key": key, "value": rng.normal(size=(9, 4)).round(3), "parents": parents},
          {"masks": [{"id": "tree", "parameters": {}}]}, query_tokens=drafts, key_tokens=cache + drafts,
          view={"pinned": [4, 5]})


def image_neighborhood():
    """Each patch of a small picture reads the box of 3 x 3 patches around it, the most those of its own brightness."""
    rows, columns = np.divmod(np.arange(36), 6)
    brightness = (columns >= 3).astype(float) * 2 - 1
    key = np.stack([brightness, 0.3 * (rows - 2.5)], axis=1)
    write("image_neighborhood",
          {"query": 1.5 * key.round(3), "key": key.round(3), "value": np.stack([columns, rows], axis=1).astype(float)},
          {"masks": [{"id": "neighborhood", "parameters": {"w": 3, "border": "shift"}}]},
          query_tokens=[f"{r},{c}" for r, c in zip(rows, columns)], view={"pinned": [14, 13]}, key_grid=(6, 6))


def reach_of_heads():
    """A mask by expression: the first key stays open, and the reach of each head is twice that of the head before."""
    rng = np.random.default_rng(31)
    shape = (1, 3, 12, 4)
    write("reach_of_heads",
          {"query": rng.normal(size=shape).round(3), "key": rng.normal(size=shape).round(3),
           "value": rng.normal(size=shape).round(3)},
          {"masks": [{"id": "expression",
                      "parameters": {"expression": "q >= k and (k == 0 or q - k < 2 ** (h + 1))"}}]},
          query_tokens=[f"t{n}" for n in range(12)], view={"pinned": [10, 8]})


def overwritten_facts():
    """Five facts about three people, two of which change, then a question about each. A question writes nothing."""
    people = dict(zip(["Anna", "Bert", "Cleo"], np.eye(3)))
    drinks = ["tea", "milk", "juice", "water", "cola"]
    facts = [("Anna", "tea"), ("Bert", "milk"), ("Cleo", "juice"), ("Bert", "water"), ("Anna", "cola")]
    asked = ["Anna", "Bert", "Cleo"]
    rows = np.array([people[who] for who in [who for who, _ in facts] + asked])
    value = np.zeros((len(rows), len(drinks)))
    for token, (_, drink) in enumerate(facts):
        value[token, drinks.index(drink)] = 1.0
    write("overwritten_facts",
          {"query": rows, "key": rows, "value": value,
           "beta": np.array([[[1.0] * len(facts) + [0.0] * len(asked)]])},
          {"variant": "delta_rule"},
          query_tokens=[f"{who} {drink}" for who, drink in facts] + [f"{who}?" for who in asked], view={"pinned": [5, 4]})


def differential_noise():
    """One question about a sentence. Both halves of the head read its noise, the first reads "noon" besides."""
    words = ["the", "bus", "is", "at", "noon", ",", "he", "said"]
    noise = np.array([0.9, 1.1, 0.8, 1.0, 0.9, 1.2, 0.8, 1.0])
    found = np.array([0, 0, 0, 0, 1.5, 0, 0, 0])
    write("differential_noise",
          {"query": np.array([[1.4, 1.4, 1.4, 0.0]]), "key": np.stack([noise, found, noise, 0 * noise], axis=1),
           "value": np.eye(8)},
          {"variant": "differential"}, query_tokens=["when?"], key_tokens=words, view={"pinned": [0, 4]})


def top_k_keys():
    """A query with one large weight and one that reads all keys alike; three keys of eight stay."""
    write("top_k_keys",
          {"query": np.array([[4.0, 0.0], [0.0, 0.4]]),
           "key": np.array([[2.0, 1.0], [0.2, 1.2], [0.5, 0.9], [-0.6, 1.1], [0.1, 0.8], [0.3, 1.0], [-0.2, 0.7], [0.0, 1.3]]),
           "value": np.eye(8)},
          {"variant": "top_k", "parameters": {"k": 3}}, query_tokens=["sharp", "flat"],
          key_tokens=[f"key {n}" for n in range(8)], view={"pinned": [1, 7]})


def nsa_readings():
    """Twenty tokens; the last asks for what tokens 8 to 11 are about."""
    topic = np.array([[0.0, 0.2]] * 20)
    topic[8:12] = [2.0, 0.0]
    query = np.array([[0.1, 1.0]] * 20)
    query[19] = [3.0, 0.0]
    write("nsa_readings", {"query": query, "key": topic, "value": np.eye(20)}, {"variant": "nsa"},
          query_tokens=[f"t{n}" for n in range(20)], view={"pinned": [19, 9]})


def mla_cache():
    """Two heads over one latent row of four numbers a token."""
    rng = np.random.default_rng(41)

    def normal(rows, columns):
        return (1.4 * rng.normal(size=(rows, columns)) / columns ** 0.5).round(3)

    write("mla_cache",
          {"x": (2 * normal(6, 8)).round(3), "kv_a_proj_with_mqa.weight": normal(6, 8), "kv_a_layernorm.weight": np.ones(4),
           "q_proj.weight": normal(2 * 6, 8), "kv_b_proj.weight": normal(2 * 8, 4), "o_proj.weight": normal(8, 8)},
          {"variant": "mla", "masks": [{"id": "causal", "parameters": {}}]},
          query_tokens=["The", "quick", "brown", "fox", "jumps", "."], view={"pinned": [5, 3]})


def forgotten_sentence():
    """Two sentences. The gate of the full stop is nearly closed: what stands before it fades."""
    words = ["I", "like", "tea", ".", "She", "likes", "milk"]
    rows = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    gate = np.log([1.0, 1.0, 1.0, 0.02, 1.0, 1.0, 1.0]).round(4)
    write("forgotten_sentence", {"query": 2 * rows, "key": rows, "value": rows, "log_forget_gate": gate},
          {"decay": {"id": "forget", "parameters": {}}}, query_tokens=words, view={"pinned": [6, 2]})


def sparse_weights():
    """Scores 3, 2.5, 1 and 0 for each query in turn: sparsemax gives the last two no weight at all."""
    scores = np.array([3.0, 2.5, 1.0, 0.0])
    write("sparse_weights",
          {"query": np.stack([np.roll(scores, n) for n in range(4)]), "key": np.eye(4), "value": np.eye(4)},
          {"scale": {"id": "none", "parameters": {}}, "normaliser": {"id": "sparsemax", "parameters": {}}},
          query_tokens=["a", "b", "c", "d"], view={"pinned": [0, 1]})


if __name__ == "__main__":
    worked_example()
    whose_hunger()
    by_hand()
    multi_head()
    cross()
    padding()
    patches()
    flash()
    paged_cache()
    longformer()
    linformer()
    performer()
    reformer()
    hierarchical_context()
    transformer()
    packed_documents()
    draft_tree()
    image_neighborhood()
    reach_of_heads()
    overwritten_facts()
    differential_noise()
    top_k_keys()
    nsa_readings()
    mla_cache()
    forgotten_sentence()
    sparse_weights()
