#include "core/stages/scale.h"

#include "core/lookup.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnlab {
namespace {

using Values = ParameterValues;
using Context = ScaleContext;

constexpr std::string_view norms[] = {"frobenius", "row", "max", "minmax"};

const Parameter temperature_parameters[] = {
    {.name = "t",
     .type = ParameterType::Real,
     .default_text = "1",
     .title = ATTNLAB_TEXT("temperature t"),
     .help = ATTNLAB_TEXT("Below 1 sharpens the weights, above 1 flattens them"),
     .minimum = 0.0,
     .minimum_excluded = true}};
const Parameter custom_parameters[] = {{.name = "c",
                                        .type = ParameterType::Real,
                                        .default_text = "1",
                                        .title = ATTNLAB_TEXT("factor c"),
                                        .help = ATTNLAB_TEXT("Every score is multiplied by this number")}};
const Parameter norm_parameters[] = {
    {.name = "norm",
     .type = ParameterType::Choice,
     .default_text = "frobenius",
     .title = ATTNLAB_TEXT("norm"),
     .help = ATTNLAB_TEXT("What the scores of a head are divided by; minmax maps them to 0 .. 1"),
     .choices = norms}};
const Parameter pre_norm_parameters[] = {
    {.name = "t",
     .type = ParameterType::Real,
     .default_text = "1",
     .title = ATTNLAB_TEXT("temperature t"),
     .help = ATTNLAB_TEXT("Cosines lie in -1 .. 1; dividing by a small t lets the weights be sharp"),
     .minimum = 0.0,
     .minimum_excluded = true}};
const Parameter log_n_parameters[] = {
    {.name = "n0",
     .type = ParameterType::Real,
     .default_text = "512",
     .title = ATTNLAB_TEXT("length n0"),
     .help = ATTNLAB_TEXT("The number of keys at which the factor is 1/√d: the length of training, often 512"),
     .minimum = 1.0,
     .minimum_excluded = true,
     .unit = "keys"}};
const Parameter softcap_parameters[] = {{.name = "c",
                                         .type = ParameterType::Real,
                                         .default_text = "50",
                                         .title = ATTNLAB_TEXT("cap c"),
                                         .help = ATTNLAB_TEXT("No scaled score leaves -c .. c; Gemma 2 takes 50"),
                                         .minimum = 0.0,
                                         .minimum_excluded = true}};
const Parameter qk_norm_parameters[] = {
    {.name = "gain",
     .type = ParameterType::Real,
     .default_text = "1",
     .title = ATTNLAB_TEXT("gain"),
     .help =
         ATTNLAB_TEXT("Multiplies every score; at 1 no scaled score is larger than √d unless an array of gains says "
                      "so")}};

const Input qk_norm_inputs[] = {{.name = "query_gain",
                                 .dims = "E",
                                 .fill = InputFill::Ones,
                                 .required = false,
                                 .help = ATTNLAB_TEXT("Multiplies each feature of the normalised queries; absent: 1")},
                                {.name = "key_gain",
                                 .dims = "Ek",
                                 .fill = InputFill::Ones,
                                 .required = false,
                                 .help = ATTNLAB_TEXT("Multiplies each feature of the normalised keys; absent: 1")}};

std::string width(const Context& context) { return std::to_string(context.head_width); }

/// A score over no features is 0 under any scale: sizes of 0 count as 1.
double counted(std::int64_t size) { return static_cast<double>(std::max<std::int64_t>(1, size)); }

double root(std::int64_t size) { return std::sqrt(counted(size)); }

/// A matrix whose norm is 0 becomes 0 rather than NaN.
void divide(std::span<double> scores, double norm) {
    for (double& s : scores)
        s = norm == 0.0 ? 0.0 : s / norm;
}

double largest_size(std::span<const double> scores) {
    double largest = 0.0;
    for (const double s : scores)
        largest = std::isnan(largest) || std::abs(s) <= largest ? largest : std::abs(s);
    return largest;
}

/// √Σ s², relative to the largest entry so that no square overflows.
double frobenius(std::span<const double> scores) {
    const double largest = largest_size(scores);
    if (largest == 0.0 || !std::isfinite(largest))
        return largest;
    double sum = 0.0;
    for (const double s : scores)
        sum += (s / largest) * (s / largest);
    return largest * std::sqrt(sum);
}

void score_norm(std::span<double> scores, std::int64_t columns, const Values& values) {
    const auto& norm = values.choice("norm");
    if (scores.empty())
        return;
    if (norm == "frobenius") {
        divide(scores, frobenius(scores));
    } else if (norm == "row") {
        const auto width = static_cast<std::size_t>(columns);
        for (std::size_t first = 0; first < scores.size(); first += width)
            divide(scores.subspan(first, width), frobenius(scores.subspan(first, width)));
    } else if (norm == "max") {
        divide(scores, largest_size(scores));
    } else {
        const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
        const double offset = *low;
        const double width = *high - *low;
        for (double& s : scores)
            s -= offset;
        divide(scores, width);
    }
}

ScaleCode code_of_norm(const Values& values) {
    const auto& norm = values.choice("norm");
    if (norm == "row")
        return {.python = "<s> / norm",
                .latex = "\\frac{<s>}{\\sqrt{\\sum_{j'} \\left( s_{ij'}<head> \\right)^2}}",
                .norm = "norm = np.linalg.norm(scores, axis=-1, keepdims=True)\n",
                .norm_of_rows = true};
    if (norm == "max")
        return {.python = "<s> / norm",
                .latex = "\\frac{<s>}{\\max_{i'j'} \\lvert s_{i'j'}<head> \\rvert}",
                .norm = "norm = np.abs(scores).max(axis=(-2, -1), keepdims=True)\n"};
    if (norm == "minmax")
        return {.python = "(<s> - low) / norm",
                .latex = "\\frac{<s> - \\min_{i'j'} s_{i'j'}<head>}"
                         "{\\max_{i'j'} s_{i'j'}<head> - \\min_{i'j'} s_{i'j'}<head>}",
                .norm = "low = scores.min(axis=(-2, -1), keepdims=True)\n"
                        "norm = scores.max(axis=(-2, -1), keepdims=True) - low\n"};
    return {.python = "<s> / norm",
            .latex = "\\frac{<s>}{\\sqrt{\\sum_{i'j'} \\left( s_{i'j'}<head> \\right)^2}}",
            .norm = "norm = np.linalg.norm(scores, axis=(-2, -1), keepdims=True)\n"};
}

Tensor with_gain(Tensor rows, const ScaleMode& mode, std::string_view name, const TensorMap& tensors) {
    const auto found = tensors.find(name);
    const auto reads = [&](const Input& input) { return input.name == name; };
    if (found == tensors.end() || std::none_of(mode.inputs.begin(), mode.inputs.end(), reads))
        return rows;
    const auto gain = found->second.values();
    const auto width = static_cast<std::size_t>(rows.dim(-1));
    if (gain.size() != width)
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3"),
                     {std::string(name), to_string(found->second.shape()), to_string(Shape{rows.dim(-1)})}});
    const auto values = rows.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] *= gain[k % width];
    return rows;
}

