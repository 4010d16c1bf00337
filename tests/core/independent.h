// A second implementation of the mechanisms to compare with: long double, in the log domain, one cell at a time, using
// only the spec and the arrays of core.
#pragma once

#include "core/attention.h"

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace attnlab::test::independent {

using Real = long double;
inline constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

struct Sizes {
    std::int64_t B, H, Hkv, L, S, E, Ev;
};

/// Queries, keys and values of every head: q[((b H + h) L + i) E + c].
struct Heads {
    Sizes n;
    std::vector<Real> q, k, v;
    /// For a query row (E) and a key row (key_width); null: their dot product.
    std::function<Real(const Real*, const Real*)> score = nullptr;
    std::int64_t key_width = n.E;
};

struct Result {
    std::vector<Real> weights, lse, output;
};

/// x (B,rows,D) times w (D, heads*width) + bias, laid out (B, heads, rows, width).
inline std::vector<Real> projected(const Tensor& x, const Tensor& w, const Tensor* bias, std::int64_t heads) {
    const auto D = x.dim(-1), rows = x.dim(-2), columns = w.dim(1), width = columns / heads;
    const auto batches = x.rank() == 3 ? x.dim(0) : 1;
    std::vector<Real> out(static_cast<std::size_t>(batches * rows * columns));
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t p = 0; p < columns; ++p) {
                Real sum = bias ? bias->data()[p] : 0.0L;
                for (std::int64_t d = D; d-- > 0;)
                    sum += Real{x.data()[(b * rows + i) * D + d]} * w.data()[d * columns + p];
                out[static_cast<std::size_t>(((b * heads + p / width) * rows + i) * width + p % width)] = sum;
            }
    return out;
}

/// The entry of a mask array (L,S), (B*H,L,S), (B,H,L,S), (B,1,L,S), (1,H,L,S) or (1,1,L,S).
inline double cell(const Tensor& array, const Sizes& n, std::int64_t b, std::int64_t h, std::int64_t i,
                   std::int64_t j) {
    if (array.rank() == 2)
        return array.at({i, j});
    if (array.rank() == 3)
        return array.at({b * n.H + h, i, j});
    return array.at({array.dim(0) == 1 ? 0 : b, array.dim(1) == 1 ? 0 : h, i, j});
}

/// Where the first query of a sequence stands, by the array or the spec.
inline std::int64_t offset_of(const AttentionProblem& problem, std::int64_t b) {
    const auto found = problem.tensors.find("query_offset");
    return found != problem.tensors.end() ? std::llround(found->second.at({b})) : problem.spec.query_offset.value_or(0);
}

/// Expressions with the same condition in C++.
struct KnownExpression {
    const char* text;
    bool (*keeps)(std::int64_t b, std::int64_t h, std::int64_t q, std::int64_t k);
};
inline constexpr KnownExpression known_expressions[] = {
    {"q >= k", [](std::int64_t, std::int64_t, std::int64_t q, std::int64_t k) { return k <= q; }},
    {"abs(q - k) <= 2 and k - q < 2",
     [](std::int64_t, std::int64_t, std::int64_t q, std::int64_t k) { return q - k <= 2 && k - q <= 1; }},
    {"k < 1 | (q - k) % 3 == 0 & h < 1",
     [](std::int64_t, std::int64_t h, std::int64_t q, std::int64_t k) {
         return k == 0 || ((q + 3000000 - k) % 3 == 0 && h == 0);
     }},
    {"not (k // 4 == b or 2 ** (q % 5) > k + 1)",
     [](std::int64_t b, std::int64_t, std::int64_t q, std::int64_t k) {
         return k / 4 != b && (std::int64_t{1} << (q % 5)) <= k + 1;
     }},
};

