"""Makes `fredoka.woff2`: the letters, digits and signs of four languages, in one weight.

Run it by hand where the npm package `@fontsource-variable/fredoka` (5.3.0) is unpacked, with
`fonttools` and `brotli` at hand: `python subset.py package/files/fredoka-latin-wght-normal.woff2`.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

SIGNS = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "ÄÖÜäöüßÀÂÆÇÈÉÊËÎÏÔŒÙÛàâæçèéêëîïôœùûÿÌÍÒÓÚìíòóúÑñ"
    + "\u00a0«»„“”‘’‚‹›–—…·×−±°¡¿"
)


def main(source: str) -> None:
    """Cut a font down to what is used here."""
    font = TTFont(source)
    font = instancer.instantiateVariableFont(font, {"wght": 600})
    options = subset.Options(flavor="woff2", layout_features=["kern", "liga", "tnum", "mark"])
    options.name_IDs = [0, 1, 2, 13, 14]
    cut = subset.Subsetter(options)
    cut.populate(text=SIGNS)
    cut.subset(font)
    subset.save_font(font, str(Path(__file__).with_name("fredoka.woff2")), options)


if __name__ == "__main__":
    main(sys.argv[1])
