"""Results of the program's engine as NumPy arrays."""

from __future__ import annotations

import copy
import inspect
import numbers
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional, Union

import numpy as np

from . import safetensors
from .arrays import Array, as_array, heads_of, labels_of
from .bands import Window, offsets_of, reaches_of
from .errors import AttnLabError
from .program import json_of, run
from .single import record

Masks = Union[None, str, Sequence[str]]
Labels = dict[str, list[str]]
LABELS = "labels.npz"  #: beside the inputs of a picture


class Result(Mapping[str, np.ndarray]):
    """The stages by name: `result["weights"]`, `result.output`."""

    def __init__(self, stages: dict[str, np.ndarray], notes: Sequence[str], inputs: Optional[dict[str, Array]] = None,
                 options: Sequence[str] = (), labels: Optional[Labels] = None) -> None:
        self._stages = stages
        self._inputs = inputs  # copies: a picture is of what was computed
        self._options = list(options)
        self._labels = dict(labels or {})
        self.notes = list(notes)  #: what the program says of the computation

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._stages:
            raise KeyError(f"{name!r} is none of the stages {', '.join(self._stages)}")
        return self._stages[name]

    def __getattr__(self, name: str) -> np.ndarray:
        stages: dict[str, np.ndarray] = self.__dict__.get("_stages", {})
        if name not in stages:
            raise AttributeError(name)
        return stages[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stages)

    def __len__(self) -> int:
        return len(self._stages)

    def __repr__(self) -> str:
        stages = [f"{name} {array.shape}" for name, array in self._stages.items()]
        more = f", and {len(stages) - 8} more" if len(stages) > 8 else ""
        return "Result(" + ", ".join(stages[:8]) + more + ")"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from .figure import bundle_of

        return bundle_of(self, include, exclude)

    def _main_stage(self) -> str:
        return "weights" if "weights" in self._stages else list(self._stages)[-1]

    def _source(self) -> tuple[Callable[[str], None], list[str], str]:
        """For a picture: what writes the inputs, the options of the computation, and a short text."""
        inputs = self._inputs
        if inputs is None:
            raise AttnLabError("this result has no inputs to draw it from")
        labels = self._labels

        def save(path: str) -> None:
            safetensors.write(path, inputs)
            if labels:
                _save_labels(Path(path).with_name(LABELS), labels)

        return save, self._options, repr(self)


def compute(q: Any = None, k: Any = None, v: Any = None, *, variant: Optional[str] = None,
            scale: Union[None, str, float] = None, position: Optional[str] = None, masks: Masks = None,
            mask: Any = None, mask_expression: Masks = None, mask_combine: Optional[str] = None,
            score_mod: Optional[str] = None, normaliser: Optional[str] = None, decay: Optional[str] = None, causal: bool = False, window: Window = 0, window_size: Optional[Sequence[int]] = None,
            query_offset: Any = None, soft_cap: Optional[float] = None, tokens: Optional[Sequence[str]] = None,
            key_tokens: Optional[Sequence[str]] = None, settings: Optional[Mapping[str, Any]] = None,
            statistics: bool = False, stage: Optional[str] = None, layout: str = "BHLE", **arrays: Any) -> Result:
    """Runs `attnlab compute`. `attnlab list` shows mechanisms, scales and masks with their inputs.

    `mask` is bool (True keeps) or floats that are added. `masks` are names of the command line, such as "window:4".
    `scale` is a name of the command line, such as "none" or "softcap:30", or a number that multiplies the scores. Pass
    other inputs of a mechanism by name, `w_q=...`. AttnLabError lists inputs that the mechanism does not use.

    `mask_expression` is a condition to keep a cell, or several: "q >= k and doc[b, q] == doc[b, k]"; pass the arrays
    that it reads by name, `doc=...`. `mask_combine` is "and", "or" or an expression of the masks' names. `score_mod`
    replaces each scaled score: "score - 0.5 * abs(q - k)". `normaliser` makes the weights instead of softmax: "sigmoid",
    "entmax:1.3"; `decay` lets keys fade with their distance: "retention:0.9", "forget".

    `window`, `window_size` and `query_offset` are those of `show`. By default the first query has the position of the
    first key, as in the program; "bottom_right" needs q and k.

    `soft_cap` is that of `show`, which goes with the default scale. `tokens` and `key_tokens` are labels of pictures. Arrays of two axes
    are one head.
    """
    inputs = {name: as_array(array, name) for name, array in arrays.items()}
    for name, given in (("query", q), ("key", k), ("value", v)):
        if given is not None:
            inputs[name] = heads_of(given, layout, name)
    _refuse_two_meanings(inputs)
    options: list[str] = []
    if soft_cap is not None:
        if scale is not None:
            raise AttnLabError(f"soft_cap: is {soft_cap!r}, and scale is {scale!r}; expected one of them")
        if not isinstance(soft_cap, numbers.Real) or not 0 < soft_cap < float("inf"):
            raise AttnLabError(f"soft_cap: is {soft_cap!r}, expected a number above 0")
        scale = f"softcap:{float(soft_cap)!r}"
    if isinstance(scale, numbers.Real):
        scale = f"custom:{float(scale)!r}"
    for option, value in (("--variant", variant), ("--scale", scale), ("--position", position),
                          ("--normaliser", normaliser), ("--decay", decay)):
        if value is not None:
            options += [option, str(value)]
    if settings is not None and not isinstance(settings, Mapping):
        raise AttnLabError(f"settings: is {settings!r}, expected values by their names")
    for name, value in (settings or {}).items():
        options += ["--set", f"{name}={value}"]
    options += _texts("masks", masks, "--mask", "a mask of the command line")
    options += _texts("mask_expression", mask_expression, "--mask-expression", "a condition")
    for option, text in (("mask_combine", mask_combine), ("score_mod", score_mod)):
        if text is not None:
            options += _texts(option, text, "--" + option.replace("_", "-"), "an expression", several=False)
    options += _band(inputs, causal, window, window_size, query_offset)
    if mask is not None:
        options += _add_mask(inputs, as_array(mask, "mask"))
    if not inputs:
        raise AttnLabError("compute: expected q, k and v, or the inputs of a mechanism by their names")
    labels = _labels(inputs, tokens, key_tokens)
    with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
        given, out = Path(folder, "inputs.safetensors"), Path(folder, "stages.safetensors")
        safetensors.write(given, inputs)
        _refuse_unused(run(["info", str(given), "--json", *options], accepted=(0, 1)).stdout)
        settings_alone = list(options)
        options += ["--stage", stage] if stage is not None else []
        options += ["--statistics"] if statistics else []
        done = run(["compute", str(given), "--out", str(out), *options])
        stages, _ = safetensors.read(out)
        kept = {name: as_array(array, name, copy=True) for name, array in inputs.items()}
        return Result({name: array.numpy() for name, array in stages.items()}, done.stderr.splitlines(), kept,
                      settings_alone, labels)


