// How far a result may be from the reference, depending on its computation: a bound for each rounding, with u the unit
// roundoff of the arithmetic (2^-24 for float32).
//
//   A score s = f q.k is off by at most    T (2 input + product + u g(E)) + floor (|q|_1 f + |k|_1),  T = f |q|_1,k
//   where T = f sum_c |q_c k_c|, the inputs are rounded to `input`, and g(n) roundings of a sum of n terms, which are
//   of either sign, amount to min(n, 6 sqrt n) of them and a few more. Where a scale keeps s in -c .. c, it is off by
// at most 2 c. A bias b and the sum m add u (2 |b| + 2 |m|). Call it d_j. A weight a_j = exp(m_j - lse) is then off by
// at most
//   e_j = max(min(1, a_j exp(d_j + D)) - a_j, a_j - a_j exp(-d_j - D)) + (20 + |log a_j|) u a_j
//         + what is too small to be told from 0,
//   D = log sum_j a_j exp(d_j) + u (g(S) + number of terms equal to another one, as these round the same way)
// as a softmax gives no weight below 0 or above 1, however far its scores are off; 20 is for the roundings of the
// exponential, of rescaled tiles, of the sum's logarithm and of the quotient. An output sum_j a_j v_j is off by
// sum_j (e_j + (a_j + e_j) (input + weight + product + u g(S))) |v_j| + floor, an lse by D + 4 u |lse|. Cells that a
// fill replaces are all off by the same, which the softmax takes away. Rows that are far (core/flash/far_rows.h) are
// computed in float64 from inputs in float32, and their weights rounded once more when they are stored: u a_j.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <vector>

namespace attnlab::differential {

struct Arithmetic {
    double unit = 0x1p-24;          ///< of sums, exponentials and logarithms
    double input = 0x1p-24;         ///< relative rounding of queries, keys and values
    double input_floor = 0x1p-125;  ///< and the absolute loss of them
    double product = 0.0;           ///< additional error of a product
    double weight = 0.0;            ///< rounding of a weight before it multiplies the values
    double weight_floor = 0x1p-125; ///< and its absolute loss, relative to the largest
    double base = 0.0;              ///< rounding of the number subtracted from a score
    bool far_rows_are_exact = true; ///< computed in float64
    double output_floor = 0x1p-120; ///< absolute loss of an output
    double small_value = 0.0;       ///< smaller values are computed with care: only small_floor of them is lost
    double small_floor = 0.0;
    double meeting_floor = 0x1p-125; ///< numbers up to this may count as 0 beside infinite ones
    /// Between these, exp(-x) may be 0 in one computation and not in another, which matters to infinite values.
    double first_underflow = 665.0, last_underflow = 785.0;
};

Arithmetic float64();
Arithmetic float32();
/// The arithmetic of device kernels for 32-bit and 16-bit numbers.
Arithmetic device_float32();
Arithmetic device_bfloat16();
Arithmetic device_float16();
/// That of a backend that computes small numbers in float64 where they matter (core/flash/nonfinite_values.h).
Arithmetic careful(Arithmetic arithmetic);
/// That of matrices of bfloat16 on the cores, with two parts of a number and one.
Arithmetic matrices_split();
Arithmetic matrices_bfloat16();

/// One row of the reference, cell by cell.
struct ReferenceRow {
    double lse = 0.0;
    std::vector<double> masked, weight; ///< weight: before a scale after the softmax
    std::vector<double> allowed;        ///< tolerance of each weight
    std::vector<bool> kept;             ///< by masks and a bias of -inf
    double allowed_lse = 0.0;
    bool has_nan = false; ///< no weight is a number
    /// An infinite number is multiplied by a number that is nonzero only in float64: infinite there, NaN elsewhere.
    bool is_close_call = false;
};

/// The reference's result for a problem, and the allowed deviation from it.
class Bounds {
public:
    /// `trace` has every stage of one pass of `problem`.
    Bounds(const AttentionProblem& problem, const Trace& trace, const Arithmetic& arithmetic);

    std::int64_t B() const { return B_; }
    std::int64_t H() const { return H_; }
    std::int64_t L() const { return L_; }
    std::int64_t S() const { return S_; }
    std::int64_t Ev() const { return Ev_; }

    ReferenceRow row(std::int64_t b, std::int64_t h, std::int64_t i) const;
    /// The factor of a weight after the softmax.
    double after() const { return after_; }

    struct Output {
        double expected = 0.0, allowed = 0.0;
        double least = 0.0, most = 0.0; ///< of the values that are read, scaled like the weights
        bool is_close_call = false;     ///< an infinite value whose weight is near the smallest number
    };
    /// A row of the stage before any projection of the output, column by column.
    std::vector<Output> outputs(const ReferenceRow& row, std::int64_t b, std::int64_t h, std::int64_t i) const;

private:
    void bound_weights(ReferenceRow& row, const std::vector<double>& off, double unit) const;

    const AttentionProblem& problem_;
    const Trace& trace_;
    const Arithmetic arithmetic_;
    std::int64_t B_, H_, Hkv_, L_, S_, E_, Ev_, appended_ = 0;
    const double *masked_, *values_, *outputs_; ///< of the trace
    Tensor query_, key_;                        ///< as used for scores
    Tensor blocked_, bias_;
    double factor_ = 1.0, after_ = 1.0, largest_scaled_;
};

/// The effective number of roundings of a sum of n terms.
double roundings(std::int64_t n);

} // namespace attnlab::differential
