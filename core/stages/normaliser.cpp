#include "core/stages/normaliser.h"

#include "core/lookup.h"
#include "core/stages/decay.h"
#include "core/stages/mask.h"
#include "core/stages/query_offset.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace attnlab {
namespace {

using Values = ParameterValues;
using Row = std::span<const double>;
using RowOut = std::span<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The largest number, NaN where one is NaN, and -inf for a row without cells.
double largest_of(Row z) {
    double largest = -infinity;
    for (const double value : z)
        largest = value > largest || std::isnan(value) ? value : largest;
    return largest;
}

double logistic(double z) { return z >= 0.0 ? 1.0 / (1.0 + std::exp(-z)) : std::exp(z) / (1.0 + std::exp(z)); }
/// log(1 + exp(z))
double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }

double norm_of(double squares) { return std::sqrt(std::max(0.0, squares)); }

/// |diag(t) - t t^T / s|^2 for numbers t whose sum is s.
double norm_of_shares(const std::vector<double>& t, double s) {
    double squares = 0.0, cubes = 0.0;
    for (const double one : t) {
        squares += one * one;
        cubes += one * one * one;
    }
    return s > 0.0 ? norm_of(squares - 2.0 * cubes / s + squares * squares / (s * s)) : 0.0;
}

// softmax and softmax1: weights that are exponentials over a sum.

double softmax(Row z, RowOut weights, const Values&) { return softmax_row(z, weights); }

/// Softmax over the row and one more score of 0.
double softmax1(Row z, RowOut weights, const Values&) {
    const double largest = largest_of(z);
    const double m = largest < 0.0 ? 0.0 : largest;
    double sum = std::exp(-m);
    for (std::size_t j = 0; j < z.size(); ++j)
        sum += weights[j] = std::exp(z[j] - m);
    for (double& weight : weights)
        weight /= sum;
    return m + std::log(sum);
}

void back_through_shares(Row, Row weights, Row by_weights, RowOut by_z, const Values&) {
    double mean = 0.0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        mean += weights[j] == 0.0 ? 0.0 : weights[j] * by_weights[j];
    for (std::size_t j = 0; j < weights.size(); ++j)
        by_z[j] = weights[j] == 0.0 ? 0.0 : weights[j] * (by_weights[j] - mean);
}

/// |diag(a) - a a^T|: the sum of a need not be 1.
double norm_of_softmax1(Row, Row weights, const Values&) {
    double squares = 0.0, cubes = 0.0;
    for (const double a : weights) {
        squares += a * a;
        cubes += a * a * a;
    }
    return norm_of(squares - 2.0 * cubes + squares * squares);
}

// sigmoid, relu and none: each cell by itself.

double bias_of(Row z, const Values& values) {
    return values.find("bias") ? values.real("bias")
                               : -std::log(static_cast<double>(std::max<std::size_t>(1, z.size())));
}

double sigmoid(Row z, RowOut weights, const Values& values) {
    const double bias = bias_of(z, values);
    std::ranges::transform(z, weights.begin(), [&](double score) { return logistic(score + bias); });
    return nan;
}

void back_through_sigmoid(Row, Row weights, Row by_weights, RowOut by_z, const Values&) {
    for (std::size_t j = 0; j < weights.size(); ++j)
        by_z[j] = weights[j] == 0.0 ? 0.0 : by_weights[j] * weights[j] * (1.0 - weights[j]);
}

double norm_of_sigmoid(Row, Row weights, const Values&) {
    double squares = 0.0;
    for (const double a : weights)
        squares += a * (1.0 - a) * a * (1.0 - a);
    return norm_of(squares);
}

double divisor_of(Row z, const Values& values) {
    return values.find("divide") ? values.real("divide") : static_cast<double>(std::max<std::size_t>(1, z.size()));
}

double relu(Row z, RowOut weights, const Values& values) {
    const double divisor = divisor_of(z, values);
    std::ranges::transform(z, weights.begin(), [&](double score) { return score <= 0.0 ? 0.0 : score / divisor; });
    return nan;
}

