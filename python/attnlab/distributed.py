"""Maps of long heads, and figures of heads over a corpus, computed on a Dask cluster.

Client and workers need `dask.distributed` (`pip install attnlab[distributed]`); workers also need the program `attnlab`.
If a worker is lost, another one runs its tasks again.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .arrays import require_text
from .errors import AttnLabError
from .program import json_of, run
from .recording import Recording
from .single import record

Source = Union[str, "os.PathLike[str]", Recording]
_MOST_PARTS = 4096
_TEXTS_OF_A_TASK = 8


def _slots(client: Any) -> int:
    """The number of tasks that run at the same time."""
    threads = sum(worker["nthreads"] for worker in client.scheduler_info()["workers"].values())
    return max(1, threads)


def _part(source: Union[str, bytes], arguments: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
        path = Path(folder, "input.safetensors")
        if isinstance(source, bytes):
            path.write_bytes(source)
        part = Path(folder, "part.npz")
        run(["map", str(path) if isinstance(source, bytes) else source, *arguments, "--partial", str(part)])
        return part.read_bytes()


def _scattered(client: Any, content: bytes, retries: int) -> Any:
    """A future of the content, copied to every worker. Copying fails if a worker is lost meanwhile: then it is repeated."""
    for attempt in range(retries + 1):
        try:
            return client.scatter(content, broadcast=True, hash=False)
        except OSError:
            if attempt == retries:
                raise
            time.sleep(0.2 * 2**attempt)


def map(client: Any, source: Optional[Source] = None, *, q: Any = None, k: Any = None, batch: int = 0, head: int = 0,
        bins: tuple[int, int] = (512, 512), pool: str = "max", parts: Optional[int] = None,
        options: Sequence[str] = (), retries: int = 3, **settings: Any) -> np.ndarray:
    """The pooled weights of one head, float32 (rows of bins, columns of bins), NaN where every cell of a bin is masked.

    `source` is a file that every worker can read, or a recording. Otherwise pass `q` and `k` with mask, causal, scale and
    so on, as for `attnlab.show`. `options` are further options of `attnlab map`. The map is divided by rows into `parts`,
    at most one for each row of bins. The result is equal bit for bit for any number of parts, and if workers are lost.
    """
    if (source is None) == (q is None and k is None):
        raise AttnLabError("map: expected either a file or a recording, or q and k")
    if isinstance(source, (str, os.PathLike)):
        if settings:
            raise AttnLabError(f"map: {', '.join(settings)}: go with q and k; a file takes options")
        where: Any = os.fspath(source)
    else:
        recording = source if isinstance(source, Recording) else record(q, k, **settings)
        with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
            recording.save(Path(folder, "input.safetensors"))
            where = _scattered(client, Path(folder, "input.safetensors").read_bytes(), retries)
    if parts is None:
        parts = 2 * _slots(client)
        if not isinstance(source, (str, os.PathLike)):
            parts = min(parts, _rows_of_bins(recording.passes[0].shape[2], bins[0]))
    if not 1 <= parts <= _MOST_PARTS:
        raise AttnLabError(f"map: parts is {parts}, expected 1 to {_MOST_PARTS}")
    arguments = ["--batch", str(batch), "--head", str(head), "--bins", f"{bins[0]}x{bins[1]}", "--pool", pool, *options]
    tasks = [client.submit(_part, where, [*arguments, "--rows", f"{index}/{parts}"], pure=False, retries=retries)
             for index in range(parts)]
    with tempfile.TemporaryDirectory(prefix="attnlab-") as folder:
        files = []
        for index, task in enumerate(tasks):
            files.append(str(Path(folder, f"part{index}.npz")))
            Path(files[-1]).write_bytes(task.result())
        out = Path(folder, "map.npy")
        run(["merge", *files, "--out", str(out)])
        return np.load(out)


def _rows_of_bins(rows: int, most: int) -> int:
    """The number of rows of bins, as in `attnlab map --bins`."""
    height = -(-rows // most)
    return -(-rows // height)


@dataclass(frozen=True)
class HeadFigures:
    """The figures of one head over a corpus: a mean and a spread (standard deviation) for each, over the texts."""

    name: str  #: of its pass, "decoder.3.self"
    head: int
    texts: int
    mean: Mapping[str, float]
    spread: Mapping[str, float]
    precision: str = "float32"  #: of the model's products with weights


def _figures(model: str, texts: Sequence[str], precision: str) -> list[list[dict[str, Any]]]:
    found = []
    for text in texts:
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", newline="") as file:
            file.write(require_text(text, "heads: a text"))
            file.flush()
            found.append(json_of(run(["model", model, "--text-file", file.name, "--precision", precision,
                                      "--json"]).stdout)["heads"])
    return found


def _summary(values: Sequence[float]) -> tuple[float, float]:
    """Exactly rounded sums, which do not depend on the order."""
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def heads(client: Any, model: Union[str, "os.PathLike[str]"], texts: Iterable[str], *,
          precision: str = "float32", retries: int = 3) -> list[HeadFigures]:
    """The figures of `attnlab model` for every head of a model on disk. The texts are divided among the workers.

    `model` is a path that every worker can read, or "sample". `precision` is "float32", or "bfloat16" for products of
    numbers rounded to it, which every HeadFigures then names. The result does not depend on the order of the texts or on
    lost workers.
    """
    texts = list(texts)
    if not texts:
        raise AttnLabError("heads: has no texts, expected at least one")
    if any(not isinstance(text, str) for text in texts):
        raise AttnLabError("heads: has something that is no text, expected texts")
    tasks = [client.submit(_figures, os.fspath(model), texts[first:first + _TEXTS_OF_A_TASK], precision, pure=False,
                           retries=retries) for first in range(0, len(texts), _TEXTS_OF_A_TASK)]
    found = [heads_of_text for task in tasks for heads_of_text in task.result()]
    result = []
    for at, one in enumerate(found[0]):
        names = [name for name in one if name not in ("pass", "head")]
        summaries = {}
        for name in names:
            values = [text[at][name] for text in found if isinstance(text[at][name], (int, float))]
            if values:
                summaries[name] = _summary(values)
        result.append(HeadFigures(one["pass"], one["head"], len(found), {name: s[0] for name, s in summaries.items()},
                                  {name: s[1] for name, s in summaries.items()}, precision))
    return result
