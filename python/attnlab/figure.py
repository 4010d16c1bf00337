"""Pictures of attention, drawn by the program: shown in a notebook, and saved as files."""

from __future__ import annotations

import base64
import html
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Callable, Optional, Union

from .errors import AttnLabError
from .program import run
from .recording import Recording
from .single import record

# Views that are not of what one mechanism does.
_COMMON_VIEWS = ("heatmap", "lines", "arcs", "bars", "profile", "wall", "plot", "value_norm", "output_norm", "no_sink", "words")
_PAGE_HEIGHT = 620  # pixels, of a page in a notebook


class Figure:
    """A heatmap. In a notebook it is a page to explore (HTML), with SVG and PNG for programs that show no pages.

    Nothing is drawn before it is asked for. The inputs stay in a temporary folder as long as the figure.
    """

    def __init__(self, save: Callable[[str], None], arguments: Sequence[str], picture: Sequence[str], page: Sequence[str],
                 text: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="attnlab-")
        inputs = Path(self._folder.name, "inputs.safetensors")
        save(str(inputs))
        self._inputs = [str(inputs), *map(str, Path(self._folder.name).glob("labels.npz"))]
        self._arguments, self._picture, self._page = list(arguments), list(picture), list(page)
        self._text = text
        self._drawn: dict[str, bytes] = {}

    def __repr__(self) -> str:
        return f"Figure({self._text})"

    def to_html(self) -> str:
        """A page that needs no other file and no network: all heads, and all passes of a capture."""
        return self._bytes("html").decode("utf-8")

    def to_svg(self) -> str:
        return self._bytes("svg").decode("utf-8")

    def to_png(self) -> bytes:
        return self._bytes("png")

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file of a type that `attnlab render` writes: .html, .svg, .png, .pdf, or .tex for LaTeX with pgfplots."""
        path = Path(path)
        run([*self._command(path.suffix[1:].lower()), "--out", str(path.absolute())])

    def _command(self, suffix: str) -> list[str]:
        more = self._page if suffix == "html" else self._picture
        return [*self._arguments[:1], *self._inputs, *self._arguments[1:], *more]

    def _bytes(self, suffix: str) -> bytes:
        if suffix not in self._drawn:
            out = Path(self._folder.name, f"out.{suffix}")
            without = [] if suffix == "html" or "--no-inputs" in self._picture else ["--no-inputs"]
            run([*self._command(suffix), *without, "--out", str(out)])
            self._drawn[suffix] = out.read_bytes()
            out.unlink()
        return self._drawn[suffix]

    def _repr_mimebundle_(self, include: Optional[Iterable[str]] = None,
                          exclude: Optional[Iterable[str]] = None) -> dict[str, Any]:
        made: dict[str, Any] = {"text/plain": repr(self)}
        ways: dict[str, Callable[[], str]] = {
            "text/html": lambda: in_frame(self.to_html()), "image/svg+xml": self.to_svg,
            "image/png": lambda: base64.b64encode(self.to_png()).decode("ascii")}
        wanted = [kind for kind in ways if (not include or kind in include) and kind not in (exclude or ())]
        why = ""
        for kind in wanted:
            try:
                made[kind] = ways[kind]()
            except AttnLabError as error:  # too large for a page, or for a picture
                why = why or str(error)
        if why and len(made) == 1:
            made["text/plain"] += f"\nnot drawn: {why}"
        return made


def in_frame(page: str) -> str:
    """The page inside another one, which it can neither read nor change."""
    return (f'<iframe title="AttnLab" sandbox="allow-scripts" width="100%" height="{_PAGE_HEIGHT}" '
            f'style="border:0" srcdoc="{html.escape(page)}"></iframe>')


def render(q: Any = None, k: Any = None, v: Any = None, *, stage: Optional[str] = None, pass_: Optional[str] = None,
           head: Union[int, str, Sequence[int]] = "all", batch: int = 0,
           size: Union[str, tuple[float, float], None] = None, dpi: Optional[int] = None, title: str = "",
           dark: bool = False, colormap: Optional[str] = None, log: bool = False, keep_inputs: bool = True,
           every_number: bool = False, view: Optional[str] = None, query: Optional[int] = None,
           x: Optional[str] = None, y: Optional[str] = None, style: Optional[str] = None, xlabel: Optional[str] = None, ylabel: Optional[str] = None,
           bar_label: Optional[str] = None, head_names: Optional[Sequence[str]] = None, columns: Optional[int] = None,
           digits: Optional[int] = None, letters: bool = False, transparent: bool = False, font: Optional[str] = None,
           font_size: Optional[int] = None, vmin: Optional[float] = None, vmax: Optional[float] = None,
           numbers: bool = True, color_bar: bool = True, labels: bool = True, profiles: bool = False,
           **options: Any) -> Figure:
    """Draws attention without a window and without a display.

    q, k, v:      arrays, with the options of `show`; or one object instead: a `Recording` or `Capture`, or a `Result`.
    stage:        by default "weights"; of a result, any of its stages, or several: "scores,weights".
    pass_:        of a recording with several, the pass of the picture; by default the first. The page has all of them.
    head, batch:  a head from 0, several ([0, 2]), "mean", or "all" on shared axes. The page has all heads.
    size, dpi:    of the picture: "5.5in", "14cmx10cm" or a width and a height in points, and pixels an inch. With a width
                  alone, the picture is as high as it needs.
    style:        "screen", "slide", "nature", "nature-double", "neurips", "icml" or "acl": size, text and resolution.
    view, query:  "heatmap", "lines", "arcs", "bars", "profile" or "wall"; the query of lines, arcs and bars. "plot": the heads
                  of a recording as dots by the figures x and y ("entropy", "induction"). Or what a mechanism does:
                  "tiles", "page_table", "page_reads", "buckets", "curve".
    colormap:     "viridis", "magma", "inferno", "cividis", "greys", "blues", "blue_red", "purple_orange" or "blue_red_dark".
    xlabel, ylabel, bar_label, head_names, columns, digits, letters, transparent, font, font_size, vmin, vmax, numbers,
    color_bar, labels, profiles: as the options of `attnlab render`.
    keep_inputs:  saved pictures contain the inputs, so that the program opens them again. Pictures in a notebook do not.
    every_number: all numbers of the page are exact, also if it becomes larger than 300 kB.
    """
    from .compute import Result

    common = [word for name, value in (("--title", title), ("--colormap", colormap)) if value
              for word in (name, str(value))]
    common += ["--log"] if log else []
    picture = [*common, *(["--dark"] if dark else []), *([] if keep_inputs else ["--no-inputs"])]
    if isinstance(size, str):
        picture += ["--size", size]
    elif size is not None:
        if len(size) != 2:
            raise AttnLabError(f"size: is {size!r}, expected a width and a height in points, or a text such as '5.5in'")
        picture += ["--size", f"{float(size[0])!r}x{float(size[1])!r}"]
    names = None if head_names is None else ",".join(head_names)
    for option, given in (("dpi", dpi), ("view", view), ("query", query), ("x", x), ("y", y), ("style", style), ("xlabel", xlabel),
                          ("ylabel", ylabel), ("bar-label", bar_label), ("head-names", names), ("columns", columns),
                          ("digits", digits), ("font", font), ("font-size", font_size), ("vmin", vmin), ("vmax", vmax)):
        if given is not None:
            picture += [f"--{option}", str(given)]
    for option, wanted in (("letters", letters), ("transparent", transparent), ("profiles", profiles), ("no-numbers", not numbers),
                           ("no-color-bar", not color_bar), ("no-labels", not labels)):
        if wanted:
            picture.append(f"--{option}")
    if not isinstance(head, (int, str)):
        head = ",".join(str(int(one)) for one in head)
    of_mechanism = view is not None and view.split(":")[0] not in _COMMON_VIEWS
    of_all_heads = view in ("wall", "plot")
    if (view in ("lines", "arcs", "bars", "profile") or of_mechanism) and head == "all":
        head = 0  # these show one head
    page = [*common, *(["--every-number"] if every_number else [])]
    chosen = ["--batch", str(batch)]
    of_head = ["--head", str(head)]
    first = [] if head == "all" else ["--head", str(head).split(",")[0]]
    if of_all_heads:
        of_head = []
    if isinstance(q, Result):
        _refuse(q, k, v, options)
        save, more, name = q._source()
        stage_options = ["--stage", stage or q._main_stage()]
        return Figure(save, ["render", *more, *chosen],
                      [*picture, *([] if of_all_heads or of_mechanism else stage_options), *of_head],
                      [*page, *stage_options, *first], f"{stage_options[1]} of {name}")
    if isinstance(q, Recording):
        _refuse(q, k, v, options)
        recording = q
    else:
        recording = record(q, k, v, **options)
    if not recording.passes:
        raise AttnLabError("there is no attention to draw")
    names = [one.name for one in recording.passes]
    if pass_ is not None and pass_ not in names:
        raise AttnLabError(f"pass_: is {pass_!r}, expected one of {', '.join(names)}")
    of_pass = ["--pass", pass_ or names[0], *([] if of_mechanism else ["--stage", stage or "weights"])]
    # Without a pass and a stage, the page has all passes.
    whole = pass_ is None and stage is None and head != "mean"
    return Figure(recording.save, ["render", *chosen], [*picture, *([] if of_all_heads else of_pass), *of_head],
                  [*page, *([] if whole else of_pass), *first], repr(recording))


def _refuse(source: Any, k: Any, v: Any, options: dict[str, Any]) -> None:
    given = [name for name, value in (("k", k), ("v", v)) if value is not None] + sorted(options)
    if given:
        raise AttnLabError(f"{given[0]}: does not go with a {type(source).__name__}, which has its own inputs")


def bundle_of(source: Any, include: Any, exclude: Any) -> dict[str, Any]:
    """How a result or a recording shows itself; as text if it cannot be drawn."""
    try:
        return render(source)._repr_mimebundle_(include, exclude)
    except AttnLabError as error:
        return {"text/plain": f"{source!r}\nnot drawn: {error}"}


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")


def show_inline(recording: Recording) -> None:
    from IPython.display import display  # type: ignore[import-not-found]

    display(render(recording))