void back_through_relu(Row z, Row weights, Row by_weights, RowOut by_z, const Values& values) {
    const double divisor = divisor_of(z, values);
    for (std::size_t j = 0; j < weights.size(); ++j)
        by_z[j] = weights[j] > 0.0 ? by_weights[j] / divisor : 0.0;
}

double norm_of_relu(Row z, Row weights, const Values& values) {
    return std::sqrt(static_cast<double>(std::ranges::count_if(weights, [](double a) { return a > 0.0; }))) /
           divisor_of(z, values);
}

double unchanged(Row z, RowOut weights, const Values&) {
    std::ranges::transform(z, weights.begin(), [](double score) { return score == -infinity ? 0.0 : score; });
    return nan;
}

void back_unchanged(Row z, Row, Row by_weights, RowOut by_z, const Values&) {
    for (std::size_t j = 0; j < z.size(); ++j)
        by_z[j] = z[j] == -infinity ? 0.0 : by_weights[j];
}

double norm_of_unchanged(Row z, Row, const Values&) {
    return std::sqrt(static_cast<double>(std::ranges::count_if(z, [](double score) { return score != -infinity; })));
}

// sparsemax and entmax: what is above a threshold.

/// The numbers above -inf in descending order, minus `largest`.
std::vector<double> descending(Row x, double largest) {
    std::vector<double> sorted;
    for (const double value : x)
        if (value != -infinity)
            sorted.push_back(value - largest);
    std::ranges::sort(sorted, std::greater());
    return sorted;
}

/// The threshold of sparsemax for numbers whose largest is 0. Martins and Astudillo, algorithm 1.
double sparsemax_threshold(const std::vector<double>& sorted) {
    double sum = 0.0, threshold = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const auto count = static_cast<double>(k + 1);
        sum += sorted[k];
        if (1.0 + count * sorted[k] <= sum)
            break;
        threshold = (sum - 1.0) / count;
    }
    return threshold;
}

/// The threshold of entmax with alpha 1.5 for halved scores whose largest is 0. Peters et al., algorithm 2.
double entmax15_threshold(const std::vector<double>& sorted) {
    double sum = 0.0, squares = 0.0, threshold = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const auto count = static_cast<double>(k + 1);
        sum += sorted[k];
        squares += sorted[k] * sorted[k];
        const double mean = sum / count;
        const double rest = (1.0 - (squares - sum * mean)) / count;
        const double here = mean - std::sqrt(std::max(0.0, rest));
        if (here > sorted[k])
            break;
        threshold = here;
    }
    return threshold;
}

/// For any alpha, the lowest score with a weight, and how far it is above the threshold once multiplied by alpha - 1.
/// Peters et al., algorithm 1, bisect the threshold itself; for a large alpha a power of what rounding leaves of the
/// difference would be far off, so the difference is what is searched for: the smallest weight to that power.
struct EntmaxEnd {
    double lowest = 0.0, above = 0.0;
};
EntmaxEnd end_of_entmax(const std::vector<double>& descending, double factor) {
    const auto sum_from = [&](std::size_t last, double above) {
        double sum = 0.0;
        for (std::size_t j = 0; j <= last; ++j)
            sum += std::pow(factor * (descending[j] - descending[last]) + above, 1.0 / factor);
        return sum;
    };
    // Without the last key that has a weight, the others would have less than 1.
    std::size_t last = 0;
    for (std::size_t end = descending.size(); end - last > 1;) {
        const auto middle = last + (end - last) / 2;
        (sum_from(middle, 0.0) < 1.0 ? last : end) = middle;
    }
    double low = 0.0, high = 1.0; // of a number of which `above` is a smooth function
    const auto above = [&](double number) { return std::pow(number, std::max(1.0, factor)); };
    for (int bit = 0; bit < 64; ++bit) {
        const double middle = 0.5 * (low + high);
        (sum_from(last, above(middle)) < 1.0 ? low : high) = middle;
    }
    return {descending[last], above(high)};
}

