#include "tests/differential/reference.h"

#include "core/mechanisms.h"
#include "core/stages/scale.h"
#include "tests/core/independent.h"
#include "tests/differential/compare_stages.h"

#include <algorithm>

namespace attnlab::differential {
namespace {

using test::independent::Heads;
using test::independent::Real;

bool all_finite(const AttentionProblem& problem) {
    return std::all_of(problem.tensors.begin(), problem.tensors.end(), [](const auto& entry) {
        const auto values = entry.second.values();
        return std::all_of(values.begin(), values.end(),
                           [&](double value) { return std::isfinite(value) || entry.first == "attn_bias"; });
    });
}

/// "custom:0.7", as on the command line.
std::string text_of(const Selection& scale) {
    for (const auto& [name, value] : scale.parameters.all())
        return scale.id + ":" +
               (std::holds_alternative<double>(value) ? to_text(std::get<double>(value))
                                                      : std::get<std::string>(value));
    return scale.id;
}

std::vector<Real> reals(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

/// True when norms of scores, which are products, underflow a double.
bool vanishes(const Tensor& scores) {
    const auto values = scores.values();
    return std::all_of(values.begin(), values.end(), [](double score) { return std::abs(score) < 1e-280; });
}

/// The largest relative rounding of a row's norm: denormal norms have steps of 2^-1074. A norm is at least |row|_1 /
/// sqrt E, that of a mean another factor sqrt E less; both are rounded twice.
double rounding_of_norms(const Trace& reference) {
    double largest = 0.0;
    for (const auto* name : {"query", "key"}) {
        const auto& tensor = reference.find(name)->value;
        const auto width = static_cast<std::size_t>(tensor.dim(3));
        for (auto rest = tensor.values(); !rest.empty(); rest = rest.subspan(width)) {
            double size = 0.0;
            for (const double number : rest.first(width))
                size += std::abs(number);
            if (size > 0.0)
                largest = std::max(largest, static_cast<double>(width) * (0x1p-1074 / size));
        }
    }
    return 2.0 * largest;
}

/// The masked score of a cell; a sum beyond the range of doubles is infinite.
Real masked_score(const AttentionProblem& problem, const Heads& heads, std::int64_t b, std::int64_t h, std::int64_t i,
                  std::int64_t j, Real score) {
    const auto& spec = problem.spec;
    const bool kept = test::independent::kept_by_masks(problem, heads.n, b, h, i, j);
    Real bias = test::independent::bias(problem, heads.n.H, b, h, i, j);
    for (const auto& mask : spec.masks)
        if (mask.id == "attn_bias")
            bias += test::independent::cell(problem.tensors.find("attn_bias")->second, heads.n, b, h, i, j);
    if (!kept && spec.mask_fill.mode == MaskFill::Mode::Replace)
        return spec.mask_fill.value;
    const Real open = test::independent::modified(problem, h, i, j, score + bias);
    const Real sum = open + (kept ? 0.0L : Real{spec.mask_fill.value});
    return static_cast<Real>(static_cast<double>(sum)) == sum || std::isfinite(static_cast<double>(sum))
               ? sum
               : static_cast<Real>(static_cast<double>(sum));
}

struct Row {
    std::vector<Real> weights;
    Real lse = test::independent::minus_infinity;
};

/// Relative to the largest: lse alone cannot distinguish scores far from 0.
Row softmax(const std::vector<Real>& masked) {
    Row row{std::vector<Real>(masked.size(), 0.0L)};
    const Real largest = *std::max_element(masked.begin(), masked.end());
    if (largest == test::independent::minus_infinity)
        return row;
    Real sum = 0.0L;
    for (std::size_t j = masked.size(); j-- > 0;)
        sum += row.weights[j] = std::exp(masked[j] - largest);
    for (Real& weight : row.weights)
        weight /= sum;
    row.lse = largest + std::log(sum);
    return row;
}

class Beside {
public:
    Beside(const Computed& computed, const Arithmetic& arithmetic)
        : problem_(computed.made.problem), trace_(computed.reference), bounds_(problem_, trace_, arithmetic),
          key_heads_(trace_.find("key")->value.dim(1)), heads_{{bounds_.B(), bounds_.H(), key_heads_, bounds_.L(),
                                                                bounds_.S(), trace_.find("query")->value.dim(3),
                                                                bounds_.Ev()},
                                                               reals(trace_.find("query")->value),
                                                               reals(trace_.find("key")->value),
                                                               reals(trace_.find("value")->value)} {}

    std::string difference() const {
        const auto scale = text_of(effective_scale(problem_.spec));
        for (std::int64_t b = 0; b < bounds_.B(); ++b)
            for (std::int64_t h = 0; h < bounds_.H(); ++h) {
                const auto scores = test::independent::scaled_scores(problem_, heads_, b, h, scale);
                for (std::int64_t i = 0; i < bounds_.L(); ++i)
                    if (auto words = difference_of_row(b, h, i, scores.data() + i * bounds_.S()); !words.empty())
                        return words;
            }
        return {};
    }

private:
    std::string difference_of_row(std::int64_t b, std::int64_t h, std::int64_t i, const Real* scores) const {
        std::vector<Real> masked;
        for (std::int64_t j = 0; j < bounds_.S(); ++j)
            masked.push_back(masked_score(problem_, heads_, b, h, i, j, scores[j]));
        const auto expected = softmax(masked);
        if (std::isnan(static_cast<double>(expected.lse)))
            return {}; // scores beyond doubles
        const auto row = bounds_.row(b, h, i);
        if (row.has_nan && !std::isfinite(static_cast<double>(expected.lse)))
            return {};
        auto words =
            differential::difference("lse", {b, h, i}, row.lse, static_cast<double>(expected.lse), row.allowed_lse);
        for (std::int64_t j = 0; j < bounds_.S() && words.empty(); ++j) {
            const auto k = static_cast<std::size_t>(j);
            words = differential::difference("weight", {b, h, i, j}, weight(b, h, i, j),
                                             static_cast<double>(expected.weights[k]), row.allowed[k]);
        }
        const auto outputs = bounds_.outputs(row, b, h, i);
        for (std::int64_t c = 0; c < bounds_.Ev() && words.empty(); ++c) {
            Real sum = 0.0L;
            for (std::int64_t j = 0; j < bounds_.S(); ++j)
                sum += expected.weights[static_cast<std::size_t>(j)] *
                       heads_.v[static_cast<std::size_t>(
                           ((b * key_heads_ + h / (bounds_.H() / key_heads_)) * bounds_.S() + j) * bounds_.Ev() + c)];
            const auto& own = outputs[static_cast<std::size_t>(c)];
            words =
                differential::difference("output", {b, h, i, c}, own.expected, static_cast<double>(sum), own.allowed);
        }
        return words;
    }

    double weight(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        return trace_.find("weights")->value.data()[((b * bounds_.H() + h) * bounds_.L() + i) * bounds_.S() + j];
    }

    const AttentionProblem& problem_;
    const Trace& trace_;
    const Bounds bounds_;
    const std::int64_t key_heads_;
    const Heads heads_;
};

} // namespace

std::optional<Verdict> verdict_on_reference(const Computed& computed) {
    if (!computed.error.empty())
        return Verdict{Verdict::Kind::UnsupportedChoice, computed.error};
    const auto& problem = computed.made.problem;
    const auto& spec = problem.spec;
    const auto& weights = computed.reference.find("weights")->value;
    const bool plain = spec.variant == "scaled_dot_product" || spec.variant == "flash";
    const auto E = computed.reference.find("query")->value.dim(3);
    if (!plain || spec.scale_after_softmax || !all_finite(problem) || weights.size() == 0 || E == 0)
        return std::nullopt;
    auto arithmetic = float64();
    const bool normed = effective_scale(spec).id == "score_norm";
    if (normed && vanishes(computed.reference.find("scores")->value))
        return std::nullopt;
    if (normed) // the divisor is a sum over a row or a matrix
        arithmetic.product = 0x1p-52 * roundings(weights.dim(2) * weights.dim(3));
    if (scale_mode(effective_scale(spec).id).row_norm != RowNorm::None)
        arithmetic.product = rounding_of_norms(computed.reference);
    if (spec.position.id == "rope") // an angle is off by its own rounding
        arithmetic.product = 0x1p-51 * static_cast<double>(weights.dim(2) + weights.dim(3));
    const auto words = Beside(computed, arithmetic).difference();
    return words.empty() ? Verdict{} : Verdict{Verdict::Kind::Disagreed, words};
}

} // namespace attnlab::differential