def _labels(inputs: Mapping[str, Array], tokens: Any, key_tokens: Any) -> Labels:
    labels: Labels = {}
    for name, given, role in (("tokens", tokens, "query"), ("key_tokens", key_tokens, "key")):
        if given is None:
            continue
        lists = labels_of(given, inputs[role].shape[2] if role in inputs else None, name)
        if len(lists) != 1:
            raise AttnLabError(f"{name}: has labels of {len(lists)} sequences, expected one list for all")
        labels[f"{role}_tokens"] = lists[0]
    return labels


def _save_labels(path: Path, labels: Labels) -> None:
    np.savez(path, **{name: np.array(words, dtype=np.str_) for name, words in labels.items()})


def _texts(name: str, given: Masks, option: str, what: str, several: bool = True) -> list[str]:
    texts = [given] if isinstance(given, str) else given or ()
    if not isinstance(texts, Iterable) or any(not isinstance(one, str) for one in texts) or \
            not (several or isinstance(given, str)):
        raise AttnLabError(f"{name}: is {given!r}, expected {what}" + (", or a list of them" if several else ""))
    return [f"{option}={one}" for one in texts]


def _band(inputs: dict[str, Array], causal: bool, window: Window, window_size: Optional[Sequence[int]],
          query_offset: Any) -> list[str]:
    """The options of causal and window; offsets of several sequences become an input."""
    left, right = reaches_of(window, window_size)
    options = ["--mask", "causal"] if causal else []
    if left is not None or (right is not None and not causal):
        if left is not None and (causal or left == right):  # the causal mask bounds the other side
            options += ["--mask", f"window:{2 * left}"]
        else:
            options += ["--mask", "window:" + ",".join("inf" if one is None else str(one) for one in (left, right))]
    if query_offset is None and window_size is not None and options:
        query_offset = "bottom_right"  # flash-attention lines up the last ones
    if query_offset is None:
        return options
    rows = [inputs[name].shape[2] for name in ("query", "key") if name in inputs]
    if len(rows) < 2 and isinstance(query_offset, str):
        raise AttnLabError(f"query_offset: is {query_offset!r}, expected an integer, as q and k are not given")
    batch = inputs["query"].shape[0] if "query" in inputs else None
    offsets = offsets_of(query_offset, (batch, *rows) if len(rows) == 2 else (batch, 0, 0))
    if len(offsets) == 1:
        return [*options, "--query-offset", str(offsets[0])]
    inputs["query_offset"] = as_array(np.array(offsets, np.int64), "query_offset")
    return options