inline bool keeps(const AttentionProblem& problem, const Selection& mask, const Sizes& n, std::int64_t b,
                  std::int64_t h, std::int64_t i, std::int64_t j) {
    const auto array = [&](const char* name) -> const Tensor& { return problem.tensors.find(name)->second; };
    const auto number = [&](const char* name, std::int64_t otherwise) {
        return mask.parameters.find(name) ? mask.parameters.integer(name) : otherwise;
    };
    if (mask.id == "causal") {
        const bool bottom = mask.parameters.find("alignment") && mask.parameters.choice("alignment") == "bottom_right";
        return bottom ? n.S - 1 - j >= n.L - 1 - i : j <= i + offset_of(problem, b);
    }
    if (mask.id == "window") {
        const auto p = i + offset_of(problem, b);
        if (mask.parameters.find("left") && mask.parameters.choice("sides") == "separate") {
            const auto left = number("left", 1), right = number("right", 1);
            return j > p ? right < 0 || j - p <= right : left < 0 || p - j <= left;
        }
        return std::max(p, j) - std::min(p, j) <= number("w", 2) / 2;
    }
    if (mask.id == "prefix")
        return j <= i + offset_of(problem, b) || j < number("p", 1);
    if (mask.id == "valid_lens") {
        const auto& lens = array("valid_lens");
        return static_cast<double>(j) < (lens.rank() == 1 ? lens.at({b}) : lens.at({b, i}));
    }
    if (mask.id == "key_padding")
        return array("key_padding_mask").at({b, j}) == 0.0;
    if (mask.id == "attn_mask")
        return (cell(array("attn_mask"), n, b, h, i, j) != 0.0) == (problem.spec.mask_true == MaskTrue::Keeps);
    if (mask.id == "painted")
        return cell(array("painted_mask"), n, b, h, i, j) == 0.0;
    const auto p = i + offset_of(problem, b);
    const auto floor_of = [](std::int64_t a, std::int64_t size) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(size)));
    };
    if (mask.id == "dilated") {
        const auto d = number("d", 2);
        return std::abs(p - j) <= number("w", 2) / 2 * d && (p - j) % d == 0;
    }
    if (mask.id == "chunked")
        return floor_of(p, number("n", 2)) == floor_of(j, number("n", 2));
    if (mask.id == "block_causal")
        return floor_of(j, number("n", 2)) <= floor_of(p, number("n", 2));
    const auto of_row = [&](const Tensor& rows, std::int64_t column) {
        return rows.rank() == 1 ? rows.at({column}) : rows.at({rows.dim(0) == 1 ? 0 : b, column});
    };
    if (mask.id == "documents") {
        const auto& ids = array("segment_ids");
        const bool own = problem.tensors.contains("query_segment_ids");
        if (!own && (p < 0 || p >= n.S))
            return false;
        const double query = own ? of_row(array("query_segment_ids"), i) : of_row(ids, p), key = of_row(ids, j);
        return query == key && key >= 0.0;
    }
    if (mask.id == "tree") {
        const bool given = problem.spec.query_offset || problem.tensors.contains("query_offset");
        const auto before = given ? p - i : n.S - n.L;
        if (j < before)
            return true;
        const auto& parents = array("parents");
        for (auto token = i; token >= 0; token = static_cast<std::int64_t>(of_row(parents, token)))
            if (token == j - before)
                return true;
        return false;
    }
    if (mask.id == "neighborhood") {
        const auto w = number("w", 3), columns = problem.key_grid->columns, rows = problem.key_grid->rows;
        const bool clips = mask.parameters.find("border") && mask.parameters.choice("border") == "clip";
        const auto inside = [&](std::int64_t query, std::int64_t key, std::int64_t size) {
            auto start = query - w / 2;
            if (!clips)
                start = std::max<std::int64_t>(0, std::min(start, size - w));
            return start <= key && key < start + w;
        };
        return inside(i / columns, j / columns, rows) && inside(i % columns, j % columns, columns);
    }
    if (mask.id == "expression") {
        const auto text = mask.parameters.find("expression") ? mask.parameters.choice("expression") : "q >= k";
        for (const auto& [known, rule] : known_expressions)
            if (text == known)
                return rule(b, h, i, j);
        throw std::logic_error(text + " has no independent rule yet");
    }
    if (mask.id != "attn_bias")
        throw std::logic_error(mask.id + " has no independent rule yet");
    return true;
}

