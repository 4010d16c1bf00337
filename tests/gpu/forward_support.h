// Small forwards for tests of kernels: numbers, masks, and the expected results in float64, cell by cell.
#pragma once

#include "core/random.h"
#include "gpu/forward_kernels.h"
#include "gpu/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace attnlab::gpu {

/// Memory as from cudaMalloc: aligned for copies of 16 bytes, and of exactly the requested size.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t count, T fill = {})
        : data_(static_cast<T*>(::operator new[](count * sizeof(T), std::align_val_t(16)))), count_(count) {
        std::fill_n(data_.get(), count, fill);
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return count_; }
    T& operator[](std::size_t at) { return data_.get()[at]; }
    const T& operator[](std::size_t at) const { return data_.get()[at]; }

private:
    struct Delete {
        void operator()(T* memory) const { ::operator delete[](memory, std::align_val_t(16)); }
    };
    std::unique_ptr<T, Delete> data_;
    std::size_t count_ = 0;
};

struct ForwardCase {
    Precision precision = Precision::Float32;
    int B = 1, H = 1, Hkv = 1, L = 1, S = 1, E = 1, Ev = 1;
    float scale = 0.0f; ///< 0: 1 / sqrt(E)
    float softcap = 0.0f;
    Band band = {};
    int first_row = 0, first_key = 0;
    bool lengths = false, lengths_by_row = false, padding = false, kept = false, bias = false;
    Blocked blocked = Blocked::Skipped;
    float fill = 0.0f;
    bool output_is_float32 = true;
    double size = 1.0; ///< magnitude of queries and keys
};

/// The arrays of a case in the layout of a kernel of this width (0: that of the case itself).
class ForwardData {
public:
    ForwardData(const ForwardCase& wanted, int width, std::uint64_t seed = 1) : case_(wanted) {
        Random random(seed);
        auto& a = arguments;
        a.precision = wanted.precision;
        a.B = wanted.B, a.H = wanted.H, a.Hkv = wanted.Hkv, a.L = wanted.L, a.S = wanted.S;
        a.E = width > 0 ? width : wanted.E;
        a.Ev = width > 0 ? width : wanted.Ev;
        a.query = rows(query_, query, random, a.H, a.L, wanted.E, a.E);
        a.key = rows(key_, key, random, a.Hkv, a.S, wanted.E, a.E);
        a.value = rows(value_, value, random, a.Hkv, a.S, wanted.Ev, a.Ev);
        a.scale = wanted.scale != 0.0f ? wanted.scale : 1.0f / std::sqrt(static_cast<float>(wanted.E));
        a.softcap = wanted.softcap;
        a.output_scale = 1.5f;
        a.first_row = wanted.first_row, a.first_key = wanted.first_key, a.band = wanted.band;
        a.blocked = wanted.blocked, a.fill = wanted.fill;
        make_masks(random);
        const auto rows_of_all = static_cast<std::size_t>(a.B * a.H * a.L);
        output = DeviceArray<float>(rows_of_all * static_cast<std::size_t>(padded_row(a.Ev)),
                                    std::numeric_limits<float>::quiet_NaN());
        lse = DeviceArray<float>(rows_of_all, std::numeric_limits<float>::quiet_NaN());
        a.output = {output.data(), static_cast<std::int64_t>(a.H) * a.L * padded_row(a.Ev),
                    static_cast<std::int64_t>(a.L) * padded_row(a.Ev), padded_row(a.Ev)};
        a.output_is_float32 = wanted.output_is_float32;
        a.lse = lse.data();
    }

    /// The kernel's result.
    double got(int b, int h, int i, int c) const {
        const auto& o = arguments.output;
        const auto at = static_cast<std::size_t>(b * o.batch_stride + h * o.head_stride + i * o.row_stride + c);
        if (arguments.output_is_float32)
            return static_cast<double>(output[at]);
        const auto bits = reinterpret_cast<const std::uint16_t*>(output.data())[at];
        return static_cast<double>(case_.precision == Precision::BFloat16 ? from_bfloat16(bits) : from_float16(bits));
    }
    double got_lse(int b, int h, int i) const {
        return static_cast<double>(lse[static_cast<std::size_t>((b * case_.H + h) * case_.L + i)]);
    }

    /// Scaled, capped and masked.
    double masked_score(int b, int h, int i, int j) const {
        const auto& a = arguments;
        const int kv = h / (a.H / a.Hkv);
        double score = 0.0;
        for (int c = 0; c < case_.E; ++c)
            score += number(query, a.H, a.L, case_.E, b, h, i, c) * number(key, a.Hkv, a.S, case_.E, b, kv, j, c);
        return masked(b, h, i, j, score * static_cast<double>(a.scale));
    }