def _refuse_two_meanings(inputs: Mapping[str, Array]) -> None:
    """PyTorch's function and its module give True opposite meanings under this name."""
    if "attn_mask" in inputs and inputs["attn_mask"].type == "BOOL":
        raise AttnLabError("attn_mask: is bool, whose True keeps for scaled_dot_product_attention and blocks for "
                           "nn.MultiheadAttention; expected mask=, whose True keeps (of a module's: mask=~attn_mask)")


def _refuse_unused(info: str) -> None:
    if not info:
        return  # what is wrong with the inputs is said when they are computed
    unused = json_of(info).get("unused", [])
    if unused:
        name = unused[0]["name"]
        instead = {"is_causal": "; causal=True makes the mask", "dropout_p": "; settings={'dropout': p} drops weights"}
        raise AttnLabError(f"{name}: is not used, as no input of this mechanism has the name{instead.get(name, '')}")


def _add_mask(inputs: dict[str, Array], mask: Array) -> list[str]:
    if mask.type == "BOOL":
        inputs["attn_mask"] = mask
        return ["--mask-true", "keeps"]
    if mask.type[0] in "UI":
        raise AttnLabError("mask: has integers, expected bool, whose True keeps, or floats that are added")
    inputs["attn_bias"] = mask
    return []


@dataclass(frozen=True)
class Comparison:
    """An array compared with the exact one. True if every cell is within the tolerance."""

    ok: bool
    report: dict[str, Any]  #: what `attnlab compare --json` prints
    text: str
    _draw: Optional[Callable[[], str]] = field(default=None, repr=False, compare=False)

    def to_html(self) -> str:
        """A page with the given array, the exact one, and their difference."""
        if self._draw is None:
            raise AttnLabError("this comparison has no arrays to draw")
        return self._draw()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from .figure import in_frame

        made = {"text/plain": self.text}
        if (not include or "text/html" in include) and "text/html" not in (exclude or ()):
            try:
                made["text/html"] = in_frame(self.to_html())
            except AttnLabError as error:  # too large for a page
                made["text/plain"] += f"\nnot drawn: {error}"
        return made

    @property
    def largest(self) -> Optional[dict[str, Any]]:
        """The largest error: its index, the given number and the exact number."""
        return self.report.get("largest")

    @property
    def likely_mistakes(self) -> list[str]:
        return [mistake["text"] for mistake in self.report.get("likely_mistakes", [])]

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Comparison(ok={self.ok}, relative_error={self.report.get('relative_error')})"


def compare(mine: Any = None, q: Any = None, k: Any = None, v: Any = None, *, weights: Any = None, lse: Any = None,
            tolerance: Optional[float] = None, layout: str = "BHLE", **options: Any) -> Comparison:
    """Compares a kernel's result with exact attention of the same inputs. Pass its output `mine`, `weights` or `lse`.

    The result has the place and size of the differences, and known mistakes that explain them. Other options are those
    of `show`: mask, causal, scale, window, offset, soft_cap, sinks. `weights` and `lse` do not need `v`.
    """
    unknown = sorted(set(options) - set(inspect.signature(record).parameters))
    if unknown:
        raise TypeError(f"compare() got an unexpected keyword argument {unknown[0]!r}")
    given = {"output": mine, "weights": weights, "lse": lse}
    chosen = [(stage, array) for stage, array in given.items() if array is not None]
    if len(chosen) != 1:
        raise AttnLabError("compare: expected one of mine, weights and lse")
    stage, array = chosen[0]
    own = heads_of(array, layout, "mine") if stage == "output" else as_array(array, stage)
    if v is None and stage != "output":
        v = k  # any would do
    recording = record(q, k, v, layout=layout, **options)
    with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
        inputs, other = Path(folder, "inputs.safetensors"), Path(folder, "mine.safetensors")
        recording.save(inputs)
        safetensors.write(other, {stage: own})
        arguments = ["compare", str(inputs), "--against", f"{other}:{stage}", "--stage", stage]
        if tolerance is not None:
            arguments += ["--tolerance", repr(float(tolerance))]
        report = json_of(run([*arguments, "--json"], accepted=(0, 3)).stdout)
        done = run(arguments, accepted=(0, 3))
    kept = as_array(own, stage, copy=True)
    sources = copy.deepcopy(recording)

    def draw() -> str:
        with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
            inputs, other = Path(folder, "inputs.safetensors"), Path(folder, "mine.safetensors")
            page = Path(folder, "page.html")
            sources.save(inputs)
            safetensors.write(other, {stage: kept})
            run(["compare", str(inputs), "--against", f"{other}:{stage}", "--stage", stage, "--out", str(page)],
                accepted=(0, 3))
            return page.read_text("utf-8")

    return Comparison(done.returncode == 0, report, done.stdout, draw)