/// The same for an alpha near 1. There (alpha - 1) z - threshold is near 1, and its power loses digits: with a
/// threshold of (alpha - 1) c - 1, the weights are exp(log1p((alpha - 1) (z - c)) / (alpha - 1)).
double nearly_softmax(Row z, RowOut weights, double largest, double factor) {
    const auto weight = [factor](double above_c) {
        return factor * above_c <= -1.0 ? 0.0 : std::exp(std::log1p(factor * above_c) / factor);
    };
    const auto sum_with = [&](double c) {
        double sum = 0.0;
        for (const double score : z)
            sum += weight(score - c);
        return sum;
    };
    // The largest weight is between 1 and 1 / n.
    double low = largest, high = largest - std::expm1(-factor * std::log(static_cast<double>(z.size()))) / factor;
    for (int bit = 0; bit < 64; ++bit) {
        const double middle = 0.5 * (low + high);
        (sum_with(middle) > 1.0 ? low : high) = middle;
    }
    const double sum = sum_with(high);
    for (std::size_t j = 0; j < z.size(); ++j)
        weights[j] = weight(z[j] - high) / sum;
    return factor * high - 1.0;
}

/// The weights ((alpha - 1) z - threshold)^(1 / (alpha - 1)) and their threshold.
double above_threshold(Row z, RowOut weights, double alpha) {
    const double largest = largest_of(z);
    if (largest == -infinity)
        return largest;
    if (!std::isfinite(largest)) {
        std::ranges::fill(weights, nan);
        return nan;
    }
    const double factor = alpha - 1.0;
    if (alpha == 2.0 || alpha == 1.5) {
        auto sorted = descending(z, largest);
        for (double& value : sorted)
            value *= factor;
        const double threshold = alpha == 2.0 ? sparsemax_threshold(sorted) : entmax15_threshold(sorted);
        for (std::size_t j = 0; j < z.size(); ++j) {
            const double above = std::max(0.0, factor * (z[j] - largest) - threshold);
            weights[j] = alpha == 2.0 ? above : above * above;
        }
        return threshold + factor * largest;
    }
    constexpr double near_softmax = 1e-3;
    if (factor < near_softmax)
        return nearly_softmax(z, weights, largest, factor);
    const auto [lowest, above] = end_of_entmax(descending(z, 0.0), factor);
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
        weights[j] = z[j] < lowest ? 0.0 : std::pow(factor * (z[j] - lowest) + above, 1.0 / factor);
        sum += weights[j];
    }
    for (double& weight : weights)
        weight /= sum;
    return factor * lowest - above;
}

double sparsemax(Row z, RowOut weights, const Values&) { return above_threshold(z, weights, 2.0); }
double entmax(Row z, RowOut weights, const Values& values) { return above_threshold(z, weights, values.real("alpha")); }

/// a^(2 - alpha) on the support, else 0; and their sum.
std::pair<std::vector<double>, double> slopes_of_entmax(Row weights, double alpha) {
    std::vector<double> slopes(weights.size());
    double sum = 0.0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        if (weights[j] > 0.0)
            sum += slopes[j] = alpha == 2.0 ? 1.0 : std::pow(weights[j], 2.0 - alpha);
    return {std::move(slopes), sum};
}

void back_through_entmax_of(double alpha, Row weights, Row by_weights, RowOut by_z) {
    const auto [slopes, sum] = slopes_of_entmax(weights, alpha);
    double mean = 0.0;
    for (std::size_t j = 0; j < weights.size(); ++j)
        mean += slopes[j] == 0.0 ? 0.0 : slopes[j] * by_weights[j] / sum;
    for (std::size_t j = 0; j < weights.size(); ++j)
        by_z[j] = slopes[j] == 0.0 ? 0.0 : slopes[j] * (by_weights[j] - mean);
}

void back_through_sparsemax(Row, Row weights, Row by_weights, RowOut by_z, const Values&) {
    back_through_entmax_of(2.0, weights, by_weights, by_z);
}
void back_through_entmax(Row, Row weights, Row by_weights, RowOut by_z, const Values& values) {
    back_through_entmax_of(values.real("alpha"), weights, by_weights, by_z);
}

