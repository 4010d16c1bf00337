#include "core/stages/random_features.h"

#include "core/random.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace attnlab {
std::span<const std::string_view> first_key_masks() {
    static const auto ids = [] {
        std::vector<std::string_view> found;
        for (const auto& kind : mask_kinds())
            if (kind.keeps_first_keys)
                found.push_back(kind.id);
        return found;
    }();
    return ids;
}

FirstKeys first_keys(const ResolvedProblem& problem) {
    check_masks(problem);
    const auto c = mask_context(problem.sizes);
    FirstKeys keys{std::vector<std::int64_t>(static_cast<std::size_t>(c.B * c.L), c.S),
                   std::vector<bool>(static_cast<std::size_t>(c.B * c.S), false)};
    const auto keep_first = [&](auto count_of) {
        for (std::int64_t b = 0; b < c.B; ++b)
            for (std::int64_t i = 0; i < c.L; ++i) {
                auto& count = keys.count[static_cast<std::size_t>(b * c.L + i)];
                count = std::clamp<std::int64_t>(count_of(b, i), 0, count);
            }
    };
    const auto fail = [] { throw std::logic_error("a mask with keeps_first_keys keeps other keys"); };
    const ByForm take{
        [&](const Band& band) {
            if (band.before != Band::unlimited)
                fail();
            keep_first([&](std::int64_t b, std::int64_t i) {
                const auto own = band.of_batch(b);
                return std::max(own.prefix, i + own.after + 1);
            });
        },
        [&](const ValidLengths& lengths) {
            keep_first([&](std::int64_t b, std::int64_t i) { return static_cast<std::int64_t>(lengths.of(b, i)); });
        },
        [&](const KeyPadding& padding) {
            for (std::int64_t b = 0; b < c.B; ++b)
                for (std::int64_t j = 0; j < c.S; ++j)
                    if (padding.of(b)[j] != 0.0)
                        keys.dropped[static_cast<std::size_t>(b * c.S + j)] = true;
        },
        [&](const KeyIntervals&) { fail(); },
        [&](const BooleanCells&) { fail(); },
        [&](const ComputedCells&) { fail(); },
        [&](const CellArray&) { fail(); },
    };
    const auto offsets = query_offsets(problem.spec, problem.tensors);
    for (const auto& mask : problem.spec.masks) {
        if (!mask_kind(mask.id).keeps_first_keys)
            fail();
        for (const auto& rule : rules_of(mask, c, problem.tensors, problem.spec.mask_true, offsets))
            std::visit(take, rule);
    }
    return keys;
}

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A unit vector orthogonal to the previous unit vectors, by Gram-Schmidt applied twice: once is not enough in floating
/// point.
std::vector<double> next_direction(const std::vector<std::vector<double>>& before, std::int64_t E, Random& random) {
    std::vector<double> direction(static_cast<std::size_t>(E));
    double length = 0.0;
    while (length == 0.0) {
        for (double& x : direction)
            x = random.normal();
        for (int pass = 0; pass < 2; ++pass)
            for (const auto& other : before) {
                const double along = dot(direction, other);
                for (std::size_t c = 0; c < direction.size(); ++c)
                    direction[c] -= along * other[c];
            }
        length = std::sqrt(dot(direction, direction));
    }
    for (double& x : direction)
        x /= length;
    return direction;
}

double normal_length(std::int64_t E, Random& random) {
    double squares = 0.0;
    for (std::int64_t c = 0; c < E; ++c) {
        const double x = random.normal();
        squares += x * x;
    }
    return std::sqrt(squares);
}

/// Σ_j φ(k_j) [v_j, 1] over the keys added so far, each feature relative to its own largest key: the sum of a feature
/// is never 0 / 0 for any set of keys.
class FeatureSums {
public:
    FeatureSums(std::int64_t features, std::int64_t width)
        : width_(static_cast<std::size_t>(width)), largest_(static_cast<std::size_t>(features), -infinity),
          sums_(static_cast<std::size_t>(features) * (width_ + 1), 0.0), factors_(largest_.size()) {}