constexpr std::array scale_table = {
    ScaleMode{.id = "none",
              .title = ATTNLAB_TEXT("none"),
              .formula = "s",
              .help =
                  ATTNLAB_TEXT("The scores as they are. Their variance grows with the width d, so softmax saturates."),
              .factor = [](const Context&, const Values&) { return 1.0; },
              .operation = [](const Context&, const Values&) -> Message { return {ATTNLAB_TEXT("as is")}; },
              .operation_follows = false,
              .drawn = {.scaled = {R"(<s>)", "<s>"}},
              .code = {"<s>", "<s>"}},
    ScaleMode{
        .id = "sqrt_dk",
        .title = "1/√d",
        .formula = "s / √d_k",
        .help = ATTNLAB_TEXT(
            "Keeps the variance of the scores at 1, whatever the width, if all inputs are independent with mean 0 and "
            "variance 1."),
        .factor = [](const Context& c, const Values&) { return 1.0 / root(c.head_width); },
        .operation = [](const Context& c, const Values&) -> Message {
            return {"÷ √%1", {width(c)}};
        },
        .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} \sqrt{d_k}}})", "<s> / √d_k"},
                  .factor = {R"(\frac{1}{\sqrt{d_k}})", "1 / √d_k"}},
        .code = {"<s> / <d> ** 0.5", "\\frac{<s>}{\\sqrt{<d>}}"}},
    ScaleMode{.id = "dk",
              .title = "1/d",
              .formula = "s / d_k",
              .help = ATTNLAB_TEXT("Divides too much: the variance falls as 1/d and the weights drift to uniform."),
              .factor = [](const Context& c, const Values&) { return 1.0 / counted(c.head_width); },
              .operation = [](const Context& c, const Values&) -> Message {
                  return {"÷ %1", {width(c)}};
              },
              .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} d_k}})", "<s> / d_k"},
                        .factor = {R"(\frac{1}{d_k})", "1 / d_k"}},
              .code = {"<s> / <d>", "\\frac{<s>}{<d>}"}},
    ScaleMode{.id = "cbrt_dk",
              .title = "1/∛d",
              .formula = "s / ∛d_k",
              .help = ATTNLAB_TEXT("Divides too little: the variance still grows as the cube root of d."),
              .factor = [](const Context& c, const Values&) { return 1.0 / std::cbrt(counted(c.head_width)); },
              .operation = [](const Context& c, const Values&) -> Message {
                  return {"÷ ∛%1", {width(c)}};
              },
              .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} \sqrt[3]{d_k}}})", "<s> / ∛d_k"},
                        .factor = {R"(\frac{1}{\sqrt[3]{d_k}})", "1 / ∛d_k"}},
              .code = {"<s> / <d> ** (1 / 3)", "\\frac{<s>}{\\sqrt[3]{<d>}}"}},
    ScaleMode{
        .id = "temperature",
        .title = ATTNLAB_TEXT("temperature"),
        .formula = "s / t",
        .help = ATTNLAB_TEXT("Divides by a number of your own: small is sharp, large is flat."),
        .parameters = temperature_parameters,
        .factor = [](const Context&, const Values& v) { return 1.0 / v.real("t"); },
        .operation = [](const Context&, const Values& v) -> Message {
            return {"÷ %1", {to_text(v.real("t"))}};
        },
        .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} t}})", "<s> / t"}, .factor = {R"(\frac{1}{t})", "1 / t"}},
        .code = {"<s> / <t>", "\\frac{<s>}{<t>}"}},
    ScaleMode{.id = "custom",
              .title = ATTNLAB_TEXT("custom factor"),
              .formula = "s · c",
              .help = ATTNLAB_TEXT("Multiplies by a number of your own, negative ones included."),
              .parameters = custom_parameters,
              .factor = [](const Context&, const Values& v) { return v.real("c"); },
              .operation = [](const Context&, const Values& v) -> Message {
                  return {"× %1", {to_text(v.real("c"))}};
              },
              .drawn = {.scaled = {R"({\color{accent} c}\,<s>)", "c · <s>"}, .factor = {R"(c)", "c"}},
              .code = {"<c> * <s>", "<c> \\, <s>"}},
    ScaleMode{
        .id = "score_norm",
        .title = ATTNLAB_TEXT("score norm"),
        .formula = "S / ‖S‖",
        .help = ATTNLAB_TEXT("Divides each head's score matrix by its own norm, so every score depends on all others."),
        .parameters = norm_parameters,
        .rewrite = score_norm,
        .operation = [](const Context&, const Values& v) -> Message {
            return {"÷ ‖S‖ %1", {v.choice("norm")}};
        },
        .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} \left\Vert <s> \right\Vert}})", "<s> / ‖<s>‖"}},
        .choose_code = code_of_norm},
    ScaleMode{.id = "pre_norm",
              .title = ATTNLAB_TEXT("pre-norm (cosine)"),
              .formula = "q̂ · k̂ / t",
              .help = ATTNLAB_TEXT("Scales queries and keys to length 1 first: the score is the cosine between them."),
              .parameters = pre_norm_parameters,
              .row_norm = RowNorm::Length,
              .factor = [](const Context&, const Values& v) { return 1.0 / v.real("t"); },
              .operation = [](const Context&, const Values& v) -> Message {
                  return {"÷ %1", {to_text(v.real("t"))}};
              },
              .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} t}})", "<s> / t"},
                        .factor = {R"(\frac{1}{t})", "1 / t"},
                        .single = {R"(\frac{q \cdot k}{{\color{accent} \Vert q \Vert\,\Vert k \Vert\,t}})",
                                   "q · k / (‖q‖ ‖k‖ t)"}},
              .code = {"<s> / <t>", "\\frac{<s>}{<t>}"}},
    ScaleMode{.id = "long_sequence",
              .title = "1/(√d √S)",
              .formula = "s / (√d_k √S)",
              .help = ATTNLAB_TEXT("Also divides by the root of the number of keys: flatter the longer the sequence."),
              .factor = [](const Context& c, const Values&) { return 1.0 / (root(c.head_width) * root(c.key_count)); },
              .operation = [](const Context& c, const Values&) -> Message {
                  return {"÷ √%1√%2", {width(c), std::to_string(c.key_count)}};
              },
              .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} \sqrt{d_k}\sqrt{S}}})", "<s> / (√d_k √S)"},
                        .factor = {R"(\frac{1}{\sqrt{d_k}\sqrt{S}})", "1 / (√d_k √S)"}},
              .code = {"<s> / (<d> * <S>) ** 0.5", "\\frac{<s>}{\\sqrt{<d>} \\sqrt{<S>}}"}},
    ScaleMode{
        .id = "log_n",
        .title = ATTNLAB_TEXT("log n"),
        .formula = "s / √d_k · log S / log n₀",
        .help = ATTNLAB_TEXT("Grows with the logarithm of the number of keys. In longer sequences the entropy "
                             "of the weights then grows more slowly than with 1/√d."),
        .parameters = log_n_parameters,
        .factor =
            [](const Context& c, const Values& v) {
                return std::log(counted(c.key_count)) / (root(c.head_width) * std::log(v.real("n0")));
            },
        .operation = [](const Context& c, const Values& v) -> Message {
            return {"× log %2 / (√%1 log %3)", {width(c), std::to_string(c.key_count), to_text(v.real("n0"))}};
        },
        .drawn = {.scaled = {R"(\frac{<s>}{{\color{accent} \sqrt{d_k}}}\;{\color{accent} \frac{\log S}{\log n_0}})",
                             "<s> / √d_k · log S / log n₀"},
                  .factor = {R"(\frac{\log S}{\sqrt{d_k}\,\log n_0})", "log S / (√d_k log n₀)"}},
        .code = {"<s> / <d> ** 0.5 * np.log(<S>) / np.log(<n0>)",
                 "\\frac{<s>}{\\sqrt{<d>}} \\cdot \\frac{\\log <S>}{\\log <n0>}"}},
    ScaleMode{
        .id = "softcap",
        .title = ATTNLAB_TEXT("soft cap"),
        .formula = "c tanh(s / (c √d_k))",
        .help = ATTNLAB_TEXT(
            "Bends large scores so that none passes c; small ones stay as with 1/√d. Gemma 2 and Grok do this."),
        .parameters = softcap_parameters,
        .cell =
            [](double s, const Context& c, const Values& v) {
                const double cap = v.real("c");
                return cap * std::tanh(s / root(c.head_width) / cap);
            },
        .slope =
            [](double s, const Context& c, const Values& v) {
                const double bent = std::tanh(s / root(c.head_width) / v.real("c"));
                return (1.0 - bent * bent) / root(c.head_width);
            },
        .cap = [](const Context& c, const Values& v) -> SoftCap {
            return {v.real("c"), 1.0 / root(c.head_width)};
        },
        .operation = [](const Context& c, const Values& v) -> Message {
            return {"%2 tanh(s / (%2 √%1))", {width(c), to_text(v.real("c"))}};
        },
        .operation_follows = false,
        .drawn = {.scaled = {R"({\color{accent} c \tanh}\left( \frac{<s>}{{\color{accent} c\,\sqrt{d_k}}} \right))",
                             "c tanh(<s> / (c √d_k))"}},
        .code = {"<c> * np.tanh(<s> / <d> ** 0.5 / <c>)",
                 "<c> \\tanh \\left( \\frac{<s>}{<c> \\cdot \\sqrt{<d>}} \\right)"}},
    ScaleMode{
        .id = "qk_norm",
        .title = ATTNLAB_TEXT("QK norm"),
        .formula = "gain · q̃ · k̃ / √d_k",
        .help = ATTNLAB_TEXT("Divides queries and keys by their root mean square, then multiplies by learned "
                             "gains. Qwen3, Gemma 3 and OLMo 2 do so; a rotary position comes after."),
        .parameters = qk_norm_parameters,
        .inputs =
            qk_norm_inputs,
        .row_norm = RowNorm::RootMeanSquare,
        .factor =
            [](const Context& c, const Values& v) { return v.real("gain") / root(c.head_width); },
        .operation = [](const Context& c, const Values& v) -> Message {
            const double gain = v.real("gain");
            if (gain == 1.0)
                return {"÷ √%1", {width(c)}};
            return {"× %2 ÷ √%1", {width(c), to_text(gain)}};
        },
        .drawn =
            {.scaled = {R"({\color{accent} g}\,\frac{<s>}{{\color{accent} \sqrt{d_k}}})", "g · <s> / √d_k"},
             .factor =
                 {R"(\frac{g}{\sqrt{d_k}})", "g / √d_k"},
             .single =
                 {R"({\color{accent} g}\,\frac{{\color{accent} \tilde{q} \cdot \tilde{k}}}{{\color{accent} \sqrt{d_k}}})",
                  "g q̃ · k̃ / √d_k, where q̃ = q / rms(q)"}},
        .code = {"<gain * ><s> / <d> ** 0.5", "<gain \\, >\\frac{<s>}{\\sqrt{<d>}}"}},
};

