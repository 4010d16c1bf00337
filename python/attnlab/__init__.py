"""Show the attention of a Python process in AttnLab."""

from .arrays import LAYOUTS, Array
from .capture import Capture, capture
from .compute import Comparison, Result, compare, compute
from .errors import AttnLabError, NoWindowError, ProgramError
from .figure import Figure, render
from .recording import Pass, Recording, load
from .window import open_window, show

__version__ = "1.0.0"
__all__ = ["LAYOUTS", "Array", "AttnLabError", "Capture", "Comparison", "Figure", "NoWindowError", "Pass", "ProgramError",
           "Recording", "Result", "capture", "compare", "compute", "load", "open_window", "render", "show"]
