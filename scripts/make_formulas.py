#!/usr/bin/env python3
"""Typesets the formulas of the window: LaTeX -> resources/formulas/<id>.svg with outlines instead of fonts.

usage: scripts/make_formulas.py PROGRAM     PROGRAM: a built attnlab, whose tables have the formulas of all rows

Run it after changing a formula and commit the SVG files; the build does not run it. Needs `pip install ziamath`.

Formulas have no words such as "where", which would be in one language. Glyphs are filled with currentColor, the scale with ACCENT, and the letters of
queries, keys and values with ROLES; the window replaces these by its own colours. One em is EM units. <title> holds the formula as plain text, for screen readers.
"""

import html
import json
import pathlib
import re
import subprocess
import sys

import ziamath

EM = 24
ACCENT = "#2563d6"
ROLES = {"q": "#8022dd", "k": "#007852", "v": "#bd1590"}
# The learned vector of additive scores is called v, too, and is no value.
NO_ROLE = r"v \cdot \tanh"
OUT = pathlib.Path(__file__).resolve().parent.parent / "resources" / "formulas"

SOFTMAX = r"\mathrm{softmax}"
QK = (r"QK^{\mathsf{T}}", "Q Kᵀ")
F = (r"f(Q, K)", "f(Q, K)")


def accent(latex):
    return rf"{{\color{{{ACCENT}}} {latex}}}"


def with_roles(latex):
    """Colours Q, K, V, q, k and v with their indices; not in names, nor in indices of other letters, where k counts."""
    name = r"\\(?:mathrm|mathsf|mathbb|begin|end|color)\s*\{[^{}]*\}"
    group = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
    script = rf"[_^]\s*(?:{group}|\\[A-Za-z]+|.)"
    skipped = rf"{re.escape(NO_ROLE)}|{name}|{script}|\\[A-Za-z]+"

    def coloured(found):
        symbol = found.group("symbol")
        return rf"{{\color{{{ROLES[symbol[0].lower()]}}} {symbol}}}" if symbol else found.group()

    return re.sub(rf"{skipped}|(?P<symbol>[qkvQKV]'*(?:{script})*)", coloured, latex)


def frac(top, bottom):
    return rf"\frac{{{top}}}{{{bottom}}}"


def accented(latex):
    """LaTeX of a row of the program's tables."""
    return latex.replace(r"\color{accent}", rf"\color{{{ACCENT}}}")


# Scale modes that divide rows of queries and keys first: what the titles of their formulas add.
ROW_NORMS = {
    "none": "",
    "length": ", where Q̃ and K̃ are Q and K with rows of length 1",
    "root_mean_square": ", where Q̃ and K̃ are Q and K with rows divided by their root mean square, times their gains",
}


def prepared(scale, latex, plain):
    """Scores of rows as the mode divides them."""
    if scale["drawn"]["row_norm"] == "none":
        return latex, plain
    return (accent(latex.replace("Q", r"\tilde{Q}").replace("K", r"\tilde{K}")),
            plain.replace("Q", "Q̃").replace("K", "K̃"))


def scaled(scale, latex, plain):
    """What the mode makes of scores."""
    drawn = scale["drawn"]["scaled"]
    return accented(drawn["latex"]).replace("<s>", latex), drawn["plain"].replace("<s>", plain)


def attention_lines(scales, prefix, scores, scores_plain):
    """The whole line for each scale, with and without a mask or bias M, before and after softmax."""
    for scale in scales:
        drawn, before = scale["drawn"], prepared(scale, scores, scores_plain)
        note, name = ROW_NORMS[drawn["row_norm"]], f"{prefix}_{scale['id']}"
        argument, argument_plain = scaled(scale, *before)
        for suffix, plus in (("", ""), ("_masked", " + M")):
            yield (f"{name}{suffix}", rf"{SOFTMAX}\left( {argument}{plus} \right) \, V",
                   f"softmax({argument_plain}{plus}) V{note}")
            if "factor" in drawn:
                factor, factor_plain = accented(drawn["factor"]["latex"]), drawn["factor"]["plain"]
                yield (f"{name}_after{suffix}",
                       (accent(factor) + r"\;" if factor else "") + rf"{SOFTMAX}\left( {before[0]}{plus} \right) \, V",
                       (f"{factor_plain} · " if factor else "") + f"softmax({before[1]}{plus}) V{note}")