double norm_of_sparsemax(Row, Row weights, const Values&) {
    const auto [slopes, sum] = slopes_of_entmax(weights, 2.0);
    return norm_of_shares(slopes, sum);
}
double norm_of_entmax(Row, Row weights, const Values& values) {
    const auto [slopes, sum] = slopes_of_entmax(weights, values.real("alpha"));
    return norm_of_shares(slopes, sum);
}

// Stick-breaking: from the last key to the first, each takes its share of what is left.

double stick_breaking(Row z, RowOut weights, const Values&) {
    double left = 0.0; // the logarithm of what is left
    for (std::size_t j = z.size(); j-- > 0;) {
        if (z[j] == -infinity)
            continue;
        weights[j] = std::exp(left - softplus(-z[j]));
        left -= softplus(z[j]);
    }
    return nan;
}

/// Column k of the derivative: a_k (1 - s_k) in its own row, -a_j s_k in those of keys j before it.
double norm_of_stick_breaking(Row z, Row weights, const Values&) {
    double squares = 0.0, before = 0.0; // the sum of the squares of the weights of the keys before
    for (std::size_t k = 0; k < z.size(); ++k) {
        const double share = z[k] == -infinity ? 0.0 : logistic(z[k]);
        const double own = weights[k] * (z[k] == -infinity ? 1.0 : logistic(-z[k]));
        squares += own * own + share * share * before;
        before += weights[k] * weights[k];
    }
    return norm_of(squares);
}

double norm_of_softmax(Row, Row weights, const Values&) { return row_statistics(weights).jacobian_norm; }

const Parameter sigmoid_parameters[] = {
    {.name = "bias",
     .type = ParameterType::Real,
     .title = ATTNLAB_TEXT("bias b"),
     .help = ATTNLAB_TEXT(
         "Added to every score; if it is not given −log S, so that a row of equal scores sums to about 1")}};
const Parameter relu_parameters[] = {
    {.name = "divide",
     .type = ParameterType::Real,
     .title = ATTNLAB_TEXT("divisor"),
     .help = ATTNLAB_TEXT("Divides every weight; if it is not given the number S of keys"),
     .minimum = 0.0,
     .minimum_excluded = true}};
const Parameter entmax_parameters[] = {
    {.name = "alpha",
     .type = ParameterType::Real,
     .default_text = "1.5",
     .title = ATTNLAB_TEXT("α"),
     .help = ATTNLAB_TEXT("1 is softmax, 2 is sparsemax; the larger, the fewer keys have a weight"),
     .minimum = 1.0}};
constexpr std::string_view stick_breaking_keys[] = {"before", "self"};
const Parameter stick_breaking_parameters[] = {
    {.name = "keys",
     .type = ParameterType::Choice,
     .default_text = "before",
     .title = ATTNLAB_TEXT("keys"),
     .help = ATTNLAB_TEXT("before: those before the query; self: its own, too"),
     .choices = stick_breaking_keys}};

constexpr std::string_view entmax_python =
    R"(x = (<alpha> - 1.0) * (<m> - <m>.max(axis=-1, keepdims=True))
low = x.max(axis=-1, keepdims=True) - 1.0
high = low + 1.0
for _ in range(60):  # the threshold, but for its last bit
    tau = (low + high) / 2.0
    enough = ((x - tau).clip(0.0, 1.0) ** (1.0 / (<alpha> - 1.0))).sum(axis=-1, keepdims=True) >= 1.0
    low = np.where(enough, tau, low)
    high = np.where(enough, high, tau)
def weigh(lowest, above):  # of the lowest key with a weight, and how far it is above the threshold
    gaps = x - lowest
    return np.where(gaps < 0.0, 0.0, (gaps.clip(0.0, 1.0) + above) ** (1.0 / (<alpha> - 1.0)))
near = -np.where(x > low - 1e-15, -x, -np.inf).max(axis=-1, keepdims=True)
following = -np.where(x > near, -x, -np.inf).max(axis=-1, keepdims=True)
lowest = np.where(weigh(near, 0.0).sum(axis=-1, keepdims=True) < 1.0, near, following)
low, high = 0.0 * lowest, 0.0 * lowest + 1.0
for _ in range(60):  # the smallest weight, or its power
    middle = (low + high) / 2.0
    enough = weigh(lowest, middle ** max(1.0, <alpha> - 1.0)).sum(axis=-1, keepdims=True) >= 1.0
    low, high = np.where(enough, low, middle), np.where(enough, middle, high)