/// All masks together: by AND, or by OR of those that block.
inline bool kept_by_masks(const AttentionProblem& problem, const Sizes& n, std::int64_t b, std::int64_t h,
                          std::int64_t i, std::int64_t j) {
    bool all = true, any = false;
    std::size_t count = 0;
    for (const auto& mask : problem.spec.masks) {
        if (mask.id == "attn_bias")
            continue;
        const bool one = keeps(problem, mask, n, b, h, i, j);
        all = all && one;
        any = any || one;
        ++count;
    }
    if (problem.spec.mask_combine.empty() || count == 0)
        return all;
    return any && (problem.spec.variant != "causal" || j <= i + offset_of(problem, b)); // which blocks always
}

/// score_mod of a few texts.
inline Real modified(const AttentionProblem& problem, std::int64_t h, std::int64_t i, std::int64_t j, Real score) {
    const auto& text = problem.spec.score_mod;
    if (text == "score - 0.25 * abs(q - k)")
        return score - 0.25L * static_cast<Real>(i > j ? i - j : j - i);
    if (text == "where(k % 3 == 1, -inf, 2 * tanh(score / 2) + h)")
        return j % 3 == 1 ? minus_infinity : 2.0L * std::tanh(score / 2.0L) + static_cast<Real>(h);
    if (!text.empty())
        throw std::logic_error(text + " has no independent score yet");
    return score;
}

inline Real option(const Selection& choice, const char* name, Real otherwise) {
    const auto* value = choice.parameters.find(name);
    return !value                                         ? otherwise
           : std::holds_alternative<std::int64_t>(*value) ? Real(std::get<std::int64_t>(*value))
                                                          : Real(std::get<double>(*value));
}

/// The slopes of ALiBi as in its authors' program.
inline std::vector<Real> slopes(std::int64_t heads) {
    std::int64_t power = 1;
    while (2 * power <= heads)
        power *= 2;
    if (power == heads) {
        const Real start = std::pow(Real{2}, -std::pow(Real{2}, 3 - std::log2(Real(heads))));
        std::vector<Real> result{start};
        while (static_cast<std::int64_t>(result.size()) < heads)
            result.push_back(result.back() * start);
        return result;
    }
    auto result = slopes(power);
    const auto finer = slopes(2 * power);
    for (std::size_t k = 0; static_cast<std::int64_t>(result.size()) < heads; k += 2)
        result.push_back(finer[k]);
    return result;
}

/// The addition of a position to the scaled score of query i and key j. T5's distances must not be at the end of a
/// bucket, where float32 rounding decides.
inline Real bias(const AttentionProblem& problem, std::int64_t heads, std::int64_t b, std::int64_t h, std::int64_t i,
                 std::int64_t j) {
    const auto& position = problem.spec.position;
    i += static_cast<std::int64_t>(option(position, "query_offset", Real(offset_of(problem, b))));
    if (position.id == "alibi")
        return -slopes(heads)[static_cast<std::size_t>(h)] * std::fabs(Real(i - j));
    if (position.id != "t5")
        return 0;
    const auto& array = problem.tensors.find("relative_attention_bias")->second;
    const bool both = !position.parameters.find("bidirectional") || position.parameters.boolean("bidirectional");
    const auto buckets = both ? array.dim(0) / 2 : array.dim(0);
    const Real exact = Real(buckets / 2), far = option(position, "max_distance", 128);
    const Real distance = both ? std::fabs(Real(j - i)) : std::max<Real>(0, Real(i - j));
    const Real bucket =
        distance < exact
            ? distance
            : std::min(Real(buckets - 1), exact + std::floor(std::log(distance / exact) / std::log(far / exact) *
                                                             (Real(buckets) - exact)));
    return array.at({static_cast<std::int64_t>(bucket) + (both && j > i ? buckets : 0), h});
}