    /// Returns whether the key has a nonzero feature.
    bool add(std::span<const double> key, std::span<const double> value) {
        bool any = false;
        for (std::size_t f = 0; f < largest_.size(); ++f) {
            if (key[f] == -infinity)
                continue; // a feature of 0
            any = true;
            double* sum = &sums_[f * (width_ + 1)];
            double factor = 1.0;
            if (key[f] > largest_[f]) {
                const double shrink = std::exp(largest_[f] - key[f]);
                for (std::size_t c = 0; c <= width_; ++c)
                    sum[c] *= shrink;
                largest_[f] = key[f];
            } else {
                factor = std::exp(key[f] - largest_[f]);
            }
            for (std::size_t c = 0; c < width_; ++c)
                sum[c] += factor * value[c];
            sum[width_] += factor;
        }
        return any;
    }

    /// The query's result over the keys so far; one of them must have a nonzero feature.
    void read(std::span<const double> query, std::span<double> output) {
        double most = -infinity;
        for (std::size_t f = 0; f < largest_.size(); ++f)
            most = std::max(most, factors_[f] = query[f] + largest_[f]);
        double total = 0.0;
        for (std::size_t f = 0; f < largest_.size(); ++f) {
            const double factor = std::exp(factors_[f] - most);
            const double* sum = &sums_[f * (width_ + 1)];
            for (std::size_t c = 0; c < width_; ++c)
                output[c] += factor * sum[c];
            total += factor * sum[width_];
        }
        for (double& x : output)
            x /= total;
    }

private:
    std::size_t width_;
    std::vector<double> largest_, sums_, factors_;
};

/// Rows of one batch, sorted by number of keys.
std::vector<std::int64_t> by_count(std::span<const std::int64_t> count) {
    std::vector<std::int64_t> rows(count.size());
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    std::stable_sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
        return count[static_cast<std::size_t>(a)] < count[static_cast<std::size_t>(b)];
    });
    return rows;
}

/// log Σ_f exp(q_f + k_f).
double log_kernel(std::span<const double> query, std::span<const double> key) {
    double most = -infinity;
    for (std::size_t f = 0; f < query.size(); ++f) {
        const double term = query[f] + key[f];
        if (std::isnan(term))
            return term;
        most = std::max(most, term);
    }
    if (most == -infinity)
        return most;
    double sum = 0.0;
    for (std::size_t f = 0; f < query.size(); ++f)
        sum += std::exp(query[f] + key[f] - most);
    return most + std::log(sum);
}

} // namespace

Tensor orthogonal_directions(std::int64_t m, std::int64_t E, std::uint64_t seed, const RunControl& control) {
    Tensor omega({m, E});
    if (omega.size() == 0)
        return omega;
    Random random(seed);
    const auto out = omega.mutable_values();
    std::vector<std::vector<double>> block;
    for (std::int64_t row = 0; row < m; ++row) {
        if (row % E == 0) {
            control.checkpoint();
            block.clear();
        }
        block.push_back(next_direction(block, E, random));
        const double length = normal_length(E, random);
        std::transform(block.back().begin(), block.back().end(), out.begin() + row * E,
                       [&](double x) { return length * x; });
    }
    return omega;
}

Tensor log_features(const Tensor& rows, const Tensor& omega, double scale, const RunControl& control) {
    auto shape = rows.shape();
    shape.back() = omega.dim(0);
    Tensor features(shape);
    if (features.size() == 0)
        return features;
    const auto out = features.mutable_values();
    const auto width = static_cast<std::size_t>(rows.dim(-1));
    const double stretch = std::sqrt(scale);
    std::vector<double> x(width);
    std::size_t cell = 0;
    for (std::size_t row = 0; cell < out.size(); ++row) {
        control.checkpoint();
        for (std::size_t c = 0; c < width; ++c)
            x[c] = stretch * rows.values()[row * width + c];
        const double half_square = 0.5 * dot(x, x);
        for (std::int64_t f = 0; f < omega.dim(0); ++f)
            out[cell++] = dot(matrix_at(omega).row(f), x) - half_square;
    }
    return features;
}

