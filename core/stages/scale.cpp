#include "core/stages/scale.h"

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

std::string width(const Context& context) { return std::to_string(context.head_width); }

/// A score over no features is 0, and stays 0: sizes of 0 count as 1.
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

/// √Σ s², by way of the largest entry so that no square leaves the range of doubles.
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

const std::array table = {
    ScaleMode{"none",
              ATTNLAB_TEXT("none"),
              "s",
              ATTNLAB_TEXT("The scores as they are. Their variance grows with the width d, so softmax saturates."),
              {},
              [](const Context&, const Values&) { return 1.0; },
              false,
              nullptr,
              [](const Context&, const Values&) -> Message { return {ATTNLAB_TEXT("as is")}; }},
    ScaleMode{"sqrt_dk",
              "1/√d",
              "s / √d_k",
              ATTNLAB_TEXT("Keeps the variance of the scores at 1 for inputs of variance 1, whatever the width."),
              {},
              [](const Context& c, const Values&) { return 1.0 / root(c.head_width); },
              false,
              nullptr,
              [](const Context& c, const Values&) -> Message {
                  return {"÷ √%1", {width(c)}};
              }},
    ScaleMode{"dk",
              "1/d",
              "s / d_k",
              ATTNLAB_TEXT("Divides too much: the variance falls as 1/d and the weights drift to uniform."),
              {},
              [](const Context& c, const Values&) { return 1.0 / counted(c.head_width); },
              false,
              nullptr,
              [](const Context& c, const Values&) -> Message {
                  return {"÷ %1", {width(c)}};
              }},
    ScaleMode{"cbrt_dk",
              "1/∛d",
              "s / ∛d_k",
              ATTNLAB_TEXT("Divides too little: the variance still grows as the cube root of d."),
              {},
              [](const Context& c, const Values&) { return 1.0 / std::cbrt(counted(c.head_width)); },
              false,
              nullptr,
              [](const Context& c, const Values&) -> Message {
                  return {"÷ ∛%1", {width(c)}};
              }},
    ScaleMode{"temperature", ATTNLAB_TEXT("temperature"), "s / t",
              ATTNLAB_TEXT("Divides by a number of your own: small is sharp, large is flat."), temperature_parameters,
              [](const Context&, const Values& v) { return 1.0 / v.real("t"); }, false, nullptr,
              [](const Context&, const Values& v) -> Message {
                  return {"÷ %1", {to_text(v.real("t"))}};
              }},
    ScaleMode{"custom", ATTNLAB_TEXT("custom factor"), "s · c",
              ATTNLAB_TEXT("Multiplies by a number of your own, negative ones included."), custom_parameters,
              [](const Context&, const Values& v) { return v.real("c"); }, false, nullptr,
              [](const Context&, const Values& v) -> Message {
                  return {"× %1", {to_text(v.real("c"))}};
              }},
    ScaleMode{"score_norm", ATTNLAB_TEXT("score norm"), "S / ‖S‖",
              ATTNLAB_TEXT("Divides each head's score matrix by its own norm, so every score depends on all others."),
              norm_parameters, nullptr, false, score_norm,
              [](const Context&, const Values& v) -> Message {
                  return {"÷ ‖S‖ %1", {v.choice("norm")}};
              }},
    ScaleMode{"pre_norm", ATTNLAB_TEXT("pre-norm (cosine)"), "q̂ · k̂ / t",
              ATTNLAB_TEXT("Scales queries and keys to length 1 first: the score is the cosine between them."),
              pre_norm_parameters, [](const Context&, const Values& v) { return 1.0 / v.real("t"); }, true, nullptr,
              [](const Context&, const Values& v) -> Message {
                  return {"÷ %1", {to_text(v.real("t"))}};
              }},
    ScaleMode{"long_sequence",
              "1/(√d √S)",
              "s / (√d_k √S)",
              ATTNLAB_TEXT("Also divides by the root of the number of keys: flatter the longer the sequence."),
              {},
              [](const Context& c, const Values&) { return 1.0 / (root(c.head_width) * root(c.key_count)); },
              false,
              nullptr,
              [](const Context& c, const Values&) -> Message {
                  return {"÷ √%1√%2", {width(c), std::to_string(c.key_count)}};
              }},
};

} // namespace

std::span<const ScaleMode> scale_modes() { return table; }

const ScaleMode& scale_mode(std::string_view id) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const ScaleMode& mode) { return mode.id == id; });
    if (found != table.end())
        return *found;
    std::string known;
    for (const auto& mode : table)
        known += (known.empty() ? "" : ", ") + std::string(mode.id);
    throw Error({ATTNLAB_TEXT("scale: '%1' is not one of %2"), {std::string(id), known}});
}

Selection parse_scale(std::string_view text) {
    const auto colon = text.find(':');
    const auto id = text.substr(0, colon);
    const auto argument = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
    return {std::string(id), parse_argument(scale_mode(id).parameters, argument, id)};
}

Tensor normalised_rows(const Tensor& tensor) {
    Tensor result = tensor;
    const auto width = static_cast<std::size_t>(tensor.dim(-1));
    const auto values = result.mutable_values();
    for (std::size_t first = 0; first + width <= values.size() && width > 0; first += width) {
        const auto row = values.subspan(first, width);
        divide(row, frobenius(row));
    }
    return result;
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
    const auto columns = scores.dim(-1);
    const auto cells = static_cast<std::size_t>(scores.dim(-2) * columns);
    for (std::size_t first = 0; first + cells <= values.size() && cells > 0; first += cells)
        mode.rewrite(values.subspan(first, cells), columns, scale.parameters);
    return scaled;
}

std::optional<double> predicted_variance(const Selection& scale, const ScaleContext& context) {
    const auto& mode = scale_mode(scale.id);
    if (!mode.factor || mode.normalises_inputs)
        return std::nullopt;
    const double factor = mode.factor(context, scale.parameters);
    return factor * factor * static_cast<double>(context.head_width);
}

} // namespace attnlab
