"""The look of a report in HTML: its colours, light and dark, and its style sheet."""

from __future__ import annotations

from collections.abc import Mapping

Palette = Mapping[str, str]

LIGHT: Palette = {
    "ground": "#fbfaf7",
    "raised": "#ffffff",
    "ink": "#1f2328",
    "dim": "#57606a",
    "line": "#d5d2c8",
    "accent": "#1d5fa8",
    "bar": "#3b76b5",
    "warn": "#8a4b00",
    "bad": "#a4262c",
    "good": "#1e6b3a",
}
DARK: Palette = {
    "ground": "#15181c",
    "raised": "#1d2126",
    "ink": "#e7e4dc",
    "dim": "#a5acb5",
    "line": "#3a4048",
    "accent": "#8fbcec",
    "bar": "#6aa0d8",
    "warn": "#e7b268",
    "bad": "#f39a9a",
    "good": "#8bd0a0",
}
"""Each colour by what it means; ``bar`` fills plots, ``line`` parts things, the rest is text."""

INKS = ("ink", "dim", "accent", "warn", "bad", "good")
GROUNDS = ("ground", "raised")
"""Any text colour may stand on either ground."""

_RULES = """\
*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);\
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif}
.page{max-width:68rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.25rem;line-height:1.3;margin:3rem 0 1rem;padding-top:1rem;\
border-top:1px solid var(--line)}
h3{font-size:1rem;line-height:1.5;margin:0 0 .35rem;font-weight:600}
p{margin:0 0 .75rem;max-width:44rem}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:1rem;background:var(--raised);padding:.5rem 1rem}
.dim,.meta,figcaption,caption,dt,th{color:var(--dim)}
.meta,figcaption,caption,dt,th,.sources{font-size:.875rem}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:1rem 0 0}
.short{margin:1.5rem 0 0;padding-left:1.15rem;max-width:52rem}
.short li{margin:.2rem 0}
.figures{display:grid;grid-template-columns:repeat(2,1fr);gap:.75rem;margin:2rem 0 0}
.figures div{background:var(--raised);border:1px solid var(--line);border-radius:.5rem;\
padding:.75rem 1rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}
.figures dd{margin:0;font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:1rem}
figure{margin:0;background:var(--raised);border:1px solid var(--line);border-radius:.5rem;\
padding:1rem;min-width:0}
figure h3{margin-bottom:.75rem}
svg{display:block;width:100%;max-width:30rem;height:auto;overflow:visible}
svg text{font-size:13px;fill:var(--ink)}
svg .label{fill:var(--dim)}
svg .bar{fill:var(--bar)}
svg .axis{stroke:var(--line)}
details{margin-top:.75rem}
summary{cursor:pointer;color:var(--accent);font-size:.875rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0 0;font-variant-numeric:tabular-nums}
caption{text-align:left;padding-bottom:.25rem}
th,td{text-align:left;padding:.3rem 1rem .3rem 0;border-bottom:1px solid var(--line);\
vertical-align:top}
td.n,th.n{text-align:right}
.cards{list-style:none;padding:0;margin:1.5rem 0 0;display:grid;gap:.75rem}
.cards>li{background:var(--raised);border:1px solid var(--line);border-radius:.5rem;\
padding:.85rem 1rem;min-width:0;overflow-wrap:anywhere}
.cards p{margin:0 0 .25rem;max-width:none}
.words{font-weight:600;max-width:52rem}
.meta{margin:0 0 .35rem}
.tag{display:inline-block;border:1px solid currentColor;border-radius:.25rem;padding:0 .35rem;\
margin-right:.4rem;font-size:.8125rem;font-weight:600}
.warn{color:var(--warn)}.bad{color:var(--bad)}.good{color:var(--good)}
.sources{list-style:none;padding:0 0 0 .85rem;margin:.5rem 0 0;border-left:3px solid var(--line)}
.sources li{margin:.2rem 0}
mark{background:none;color:inherit;text-decoration:underline 2px var(--accent);\
text-underline-offset:.2em}
q{quotes:"“" "”"}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem}
@media (min-width:48rem){.page{padding-top:2.5rem}.figures{grid-template-columns:repeat(4,1fr)}}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--dim);\
font-size:.875rem}
"""
_PRINT = """\
body{font-size:10pt;background:none}
.page{max-width:none;padding:0}
nav,.skip{display:none}
h2,h2+.dim{break-after:avoid}
h2{margin-top:1.5rem}
.cards>li,figure,.figures div,tr{break-inside:avoid}
.figures{grid-template-columns:repeat(4,1fr)}
.plots{grid-template-columns:1fr 1fr;gap:.5rem}
.plots figure{padding:.6rem}
.cards>li{padding:.5rem .75rem}
.cards{gap:.5rem}
.figures div{padding:.4rem .75rem}
details>*{display:block}
details::details-content{content-visibility:visible;display:block}
details>summary,.told details{display:none}
"""


def style_sheet() -> str:
    """The whole style sheet; a print is always on light ground."""
    return (
        f":root{{{_variables(LIGHT)}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}\n"
        f"{_RULES}@media print{{\n{_PRINT}}}\n"
    )


def _variables(palette: Palette) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in palette.items())