/// A query or key row prepared for its score: divided by a norm, times a gain, rotated as complex numbers.
inline std::vector<Real> prepared(const AttentionProblem& problem, const std::string& id, const char* gain,
                                  const Real* row, std::int64_t width, Real position) {
    std::vector<Real> result(row, row + width);
    Real squares = 0;
    for (const Real x : result)
        squares += x * x;
    if ((id == "pre_norm" || id == "qk_norm") && squares > 0) // a row of zeros has no direction
        for (Real& x : result)
            x /= std::sqrt(id == "qk_norm" ? squares / Real(width) : squares);
    if (const auto found = problem.tensors.find(gain); id == "qk_norm" && found != problem.tensors.end())
        for (std::int64_t c = 0; c < width; ++c)
            result[static_cast<std::size_t>(c)] *= found->second.at({c});
    const auto& chosen = problem.spec.position;
    if (chosen.id != "rope")
        return result;
    const bool interleaved = chosen.parameters.find("style") && chosen.parameters.choice("style") == "interleaved";
    const Real base = option(chosen, "base", 10000);
    for (std::int64_t c = 0; c < width / 2; ++c) {
        Real& x = result[static_cast<std::size_t>(interleaved ? 2 * c : c)];
        Real& y = result[static_cast<std::size_t>(interleaved ? 2 * c + 1 : c + width / 2)];
        const auto turned =
            std::complex<Real>(x, y) * std::polar(Real{1}, position / std::pow(base, Real(2 * c) / Real(width)));
        x = turned.real();
        y = turned.imag();
    }
    return result;
}

/// The scaled scores of one head. `mode` is the scale as on the command line.
inline std::vector<Real> scaled_scores(const AttentionProblem& problem, const Heads& heads, std::int64_t b,
                                       std::int64_t h, const std::string& mode) {
    const auto& n = heads.n;
    const Real* q = heads.q.data() + (b * n.H + h) * n.L * n.E;
    const auto Ek = heads.key_width;
    const Real* k = heads.k.data() + (b * n.Hkv + h / (n.H / n.Hkv)) * n.S * Ek;
    const auto id = mode.substr(0, mode.find(':'));
    const auto argument = id.size() == mode.size() ? std::string() : mode.substr(id.size() + 1);
    const auto dot = [&](const Real* a, const Real* c) {
        Real sum = 0;
        for (std::int64_t e = 0; e < n.E; ++e)
            sum += a[e] * c[e];
        return sum;
    };
    const auto number = [&](Real otherwise) { return argument.empty() ? otherwise : std::stold(argument); };
    const Real root = std::sqrt(Real(n.E)),
               offset = option(problem.spec.position, "query_offset", Real(offset_of(problem, b)));
    std::vector<Real> s(static_cast<std::size_t>(n.L * n.S));
    std::vector<std::vector<Real>> keys;
    for (std::int64_t j = 0; j < n.S; ++j)
        keys.push_back(prepared(problem, id, "key_gain", k + j * Ek, Ek, Real(j)));
    for (std::int64_t i = 0; i < n.L; ++i) {
        const auto query = prepared(problem, id, "query_gain", q + i * n.E, n.E, Real(i) + offset);
        for (std::int64_t j = 0; j < n.S; ++j) {
            const auto& key = keys[static_cast<std::size_t>(j)];
            const Real raw = heads.score ? heads.score(query.data(), key.data()) : dot(query.data(), key.data());
            auto& out = s[static_cast<std::size_t>(i * n.S + j)];
            if (id == "sqrt_dk")
                out = raw / root;
            else if (id == "dk")
                out = raw / Real(n.E);
            else if (id == "cbrt_dk")
                out = raw / std::cbrt(Real(n.E));
            else if (id == "temperature" || id == "pre_norm")
                out = raw / number(1);
            else if (id == "custom")
                out = raw * number(1);
            else if (id == "long_sequence")
                out = raw / std::sqrt(Real(n.E) * Real(n.S));
            else if (id == "log_n")
                out = raw / root * std::log(Real(n.S)) / std::log(number(512));
            else if (id == "softcap")
                out = number(50) * std::tanh(raw / root / number(50));
            else if (id == "qk_norm")
                out = raw / root * number(1);
            else if (id == "none" || id == "score_norm")
                out = raw;
            else
                throw std::logic_error(id + " has no independent formula yet");
        }
    }
    if (id != "score_norm")
        return s;
    const bool by_row = argument == "row";
    const auto group = static_cast<std::size_t>(by_row ? n.S : n.L * n.S);
    for (std::size_t first = 0; first < s.size(); first += group) {
        Real squares = 0, largest = 0, low = s[first], high = s[first];
        for (std::size_t at = first; at < first + group; ++at) {
            squares += s[at] * s[at];
            largest = std::max(largest, std::fabs(s[at]));
            low = std::min(low, s[at]);
            high = std::max(high, s[at]);
        }
        const Real divisor = argument == "max" ? largest : argument == "minmax" ? high - low : std::sqrt(squares);
        for (std::size_t at = first; at < first + group; ++at)
            s[at] = divisor == 0 ? 0 : (s[at] - (argument == "minmax" ? low : 0)) / divisor;
    }
    return s;
}