Tensor first_features(const Tensor& logarithms, std::int64_t m) {
    auto shape = logarithms.shape();
    const auto all = static_cast<std::size_t>(std::exchange(shape.back(), m)), kept = static_cast<std::size_t>(m);
    Tensor first(shape);
    const auto out = first.mutable_values();
    for (std::size_t row = 0; row < out.size() / kept; ++row)
        std::copy_n(logarithms.values().begin() + static_cast<std::ptrdiff_t>(row * all), kept,
                    out.begin() + static_cast<std::ptrdiff_t>(row * kept));
    return first;
}

Tensor features_of(const Tensor& logarithms) {
    Tensor features = logarithms;
    const double root = std::sqrt(static_cast<double>(logarithms.dim(-1)));
    for (double& feature : features.mutable_values())
        feature = std::exp(feature) / root;
    return features;
}

Tensor attend_by_features(const Tensor& query, const Tensor& key, const Tensor& value, const FirstKeys& keys,
                          const RunControl& control) {
    const auto B = query.dim(0), H = query.dim(1), L = query.dim(2), Hkv = key.dim(1), S = key.dim(2);
    const auto Ev = value.dim(3), group = H / Hkv;
    Tensor output({B, H, L, Ev});
    const auto out = output.mutable_values();
    for (std::int64_t b = 0; b < B; ++b) {
        const std::span count(keys.count.data() + b * L, static_cast<std::size_t>(L));
        const auto rows = by_count(count);
        for (std::int64_t g = 0; g < Hkv; ++g) {
            const auto k = matrix_at(key, b * Hkv + g), v = matrix_at(value, b * Hkv + g);
            FeatureSums sums(key.dim(3), Ev);
            std::int64_t next = 0;
            bool any = false;
            for (const auto i : rows) {
                control.checkpoint();
                for (; next < count[static_cast<std::size_t>(i)]; ++next)
                    if (!keys.dropped[static_cast<std::size_t>(b * S + next)])
                        any = sums.add(k.row(next), v.row(next)) || any;
                for (std::int64_t h = g * group; any && h < (g + 1) * group; ++h)
                    sums.read(matrix_at(query, b * H + h).row(i),
                              out.subspan(static_cast<std::size_t>(((b * H + h) * L + i) * Ev),
                                          static_cast<std::size_t>(Ev)));
            }
            control.report(static_cast<double>(b * Hkv + g + 1) / static_cast<double>(B * Hkv));
        }
    }
    return output;
}

Tensor weights_of_features(const Tensor& query, const Tensor& key, const FirstKeys& keys, const RunControl& control) {
    const auto B = query.dim(0), H = query.dim(1), L = query.dim(2), Hkv = key.dim(1), S = key.dim(2);
    Tensor kernel({B, H, L, S}, -infinity);
    if (kernel.size() == 0)
        return kernel;
    const auto out = kernel.mutable_values();
    for (std::int64_t head = 0; head < B * H; ++head) {
        const auto b = head / H;
        const auto q = matrix_at(query, head), k = matrix_at(key, b * Hkv + head % H / (H / Hkv));
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            for (std::int64_t j = 0; j < keys.count[static_cast<std::size_t>(b * L + i)]; ++j)
                if (!keys.dropped[static_cast<std::size_t>(b * S + j)])
                    out[static_cast<std::size_t>((head * L + i) * S + j)] = log_kernel(q.row(i), k.row(j));
        }
        control.report(static_cast<double>(head + 1) / static_cast<double>(B * H));
    }
    return softmax_rows(kernel).weights;
}

} // namespace attnlab
