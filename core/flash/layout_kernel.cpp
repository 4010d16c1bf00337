#include "core/flash/layout_kernel.h"

#include "core/flash/targets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flash/layout_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

/// to[c][r] = from[r][c] * factor(c), row by row of `from`.
template <class Factors>
HWY_INLINE void transpose(const float* HWY_RESTRICT from, std::int64_t rows, std::int64_t columns,
                          std::int64_t from_stride, float* HWY_RESTRICT to, std::int64_t to_stride, Factors factors) {
    std::int64_t squared_rows = 0, squared_columns = 0;
#if HWY_TARGET != HWY_SCALAR
    constexpr hn::FixedTag<float, 4> four;
    squared_rows = rows / 4 * 4;
    squared_columns = columns / 4 * 4;
    for (std::int64_t c = 0; c < squared_columns; c += 4) {
        const auto factor = factors.from(c);
        for (std::int64_t r = 0; r < squared_rows; r += 4) {
            const float* corner = from + r * from_stride + c;
            const auto row0 = hn::Mul(hn::LoadU(four, corner), factor);
            const auto row1 = hn::Mul(hn::LoadU(four, corner + from_stride), factor);
            const auto row2 = hn::Mul(hn::LoadU(four, corner + 2 * from_stride), factor);
            const auto row3 = hn::Mul(hn::LoadU(four, corner + 3 * from_stride), factor);
            const auto low01 = hn::InterleaveLower(four, row0, row1), high01 = hn::InterleaveUpper(four, row0, row1);
            const auto low23 = hn::InterleaveLower(four, row2, row3), high23 = hn::InterleaveUpper(four, row2, row3);
            float* out = to + c * to_stride + r;
            hn::StoreU(hn::ConcatLowerLower(four, low23, low01), four, out);
            hn::StoreU(hn::ConcatUpperUpper(four, low23, low01), four, out + to_stride);
            hn::StoreU(hn::ConcatLowerLower(four, high23, high01), four, out + 2 * to_stride);
            hn::StoreU(hn::ConcatUpperUpper(four, high23, high01), four, out + 3 * to_stride);
        }
    }
#endif
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = r < squared_rows ? squared_columns : 0; c < columns; ++c)
            to[c * to_stride + r] = from[r * from_stride + c] * factors[c];
}

struct OneFactor {
    float factor;
    float operator[](std::int64_t) const { return factor; }
#if HWY_TARGET != HWY_SCALAR
    auto from(std::int64_t) const { return hn::Set(hn::FixedTag<float, 4>(), factor); }
#endif
};

struct FactorsByColumn {
    const float* factors;
    float operator[](std::int64_t c) const { return factors[c]; }
#if HWY_TARGET != HWY_SCALAR
    auto from(std::int64_t c) const { return hn::LoadU(hn::FixedTag<float, 4>(), factors + c); }
#endif
};

void pack(const float* matrix, int rows, std::int64_t columns, float factor, int panel_width, float* panel) {
    if (rows < panel_width)
        std::fill_n(panel, columns * panel_width, 0.0f);
    transpose(matrix, rows, columns, columns, panel, panel_width, OneFactor{factor});
}

void unpack(const float* panel, int panel_width, int rows, std::int64_t columns, const float* factors, float* matrix) {
    transpose(panel, columns, rows, panel_width, matrix, columns, FactorsByColumn{factors});
}

float larger(float a, float b) { return b <= a || std::isnan(a) ? a : b; }

float largest_square(const float* matrix, std::int64_t rows, std::int64_t columns) {
    float largest = 0.0f;
    for (std::int64_t r = 0; r < rows; ++r, matrix += columns) {
        V squares = hn::Zero(f32);
        std::int64_t c = 0;
        for (; c + lanes <= columns; c += lanes) {
            const V numbers = hn::LoadU(f32, matrix + c);
            squares = hn::MulAdd(numbers, numbers, squares);
        }
        float sum = hn::GetLane(hn::SumOfLanes(f32, squares));
        for (; c < columns; ++c)
            sum += matrix[c] * matrix[c];
        largest = larger(largest, sum);
    }
    return largest;
}