/// log(exp(a) + exp(b)).
inline Real log_add(Real a, Real b) {
    if (a < b)
        std::swap(a, b);
    return b == minus_infinity ? a : a + std::log1p(std::exp(b - a));
}

inline Real sigmoid(Real z) { return 1 / (1 + std::exp(-z)); }

/// A row of weights by another normaliser than softmax, each from its definition. The threshold is found by halving.
inline std::vector<Real> normalised(const Selection& normaliser, const std::vector<Real>& m) {
    const auto& id = normaliser.id;
    const Real S = static_cast<Real>(m.size());
    std::vector<Real> a(m.size(), 0);
    if (id == "softmax1") {
        Real sum = 0; // log(1 + the sum of exponentials)
        for (const Real z : m)
            sum = log_add(sum, z);
        for (std::size_t j = 0; j < m.size(); ++j)
            a[j] = std::exp(m[j] - sum);
    } else if (id == "sigmoid" || id == "relu") {
        for (std::size_t j = 0; j < m.size(); ++j)
            a[j] = id == "relu" ? std::max<Real>(m[j], 0) / option(normaliser, "divide", S)
                                : sigmoid(m[j] + option(normaliser, "bias", -std::log(S)));
    } else if (id == "stick_breaking") {
        for (std::size_t j = 0; j < m.size(); ++j) {
            a[j] = sigmoid(m[j]);
            for (std::size_t k = j + 1; k < m.size(); ++k)
                a[j] *= sigmoid(-m[k]);
        }
    } else if (id == "none") {
        for (std::size_t j = 0; j < m.size(); ++j)
            a[j] = m[j] == minus_infinity ? 0 : m[j];
    } else {
        const Real alpha = id == "sparsemax" ? 2 : option(normaliser, "alpha", 1.5L);
        const auto weight = [&](Real z, Real threshold) {
            const Real above = (alpha - 1) * z - threshold;
            return above > 0 ? std::pow(above, 1 / (alpha - 1)) : 0;
        };
        Real most = minus_infinity;
        for (const Real z : m)
            most = std::max(most, z);
        if (most == minus_infinity)
            return a;
        Real low = (alpha - 1) * most - 1, high = (alpha - 1) * most;
        for (int halving = 0; halving < 200; ++halving) {
            const Real middle = (low + high) / 2;
            Real sum = 0;
            for (const Real z : m)
                sum += weight(z, middle);
            (sum >= 1 ? low : high) = middle;
        }
        for (std::size_t j = 0; j < m.size(); ++j)
            a[j] = weight(m[j], low);
    }
    return a;
}