constexpr bool is_complete(const ScaleMode& mode) {
    const int ways = (mode.factor != nullptr) + (mode.cell != nullptr) + (mode.rewrite != nullptr);
    return !mode.id.empty() && mode.title && !mode.formula.empty() && mode.help && ways == 1 && mode.operation &&
           (mode.slope != nullptr) == (mode.cell != nullptr) && !mode.drawn.scaled.empty() &&
           (mode.choose_code || (!mode.code.python.empty() && !mode.code.latex.empty()));
}
static_assert(std::ranges::all_of(scale_table, is_complete),
              "a scale mode lacks its way to scale, its formula, or its code");

} // namespace

std::span<const ScaleMode> scale_modes() { return scale_table; }

const ScaleMode& scale_mode(std::string_view id) {
    if (const auto* found = lookup(scale_table, id))
        return *found;
    throw Error({ATTNLAB_TEXT("scale: '%1' is not one of %2"), {std::string(id), listed(scale_table, &ScaleMode::id)}});
}

ScaleCode code_of(const Selection& scale) {
    const auto& mode = scale_mode(scale.id);
    return mode.choose_code ? mode.choose_code(scale.parameters) : mode.code;
}

Selection parse_scale(std::string_view text) {
    const auto [id, argument] = id_and_argument(text);
    return {std::string(id), parse_argument(scale_mode(id).parameters, argument, id)};
}