Magnitudes magnitudes(const float* numbers, std::int64_t count) {
    // Without their sign, numbers compare like their bits, with NaN above all.
    constexpr Int i32;
    const auto infinity = hn::BitCast(i32, hn::Set(f32, std::numeric_limits<float>::infinity()));
    auto smallest = infinity, largest = hn::Zero(i32);
    std::int64_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        const auto bits = hn::BitCast(i32, hn::Abs(hn::LoadU(f32, numbers + k)));
        smallest = hn::Min(smallest, hn::IfThenElse(hn::Eq(bits, hn::Zero(i32)), infinity, bits));
        largest = hn::Max(largest, bits);
    }
    Magnitudes all{hn::GetLane(hn::BitCast(f32, hn::MinOfLanes(i32, smallest))),
                   hn::GetLane(hn::BitCast(f32, hn::MaxOfLanes(i32, largest)))};
    for (; k < count; ++k) {
        const float magnitude = std::abs(numbers[k]);
        if (magnitude > 0.0f)
            all.smallest = std::min(all.smallest, magnitude);
        all.largest = larger(all.largest, magnitude);
    }
    return all;
}

using Double = hn::ScalableTag<double>;
using Narrow = hn::Rebind<float, Double>; // as many lanes as Double
constexpr Double f64;
constexpr Narrow narrow_f32;
constexpr auto cells_at_once = static_cast<std::int64_t>(HWY_LANES(double));

void narrow_cells(const double* values, std::int64_t count, double factor, double limit, float* cells) {
    std::int64_t k = 0;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128 // on these, the smallest number would become -inf
    const auto infinity = hn::Set(f64, std::numeric_limits<double>::infinity());
    for (; k + cells_at_once <= count; k += cells_at_once) {
        const auto value = hn::LoadU(f64, values + k);
        const auto within =
            hn::Max(hn::Min(hn::Mul(value, hn::Set(f64, factor)), hn::Set(f64, limit)), hn::Set(f64, -limit));
        const auto narrowed = hn::IfThenElse(hn::Eq(hn::Abs(value), infinity), value, within);
        hn::StoreU(hn::DemoteTo(narrow_f32, narrowed), narrow_f32, cells + k);
    }
#endif
    for (; k < count; ++k)
        cells[k] =
            static_cast<float>(std::isfinite(values[k]) ? std::clamp(values[k] * factor, -limit, limit) : values[k]);
}

void block_cells(const double* values, std::int64_t count, double kept, float* cells) {
    constexpr float blocked = std::numeric_limits<float>::quiet_NaN();
    const auto wanted = hn::Set(narrow_f32, static_cast<float>(kept));
    std::int64_t k = 0;
    for (; k + cells_at_once <= count; k += cells_at_once) {
        const auto is_kept = hn::Eq(hn::DemoteTo(narrow_f32, hn::LoadU(f64, values + k)), wanted);
        const auto cell = hn::LoadU(narrow_f32, cells + k);
        hn::StoreU(hn::IfThenElse(is_kept, cell, hn::Set(narrow_f32, blocked)), narrow_f32, cells + k);
    }
    for (; k < count; ++k)
        if (values[k] != kept)
            cells[k] = blocked;
}

bool any_cell_above(const float* cells, std::int64_t count, float floor) {
    std::int64_t k = 0;
    for (; k + lanes <= count; k += lanes)
        if (!hn::AllFalse(f32, hn::Gt(hn::LoadU(f32, cells + k), hn::Set(f32, floor))))
            return true;
    return std::any_of(cells + k, cells + count, [=](float cell) { return cell > floor; });
}

} // namespace

LayoutKernel layout_here() {
    return {pack, unpack, largest_square, magnitudes, narrow_cells, block_cells, any_cell_above};
}

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(layout_here);

LayoutKernel layout_kernel() { return HWY_DYNAMIC_DISPATCH(layout_here)(); }

} // namespace attnlab::flash
#endif