def scale_lines(scales):
    """What a scale mode does to a score s or the whole matrix S, for the scale picker."""
    for scale in scales:
        drawn = scale["drawn"]
        score = "S" if drawn["of_matrix"] else "s"
        latex, plain = ((accented(drawn["single"]["latex"]), drawn["single"]["plain"]) if "single" in drawn
                        else scaled(scale, score, score))
        yield f"scale_{scale['id']}", latex, plain


def row_lines(rows, prefix=""):
    """The formulas of rows that have one each. That of a mechanism stands below the attention line and defines Q, K and V,
    the score, or heads."""
    for row in rows:
        yield prefix + row["id"], accented(row["drawn"]["latex"]), row["drawn"]["plain"]


STAGES = {
    "scores": (r"s_{ij} = q_i \cdot k_j = \sum_c q_{ic}\, k_{jc}", "s_ij = q_i · k_j = Σ_c q_ic k_jc"),
    "scaled": (accent(r"\mathrm{scale}") + r"\left( s_{ij} \right)", "scale(s_ij)"),
    "masked": (r"\mathrm{scaled}_{ij} + M_{ij}", "scaled_ij + M_ij"),
    "weights": (r"a_{ij} = \frac{e^{s_{ij} - m_i}}{\sum_k e^{s_{ik} - m_i}} , \quad m_i = \max_k s_{ik}",
                "a_ij = exp(s_ij − m_i) / Σ_k exp(s_ik − m_i), m_i = max_k s_ik"),
    "lse": (r"\mathrm{lse}_i = \log \sum_j e^{s_{ij}}", "lse_i = log Σ_j exp(s_ij)"),
    "output": (r"o_i = \sum_j a_{ij}\, v_j", "o_i = Σ_j a_ij v_j"),
    "weights_mean": (r"\bar{a}_{ij} = \frac{1}{H} \sum_h a_{ij}^{(h)}", "mean of a_ij over the H heads"),
    "entropy": (r"\mathcal{H}_i = -\sum_j a_{ij} \log a_{ij}", "H_i = −Σ_j a_ij log a_ij"),
    "effective_keys": (r"e^{\mathcal{H}_i}", "exp(H_i)"),
    "max_weight": (r"\max_j\, a_{ij}", "max_j a_ij"),
    "jacobian_norm": (r"\left\Vert \mathrm{diag}(a_i) - a_i a_i^{\mathsf{T}} \right\Vert_F",
                      "‖diag(a_i) − a_i a_iᵀ‖_F"),
}