weights = weigh(lowest, high ** max(1.0, <alpha> - 1.0))
weights = weights / weights.sum(axis=-1, keepdims=True)
)";

constexpr Normaliser table[] = {
    {.id = "softmax",
     .title = "softmax",
     .formula = "a_ij = exp(m_ij) / Σ_k exp(m_ik)",
     .drawn = {R"(a_{ij} = \frac{e^{m_{ij}}}{\sum_l e^{m_{il}}})", "a_ij = exp(m_ij) / Σ_l exp(m_il)"},
     .help = ATTNLAB_TEXT("Every key that is not blocked has a weight above 0, and the weights of a row sum to 1: a "
                          "query has to read something."),
     .source = "Vaswani et al.: Attention Is All You Need (2017), equation 1",
     .number = RowNumber::Lse,
     .number_formula = "lse_i = log Σ_j exp(m_ij)",
     .weigh = softmax,
     .back = back_through_shares,
     .jacobian_norm = norm_of_softmax,
     .code = {.latex = "\\frac{\\exp <m>}{\\sum_{j'} \\exp <m_k>}"}},
    {.id = "softmax1",
     .title = "softmax1",
     .formula = "a_ij = exp(m_ij) / (1 + Σ_k exp(m_ik))",
     .drawn = {R"(a_{ij} = \frac{e^{m_{ij}}}{{\color{accent} 1} + \sum_l e^{m_{il}}})",
               "a_ij = exp(m_ij) / (1 + Σ_l exp(m_il))"},
     .help = ATTNLAB_TEXT("As softmax with one more key whose score and value are 0. A query that finds nothing can "
                          "read almost nothing, so no key has to serve as a sink."),
     .source =
         "Miller: Attention Is Off By One (2023); Xiao et al.: Efficient Streaming Language Models with Attention "
         "Sinks (2023), section 3.3",
     .row_sums = ATTNLAB_TEXT("A row sums to less than 1; the rest is the weight of the additional score of 0"),
     .step_text = ATTNLAB_TEXT("One more score, of 0, takes a share without a key: the keys together have %1 of 1."),
     .number = RowNumber::Lse,
     .number_formula = "lse_i = log(1 + Σ_j exp(m_ij))",
     .weigh = softmax1,
     .back = back_through_shares,
     .jacobian_norm = norm_of_softmax1,
     .code = {.python = R"(top = <m>.max(axis=-1, keepdims=True).clip(0.0)
weights = np.exp(<m> - top)
weights = weights / (np.exp(-top) + weights.sum(axis=-1, keepdims=True))
)",
              .latex = "\\frac{\\exp <m>}{1 + \\sum_{j'} \\exp <m_k>}"}},
    {.id = "sigmoid",
     .title = "sigmoid",
     .formula = "a_ij = 1 / (1 + exp(−(m_ij + b)))",
     .drawn = {R"(a_{ij} = \frac{1}{1 + e^{-(m_{ij} + {\color{accent} b})}})", "a_ij = 1 / (1 + exp(−(m_ij + b)))"},
     .help = ATTNLAB_TEXT("Each weight depends on its own score alone: keys do not compete. The bias −log S keeps the "
                          "sum of a row near 1 where scores are near 0."),
     .source = "Ramapuram et al.: Theory, Analysis, and Best Practices for Sigmoid Self-Attention (2024), section 2",
     .parameters = sigmoid_parameters,
     .row_sums = ATTNLAB_TEXT("A row sums to anything from 0 to the number of keys"),
     .step_text =
         ATTNLAB_TEXT("Each score goes through the sigmoid by itself: keys do not compete, and the row sums to %1."),
     .weigh = sigmoid,
     .back = back_through_sigmoid,
     .jacobian_norm = norm_of_sigmoid,
     .code = {.python = "weights = 1.0 / (1.0 + np.exp(-(<m><plus_bias>)))\n",
              .latex = "\\frac{1}{1 + \\exp(-(<m><plus_bias>))}"}},
    {.id = "relu",
     .title = "ReLU",
     .formula = "a_ij = max(m_ij, 0) / S",
     .drawn = {R"(a_{ij} = \frac{\max\left( m_{ij},\, 0 \right)}{{\color{accent} S}})", "a_ij = max(m_ij, 0) / S"},
     .help = ATTNLAB_TEXT("Scores below 0 have no weight, the others are divided by the number of keys. A row can be 0 "
                          "throughout: the query then reads nothing."),
     .source = "Wortsman et al.: Replacing softmax with ReLU in Vision Transformers (2023), section 3",
     .parameters = relu_parameters,
     .row_sums = ATTNLAB_TEXT("A row sums to anything from 0"),
     .step_text =
         ATTNLAB_TEXT("A score below 0 has no weight, the others are divided by one number: the row sums to %1."),
     .weigh = relu,
     .back = back_through_relu,
     .jacobian_norm = norm_of_relu,
     .code = {.python = "weights = <m>.clip(0.0) / <divide>\n", .latex = "\\frac{\\max(<m>, 0)}{<divide>}"}},
    {.id = "sparsemax",
     .title = "sparsemax",
     .formula = "a_ij = max(m_ij − τ_i, 0), Σ_j a_ij = 1",
     .drawn = {R"(a_{ij} = \max\left( m_{ij} - {\color{accent} \tau_i},\, 0 \right) \quad\; \sum_j a_{ij} = 1)",
               "a_ij = max(m_ij − τ_i, 0), Σ_j a_ij = 1"},
     .help = ATTNLAB_TEXT("The point nearest to the scores whose weights sum to 1. Scores below the threshold τ have "
                          "no weight at all."),
     .source = "Martins, Astudillo: From Softmax to Sparsemax (2016), equation 2 and algorithm 1",
     .step_text = ATTNLAB_TEXT(
         "One threshold for the row, so that what is above it makes a sum of 1: keys with a weight %2, of %3."),
     .number = RowNumber::Threshold,
     .number_formula = "Σ_j max(m_ij − τ_i, 0) = 1",
     .weigh = sparsemax,
     .back = back_through_sparsemax,
     .jacobian_norm = norm_of_sparsemax,
     .code = {.python = R"(ordered = <descending>
kept = 1.0 + np.arange(1, <S> + 1) * ordered > np.cumsum(ordered, axis=-1)
tau = (np.where(kept, ordered, 0.0).sum(axis=-1, keepdims=True) - 1.0) / kept.sum(axis=-1, keepdims=True)
weights = (<m> - tau).clip(0.0)
)",
              .latex = "\\max(<m> - \\tau_i, 0)",
              .latex_of_row = "\\sum_{j'} \\max(<m_k> - \\tau_i, 0) = 1"}},
    {.id = "entmax",
     .title = "entmax",
     .formula = "a_ij = max((α − 1) m_ij − τ_i, 0)^(1 / (α − 1)), Σ_j a_ij = 1",
     .drawn =
         {R"(a_{ij} = \max\left( ({\color{accent} \alpha} - 1)\, m_{ij} - \tau_i,\, 0 \right)^{\frac{1}{{\color{accent} \alpha} - 1}} \quad\; \sum_j a_{ij} = 1)",
          "a_ij = max((α − 1) m_ij − τ_i, 0)^(1 / (α − 1)), Σ_j a_ij = 1"},
     .help = ATTNLAB_TEXT("Between softmax (α = 1) and sparsemax (α = 2): low scores have no weight, and the weights "
                          "of the others change smoothly."),
     .source = "Peters, Niculae, Martins: Sparse Sequence-to-Sequence Models (2019), section 3",
     .parameters = entmax_parameters,
     .step_text = ATTNLAB_TEXT(
         "One threshold for the row, so that what is above it makes a sum of 1: keys with a weight %2, of %3."),
     .number = RowNumber::Threshold,
     .number_formula = "Σ_j max((α − 1) m_ij − τ_i, 0)^(1 / (α − 1)) = 1",
     .weigh = entmax,
     .back = back_through_entmax,
     .jacobian_norm = norm_of_entmax,
     .code = {.python = entmax_python,
              .latex = "\\max((<alpha> - 1) <m> - \\tau_i, 0)^{1 / (<alpha> - 1)}",
              .latex_of_row = "\\sum_{j'} \\max((<alpha> - 1) <m_k> - \\tau_i, 0)^{1 / (<alpha> - 1)} = 1"}},
    {.id = "stick_breaking",
     .title = ATTNLAB_TEXT("stick-breaking"),
     .formula = "a_ij = σ(m_ij) Π_{j<k} (1 − σ(m_ik))",
     .drawn =
         {R"(a_{ij} = \sigma\left( m_{ij} \right) {\color{accent} \prod_{j < l}} \left( 1 - \sigma\left( m_{il} \right) \right))",
          "a_ij = σ(m_ij) Π_{j<l} (1 − σ(m_il))"},
     .help = ATTNLAB_TEXT("A stick of length 1 is broken from the nearest key to the first: each key takes the share σ "
                          "of its score of what is left. Near keys come first, without any positions."),
     .source = "Tan et al.: Scaling Stick-Breaking Attention (2024), section 2",
     .parameters = stick_breaking_parameters,
     .row_sums = ATTNLAB_TEXT("A row sums to 0 .. 1; the rest is what is left of the stick"),
     .step_text =
         ATTNLAB_TEXT("From the last key to the first, each takes its share of what is left: together %1 of 1."),
     .weigh = stick_breaking,
     .jacobian_norm = norm_of_stick_breaking,
     .code = {.python = R"(softplus = <m>.clip(0.0) + np.log1p(np.exp(-np.abs(<m>)))
later = softplus.sum(axis=-1, keepdims=True) - np.cumsum(softplus, axis=-1)
weights = np.exp(<m> - softplus - later)
)",
              .latex = "\\sigma(<m>) \\prod_{j' > j} (1 - \\sigma(<m_k>))"}},
    {.id = "none",
     .title = ATTNLAB_TEXT("none"),
     .formula = "a_ij = m_ij",
     .drawn = {R"(a_{ij} = m_{ij})", "a_ij = m_ij"},
     .help =
         ATTNLAB_TEXT("The scores themselves, which may be negative; blocked cells have the weight 0. The output is "
                      "then linear in the values and in the scores."),
     .source = "",
     .row_sums = ATTNLAB_TEXT("A row sums to any number, and weights may be negative"),
     .step_text = ATTNLAB_TEXT("The scores themselves are the weights: the row sums to %1."),
     .weigh = unchanged,
     .back = back_unchanged,
     .jacobian_norm = norm_of_unchanged,
     .code = {.python = "weights = np.where(<m> > -np.inf, <m>, 0.0)\n", .latex = "<m>"}},
};

