#include "core/lab/random_inputs.h"

#include "core/random.h"

#include <array>
#include <cmath>

namespace attnlab::lab {
namespace {

constexpr std::array<std::string_view, 4> ids = {"normal", "uniform", "sparse", "correlated"};

/// Separates the random numbers of the arrays.
enum class Stream : std::uint64_t { Query = 1, Key, Value, Shared };

/// Makes the numbers of neighbouring seeds and rows unrelated. Vigna's SplitMix64.
std::uint64_t scattered(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

Random row_source(std::uint64_t seed, Stream stream, std::int64_t row) {
    return Random(
        scattered(scattered(scattered(seed) ^ static_cast<std::uint64_t>(stream)) ^ static_cast<std::uint64_t>(row)));
}

double entry(Distribution distribution, Random& random) {
    switch (distribution) {
    case Distribution::Uniform:
        return std::sqrt(3.0) * (2.0 * random.uniform() - 1.0);
    case Distribution::Sparse: {
        // Both numbers are always drawn, so that a column does not depend on the others.
        const bool there = random.uniform() < 0.1;
        const double value = std::sqrt(10.0) * random.normal();
        return there ? value : 0.0;
    }
    case Distribution::Normal:
    case Distribution::Correlated:
        break;
    }
    return random.normal();
}

Tensor rows_of(const RandomInputs& draw, Distribution distribution, Stream stream, std::int64_t rows,
               std::int64_t width) {
    Tensor result({rows, width});
    const auto out = result.mutable_values();
    std::size_t at = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        auto random = row_source(draw.seed, stream, row);
        for (std::int64_t c = 0; c < width; ++c)
            out[at++] = entry(distribution, random);
    }
    return result;
}

void share_half(Tensor& rows, const Tensor& shared) {
    const auto width = static_cast<std::size_t>(shared.dim(1));
    const auto common = shared.values();
    const auto out = rows.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = std::sqrt(0.5) * (out[k] + common[k % width]);
}

} // namespace

std::span<const std::string_view> distribution_ids() { return ids; }

void check(const RandomInputs& draw) {
    for (const auto& [name, size] : {std::pair{"L", draw.L}, {"S", draw.S}, {"E", draw.E}, {"Ev", draw.Ev}})
        if (size < 1)
            throw Error({ATTNLAB_TEXT("draw: %1 is %2, expected at least 1"), {name, std::to_string(size)}});
    constexpr double most = double{1 << 26};
    const auto numbers = (static_cast<double>(draw.L) + static_cast<double>(draw.S)) * static_cast<double>(draw.E) +
                         static_cast<double>(draw.S) * static_cast<double>(draw.Ev);
    if (numbers > most)
        throw Error({ATTNLAB_TEXT("draw: L %1, S %2 and E %3 are more than 2^26 numbers"),
                     {std::to_string(draw.L), std::to_string(draw.S), std::to_string(draw.E)}});
    constexpr double most_scores = double{1 << 24};
    if (static_cast<double>(draw.L) * static_cast<double>(draw.S) > most_scores)
        throw Error({ATTNLAB_TEXT("draw: L %1 and S %2 are more than 2^24 scores"),
                     {std::to_string(draw.L), std::to_string(draw.S)}});
}

TensorMap draw_inputs(const RandomInputs& draw) {
    check(draw);
    auto query = rows_of(draw, draw.distribution, Stream::Query, draw.L, draw.E);
    auto key = rows_of(draw, draw.distribution, Stream::Key, draw.S, draw.E);
    if (draw.distribution == Distribution::Correlated) {
        const auto shared = rows_of(draw, Distribution::Normal, Stream::Shared, 1, draw.E);
        share_half(query, shared);
        share_half(key, shared);
    }
    auto value = rows_of(draw, Distribution::Normal, Stream::Value, draw.S, draw.Ev);
    return {{"query", std::move(query)}, {"key", std::move(key)}, {"value", std::move(value)}};
}

} // namespace attnlab::lab
