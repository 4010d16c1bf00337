#include "core/flash/panel_mask.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

constexpr float blocked = std::numeric_limits<float>::quiet_NaN();
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

Keys intersection(Keys a, Keys b) { return {std::max(a.first, b.first), std::min(a.last, b.last)}; }

Keys kept_keys(const Masks& masks, std::int64_t key_count, std::int64_t b, std::int64_t i) {
    Keys keys{0, key_count};
    for (const auto& band : masks.bands)
        keys = intersection(keys, {i - band.before, std::max(i + band.after + 1, band.prefix)});
    for (const auto& valid : masks.valid_lengths) {
        const double length = valid.lengths[b * valid.batch_stride + i * valid.row_stride];
        keys = intersection(keys, {0, static_cast<std::int64_t>(length)});
    }
    return keys;
}

} // namespace

PanelMask::PanelMask(const Masks& masks, const Shape& shape, std::int64_t batch, std::int64_t head,
                     std::int64_t first_row, int rows, int width)
    : masks_(masks), batch_(batch), head_(head), first_row_(first_row), key_count_(shape.S), rows_(rows), width_(width),
      skips_(masks.fill == -std::numeric_limits<double>::infinity()), kept_by_all_{0, shape.S}, reach_{shape.S, 0} {
    for (int q = 0; q < rows; ++q) {
        kept_[static_cast<std::size_t>(q)] = kept_keys(masks, shape.S, batch, first_row + q);
        const auto& kept = kept_[static_cast<std::size_t>(q)];
        kept_by_all_ = intersection(kept_by_all_, kept);
        if (!kept.empty())
            reach_ = {std::min(reach_.first, kept.first), std::max(reach_.last, kept.last)};
    }
    if (!skips_)
        reach_ = {0, shape.S};
}

bool PanelMask::reads_arrays(Keys tile) const {
    if (!masks_.booleans.empty() || masks_.bias.values)
        return true;
    if (!masks_.key_padding)
        return false;
    const double* padding = masks_.key_padding + batch_ * key_count_;
    return std::any_of(padding + tile.first, padding + tile.last, [](double padded) { return padded != 0.0; });
}

PanelMask::Cover PanelMask::cover(Keys tile, float* cells) const {
    if (reads_arrays(tile)) {
        const bool any_read = fill_cells(tile, cells);
        return {skips_ && !any_read, tile};
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

/// Returns whether any cell is read.
bool PanelMask::fill_cells(Keys keys, float* cells) const {
    std::fill_n(cells, keys.count() * width_, 0.0f);
    block_by_row(keys, cells);
    block_by_array(keys, cells);
    if (masks_.bias.values || masks_.fill_is_added)
        add_values(keys, cells);
    for (std::int64_t k = 0; k < keys.count(); ++k)
        for (int q = 0; q < rows_; ++q)
            if (const float cell = cells[k * width_ + q]; !std::isnan(cell) && cell != minus_infinity)
                return true;
    return false;
}

void PanelMask::block_by_row(Keys keys, float* cells) const {
    for (int q = 0; q < rows_; ++q) {
        const auto kept = intersection(kept_[static_cast<std::size_t>(q)], keys);
        const auto open = kept.empty() ? Keys{keys.last, keys.last} : kept;
        for (auto j = keys.first; j < open.first; ++j)
            cells[(j - keys.first) * width_ + q] = blocked;
        for (auto j = open.last; j < keys.last; ++j)
            cells[(j - keys.first) * width_ + q] = blocked;
    }
}

void PanelMask::block_by_array(Keys keys, float* cells) const {
    if (masks_.key_padding) {
        const double* padding = masks_.key_padding + batch_ * key_count_ + keys.first;
        for (std::int64_t k = 0; k < keys.count(); ++k)
            if (padding[k] != 0.0)
                std::fill_n(cells + k * width_, width_, blocked);
    }
    for (const auto& mask : masks_.booleans) {
        for (int q = 0; q < rows_; ++q) {
            const double* row = mask.cells.row(batch_, head_, first_row_ + q) + keys.first;
            for (std::int64_t k = 0; k < keys.count(); ++k)
                if (row[k] != mask.kept)
                    cells[k * width_ + q] = blocked;
        }
    }
}

/// The bias, and the fill where it is added to the score of a blocked cell.
void PanelMask::add_values(Keys keys, float* cells) const {
    const double added_fill = masks_.fill * log2_e;
    for (int q = 0; q < rows_; ++q) {
        const double* bias = masks_.bias.values ? masks_.bias.row(batch_, head_, first_row_ + q) + keys.first : nullptr;
        for (std::int64_t k = 0; k < keys.count(); ++k) {
            float& cell = cells[k * width_ + q];
            if (std::isnan(cell) && !masks_.fill_is_added)
                continue;
            const double fill = std::isnan(cell) ? added_fill : 0.0;
            cell = static_cast<float>((bias ? bias[k] * log2_e : 0.0) + fill);
        }
    }
}

} // namespace attnlab::flash
