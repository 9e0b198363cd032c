"""The one of sixteen colours that stands for another: for text by its hue, so that no suit turns grey.

The nearest colour by distance, as it is usually taken, makes a light green the same grey as white text. Which sixteen
these are is the terminal's own affair; here they are eight hues, dark or bright.
"""

from __future__ import annotations

import colorsys

from rich.color import Color, ColorSystem

_HUES = ("1", "3", "2", "6", "4", "5")
"""Red, yellow, green, cyan, blue, magenta: one for each sixth of the circle."""
_GREY_BELOW = 0.15
"""A colour whose strongest and weakest part differ by less than this share has no hue worth keeping."""
_BRIGHT_FROM = 0.55
"""The lightness from which a hue is the bright one."""


def text_code(colour: Color) -> str:
    """Return the code, between CSI and m, of the colour that text is drawn in."""
    triplet = colour.triplet
    if triplet is None:
        return ";".join(colour.downgrade(ColorSystem.STANDARD).get_ansi_codes())
    hue, lightness, _ = colorsys.rgb_to_hls(*(part / 255 for part in triplet))
    if max(triplet) - min(triplet) < _GREY_BELOW * 255:
        return _grey(lightness)
    return f"{'9' if lightness >= _BRIGHT_FROM else '3'}{_HUES[round(hue * 6) % 6]}"


def _grey(lightness: float) -> str:
    for most, code in ((0.2, "30"), (0.5, "90"), (0.8, "37")):
        if lightness < most:
            return code
    return "97"


def background_code(colour: Color) -> str:
    """Return the code, between CSI and m, of the colour that text stands on: the nearest, which is seldom a hue."""
    return ";".join(colour.downgrade(ColorSystem.STANDARD).get_ansi_codes(foreground=False))