# Derivations in lessons. Unchanged numbers and rows are plain, the changed ones have the accent colour.
LESSONS = {
    "variance": (r"\mathrm{Var}\left( q \cdot k \right) = \sum_{c=1}^{d} \mathrm{Var}\left( q_c\, k_c \right) = "
                 + accent("d"), "Var(q · k) = Σ_c Var(q_c k_c) = d"),
    "divided_variance": (r"\mathrm{Var}\left( \frac{q \cdot k}{" + accent("c") + r"} \right) = \frac{d}{"
                         + accent("c^2") + "}", "Var(q · k / c) = d / c²"),
    "scaled_variance": (r"\mathrm{Var}\left( \frac{q \cdot k}{" + accent("c") + r"} \right) = \frac{d}{" + accent("c^2")
                        + r"} = 1 \;\iff\; " + accent(r"c = \sqrt{d}"),
                        "Var(q · k / c) = d / c² = 1 where c = √d"),
    "slope": (r"\frac{\partial a_i}{\partial s_j} = a_i \left( \delta_{ij} - a_j \right)",
              "∂a_i / ∂s_j = a_i (δ_ij − a_j)"),
    "long_variance": (r"\mathrm{Var}\left( \frac{q \cdot k}{\sqrt{d}\,\sqrt{S}} \right) = " + accent(frac("1", "S")),
                      "Var(q · k / (√d √S)) = 1 / S"),
    "mask": (r"a_i = \mathrm{softmax}\left( s_i + M_i \right) \quad\; M_{ij} \in \left\{ 0,\, "
             + accent(r"{-}\infty") + r" \right\}", "a_i = softmax(s_i + M_i), M_ij ∈ {0, −∞}"),
    "replaced": (r"s_{ij} \;\rightarrow\; " + accent("F") + r" \quad\; \left( M_{ij} = {-}\infty \right)",
                 "s_ij becomes F if M_ij = −∞"),
    "added": (r"s_{ij} \;\rightarrow\; s_{ij} + " + accent("F") + r" \quad\; \left( M_{ij} = {-}\infty \right)",
              "s_ij becomes s_ij + F if M_ij = −∞"),
    "rounded": (r"\mathrm{float32}\left( 3 - 10^9 \right) = " + accent(r"{-}10^9"), "float32(3 − 10⁹) = −10⁹"),
    "mean_of_heads": (r"\begin{aligned} &\frac{1}{H} \sum_h \mathrm{head}_h \\ &\neq\; \mathrm{Concat}\left("
                      r" \mathrm{head}_1, \ldots, \mathrm{head}_H \right) W_O \end{aligned}", "1/H Σ_h head_h ≠ Concat(head_1, …, head_H) W_O"),
    "reshape": (r"(H,\, L,\, d_v) \;\rightarrow\; " + accent(r"(L,\, H,\, d_v)") + r" \;\rightarrow\; (L,\, H d_v)",
                "(H, L, d_v) → (L, H, d_v) → (L, H d_v)"),
    "online": (r"\sum_{j} e^{s_j - m'} = " + accent(r"e^{m - m'}") + r" \sum_{j \in \mathrm{old}} e^{s_j - m} +"
               r" \sum_{j \in \mathrm{new}} e^{s_j - m'}", "Σ_j exp(s_j − m') = exp(m − m') Σ_old exp(s_j − m) + Σ_new exp(s_j − m')"),
    "gradient": (r"\begin{aligned} \frac{\partial \ell}{\partial s_{ij}} &= " + accent(r"a_{ij}")
                 + r" \frac{g_{ij} - \bar{g}_i}{\sqrt{d}} \\ g_{ij} &= \frac{\partial \ell}{\partial o_i} \cdot v_j \quad\;"
                 r" \bar{g}_i = \sum_k a_{ik}\, g_{ik} \end{aligned}",
                 "∂ℓ/∂s_ij = a_ij (g_ij − ḡ_i) / √d, g_ij = ∂ℓ/∂o_i · v_j, ḡ_i = Σ_k a_ik g_ik"),
    "value_gradient": (r"\frac{\partial \ell}{\partial v_j} = \sum_i " + accent(r"a_{ij}")
                       + r" \frac{\partial \ell}{\partial o_i}", "∂ℓ/∂v_j = Σ_i a_ij ∂ℓ/∂o_i"),
    "projection": (r"q \cdot k = |q| \, " + accent(r"|k| \cos \theta"), "q · k = |q| |k| cos θ"),
    "hull": (r"o = \sum_j a_j v_j \quad\; a_j \geq 0 \quad\; \sum_j a_j = " + accent("1"), "o = Σ_j a_j v_j, a_j ≥ 0, Σ_j a_j = 1"),
    "shift": (r"q \cdot (k_j + " + accent("u") + r") = q \cdot k_j + " + accent(r"q \cdot u"), "q · (k_j + u) = q · k_j + q · u"),
    "shared_cache": (r"2\, " + accent("G") + r"\, d \quad\; 1 \leq G \leq H", "2 G d, 1 ≤ G ≤ H"),
    "latent_key": (r"k_j = " + accent("W c_j"), "k_j = W c_j"),
    "absorbed": (r"q \cdot (W c) = " + accent(r"(W^{\mathsf{T}} q)") + r" \cdot c", "q · (W c) = (Wᵀ q) · c"),
    "dropout": (r"a_{ij} \;\rightarrow\; " + accent(r"\frac{z_{ij}}{1 - p}") + r"\, a_{ij} \quad\; z_{ij} \in"
                r" \left\{ 0,\, 1 \right\}", "a_ij becomes a_ij z_ij / (1 − p), z_ij ∈ {0, 1}"),
    "nudge": (r"\ell\left( k + \varepsilon \right) \approx \ell(k) + " + accent(r"\frac{\partial \ell}{\partial k}")
              + r" \, \varepsilon", "ℓ(k + ε) ≈ ℓ(k) + ∂ℓ/∂k ε"),
    "descent": (r"q \;\rightarrow\; q - \eta\, " + accent(r"\frac{\partial \ell}{\partial q}") + r" \quad\; k \;"
                r"\rightarrow\; k - \eta\, " + accent(r"\frac{\partial \ell}{\partial k}"),
                "q becomes q − η ∂ℓ/∂q, k becomes k − η ∂ℓ/∂k"),
    "loss": (r"\ell = \frac{1}{L\, d_v} \sum_i \left\Vert o_i - v_i \right\Vert^2", "ℓ = 1/(L d_v) Σ_i ‖o_i − v_i‖²"),
    "word_loss": (r"\ell = -\log " + accent("p_w"), "ℓ = −log p_w"),
    "cost": (r"L\,S\,\left( 2 d_k + 2 d_v + 3 \right)", "L S (2 d_k + 2 d_v + 3)"),
    "cache": (r"2 \cdot " + accent("H_{kv}") + r" \cdot d", "2 · H_kv · d"),
}