    struct Expected {
        std::vector<double> output;
        double lse;
    };
    Expected expected(int b, int h, int i) const {
        const auto& a = arguments;
        const int kv = h / (a.H / a.Hkv);
        std::vector<double> scores;
        double largest = -std::numeric_limits<double>::infinity();
        for (int j = 0; j < a.S; ++j) {
            scores.push_back(masked_score(b, h, i, j));
            largest = std::max(largest, scores.back());
        }
        Expected row{std::vector<double>(static_cast<std::size_t>(case_.Ev)), largest};
        if (largest == -std::numeric_limits<double>::infinity())
            return row;
        double sum = 0.0;
        for (const double score : scores)
            sum += std::exp(score - largest);
        row.lse = largest + std::log(sum);
        for (int j = 0; j < a.S; ++j) {
            const double weight =
                std::exp(scores[static_cast<std::size_t>(j)] - row.lse) * static_cast<double>(a.output_scale);
            for (int c = 0; c < case_.Ev; ++c)
                row.output[static_cast<std::size_t>(c)] += weight * number(value, a.Hkv, a.S, case_.Ev, b, kv, j, c);
        }
        return row;
    }

    /// Largest differences over every row; NaN where a kernel gave NaN, or did not write.
    struct Difference {
        double output = 0.0, lse = 0.0;
        /// Of those beyond limits: the first, how many, and in how many rows and columns of a head.
        std::string first = {};
        int wrong = 0;
        std::set<int> rows = {}, columns = {};

        std::string text() const {
            const auto few = [](const std::set<int>& numbers) {
                std::string list;
                int count = 0;
                for (const int number : numbers)
                    list += ++count > 8 ? count == 9 ? ", ..." : "" : (count > 1 ? ", " : "") + std::to_string(number);
                return list + " (" + std::to_string(numbers.size()) + ")";
            };
            return first + "; " + std::to_string(wrong) + " wrong, in rows " + few(rows) + ", columns " + few(columns);
        }
    };
    Difference difference(double output_limit = std::numeric_limits<double>::infinity(),
                          double lse_limit = std::numeric_limits<double>::infinity()) const {
        Difference worst;
        const auto take = [](double& most, double got, double expected) {
            const double size = got == expected ? 0.0 : std::abs(got - expected);
            most = std::isnan(size) || size > most ? size : most;
            return size;
        };
        const auto note = [&](const char* what, int b, int h, int i, int c, double got, double expected) {
            if (worst.wrong++ == 0)
                worst.first = std::string(what) + "(" + std::to_string(b) + "," + std::to_string(h) + "," +
                              std::to_string(i) + (c < 0 ? "" : "," + std::to_string(c)) + ") is " +
                              std::to_string(got) + ", expected " + std::to_string(expected);
            worst.rows.insert(i);
            worst.columns.insert(c);
        };
        for (int b = 0; b < case_.B; ++b)
            for (int h = 0; h < case_.H; ++h)
                for (int i = 0; i < case_.L; ++i) {
                    const auto row = expected(b, h, i);
                    if (!(take(worst.lse, got_lse(b, h, i), row.lse) <= lse_limit))
                        note("lse", b, h, i, -1, got_lse(b, h, i), row.lse);
                    for (int c = 0; c < case_.Ev; ++c) {
                        const double expected_number = row.output[static_cast<std::size_t>(c)];
                        if (!(take(worst.output, got(b, h, i, c), expected_number) <= output_limit))
                            note("output", b, h, i, c, got(b, h, i, c), expected_number);
                    }
                }
        return worst;
    }

    ForwardArguments arguments;
    std::vector<double> query, key, value; ///< as the kernel reads them, without padding
    DeviceArray<float> output, lse;

private:
    /// Rows begin at multiples of 16 bytes.
    int padded_row(int width) const { return (width + 7) / 8 * 8; }

    Rows rows(DeviceArray<float>& memory, std::vector<double>& numbers, Random& random, int heads, int count, int width,
              int padded) {
        const int stride = padded_row(padded);
        const int bytes = case_.precision == Precision::Float32 ? 4 : 2;
        const auto all = static_cast<std::size_t>(case_.B * heads * count);
        memory = DeviceArray<float>(std::max<std::size_t>(1, all * static_cast<std::size_t>(stride * bytes) / 4));
        numbers.clear();
        for (std::size_t row = 0; row < all; ++row)
            for (int c = 0; c < width; ++c) {
                const auto drawn = static_cast<float>(random.normal() * (&numbers == &value ? 1.0 : case_.size));
                const auto at = row * static_cast<std::size_t>(stride) + static_cast<std::size_t>(c);
                numbers.push_back(stored(memory, at, drawn));
            }
        return {memory.data(), static_cast<std::int64_t>(heads) * count * stride,
                static_cast<std::int64_t>(count) * stride, stride};
    }

