#!/usr/bin/env python3
"""Writes folders with a tokenizer.json and settings beside it, one setting at a time, for the classes of tokenizers that
Transformers knows, and compares the ids that AttnLab makes with those of AutoTokenizer: each combination must be equal, or
refused, or differ in a setting that AttnLab names in a note.

    ATTNLAB=build/dev/app/attnlab tests/scripts/test_tokenizer_settings.py [--classes BertTokenizer,...] [--only legacy,...]

Needs Transformers; without it the test is skipped. What is compared is version 5 (version 4 differs)."""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import tokenizers
    import transformers
except ImportError as error:
    print(f"{error.name} is not installed")
    sys.exit(77)
if int(transformers.__version__.split(".")[0]) < 5:
    print(f"Transformers {transformers.__version__} is installed, 5 is needed")
    sys.exit(77)

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

PROGRAM = os.environ["ATTNLAB"]
TEXTS = ["Fox and fox", " the Éclair 你好 fox", "a <zz> fox <s>fox </s> [CLS] fox<|endoftext|>the [MASK] <yy>a <pad> <extra_id_3>b",
         "x", "The²  fox\n12 <vv> naïve"]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789éÉïĠ▁<>/|[]_²Ċ你好Ã©"


def template(first, last, ids):
    single = [token for token in (first, "$A", last) if token]
    pair = single + [f"{token}:1" for token in ((first if first == "<s>" else None), "$B", last) if token]
    return processors.TemplateProcessing(single=" ".join(single), pair=" ".join(pair),
                                         special_tokens=[(token, ids[token]) for token in (first, last) if token])


def vocabulary(special, words):
    return {word: number for number, word in enumerate(dict.fromkeys([*special, *LETTERS, *words]))}


def added(tokenizer, special):
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer


def bert(**options):
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = ["fox", "Fox", "the", "The", "éclair", "eclair", "Éclair", "naive", "naïve", "你好", *["##" + c for c in LETTERS]]
    ids = vocabulary(special, words)
    made = Tokenizer(models.WordPiece(vocab=ids, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(**options)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = template("[CLS]", "[SEP]", ids)
    made.decoder = decoders.WordPiece()
    return added(made, special)


def byte_level(special, prefix=False, regex=None, around=(None, None), roberta=False, normalizer=None):
    ids = vocabulary(special, [*pre_tokenizers.ByteLevel.alphabet(), "fo", "fox", "Ġfox", "Ġf", "Ġfo", "th", "the"])
    merges = [("f", "o"), ("fo", "x"), ("Ġ", "f"), ("Ġf", "o"), ("Ġfo", "x"), ("t", "h"), ("th", "e")]
    made = Tokenizer(models.BPE(vocab=ids, merges=merges, continuing_subword_prefix="", end_of_word_suffix=""))
    if normalizer:
        made.normalizer = normalizer
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=True) if not regex else \
        pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(regex), "isolated"),
                                 pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=False)])
    if roberta:
        made.post_processor = processors.RobertaProcessing(("</s>", ids["</s>"]), ("<s>", ids["<s>"]),
                                                           add_prefix_space=prefix)
    elif any(around):
        made.post_processor = template(*around, ids)
    else:
        made.post_processor = processors.ByteLevel(trim_offsets=False)
    made.decoder = decoders.ByteLevel()
    return added(made, special)


def sentence_piece(special, scheme, first="<s>"):
    bytes_ = [f"<0x{number:02X}>" for number in range(256)]
    ids = vocabulary([*special, *bytes_], ["fo", "fox", "▁f", "▁fo", "▁fox", "th", "the", "▁the", "▁t", "▁th"])
    merges = [("▁", "f"), ("▁f", "o"), ("▁fo", "x"), ("▁", "t"), ("▁t", "h"), ("▁th", "e"), ("f", "o"), ("fo", "x"),
              ("t", "h"), ("th", "e")]
    made = Tokenizer(models.BPE(vocab=ids, merges=merges, fuse_unk=True, byte_fallback=True, unk_token="<unk>"))
    if scheme == "old":
        made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    elif scheme == "gemma":
        made.normalizer = normalizers.Replace(" ", "▁")
        made.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    else:
        made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=False)
    made.post_processor = template(first, None, ids)
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return added(made, special)


def t5():
    special = ["<pad>", "</s>", "<unk>"]
    words = vocabulary(special, ["▁fox", "fox", "▁the", "the", "▁a", *[f"<extra_id_{i}>" for i in range(100)]])
    made = Tokenizer(models.Unigram([(word, -float(number % 7) - (0 if len(word) > 1 else 10)) for word, number in
                                     words.items()], unk_id=2, byte_fallback=False))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    made.post_processor = template(None, "</s>", words)
    made.decoder = decoders.Metaspace()
    return added(made, [*special, *[f"<extra_id_{i}>" for i in range(100)]])


QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
END = ["<|endoftext|>"]
#: Name, class, type of the model, tokenizer.json, settings of the class that are always there.
CASES = [
    ("bert", "BertTokenizer", "bert", bert(lowercase=True), {}),
    ("bert, cased", "BertTokenizer", "bert", bert(lowercase=False, strip_accents=False), {"do_lower_case": False}),
    ("bert, lowercase by default", "BertTokenizerFast", "bert", bert(lowercase=False), {}),
    ("bert, no class", None, "bert", bert(lowercase=True), {}),
    ("distilbert", "DistilBertTokenizer", "distilbert", bert(lowercase=True), {}),
    ("bert, as it stands", "PreTrainedTokenizerFast", "bert", bert(lowercase=True), {}),
    ("gpt2", "GPT2Tokenizer", "gpt2", byte_level(END), {}),
    ("gpt2, prefix", "GPT2TokenizerFast", "gpt2", byte_level(END, prefix=True), {"add_prefix_space": True}),
    ("gpt2, as it stands", "TokenizersBackend", "gpt2", byte_level(END, prefix=True), {}),
    ("olmo2", "GPT2Tokenizer", "olmo2", byte_level(END, around=("<|endoftext|>", None)), {}),
    ("gpt_neox", "GPTNeoXTokenizer", "gpt_neox", byte_level([*END, "<|padding|>"], normalizer=normalizers.NFC()), {}),
    ("gpt_neox, with ends", "GPTNeoXTokenizerFast", "gpt_neox",
     byte_level([*END, "<|padding|>"], around=("<|endoftext|>", None), normalizer=normalizers.NFC()), {}),
    ("roberta", "RobertaTokenizer", "roberta", byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], roberta=True), {}),
    ("bart", "BartTokenizerFast", "bart", byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], roberta=True), {}),
    ("qwen2", "Qwen2Tokenizer", "qwen2", byte_level(END, regex=QWEN, normalizer=normalizers.NFC()), {}),
    ("qwen2, other class", "PreTrainedTokenizerFast", "qwen2", byte_level(END, regex=QWEN, normalizer=normalizers.NFC()), {}),
    ("qwen3", "Qwen2TokenizerFast", "qwen3", byte_level(END, regex=QWEN, normalizer=normalizers.NFC()), {}),
    ("llama, old", "LlamaTokenizer", "llama", sentence_piece(["<unk>", "<s>", "</s>"], "old"), {}),
    ("llama, first", "LlamaTokenizerFast", "llama", sentence_piece(["<unk>", "<s>", "</s>"], "first"), {}),
    ("llama, never", "LlamaTokenizer", "llama", sentence_piece(["<unk>", "<s>", "</s>"], "never"),
     {"add_prefix_space": False}),
    ("llama, as it stands", "PreTrainedTokenizerFast", "llama", sentence_piece(["<unk>", "<s>", "</s>"], "old"), {}),
    ("llama 3", "PreTrainedTokenizerFast", "llama", byte_level(["<|begin_of_text|>", "<|end_of_text|>"], regex=QWEN,
                                                               around=("<|begin_of_text|>", None)), {}),
    ("llama, bytes", "LlamaTokenizer", "llama", byte_level(["<s>", "</s>", "<unk>"], around=("<s>", None)), {}),
    ("mistral", "LlamaTokenizer", "mistral", sentence_piece(["<unk>", "<s>", "</s>"], "old"), {}),
    ("phi3", "LlamaTokenizerFast", "phi3", sentence_piece(["<unk>", "<s>", "</s>"], "old"), {}),
    ("gemma2", "GemmaTokenizer", "gemma2", sentence_piece(["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"], "gemma", "<bos>"), {}),
    ("t5", "T5Tokenizer", "t5", t5(), {}),
]
SPELLED = {"content": "<yy>", "lstrip": True, "rstrip": False, "single_word": False, "normalized": False, "special": True}
SETTINGS = dict(
    do_lower_case=[True, False], strip_accents=[True, False, None], tokenize_chinese_chars=[True, False],
    add_prefix_space=[True, False], add_bos_token=[True, False], add_eos_token=[True, False],
    split_special_tokens=[True, False], legacy=[True, False, None], extra_ids=[100, 0],
    bos_token=["<s>", "<zz>", dict(SPELLED, __type="AddedToken"), None], eos_token=["</s>", "<zz>"], unk_token=["<zz>"],
    cls_token=["<zz>"], sep_token=["<zz>"], pad_token=["<pad>"], mask_token=["<zz>", dict(SPELLED, __type="AddedToken")],
    image_token=["<zz>"], additional_special_tokens=[["<zz>", "<yy>"], []],
    extra_special_tokens=[["<zz>"], {"image_token": "<yy>"}],
    added_tokens_decoder=["beside", "flags", "wrong id", "plain"], fix_mistral_regex=[True], clean_up_tokenization_spaces=[True, False],
    model_max_length=[8], padding_side=["left"], truncation_side=["left"], trim_offsets=[False], errors=["strict"],
    chat_template=["x"], use_fast=[False], do_basic_tokenize=[False], never_split=[["fox"]], sp_model_kwargs=[{}],
    model_input_names=[["input_ids"]], name_or_path=["x"], processor_class=["X"], unheard_of=[3], split_letters=[True],
    lowercase_text=[True], normalization=["nfkc"], special_tokens_map=["beside"], added_tokens=["beside"],
    tokenizer_class=["GPT2Tokenizer", "BertTokenizer", "LlamaTokenizer", "NovelTokenizer"],
)