def compact_path(data):
    """Shorter numbers and no blanks that SVG does not need."""
    data = re.sub(r"([MLQCZ])\s*", r"\1", data.strip())
    data = re.sub(r"\s+([MLQCZ])", r"\1", data)
    # Every outline begins with a line to its current point.
    return re.sub(r"M(\S+ [^A-Z]+?)L\1(?=[A-Z])", r"M\1", data)


def svg(latex, plain):
    """One path for each run of glyphs of the same colour, which keeps the files small."""
    source = ziamath.Latex(with_roles(latex), size=EM, color="currentColor").svg()
    x, y, width, height = (float(n) for n in re.search(r'viewBox="([^"]+)"', source).group(1).split())
    body = []
    for tag, attributes in re.findall(r"<(path|rect|line|polygon)\b([^>]*?)/?>", source):
        values = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        colour = values.get("fill", "currentColor")
        if tag == "path":
            data = compact_path(values["d"])
        elif tag == "rect":
            left, top, w, h = (float(values[k]) for k in ("x", "y", "width", "height"))
            data = f"M{left:g} {top:g}h{w:g}v{h:g}h{-w:g}Z"
        else:
            raise ValueError(f"{plain}: unexpected <{tag}>")
        if body and body[-1][0] == colour:
            body[-1][1] += data
        else:
            body.append([colour, data])
    paths = "".join(f'<path fill="{colour}" d="{data}"/>\n' for colour, data in body)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="{x:g} {y:g} {width:g} {height:g}">\n<title>{html.escape(plain)}</title>\n{paths}</svg>\n')


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/make_formulas.py PROGRAM")
    ziamath.config.svg2 = False
    ziamath.config.precision = 2
    tables = json.loads(subprocess.run([sys.argv[1], "list", "--json"], check=True, capture_output=True).stdout)
    scales = tables["scales"]
    formulas = [*attention_lines(scales, "attention", *QK), *attention_lines(scales, "score_attention", *F), *scale_lines(scales)]
    formulas += row_lines(tables["variants"])
    for table, prefix in (("positions", "position_"), ("normalisers", "normaliser_"), ("decays", "decay_")):
        formulas += row_lines(tables[table], prefix)
    formulas += [(f"stage_{name}", *formula) for name, formula in STAGES.items()]
    formulas += [(f"lesson_{name}", *formula) for name, formula in LESSONS.items()]
    OUT.mkdir(parents=True, exist_ok=True)
    for name, latex, plain in formulas:
        (OUT / f"{name}.svg").write_text(svg(latex, plain), encoding="utf-8")
    print(f"{len(formulas)} formulas in {OUT}")


if __name__ == "__main__":
    main()