constexpr bool is_complete_row(const Normaliser& row) {
    return !row.id.empty() && row.title && !row.drawn.empty() && row.help && row.weigh && row.jacobian_norm &&
           (row.number != RowNumber::None) != row.number_formula.empty() && !row.code.latex.empty() &&
           (&row == table || (row.step_text && !row.code.python.empty()));
}
static_assert(std::ranges::all_of(table, is_complete_row), "a normaliser lacks its formula, its texts or its code");

} // namespace

std::span<const Normaliser> normalisers() { return table; }

const Normaliser& normaliser_of(const Selection& chosen) {
    if (chosen.id.empty())
        return table[0];
    if (const auto* found = lookup(table, chosen.id))
        return *found;
    throw UnknownName({ATTNLAB_TEXT("normaliser: '%1' is not one of %2"), {chosen.id, listed(table, &Normaliser::id)}});
}

Selection parse_normaliser(std::string_view text) {
    const auto [id, argument] = id_and_argument(text);
    Selection chosen{std::string(id), {}};
    const auto& row = normaliser_of(chosen);
    if (!argument.empty())
        chosen.parameters = parse_argument(row.parameters, argument, row.id);
    if (&row == &table[0])
        return {};
    return chosen;
}

Selection effective_normaliser(const AttentionSpec& spec) {
    const auto& row = normaliser_of(spec.normaliser);
    Selection chosen{std::string(row.id), with_defaults(row.parameters, spec.normaliser.parameters, row.id)};
    const bool is_entmax = row.id == "entmax";
    if (&row == &table[0] || (is_entmax && chosen.parameters.real("alpha") == 1.0))
        return {};
    if (is_entmax && chosen.parameters.real("alpha") == 2.0)
        return {"sparsemax", {}};
    return chosen;
}

