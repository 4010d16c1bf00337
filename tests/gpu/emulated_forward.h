// A forward by the Hopper kernels' own source on the CPU, and the same in float64.
#pragma once

#include "tests/gpu/hopper_emulator.h"

#include "core/random.h"
#include "gpu/hopper/forward_kernel.cuh"
#include "gpu/hopper/split_kernel.cuh"

#include <algorithm>
#include <optional>

namespace attnlab::gpu::hopper::emulated {

/// Owns the arrays of `arguments`: normal numbers, in 16 bits unless they are float32; the row stride of the output
/// exceeds its width.
struct Example {
    ForwardArguments arguments;
    std::vector<std::uint16_t> query, key, value;
    std::vector<float> exact_query, exact_key, exact_value;
    std::vector<float> output, lse, bias;
    std::vector<std::uint32_t> kept, padding;
    std::vector<std::int32_t> lengths;

    Example(Precision precision, int B, int H, int Hkv, int L, int S, int width, unsigned seed = 1)
        : random_(seed), normal_(seed) {
        auto& a = arguments;
        a.precision = precision;
        a.B = B, a.H = H, a.Hkv = Hkv, a.L = L, a.S = S, a.E = a.Ev = width;
        a.scale = 1.0f / std::sqrt(static_cast<float>(width));
        a.query = filled(query, exact_query, H, L, width);
        a.key = filled(key, exact_key, Hkv, S, width);
        a.value = filled(value, exact_value, Hkv, S, width);
        const std::int64_t stride = width + 8;
        output.assign(static_cast<std::size_t>(B * H * L * stride), untouched);
        a.output = {output.data(), H * L * stride, L * stride, stride};
        lse.assign(static_cast<std::size_t>(B * H * L), untouched);
        a.lse = lse.data();
    }
    Example(const Example&) = delete;

    bool bfloat16() const { return arguments.precision == Precision::BFloat16; }

    /// A bit for each cell, about a fifth of them 0; row `empty_row` of every head keeps nothing.
    void keep_some(int empty_row) {
        const auto words = static_cast<std::int64_t>(arguments.S + 31) / 32;
        const auto& a = arguments;
        for (int row = 0; row < a.B * a.H * a.L; ++row)
            for (int word = 0; word < words; ++word)
                kept.push_back(row % a.L == empty_row ? 0u : bits_of_word(word));
        arguments.kept = {kept.data(), a.H * a.L * words, a.L * words, words};
    }
    void pad_some_keys() {
        const auto words = static_cast<std::int64_t>(arguments.S + 31) / 32;
        for (int b = 0; b < arguments.B; ++b)
            for (int word = 0; word < words; ++word)
                padding.push_back(bits_of_word(word));
        arguments.key_padding = {padding.data(), words, 0, 0};
    }
    /// One bias for all batches.
    void add_bias() {
        const auto& a = arguments;
        bias.resize(static_cast<std::size_t>(a.H) * static_cast<std::size_t>(a.L) * static_cast<std::size_t>(a.S));
        for (auto& value_of_cell : bias)
            value_of_cell = static_cast<float>(normal_.normal());
        arguments.bias = {bias.data(), 0, std::int64_t{a.L} * a.S, a.S};
    }
    void limit_keys(bool each_row) {
        const int count = each_row ? arguments.B * arguments.L : arguments.B;
        for (int i = 0; i < count; ++i)
            lengths.push_back(static_cast<std::int32_t>(random_() % static_cast<unsigned>(arguments.S + 20)));
        arguments.valid_lengths = {lengths.data(), each_row ? arguments.L : 1, each_row ? 1 : 0};
    }

