// Attention over raw float32 arrays in tiles with an online softmax: memory grows with L and S, never with L x S.
// Dao et al. 2022, FlashAttention; Milakov & Gimelshein 2018, Online normalizer calculation for softmax.
#pragma once

#include "core/attention.h"
#include "core/stages/mask_rule.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::flash {

enum class Precision {
    Float32,
    Split, ///< without values, on a matrix unit (matrix_unit.h): scores are off by about 2^-16 of |q| |k|; else float32
    BFloat16, ///< queries, keys and values are rounded to bfloat16, and on a matrix unit the weights, too
};

/// "float32", "split", "bfloat16"
std::string_view name_of(Precision precision);

/// To the nearest, ties to even; NaN and infinities stay.
void round_to_bfloat16(std::span<float> numbers);

using attnlab::Band;
using attnlab::BooleanCells;
using attnlab::CellArray;
using attnlab::KeyIntervals;
using attnlab::KeyPadding;
using attnlab::ValidLengths;

/// Defines which cells may be read and what is added to them. A cell is kept when every mask keeps it.
struct Masks {
    std::vector<Band> bands;
    std::vector<ValidLengths> valid_lengths;
    KeyPadding key_padding;
    std::vector<KeyIntervals> intervals;
    std::vector<BooleanCells> booleans;
    CellArray bias; ///< added to the scaled scores
    double fill = -std::numeric_limits<double>::infinity();
    bool fill_is_added = false; ///< to the score of a blocked cell, instead of replacing it

    bool empty() const {
        return bands.empty() && valid_lengths.empty() && !key_padding && intervals.empty() && booleans.empty() &&
               !bias.values;
    }
};

struct Shape {
    std::int64_t B = 1, H = 1, Hkv = 1, L = 0, S = 0, E = 0, Ev = 0;
};

/// Rows of every head from `first` up to `last`.
struct Rows {
    std::int64_t first = 0, last = std::numeric_limits<std::int64_t>::max();

    bool meets(std::int64_t from, std::int64_t to) const { return from < last && first < to; }
};

class MatrixPath;

/// Non-owning row-major arrays; query head h reads key and value head h / (H / Hkv).
struct Problem {
    Shape shape;
    const float* query = nullptr; ///< (B,H,L,E)
    const float* key = nullptr;   ///< (B,Hkv,S,E)
    const float* value = nullptr; ///< (B,Hkv,S,Ev)
    double scale = 1.0;           ///< multiplies the scores
    double output_scale = 1.0;    ///< multiplies the weights, after the softmax
    Masks masks = {};
    /// True when queries and keys are known to be finite: keys that a bias moves out of reach need not be read.
    bool is_finite = false;
    /// Only results of these rows are needed; those of other rows are undefined. A row has the same bits whatever rows
    /// are computed beside it.
    Rows rows = {};
    Precision precision = Precision::Float32; ///< with BFloat16 the arrays are rounded already
    /// The packed keys and values for the matrix unit, null for vectors alone; nullopt: forward() decides, and packs.
    std::optional<const MatrixPath*> matrices = std::nullopt;
};

/// The output arrays. A row that reads no key has output 0 and lse -inf. With Ev = 0 there is no output, and values are
/// never read. Two cases are handled by tiled_attention(): far rows (see far_rows.h), and NaN or infinite values, which
/// would affect every row that shares a tile with them.
struct Result {
    float* output = nullptr; ///< (B,H,L,Ev)
    float* lse = nullptr;    ///< (B,H,L), natural logarithm
    /// (B,H,L), both or neither: lse in two parts, the largest score in base 2, or slightly more, and the sum of
    /// 2^(score - that).
    float* row_max = nullptr;
    float* row_sum = nullptr;
};

/// The number of threads of a forward: one for each core available to this process.
int thread_count();

/// The instruction sets that can be used on this machine: "AVX-512", "AVX-512, AMX".
std::string instruction_set();

/// Uses `threads` threads if positive, else thread_count(). Throws Cancelled.
void forward(const Problem& problem, const Result& result, const RunControl& control = {}, int threads = 0);

} // namespace attnlab::flash