NormalisedRows normalised_rows(const Tensor& masked, const Selection& normaliser, const RunControl& control) {
    const auto& row = normaliser_of(normaliser);
    auto shape = masked.shape();
    const auto columns = static_cast<std::size_t>(shape.back());
    shape.pop_back();
    NormalisedRows result{Tensor(masked.shape()), {}};
    Tensor numbers(shape);
    const auto weights = result.weights.mutable_values();
    const auto of_rows = numbers.mutable_values();
    for (std::size_t i = 0; i < of_rows.size(); ++i) {
        control.checkpoint();
        of_rows[i] = row.weigh(masked.values().subspan(i * columns, columns), weights.subspan(i * columns, columns),
                               normaliser.parameters);
    }
    if (row.number != RowNumber::None)
        result.numbers = std::move(numbers);
    return result;
}

RowStatistics statistics_of(std::span<const double> weights, std::span<const double> masked,
                            const Selection& normaliser, bool are_scaled) {
    auto result = row_statistics(weights);
    if (std::isnan(result.max_weight))
        return result;
    double entropy = 0.0;
    for (const double a : weights)
        if (a != 0.0)
            entropy -= a < 0.0 ? nan : a / result.sum * std::log(a / result.sum);
    result.max_weight = weights.empty() ? 0.0 : *std::ranges::max_element(weights);
    result.entropy = entropy;
    result.effective_keys = std::exp(entropy);
    const auto& row = normaliser_of(normaliser);
    std::vector<double> before_decay(weights.size());
    row.weigh(masked, before_decay, normaliser.parameters);
    result.jacobian_norm = row.jacobian_norm(masked, before_decay, normaliser.parameters);
    if (const double before = std::accumulate(before_decay.begin(), before_decay.end(), 0.0);
        are_scaled && before != 0.0)
        result.jacobian_norm *= std::abs(result.sum / before);
    return result;
}

