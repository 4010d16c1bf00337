#include "gpu/host/recheck.h"

#include "core/flash/far_rows.h"
#include "gpu/numbers.h"

#include <algorithm>
#include <cmath>

namespace attnlab::gpu {
namespace {

constexpr double log2_e = 1.4426950408889634;

void round_to(Precision precision, std::vector<float>& numbers) {
    if (precision == Precision::Float32)
        return;
    const bool bfloat16 = precision == Precision::BFloat16;
    for (auto& number : numbers)
        number = bfloat16 ? from_bfloat16(to_bfloat16(number)) : from_float16(to_float16(number));
}

/// The rounding of a weight before it multiplies values, generously.
double weight_error(Precision precision) {
    return precision == Precision::Float32 ? 2e-4 : precision == Precision::BFloat16 ? 1e-2 : 2e-3;
}

/// Of a score whose products are at most `bound` together.
double score_error(double bound) { return 1e-3 + 1e-5 * bound; }

bool is_near(double got, double expected, double tolerance) {
    if (std::isnan(expected) || std::isinf(expected))
        return got == expected || (std::isnan(got) && std::isnan(expected));
    return std::abs(got - expected) <= tolerance; // false for NaN
}

std::int64_t drawn(std::mt19937& random, std::int64_t count) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
}

[[noreturn]] void fail(const char* kernel, const char* what, double got, double expected) {
    throw WrongNumbers({ATTNLAB_TEXT("The kernel %1 gave %2 = %3, and the cores %4"),
                        {kernel, what, std::to_string(got), std::to_string(expected)}});
}

class HeadCells {
public:
    HeadCells(const flash::Problem& head, Precision precision, const RowScales& rows)
        : head_(head), precision_(precision), rows_(rows), scales_{.scores = head.scale} {}

    /// log2 of a weight in row i, for the cells [first, last); kept or not.
    template <class Use>
    void each(std::int64_t i, std::int64_t first, std::int64_t last, Use use) {
        const auto E = head_.shape.E;
        std::vector<float> query(head_.query + i * E, head_.query + (i + 1) * E);
        round_to(precision_, query);
        const flash::MaskedRow row(head_.masks, head_.shape, 0, 0, i);
        std::vector<float> key(static_cast<std::size_t>(E));
        for (auto j = first; j < last; ++j) {
            std::copy_n(head_.key + j * E, E, key.begin());
            round_to(precision_, key);
            const double largest_key = flash::size_bound(key);
            bound = std::max(bound, flash::score_bound(query, largest_key, scales_));
            const double score = row(j, flash::scaled_score(query, key.data(), scales_));
            if (row.keeps(j) && score != -infinity)
                use(score * log2_e - static_cast<double>(rows_.base[i]) - static_cast<double>(rows_.log2_sum[i]));
        }
    }
    double bound = 0.0; ///< of the scores seen

private:
    const flash::Problem& head_;
    const Precision precision_;
    const RowScales& rows_;
    const flash::Scales scales_;
};

} // namespace

void recheck(const DeviceProblem& problem, const DeviceResult& result, const char* kernel, std::mt19937& random,
             const RunControl& control) {
    const auto& s = problem.shape;
    if (s.B * s.H * s.L == 0 || s.S == 0)
        return;
    const auto head = drawn(random, s.B * s.H), b = head / s.H, h = head % s.H;
    const auto first_key = (b * s.Hkv + h / (s.H / s.Hkv)) * s.S;
    const auto rows_of = [&](const char* name, std::int64_t first, std::int64_t rows) {
        control.checkpoint();
        auto numbers = problem.source(name, first, rows);
        round_to(problem.precision, numbers);
        return numbers;
    };
    const auto key = rows_of("key", first_key, s.S);
    const auto value = s.Ev > 0 ? rows_of("value", first_key, s.S) : std::vector<float>();
    const double largest_key = flash::size_bound(key), largest_value = value.empty() ? 0.0 : flash::size_bound(value);
    const flash::Scales scales{problem.scale, problem.output_scale, problem.softcap};
    const bool may_be_far = flash::can_be_far(problem.masks);
    std::vector<float> output(static_cast<std::size_t>(s.Ev));
    for (int k = 0; k < 2; ++k) {
        const auto i = drawn(random, s.L), row = head * s.L + i;
        const auto query = rows_of("query", row, 1);
        const double got = static_cast<double>(result.lse[static_cast<std::size_t>(row)]);
        if (may_be_far && flash::is_far(problem.masks, s, b, h, i, got))
            continue; // computed again anyway
        const flash::ExactRow exact(flash::MaskedRow(problem.masks, s, b, h, i), scales, query, key.data(),
                                    largest_key);
        const double allowed = score_error(flash::score_bound(query, largest_key, scales));
        const double lse = flash::lse_of_near_row(problem.masks, got);
        if (!is_near(lse, exact.lse(), allowed + 1e-6 * std::abs(exact.lse())))
            fail(kernel, "lse", lse, exact.lse());
        exact.mix(value.data(), output);
        const double of_value = std::min(1.0, allowed + weight_error(problem.precision)) * largest_value *
                                std::max(1e-30, std::abs(problem.output_scale)) * 2.0;
        for (std::int64_t e = 0; e < s.Ev; ++e) {
            const double out = static_cast<double>(result.output[static_cast<std::size_t>(row * s.Ev + e)]);
            const double expected = static_cast<double>(output[static_cast<std::size_t>(e)]);
            if (!is_near(out, expected, of_value))
                fail(kernel, "output", out, expected);
        }
    }
}