    static constexpr float untouched = -12345.0f;

private:
    Rows filled(std::vector<std::uint16_t>& halves, std::vector<float>& floats, int heads, int rows, int width) {
        floats.resize(static_cast<std::size_t>(arguments.B * heads * rows * width));
        for (auto& number : floats)
            number = static_cast<float>(normal_.normal());
        const Rows shape{floats.data(), std::int64_t{heads} * rows * width, std::int64_t{rows} * width, width};
        if (arguments.precision == Precision::Float32)
            return shape;
        for (const float number : floats)
            halves.push_back(rounded(number, bfloat16()));
        return {halves.data(), shape.batch_stride, shape.head_stride, shape.row_stride};
    }
    std::uint32_t bits_of_word(int word) {
        std::uint32_t bits = 0;
        for (int j = 32 * word; j < std::min(arguments.S, 32 * word + 32); ++j)
            bits |= (random_() % 5 != 0 ? 1u : 0u) << j % 32;
        return bits;
    }
    std::mt19937 random_;
    Random normal_; // that of the standard library takes a logarithm of long double for each number
};

/// Row i of head h of batch b in float64: cells, their weighted values, and lse.
class ExactRow {
public:
    ExactRow(const Example& example, int b, int h, int i) : a_(example.arguments), bfloat16_(example.bfloat16()) {
        std::vector<double> scores;
        for (int j = 0; j < a_.S; ++j)
            scores.push_back(score(b, h, i, j));
        const double largest = scores.empty() ? -HUGE_VAL : *std::max_element(scores.begin(), scores.end());
        output.assign(static_cast<std::size_t>(a_.Ev), 0.0);
        if (largest == -HUGE_VAL)
            return;
        double sum = 0.0;
        for (int j = 0; j < a_.S; ++j) {
            const double weight = std::exp(scores[static_cast<std::size_t>(j)] - largest);
            sum += weight;
            for (int e = 0; e < a_.Ev; ++e)
                output[static_cast<std::size_t>(e)] += weight * at(a_.value, b, h / (a_.H / a_.Hkv), j, e);
        }
        for (auto& value : output)
            value *= a_.output_scale / sum;
        lse = largest + std::log(sum);
    }
    std::vector<double> output;
    double lse = -HUGE_VAL;

private:
    double at(const Rows& rows, int b, int h, int i, int e) const {
        const auto place = b * rows.batch_stride + h * rows.head_stride + i * rows.row_stride + e;
        if (a_.precision == Precision::Float32)
            return static_cast<const float*>(rows.data)[place];
        return number(static_cast<const std::uint16_t*>(rows.data)[place], bfloat16_);
    }
    static bool bit(const KeptBits& bits, int b, int h, int i, int j) {
        if (!bits.words)
            return true;
        return bits.words[b * bits.batch_stride + h * bits.head_stride + i * bits.row_stride + j / 32] >> j % 32 & 1u;
    }
    bool kept(int b, int h, int i, int j) const {
        const std::int64_t row = a_.first_row + i, key = a_.first_key + j;
        const auto& band = a_.band;
        if (key < row - band.before || (key > row + band.after && key >= band.prefix))
            return false;
        const auto& lengths = a_.valid_lengths;
        if (lengths.lengths && key >= lengths.lengths[b * lengths.batch_stride + i * lengths.row_stride])
            return false;
        return bit(a_.key_padding, b, h, i, j) && bit(a_.kept, b, h, i, j);
    }
    double score(int b, int h, int i, int j) const {
        const bool keeps = kept(b, h, i, j);
        if (!keeps && a_.blocked == Blocked::Skipped)
            return -HUGE_VAL;
        if (!keeps && a_.blocked == Blocked::Replaced)
            return a_.fill;
        double sum = 0.0;
        for (int e = 0; e < a_.E; ++e)
            sum += at(a_.query, b, h, i, e) * at(a_.key, b, h / (a_.H / a_.Hkv), j, e);
        sum *= a_.scale;
        if (a_.softcap > 0.0f)
            sum = a_.softcap * std::tanh(sum / a_.softcap);
        if (a_.bias.values)
            sum += a_.bias.values[b * a_.bias.batch_stride + h * a_.bias.head_stride + i * a_.bias.row_stride + j];
        return keeps ? sum : sum + a_.fill;
    }
    const ForwardArguments& a_;
    bool bfloat16_;
};

/// Counts the works of all launches in a row, each of which has to leave 0.
inline int works_taken = 0;

/// Runs the kernel with `blocks` blocks. Returns the number of bytes copied by the copy engine.
template <class Tile, bool cells, Order order>
std::int64_t launch_forward(ForwardParameters& parameters, int blocks, Delay delay, unsigned seed) {
    parameters.counter = parameters.plan.even ? nullptr : &works_taken;
    counted = 0;
    most_counted = parameters.plan.even ? 0 : parameters.plan.works;
    try {
        const auto bytes = launch(std::min(blocks, parameters.plan.works), Tile::threads, delay, seed,
                                  [&] { forward_block<Tile, cells, order>(parameters); });
        if (works_taken != 0)
            throw Fault("a launch left its counter at " + std::to_string(works_taken));
        if (counted != most_counted)
            throw Fault("work was taken " + std::to_string(counted) + " times instead of " +
                        std::to_string(most_counted));
        return bytes;
    } catch (...) {
        works_taken = 0;
        throw;
    }
}

/// The same after the launcher's preparations.
template <class Number, int width, bool cells, Order order, int keys = keys_of_tile(width, 1)>
std::int64_t run_forward(const ForwardArguments& arguments, int blocks, Delay delay, unsigned seed) {
    using Tile = ForwardTile<Number, width, 1, keys>;
    ForwardParameters parameters{
        query_source(arguments, Tile::tiling()), key_source(arguments, arguments.key, Tile::tiling()),
        key_source(arguments, arguments.value, Tile::tiling()), plan_forward(arguments, Tile::tiling())};
    return launch_forward<Tile, cells, order>(parameters, blocks, delay, seed);
}

template <class Number, int width>
std::int64_t run_forward(const ForwardArguments& arguments, Order order, int blocks, Delay delay, unsigned seed) {
    if (needs_cells(arguments))
        return run_forward<Number, width, true, Order::InTurn>(arguments, blocks, delay, seed);
    if constexpr (wide_keys_of_tile(width) > 0)
        if (order == Order::Overlapped && takes_wide_tiles(arguments, keys_of_tile(width, 1), wide_keys_of_tile(width)))
            return run_forward<Number, width, false, Order::Overlapped, wide_keys_of_tile(width)>(arguments, blocks,
                                                                                                  delay, seed);
    return order == Order::InTurn
               ? run_forward<Number, width, false, Order::InTurn>(arguments, blocks, delay, seed)
               : run_forward<Number, width, false, Order::Overlapped>(arguments, blocks, delay, seed);
}

template <int width>
std::int64_t run_in_parts(const ForwardArguments& arguments, int blocks, Delay delay, unsigned seed) {
    using Tile = ForwardTile<Bfloat16, width, split_parts>;
    std::vector<std::uint16_t> parts(static_cast<std::size_t>(ForwardSplit(arguments, nullptr).length));
    const ForwardSplit split(arguments, parts.data());
    for (const auto* part : {&split.query, &split.key, &split.value})
        launch(2, split_threads, delay, seed, [&] { split_block<width>(*part); });
    ForwardParameters parameters{split_source(split.query, width, Tile::rows),
                                 split_source(split.key, width, Tile::keys),
                                 split_source(split.value, width, Tile::keys), plan_forward(arguments, Tile::tiling())};
    return needs_cells(arguments) ? launch_forward<Tile, true, Order::InTurn>(parameters, blocks, delay, seed)
                                  : launch_forward<Tile, false, Order::InTurn>(parameters, blocks, delay, seed);
}

inline std::int64_t run_forward(const ForwardArguments& arguments, Order order, int blocks, Delay delay,
                                unsigned seed = 1) {
    if (arguments.precision == Precision::Float32)
        return arguments.E == 64 ? run_in_parts<64>(arguments, blocks, delay, seed)
                                 : run_in_parts<128>(arguments, blocks, delay, seed);
    if (arguments.precision == Precision::BFloat16) {
        if (arguments.E == 64)
            return run_forward<Bfloat16, 64>(arguments, order, blocks, delay, seed);
        if (arguments.E == 128)
            return run_forward<Bfloat16, 128>(arguments, order, blocks, delay, seed);
        return run_forward<Bfloat16, 256>(arguments, order, blocks, delay, seed);
    }
    if (arguments.E == 64)
        return run_forward<Float16, 64>(arguments, order, blocks, delay, seed);
    return run_forward<Float16, 128>(arguments, order, blocks, delay, seed);
}

struct Difference {
    double output = 0.0, lse = 0.0;
    bool wrote_outside = false;
};

/// Difference of the kernel's result from float64. NaN and a missing -inf count as infinite.
inline Difference difference(const Example& example) {
    const auto& a = example.arguments;
    const auto far = [](double x, double y) {
        const double distance = x == y ? 0.0 : std::fabs(x - y);
        return distance <= HUGE_VAL ? distance : HUGE_VAL;
    };
    Difference largest;
    const auto* halves = reinterpret_cast<const std::uint16_t*>(example.output.data());
    for (int row = 0; row < a.B * a.H * a.L; ++row) {
        const ExactRow exact(example, row / a.L / a.H, row / a.L % a.H, row % a.L);
        const auto start = static_cast<std::size_t>(row * a.output.row_stride);
        for (std::size_t e = 0; e < static_cast<std::size_t>(a.output.row_stride); ++e) {
            const bool inside = e < static_cast<std::size_t>(a.Ev);
            const double got =
                a.output_is_float32 ? example.output[start + e] : number(halves[start + e], example.bfloat16());
            if (inside)
                largest.output = std::max(largest.output, far(got, exact.output[e]));
            else if (a.output_is_float32 && example.output[start + e] != Example::untouched)
                largest.wrote_outside = true;
        }
        largest.lse = std::max(largest.lse, far(example.lse[static_cast<std::size_t>(row)], exact.lse));
    }
    return largest;
}

} // namespace attnlab::gpu::hopper::emulated