Tensor normalised_rows(const Tensor& tensor, RowNorm norm) {
    Tensor result = tensor;
    const auto width = static_cast<std::size_t>(tensor.dim(-1));
    if (norm == RowNorm::None || width == 0)
        return result;
    const double root_of_width = norm == RowNorm::RootMeanSquare ? std::sqrt(static_cast<double>(width)) : 1.0;
    const auto values = result.mutable_values();
    for (std::size_t first = 0; first + width <= values.size(); first += width) {
        const auto row = values.subspan(first, width);
        divide(row, frobenius(row) / root_of_width);
    }
    return result;
}

PreparedRows prepared_rows(const ScaleMode& mode, const Tensor& query, const Tensor& key, const TensorMap& tensors) {
    return {with_gain(normalised_rows(query, mode.row_norm), mode, "query_gain", tensors),
            with_gain(normalised_rows(key, mode.row_norm), mode, "key_gain", tensors)};
}

Tensor gradient_of_rows(Tensor by_prepared, const ScaleMode& mode, const Tensor& rows, const char* gain,
                        const TensorMap& tensors) {
    by_prepared = with_gain(std::move(by_prepared), mode, gain, tensors);
    const auto width = static_cast<std::size_t>(rows.dim(-1));
    if (mode.row_norm == RowNorm::None || width == 0)
        return by_prepared;
    const double root_of_width = mode.row_norm == RowNorm::RootMeanSquare ? std::sqrt(static_cast<double>(width)) : 1.0;
    const auto directions = normalised_rows(rows, RowNorm::Length);
    const auto values = by_prepared.mutable_values();
    for (std::size_t first = 0; first + width <= values.size(); first += width) {
        const auto slopes = values.subspan(first, width);
        const auto along = directions.values().subspan(first, width), row = rows.values().subspan(first, width);
        double turned = 0.0;
        for (std::size_t c = 0; c < width; ++c)
            turned += slopes[c] * along[c];
        std::vector<double> across(width);
        for (std::size_t c = 0; c < width; ++c)
            across[c] = slopes[c] - turned * along[c];
        std::vector<double> length(row.begin(), row.end());
        const double norm = frobenius(length);
        for (std::size_t c = 0; c < width; ++c)
            slopes[c] = norm > 0.0 ? across[c] * root_of_width / norm : 0.0;
    }
    return by_prepared;
}