bool implies_order(const AttentionSpec& spec) {
    return spec.normaliser.id == "stick_breaking" || !spec.decay.id.empty();
}

Band band_of_order(const AttentionSpec& spec) {
    const auto* keys = spec.normaliser.parameters.find("keys"); // of stick_breaking
    return {.before = Band::unlimited, .after = keys && to_text(*keys) == "before" ? -1 : 0};
}

std::span<const Input> inputs_of_order(const AttentionSpec& spec) {
    static constexpr Input of_offset[] = {query_offset_input};
    if (!spec.decay.id.empty())
        return decay_of(spec.decay.id).inputs;
    return implies_order(spec) ? std::span<const Input>(of_offset) : std::span<const Input>();
}

Tensor cells_out_of_order(const ResolvedProblem& problem, std::int64_t appended, const RunControl& control) {
    const auto& spec = problem.spec;
    if (!implies_order(spec))
        return Tensor({0});
    const auto [B, H, L, S, grid] = mask_context(problem.sizes);
    const auto last = band_of_order(spec).after;
    const auto offsets = query_offsets(spec, problem.tensors);
    Tensor out_of_order({B, H, L, S + appended}, 0.0, DType::Bool);
    const auto cells = out_of_order.mutable_values();
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i) {
                control.checkpoint();
                const auto first = ((b * H + h) * L + i) * (S + appended);
                for (auto j = std::clamp<std::int64_t>(offsets.of(b) + i + last + 1, 0, S); j < S; ++j)
                    cells[static_cast<std::size_t>(first + j)] = 1.0;
            }
    return out_of_order;
}

} // namespace attnlab
