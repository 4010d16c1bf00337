#include "core/flash/panel_mask.h"

#include "core/flash/far_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

constexpr float blocked = std::numeric_limits<float>::quiet_NaN();

Keys intersection(Keys a, Keys b) { return {std::max(a.first, b.first), std::min(a.last, b.last)}; }

/// The result of narrow() for a bias that is out of reach.
constexpr double furthest_cell = largest_float32_shift * log2_e;

/// As in narrow().
float narrowed(double bias) {
    return static_cast<float>(std::isfinite(bias) ? std::clamp(bias * log2_e, -furthest_cell, furthest_cell) : bias);
}

} // namespace

Keys kept_keys(const Masks& masks, std::int64_t key_count, std::int64_t b, std::int64_t i) {
    Keys keys{0, key_count};
    for (const auto& each : masks.bands) {
        const auto band = each.of_batch(b);
        keys = intersection(keys, {i - band.before, std::max(i + band.after + 1, band.prefix)});
    }
    for (const auto& valid : masks.valid_lengths) {
        const double length = valid.lengths[b * valid.batch_stride + i * valid.row_stride];
        keys = intersection(keys, {0, static_cast<std::int64_t>(length)});
    }
    return keys;
}

PanelMask::PanelMask(const Masks& masks, const Shape& shape, const PanelRows& rows, int width, CellOrder order,
                     Counted counted)
    : masks_(masks), query_count_(shape.L), key_count_(shape.S), rows_(rows), width_(width), order_(order),
      layout_(layout_kernel()), floor_(counted == Counted::InReach ? static_cast<float>(-furthest_cell)
                                                                   : -std::numeric_limits<float>::infinity()),
      skips_(masks.fill == -std::numeric_limits<double>::infinity()), kept_by_all_{0, shape.S}, reach_{shape.S, 0} {
    for (int q = 0; q < rows.count; ++q) {
        kept_[static_cast<std::size_t>(q)] =
            kept_keys(masks, shape.S, rows.batch, (rows.first + q) % std::max<std::int64_t>(1, shape.L));
        const auto& kept = kept_[static_cast<std::size_t>(q)];
        kept_by_all_ = intersection(kept_by_all_, kept);
        if (!kept.empty())
            reach_ = {std::min(reach_.first, kept.first), std::max(reach_.last, kept.last)};
    }
    if (!skips_)
        reach_ = {0, shape.S};
}

const double* PanelMask::row_of(const CellArray& cells, int q) const {
    const auto row = rows_.first + q;
    return cells.row(rows_.batch, rows_.head + row / query_count_, row % query_count_);
}

bool PanelMask::reads_arrays(Keys tile) const {
    if (!masks_.intervals.empty() || !masks_.booleans.empty() || masks_.bias.values)
        return true;
    if (!masks_.key_padding)
        return false;
    const double* padding = masks_.key_padding.of(rows_.batch);
    return std::any_of(padding + tile.first, padding + tile.last, [](double padded) { return padded != 0.0; });
}

PanelMask::Cover PanelMask::cover(Keys tile, float* cells) const {
    if (reads_arrays(tile)) {
        const bool any_counts = fill_cells(tile, cells);
        return {skips_ && !any_counts, tile};
    }
    if (kept_by_all_.first <= tile.first && tile.last <= kept_by_all_.last)
        return {};
    Keys special = tile;
    if (kept_by_all_.first <= tile.first)
        special.first = std::clamp(kept_by_all_.last, tile.first, tile.last);
    else if (tile.last <= kept_by_all_.last)
        special.last = std::clamp(kept_by_all_.first, tile.first, tile.last);
    fill_cells(special, cells);
    return {false, special};
}

/// Returns whether any cell counts.
bool PanelMask::fill_cells(Keys keys, float* cells) const {
    constexpr std::int64_t keys_at_once = 64;
    std::array<float, widest_panel * keys_at_once> by_row;
    bool any_counts = false;
    for (int q = 0; order_ == CellOrder::ByRow && q < rows_.count; ++q) {
        float* row = cells + q * width_;
        fill_row(q, keys, row);
        any_counts = any_counts || layout_.any_above(row, keys.count(), floor_);
    }
    if (order_ == CellOrder::ByRow)
        return any_counts;
    for (auto first = keys.first; first < keys.last; first += keys_at_once) {
        const Keys some{first, std::min(first + keys_at_once, keys.last)};
        for (int q = 0; q < rows_.count; ++q) {
            float* row = by_row.data() + q * some.count();
            fill_row(q, some, row);
            any_counts = any_counts || layout_.any_above(row, some.count(), floor_);
        }
        layout_.pack(by_row.data(), rows_.count, some.count(), 1.0f, width_, cells + (first - keys.first) * width_);
    }
    return any_counts;
}

void PanelMask::fill_row(int q, Keys keys, float* row) const {
    if (masks_.bias.values && masks_.bias.key_stride != 0)
        layout_.narrow(ahead_of(row_of(masks_.bias, q), keys), keys.count(), log2_e, furthest_cell, row);
    else
        std::fill_n(row, keys.count(), masks_.bias.values ? narrowed(*row_of(masks_.bias, q)) : 0.0f);
    block_row(q, keys, row);
    if (masks_.fill_is_added)
        add_fill(q, keys, row);
}

/// Returns the keys' position in a row and prefetches that of upcoming keys.
const double* PanelMask::ahead_of(const double* row, Keys keys) const {
    constexpr std::int64_t line = 64 / sizeof(double), distance = 128;
    for (auto j = keys.first + distance, last = std::min(keys.last + distance, key_count_); j < last; j += line)
        __builtin_prefetch(row + j, 0, 2);
    return row + keys.first;
}

void PanelMask::block_row(int q, Keys keys, float* row) const {
    const auto kept = intersection(kept_[static_cast<std::size_t>(q)], keys);
    const auto open = kept.empty() ? Keys{keys.last, keys.last} : kept;
    std::fill(row, row + (open.first - keys.first), blocked);
    std::fill(row + (open.last - keys.first), row + keys.count(), blocked);
    if (masks_.key_padding)
        layout_.block(masks_.key_padding.of(rows_.batch) + keys.first, keys.count(), 0.0, row);
    const auto in_batch = (rows_.first + q) % query_count_;
    for (const auto& intervals : masks_.intervals)
        for (const auto& axis : *intervals.axes) {
            const auto own = intervals.row(axis, rows_.batch, in_batch);
            for (std::int64_t k = 0; k < keys.count(); ++k)
                row[k] = own.keeps(keys.first + k) ? row[k] : blocked;
        }
    for (const auto& mask : masks_.booleans) {
        const double* cells = row_of(mask.cells, q);
        if (mask.cells.key_stride != 0)
            layout_.block(ahead_of(cells, keys), keys.count(), mask.kept, row);
        else if (*cells != mask.kept)
            std::fill_n(row, keys.count(), blocked);
    }
}

/// Writes bias plus fill into the blocked cells.
void PanelMask::add_fill(int q, Keys keys, float* row) const {
    const auto key_stride = masks_.bias.key_stride;
    const double* bias = masks_.bias.values ? row_of(masks_.bias, q) + keys.first * key_stride : nullptr;
    for (std::int64_t k = 0; k < keys.count(); ++k)
        if (std::isnan(row[k]))
            row[k] = static_cast<float>(in_reach((bias ? bias[k * key_stride] : 0.0) + masks_.fill) * log2_e);
}

} // namespace attnlab::flash