Message normalised_operation(RowNorm norm, const Message& operation) {
    switch (norm) {
    case RowNorm::Length:
        return {ATTNLAB_TEXT("rows to length 1, %1"), {operation}};
    case RowNorm::RootMeanSquare:
        return {ATTNLAB_TEXT("rows over their root mean square, %1"), {operation}};
    case RowNorm::None:
        break;
    }
    return operation;
}

Tensor apply_scale(const Tensor& scores, const Selection& scale, const ScaleContext& context) {
    const auto& mode = scale_mode(scale.id);
    Tensor scaled = scores;
    const auto values = scaled.mutable_values();
    if (mode.factor) {
        const double factor = mode.factor(context, scale.parameters);
        for (double& s : values)
            s *= factor;
        return scaled;
    }
    if (mode.cell) {
        for (double& s : values)
            s = mode.cell(s, context, scale.parameters);
        return scaled;
    }
    const auto columns = scores.dim(-1);
    const auto cells = static_cast<std::size_t>(scores.dim(-2) * columns);
    for (std::size_t first = 0; first + cells <= values.size() && cells > 0; first += cells)
        mode.rewrite(values.subspan(first, cells), columns, scale.parameters);
    return scaled;
}

std::optional<double> predicted_variance(const Selection& scale, const ScaleContext& context) {
    const auto& mode = scale_mode(scale.id);
    if (!mode.factor || mode.row_norm != RowNorm::None)
        return std::nullopt;
    const double factor = mode.factor(context, scale.parameters);
    return factor * factor * static_cast<double>(context.head_width);
}

} // namespace attnlab