def decoder_of(made, kind):
    tokens = {str(number): {"content": token.content, "lstrip": token.lstrip, "rstrip": token.rstrip,
                            "normalized": token.normalized, "single_word": token.single_word, "special": token.special}
              for number, token in made.get_added_tokens_decoder().items()}
    free = made.get_vocab_size()
    if kind == "flags":
        next(iter(tokens.values()))["lstrip"] = True
    else:
        tokens[str(free + (3 if kind == "wrong id" else 0))] = dict(SPELLED, content="<zz>", special=kind != "plain",
                                                                    normalized=kind == "plain")
    return tokens


def write(folder, case, key, value):
    name, cls, model_type, made, own = case
    made.save(str(folder / "tokenizer.json"))
    settings = dict(own, **({"tokenizer_class": cls} if cls else {}))
    beside = {"special_tokens_map": ("special_tokens_map.json", {"pad_token": "<zz>", "bos_token": SPELLED}),
              "added_tokens": ("added_tokens.json", {"<zz>": made.get_vocab_size()})}
    if key in beside:
        (folder / beside[key][0]).write_text(json.dumps(beside[key][1]))
    elif key == "added_tokens_decoder":
        settings[key] = decoder_of(made, value)
    elif key:
        settings[key] = value
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "config.json").write_text(json.dumps({"model_type": model_type}))


def ours(folder, text):
    (folder / "text").write_text(text)
    done = subprocess.run([PROGRAM, "tokenize", str(folder), "--text-file", str(folder / "text"), "--json"],
                          capture_output=True, text=True, env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    if done.returncode:
        return None, done.stderr
    return [token["id"] for token in json.loads(done.stdout)], done.stderr


def verdict_of(job):
    case, key, value = job
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, case, key, value)
        try:
            theirs = transformers.AutoTokenizer.from_pretrained(name)
            expected = [theirs(text)["input_ids"] for text in TEXTS]
        except Exception as error:  # of any kind: what Transformers does not build
            expected = f"{type(error).__name__}: {error}"
        got, notes = [], ""
        for text in TEXTS:
            ids, said = ours(folder, text)
            if ids is None:
                return job, "refused" if key and key in said or isinstance(expected, str) else "WRONG", said, ""
            got.append(ids)
            notes = said
    if isinstance(expected, str):
        return job, "not built", expected, notes
    if got == expected:
        return job, "equal", "", notes
    named = re.search(rf"'({key}|tokenizer_class)'", notes) if key else None
    differing = next(index for index in range(len(TEXTS)) if got[index] != expected[index])
    return job, "named" if named else "WRONG", f"{TEXTS[differing]!r}: {expected[differing]} -> {got[differing]}", notes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    jobs = []
    for case in CASES:
        if arguments.classes and case[1] not in arguments.classes.split(","):
            continue
        if not arguments.only:
            jobs.append((case, None, None))
        jobs += [(case, key, value) for key, values in SETTINGS.items() for value in values
                 if not arguments.only or key in arguments.only.split(",")]
    counts = collections.Counter()
    with ThreadPoolExecutor(2) as pool:
        for (case, key, value), verdict, what, notes in pool.map(verdict_of, jobs):
            counts[verdict] += 1
            if verdict == "WRONG" or arguments.verbose and verdict != "equal":
                print(f"{verdict}: {case[0]}, {key} = {json.dumps(value)}: {what.strip()} {notes.strip()}", flush=True)
    print(f"Transformers {transformers.__version__}:", ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
