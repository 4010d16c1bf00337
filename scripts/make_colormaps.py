#!/usr/bin/env python3
"""Writes ui/drawing/colormap_tables.cpp: the colours of every colormap of the window.

viridis, magma and cividis are the tables of Matplotlib (released under CC0 by their authors: van der Walt and Smith;
Nunez, Anderton and Renslow). blue_red is made here: two arms of constant hue in OKLCh, lightness falling and chroma
rising evenly from a near-neutral middle, so that equal steps look equal and the middle stays apart from both the light
and the dark card. blue_red_dark is the same for dark backgrounds, its lightness rising from the middle. Run by hand; needs matplotlib.
"""

import math
import pathlib

import matplotlib

TARGET = pathlib.Path(__file__).resolve().parent.parent / "ui/drawing/colormap_tables.cpp"


def oklch_to_linear(lightness, chroma, hue_degrees):
    a = chroma * math.cos(math.radians(hue_degrees))
    b = chroma * math.sin(math.radians(hue_degrees))
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )


def oklch_to_srgb(lightness, chroma, hue_degrees):
    def encode(value):
        value = min(1.0, max(0.0, value))
        return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055

    return tuple(round(255 * encode(value)) for value in oklch_to_linear(lightness, chroma, hue_degrees))


def most_chroma(lightness, hue_degrees):
    """The largest chroma within the gamut of sRGB."""
    chroma = 0.0
    while all(0.0 <= value <= 1.0 for value in oklch_to_linear(lightness, chroma + 0.001, hue_degrees)):
        chroma += 0.001
    return chroma


def blue_red():
    colors = []
    for i in range(256):
        t = (i - 127.5) / 127.5
        distance = abs(t)
        lightness = 0.955 - 0.505 * distance**1.15
        # Rises slowly enough to stay within the gamut of sRGB while the colour is light.
        chroma = 0.185 * math.sin(distance * math.pi / 2)
        chroma *= 0.78 if t < 0 else 1.0
        colors.append(oklch_to_srgb(lightness, chroma, 253.0 if t < 0 else 24.0))
    return colors


def blue_red_dark():
    colors = []
    for i in range(256):
        t = (i - 127.5) / 127.5
        distance = abs(t)
        lightness = 0.30 + 0.49 * distance**0.85
        chroma = 0.15 * math.sin(min(1.0, 1.25 * distance) * math.pi / 2)
        # No more than both hues have at this lightness, so that the arms are symmetric.
        chroma = min([chroma] + [most_chroma(lightness, hue) for hue in (253.0, 24.0)])
        colors.append(oklch_to_srgb(lightness, chroma, 253.0 if t < 0 else 24.0))
    return colors


def table_of(name):
    return [tuple(round(255 * channel) for channel in rgb[:3]) for rgb in matplotlib.colormaps[name](range(256))]


def main():
    lines = [
        "// Made by scripts/make_colormaps.py, which says where the colours come from.",
        '#include "ui/drawing/colormap_tables.h"',
        "",
        "namespace attnlab::ui {",
    ]
    maps = [(name, table_of(name)) for name in ("viridis", "magma", "cividis")]
    maps += [("blue_red", blue_red()), ("blue_red_dark", blue_red_dark())]
    for name, colors in maps:
        lines += ["", f"const std::array<QRgb, 256> {name}_colors = {{"]
        for start in range(0, 256, 9):
            row = ", ".join("0xff%02x%02x%02x" % color for color in colors[start : start + 9])
            lines.append(f"    {row},")
        lines.append("};")
    lines += ["", "} // namespace attnlab::ui", ""]
    TARGET.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