void recheck(const flash::Problem& head, Precision precision, const BinGrid& grid, const RowScales& rows,
             const MapBins& bins, const char* kernel, std::mt19937& random) {
    if (bins.rows * bins.columns == 0)
        return;
    for (int k = 0; k < 2; ++k) {
        const auto r = drawn(random, bins.rows), c = drawn(random, bins.columns);
        const auto first_row = grid.cells.first_row + r * grid.bin_rows,
                   first_column = grid.cells.first_column + c * grid.bin_columns;
        HeadCells cells(head, precision, rows);
        double largest = -infinity, sum = 0.0, kept = 0.0;
        // Of a large bin a strip of rows, which bounds the maximum and the sum from below.
        constexpr std::int64_t most_cells = 1 << 18;
        const auto last_column = std::min(first_column + grid.bin_columns, grid.cells.last_column);
        const auto most_rows =
            std::max<std::int64_t>(1, most_cells / std::max<std::int64_t>(1, last_column - first_column));
        const auto end = std::min(first_row + grid.bin_rows, grid.cells.last_row);
        const auto last_row = std::min(end, first_row + most_rows);
        for (auto i = first_row; i < last_row; ++i)
            cells.each(i, first_column, last_column, [&](double log2_weight) {
                largest = std::max(largest, log2_weight);
                sum += std::exp2(log2_weight);
                ++kept;
            });
        const auto at = bins.index(r, c);
        const double got = static_cast<double>(bins.log2_max[at]), got_kept = static_cast<double>(bins.kept[at]);
        const double allowed = score_error(cells.bound) * log2_e;
        const bool whole = last_row == end;
        if (whole ? got_kept != std::floor(kept) && kept < 1 << 24 : got_kept < kept)
            fail(kernel, "kept", got_kept, kept);
        if (kept > 0 && std::isfinite(largest) && !(whole ? is_near(got, largest, allowed) : got >= largest - allowed))
            fail(kernel, "max", got, largest);
        if (whole && kept > 0 && !bins.sum.empty() &&
            !is_near(static_cast<double>(bins.sum[at]), sum, 2.0 * std::min(1.0, allowed + 1e-4) * (sum + 1e-30)))
            fail(kernel, "sum", static_cast<double>(bins.sum[at]), sum);
    }
}

void recheck(const flash::Problem& head, Precision precision, const CellRect& cells, const RowScales& rows,
             const float* weights, bool log2, const char* kernel, std::mt19937& random) {
    if (cells.rows() * cells.columns() == 0)
        return;
    for (int k = 0; k < 2; ++k) {
        const auto i = drawn(random, cells.rows()), j = drawn(random, cells.columns());
        HeadCells exact(head, precision, rows);
        double expected = std::nan("");
        exact.each(cells.first_row + i, cells.first_column + j, cells.first_column + j + 1,
                   [&](double log2_weight) { expected = log2 ? log2_weight : std::exp2(log2_weight); });
        const double got = static_cast<double>(weights[i * cells.columns() + j]);
        const double allowed = score_error(exact.bound) * log2_e;
        const double size = log2 || std::isnan(expected) ? 1.0 : expected;
        if (!is_near(got, expected, 2.0 * std::min(log2 ? allowed : 1.0, allowed) * size + (log2 ? 0.0 : 1e-30)))
            fail(kernel, "weight", got, expected);
    }
}

} // namespace attnlab::gpu