    double stored(DeviceArray<float>& memory, std::size_t at, float number) const {
        auto* halves = reinterpret_cast<std::uint16_t*>(memory.data());
        switch (case_.precision) {
        case Precision::Float32:
            return static_cast<double>(memory[at] = number);
        case Precision::BFloat16:
            return static_cast<double>(from_bfloat16(halves[at] = to_bfloat16(number)));
        case Precision::Float16:
            return static_cast<double>(from_float16(halves[at] = to_float16(number)));
        }
        return 0.0;
    }

    static double number(const std::vector<double>& numbers, int heads, int count, int width, int b, int h, int row,
                         int c) {
        return numbers[static_cast<std::size_t>(((b * heads + h) * count + row) * width + c)];
    }

    void make_masks(Random& random) {
        auto& a = arguments;
        const auto words_of_a_row = (a.S + 31) / 32;
        const auto fill_bits = [&](DeviceArray<std::uint32_t>& words, int rows, double share) {
            words = DeviceArray<std::uint32_t>(static_cast<std::size_t>(std::max(1, rows * words_of_a_row)));
            for (int row = 0; row < rows; ++row)
                for (int j = 0; j < a.S; ++j)
                    if (random.uniform() < share)
                        words[static_cast<std::size_t>(row * words_of_a_row + j / 32)] |= 1u << (j % 32);
        };
        if (case_.lengths || case_.lengths_by_row) {
            const int rows = a.B * (case_.lengths_by_row ? a.L : 1);
            lengths_ = DeviceArray<std::int32_t>(static_cast<std::size_t>(rows));
            for (int row = 0; row < rows; ++row)
                lengths_[static_cast<std::size_t>(row)] =
                    a.first_key + static_cast<int>(random.uniform() * static_cast<double>(a.S + 1));
            a.valid_lengths = {lengths_.data(), case_.lengths_by_row ? a.L : 1, case_.lengths_by_row ? 1 : 0};
        }
        if (case_.padding) {
            fill_bits(padding_, a.B, 0.7);
            // A range that spans whole tiles.
            for (int w = 1; w < std::min(5, words_of_a_row - 1); ++w)
                padding_[static_cast<std::size_t>(w)] = 0u;
            a.key_padding = {padding_.data(), words_of_a_row, 0, 0};
        }
        if (case_.kept) {
            fill_bits(kept_, a.H * a.L, 0.5);
            a.kept = {kept_.data(), 0, static_cast<std::int64_t>(a.L) * words_of_a_row, words_of_a_row};
        }
        if (case_.bias) {
            bias_ = DeviceArray<float>(static_cast<std::size_t>(a.B * a.L * a.S));
            for (std::size_t k = 0; k < bias_.size(); ++k)
                bias_[k] = k % 11 == 3 ? -std::numeric_limits<float>::infinity() : static_cast<float>(random.normal());
            a.bias = {bias_.data(), static_cast<std::int64_t>(a.L) * a.S, 0, a.S};
        }
    }

    bool is_kept(int b, int h, int i, int j) const {
        const auto& a = arguments;
        const int row = a.first_row + i, key_position = a.first_key + j;
        const auto bit = [&](const KeptBits& bits) {
            return !bits.words ||
                   (bits.words[b * bits.batch_stride + h * bits.head_stride + i * bits.row_stride + j / 32] >>
                        (j % 32) &
                    1u);
        };
        const bool in_band =
            row - a.band.before <= key_position && (key_position <= row + a.band.after || key_position < a.band.prefix);
        const auto& valid = a.valid_lengths;
        const bool in_length =
            !valid.lengths || key_position < valid.lengths[b * valid.batch_stride + i * valid.row_stride];
        return in_band && in_length && bit(a.key_padding) && bit(a.kept);
    }

    double masked(int b, int h, int i, int j, double score) const {
        const auto& a = arguments;
        if (a.softcap > 0.0f)
            score = static_cast<double>(a.softcap) * std::tanh(score / static_cast<double>(a.softcap));
        if (a.bias.values)
            score += static_cast<double>(
                a.bias.values[b * a.bias.batch_stride + h * a.bias.head_stride + i * a.bias.row_stride + j]);
        if (is_kept(b, h, i, j))
            return score;
        return a.blocked == Blocked::Skipped    ? -std::numeric_limits<double>::infinity()
               : a.blocked == Blocked::Replaced ? static_cast<double>(a.fill)
                                                : score + static_cast<double>(a.fill);
    }

    ForwardCase case_;
    DeviceArray<float> query_, key_, value_, bias_;
    DeviceArray<std::int32_t> lengths_;
    DeviceArray<std::uint32_t> padding_, kept_;
};

} // namespace attnlab::gpu
