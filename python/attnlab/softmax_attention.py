"""Attention that is written out: scores from a product, a softmax, and its product with values.

Tensors are followed from one function to the next. What comes of it is compared with the weights before it is used, so
that following them too far does no harm.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass, field, replace
from typing import Any, Optional, Union

import numpy as np
import torch

from .arrays import Array
from .masks import Mask, compact

_PRODUCTS = {"matmul", "__matmul__", "bmm", "einsum", "baddbmm", "baddbmm_"}
_MULTIPLY = {"mul", "mul_", "multiply", "__mul__", "__rmul__", "__imul__"}
_DIVIDE = {"div", "div_", "divide", "true_divide", "__truediv__", "__itruediv__"}
# Functions whose result has the same size but other places.
_MOVES = {"transpose", "transpose_", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "t", "flip", "roll", "sort",
          "argsort", "cumsum", "as_strided", "tril_indices", "gather", "softmax", "log_softmax", "adjoint"}
_CUTS = {"__getitem__", "narrow"}
_DROWNING = 1e5
_BLOCKED = -1000.0  # added to a score, where the weight is then zero
_HEADS = ("num_heads", "n_heads", "num_attention_heads", "n_head", "nhead", "heads")


@dataclass
class _Scores:
    """Came from q . k: query (...,L,E) and key (...,S,E)."""

    query: Any
    key: Any
    factors: list[Any] = field(default_factory=list)  # numbers, or tensors of one
    shape: tuple[int, ...] = ()  # of four axes, where one was seen


@dataclass
class _Weights:
    """Came from a softmax of `given` over the last axis."""

    scores: Optional[_Scores]
    given: Any
    weights: Any
    modules: list[Any]
    shape: tuple[int, ...]
    has_dropout: bool = False


@dataclass
class Product:
    """An attention: weights (B,H,L,S) times value (B,H,S,Ev)."""

    weights: Any  # as the product had them
    exact: Any  # of the softmax, before dropout
    given: Any  # to the softmax
    query: Any  # (B,H,L,E), or None
    key: Any
    value: Any
    scale: float
    output: Any
    has_dropout: bool
    modules: list[Any]  # that ran at the softmax and at the product


class Trace:
    """What is known of the tensors of one thread."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Union[_Scores, _Weights]]] = {}

    def clear(self) -> None:
        self._known.clear()

    def _of(self, tensor: Any) -> Union[None, _Scores, _Weights]:
        found = self._known.get(id(tensor))
        return found[1] if found is not None and found[0]() is tensor else None

    def _set(self, tensor: Any, what: Union[_Scores, _Weights]) -> None:
        key, known = id(tensor), self._known

        def forget(reference: Any) -> None:
            if known.get(key, (None,))[0] is reference:
                del known[key]

        known[key] = (weakref.ref(tensor, forget), what)

    def follow(self, name: str, args: Any, kwargs: Any, result: Any, modules: list[Any]) -> Optional[Product]:
        """Returns an attention that this function has completed."""
        if name in _PRODUCTS:
            return self._product(name, args, kwargs, result, modules)
        if name == "softmax":
            x = args[0] if args else kwargs.get("input")
            axis = kwargs.get("dim", args[1] if len(args) > 1 else None)
            if isinstance(x, torch.Tensor) and isinstance(result, torch.Tensor) and x.dim() >= 2 and axis in (
                    -1, x.dim() - 1):
                known = self._of(x)
                scores = known if isinstance(known, _Scores) else None
                shape = scores.shape if scores is not None else ()
                self._set(result, _Weights(scores, x.detach(), result.detach(), list(modules), _four(result, shape)))
            return None
        if self._known and isinstance(result, torch.Tensor) and name not in _MOVES:
            self._elementwise(name, args, kwargs, result)
        return None

    def _elementwise(self, name: str, args: Any, kwargs: Any, result: Any) -> None:
        for at, x in enumerate(args[:3]):
            known = self._of(x) if isinstance(x, torch.Tensor) else None
            if isinstance(known, _Weights) and name in _CUTS and result.dim() == x.dim() >= 2 and (
                    result.shape[:-1] == x.shape[:-1]):
                self._set(result, replace(known, shape=()))  # without the column of a sink
                return
            if known is None or x.numel() != result.numel() or x.dim() == 0 or x.shape[-1] != result.shape[-1]:
                continue
            if isinstance(known, _Weights):
                rate = kwargs.get("p", args[1] if len(args) > 1 else 0.5) if "dropout" in name else 0.0
                trains = kwargs.get("training", kwargs.get("train", args[2] if len(args) > 2 else True))
                self._set(result, replace(known, shape=_four(result, known.shape), has_dropout=known.has_dropout or bool(
                    rate and trains)))
                return
            factors = list(known.factors)
            other = args[1 - at] if len(args) > 1 and at < 2 else None
            if name in _MULTIPLY and _is_number(other):
                factors.append(other)
            elif name in _DIVIDE and at == 0 and _is_number(other):
                factors.append(1 / other)
            self._set(result, replace(known, factors=factors, shape=_four(result, known.shape)))
            return

    def _product(self, name: str, args: Any, kwargs: Any, result: Any, modules: list[Any]) -> Optional[Product]:
        factors: list[Any] = []
        if name == "einsum":
            operands = list(args[1]) if len(args) == 2 and isinstance(args[1], (list, tuple)) else list(args[1:])
            if not args or not isinstance(args[0], str) or len(operands) != 2:
                return None
            axes = _axes(args[0], *operands)
            if axes is None:
                return None
        elif name.startswith("baddbmm"):
            operands = [kwargs.get("batch1", args[1] if len(args) > 1 else None),
                        kwargs.get("batch2", args[2] if len(args) > 2 else None)]
            factors = [kwargs.get("alpha", 1)]
            axes = None
        else:
            second = kwargs.get("other", kwargs.get("mat2", kwargs.get("tensor2", args[1] if len(args) > 1 else None)))
            operands, axes = [args[0] if args else kwargs.get("input"), second], None
        if not isinstance(result, torch.Tensor) or not result.is_floating_point() or any(
                not isinstance(x, torch.Tensor) or x.dim() < 2 for x in operands):
            return None
        for at in (0, 1):
            known = self._of(operands[at])
            if isinstance(known, _Weights) and not name.startswith("baddbmm"):
                ready = _ordered(operands[at], operands[1 - at], result, axes and (axes if at == 0 else axes.swapped()),
                                 at)
                if ready is not None:
                    return _completed(known, *ready, modules)
        first, second = operands
        if axes is not None:
            if axes.batch + axes.first + axes.second != axes.out or len(axes.shared) != 1 or not (
                    len(axes.first) == len(axes.second) == 1):
                return None
            query = first.detach().permute([axes.one.index(axis) for axis in axes.batch + axes.first + axes.shared])
            key = second.detach().permute([axes.two.index(axis) for axis in axes.batch + axes.second + axes.shared])
        else:
            query, key = first.detach(), second.detach().transpose(-1, -2)
        if not query.is_nested:
            self._set(result, _Scores(query, key, factors, _four(result, ())))
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, torch.Tensor) and value.numel() == 1)