/// What is left of key j at query i, for j up to the position of the query.
inline Real decay(const AttentionProblem& problem, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
    const auto p = i + offset_of(problem, b);
    const auto at = [&](const char* name) { return problem.tensors.find(name); };
    if (problem.spec.decay.id == "retention") {
        const Real gamma = at("gamma") != problem.tensors.end()
                               ? Real(at("gamma")->second.at({h}))
                               : option(problem.spec.decay, "gamma", 1 - std::exp2(Real(-5 - h)));
        return std::pow(gamma, Real(p - j));
    }
    Real product = 1;
    for (auto l = j + 1; l <= p; ++l)
        product *= at("forget_gate") != problem.tensors.end()
                       ? sigmoid(at("forget_gate")->second.at({b, h, l}))
                       : std::exp(Real(at("log_forget_gate")->second.at({b, h, l})));
    return product;
}

inline bool in_order(const AttentionProblem& problem, std::int64_t b, std::int64_t i, std::int64_t j) {
    const auto p = i + offset_of(problem, b);
    const auto& normaliser = problem.spec.normaliser;
    if (normaliser.id == "stick_breaking")
        return normaliser.parameters.find("keys") && normaliser.parameters.choice("keys") == "self" ? j <= p : j < p;
    return problem.spec.decay.id.empty() || j <= p;
}

inline Result attention(const AttentionProblem& problem, const Heads& heads, const std::string& scale) {
    const auto& n = heads.n;
    const auto& fill = problem.spec.mask_fill;
    Result result;
    for (std::int64_t b = 0; b < n.B; ++b)
        for (std::int64_t h = 0; h < n.H; ++h) {
            const auto s = scaled_scores(problem, heads, b, h, scale);
            const Real* v = heads.v.data() + (b * n.Hkv + h / (n.H / n.Hkv)) * n.S * n.Ev;
            for (std::int64_t i = 0; i < n.L; ++i) {
                std::vector<Real> m(s.begin() + i * n.S, s.begin() + (i + 1) * n.S);
                Real lse = minus_infinity;
                for (std::int64_t j = 0; j < n.S; ++j) {
                    auto& cell_value = m[static_cast<std::size_t>(j)];
                    cell_value += bias(problem, n.H, b, h, i, j);
                    for (const auto& mask : problem.spec.masks)
                        if (mask.id == "attn_bias")
                            cell_value += cell(problem.tensors.find("attn_bias")->second, n, b, h, i, j);
                    const bool ordered = in_order(problem, b, i, j);
                    if (problem.spec.decay.id == "forget" && ordered)
                        cell_value += std::log(decay(problem, b, h, i, j));
                    cell_value = modified(problem, h, i, j, cell_value);
                    if (!kept_by_masks(problem, n, b, h, i, j))
                        cell_value = fill.value + (fill.mode == MaskFill::Mode::Add ? cell_value : 0.0L);
                    if (!ordered)
                        cell_value = minus_infinity;
                    lse = log_add(lse, cell_value);
                }
                const bool is_softmax = problem.spec.normaliser.id.empty();
                const auto other = is_softmax ? std::vector<Real>() : normalised(problem.spec.normaliser, m);
                std::vector<Real> o(static_cast<std::size_t>(n.Ev), 0);
                for (std::int64_t j = 0; j < n.S; ++j) {
                    Real a = !is_softmax             ? other[static_cast<std::size_t>(j)]
                             : lse == minus_infinity ? 0
                                                     : std::exp(m[static_cast<std::size_t>(j)] - lse);
                    if (problem.spec.decay.id == "retention")
                        a *= in_order(problem, b, i, j) ? decay(problem, b, h, i, j) : 0;
                    result.weights.push_back(a);
                    for (std::int64_t c = 0; c < n.Ev; ++c)
                        o[static_cast<std::size_t>(c)] += a * v[j * n.Ev + c];
                }
                result.lse.push_back(problem.spec.normaliser.id == "softmax1" ? log_add(0, lse) : lse);
                result.output.insert(result.output.end(), o.begin(), o.end());
            }
        }
    return result;
}

} // namespace attnlab::test::independent