def _four(tensor: Any, before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(tensor.shape) if tensor.dim() == 4 else before


@dataclass
class _Axes:
    """Letters of an einsum of two."""

    one: str
    two: str
    out: str

    @property
    def batch(self) -> str:
        return "".join(axis for axis in self.out if axis in self.one and axis in self.two)

    @property
    def first(self) -> str:
        return "".join(axis for axis in self.out if axis not in self.two)

    @property
    def second(self) -> str:
        return "".join(axis for axis in self.out if axis not in self.one)

    @property
    def shared(self) -> str:
        return "".join(axis for axis in self.one if axis in self.two and axis not in self.out)

    def swapped(self) -> _Axes:
        return _Axes(self.two, self.one, self.out)


def _axes(equation: str, first: Any, second: Any) -> Optional[_Axes]:
    """None where it is no product of two whose every axis is in two places."""
    left, arrow, out = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow or len(terms) != 2 or not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
        return None
    if len({"..." in term for term in (*terms, out)}) > 1:
        return None
    if "..." in out:
        more = first.dim() - len(terms[0]) + 3
        free = "".join(chr(ord("A") + at) for at in range(26) if chr(ord("A") + at) not in equation)
        if more < 0 or more > len(free) or more != second.dim() - len(terms[1]) + 3:
            return None
        terms, out = [term.replace("...", free[:more]) for term in terms], out.replace("...", free[:more])
    axes = _Axes(terms[0], terms[1], out)
    letters = terms[0] + terms[1] + out
    if any(len(set(term)) != len(term) for term in (*terms, out)) or any(
            letters.count(axis) not in (2, 3) for axis in letters):
        return None
    return axes if len(terms[0]) == first.dim() and len(terms[1]) == second.dim() else None


def _ordered(weights: Any, value: Any, result: Any, axes: Optional[_Axes], at: int) -> Optional[tuple[Any, Any, Any]]:
    """Weights (...,L,S), value (...,S,Ev) and output (...,L,Ev)."""
    weights, value, result = weights.detach(), value.detach(), result.detach()
    if axes is None:
        return (weights, value, result) if at == 0 and value.shape[-2] == weights.shape[-1] else None
    if len(axes.shared) != 1 or axes.one[-1] != axes.shared or len(axes.first) != 1 or len(axes.second) != 1:
        return None
    batch = "".join(axis for axis in axes.one if axis in axes.batch)
    return (weights.permute([axes.one.index(axis) for axis in batch + axes.first + axes.shared]),
            value.permute([axes.two.index(axis) for axis in batch + axes.shared + axes.second]),
            result.permute([axes.out.index(axis) for axis in batch + axes.first + axes.second]))


def _completed(known: _Weights, weights: Any, value: Any, output: Any, modules: list[Any]) -> Optional[Product]:
    common = [one for one, other in zip(known.modules, modules) if one is other]
    lead = weights.shape[:-2]
    count = math.prod(lead)
    if weights.dim() == 4:
        batch, heads = lead
    elif weights.dim() > 4:
        batch, heads = math.prod(lead[:-1]), lead[-1]
    else:
        batch, heads = _batch_and_heads(count, known, weights, common)

    def four(x: Any) -> Optional[Any]:
        """With the leading axes of the weights, as (B,H,...)."""
        if x is None:
            return None
        try:
            if math.prod(x.shape[:-2]) != count:
                x = x.expand(*lead, *x.shape[-2:])
            return x.reshape(batch, heads, *x.shape[-2:])
        except RuntimeError:
            return None

    weights4, value4, output4 = four(weights), four(value), four(output)
    if weights4 is None or value4 is None or output4 is None:
        return None
    scores = known.scores
    query, key = (four(scores.query), four(scores.key)) if scores is not None else (None, None)
    if query is None or key is None or (*query.shape[:3], key.shape[2]) != tuple(weights4.shape) or (
            query.shape[3] != key.shape[3]):
        query = key = None
    scale = math.prod(float(factor) for factor in scores.factors) if scores is not None else 1.0

    def like(x: Any) -> Any:
        return x.reshape(weights4.shape) if x.numel() == weights4.numel() else None

    # The order of the axes of an einsum's weights is that of the softmax unless its letters say otherwise.
    is_plain = tuple(weights.shape[-2:]) == tuple(known.weights.shape[-2:])
    exact, given = (like(known.weights), like(known.given)) if is_plain else (None, None)
    return Product(weights4, exact, given, query, key, value4, scale, output4, known.has_dropout, common)


def _batch_and_heads(count: int, known: _Weights, weights: Any, modules: list[Any]) -> tuple[int, int]:
    shape = known.shape
    if len(shape) == 4 and shape[0] * shape[1] == count and tuple(shape[2:]) == tuple(weights.shape[-2:]):
        return shape[0], shape[1]
    for module in reversed(modules[-2:]):
        for name in _HEADS:
            heads = getattr(module, name, None)
            if isinstance(heads, int) and heads > 0 and count % heads == 0:
                return count // heads, heads
    return count, 1


# What the scores were made of


@dataclass
class Explained:
    query: Any
    key: Any
    value: Any
    scale: float
    mask: Mask


def explained(event: Product) -> Optional[Explained]:
    """Queries, keys, scale, mask and bias that give the weights; None where they do not."""
    if event.query is None or event.given is None or event.exact is None or not math.isfinite(event.scale):
        return None
    kind = torch.float64 if event.given.dtype == torch.float64 else torch.float32
    if bool(((event.given.abs() > _DROWNING) & (event.exact > 0)).any()):
        kind = torch.float64  # float32 loses the scores beside such a bias, as the model did; exact arithmetic would not
    given, exact = event.given.to(kind), event.exact.to(kind)
    scores = (event.query.to(kind) @ event.key.to(kind).transpose(-1, -2)) * event.scale
    apart = given - scores
    blocked = (exact == 0) & ~(apart > _BLOCKED)
    tolerance = _tolerance(event, scores, blocked)
    bias = _bias(torch.where(blocked, torch.zeros_like(apart), apart), blocked, tolerance)
    whole = scores if bias is None else scores + bias
    made = torch.softmax(torch.where(blocked, torch.full_like(whole, -torch.inf), whole), dim=-1)
    if not torch.allclose(made.nan_to_num(0), exact.nan_to_num(0), rtol=0, atol=max(1e-5, min(tolerance, 0.02))):
        return None
    if exact.dtype != event.weights.dtype or not event.has_dropout:
        used = event.weights.to(kind)
        if not event.has_dropout and not torch.allclose(used, exact, rtol=0, atol=max(1e-6, _eps(event.weights.dtype))):
            return None  # changed after the softmax
    mask = compact(_reduced(~blocked).cpu().numpy())
    if bias is not None:
        mask = replace(mask, bias=Array("F64" if kind == torch.float64 else "F32", np.array(bias.cpu().numpy())))
    return Explained(event.query, event.key, event.value, event.scale, mask)


def _eps(dtype: Any) -> float:
    return float(torch.finfo(dtype).eps)


def _tolerance(event: Product, scores: Any, blocked: Any) -> float:
    """How far rounding may move a score."""
    size = float(torch.where(blocked, torch.zeros_like(scores), scores).abs().nan_to_num(0).max()) if scores.numel() else 0
    return 8 * max(_eps(event.given.dtype), _eps(event.query.dtype)) * (1 + size)


def _bias(apart: Any, blocked: Any, tolerance: float) -> Optional[Any]:
    """What was added to the scores, with axes of size one where it repeats; None where nothing was."""
    if not apart.numel() or float(apart.abs().nan_to_num(torch.inf).max()) <= tolerance:
        return None
    for axis in (0, 1, 2):
        high = torch.where(blocked, torch.full_like(apart, -torch.inf), apart).amax(axis, keepdim=True)
        low = torch.where(blocked, torch.full_like(apart, torch.inf), apart).amin(axis, keepdim=True)
        nothing = blocked.all(axis, keepdim=True)
        if bool((((high - low) <= tolerance) | nothing).all()):
            apart = torch.where(nothing, torch.zeros_like(high), low + (high - low) / 2)
            blocked = nothing
    return apart


def _reduced(cells: Any) -> Any:
    """With axes of size one where batches or heads are equal."""
    for axis in (0, 1):
        if cells.shape[axis] > 1 and bool((cells == cells.narrow(axis, 0, 1)).all()):
            cells = cells.narrow(axis, 0, 1)
    return cells
