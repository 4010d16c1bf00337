// How an AttentionMap handles rows outside the precision of float32: in tiles they have weight 0, and their weights are
// added afterwards.
#include "core/flash/far_rows.h"

#include "core/flash/parallel.h"
#include "core/map/bin_total.h"
#include "core/map/map_inputs.h"

#include <algorithm>
#include <cmath>

namespace attnlab {

/// Sets the lse of these rows, and scales that give them weight 0 in tiles. The other rows already have theirs.
void AttentionMap::find_far_rows(const RunControl& control, int threads) {
    const auto head = problem();
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (!flash::is_far(head.masks, head.shape, 0, 0, row, lse_[at])) {
            lse_[at] = flash::lse_of_near_row(head.masks, lse_[at]);
            continue;
        }
        far_.push_back(row);
        base_[at] = std::numeric_limits<float>::max();
        log2_sum_[at] = std::numeric_limits<float>::infinity();
        factor_[at] = 0.0f;
    }
    if (far_.empty())
        return;
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads > 0 ? threads : flash::thread_count(), std::ssize(far_), [&](int, std::int64_t k) {
        control.checkpoint();
        const auto row = far_[static_cast<std::size_t>(k)];
        lse_[static_cast<std::size_t>(row)] = exact_row(head, row, largest_key).lse();
    });
}

std::span<const std::int64_t> AttentionMap::far_rows(const CellRect& cells) const {
    return {std::lower_bound(far_.begin(), far_.end(), cells.first_row),
            std::lower_bound(far_.begin(), far_.end(), cells.last_row)};
}

flash::ExactRow AttentionMap::exact_row(const flash::Problem& head, std::int64_t row, double largest_key) const {
    const auto E = static_cast<std::size_t>(head.shape.E);
    return {flash::MaskedRow(head.masks, head.shape, 0, 0, row),
            {head.scale, head.output_scale},
            std::span(query_).subspan(static_cast<std::size_t>(row) * E, E),
            key_.data(),
            largest_key};
}

void AttentionMap::weigh_far_rows(const CellRect& cells, float* out, Form form, const RunControl& control,
                                  int threads) const {
    const auto far = far_rows(cells);
    if (far.empty())
        return;
    const auto head = problem();
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads, std::ssize(far), [&](int, std::int64_t k) {
        control.checkpoint();
        const auto row = far[static_cast<std::size_t>(k)];
        const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
        const auto exact = exact_row(head, row, largest_key);
        float* to = out + (row - cells.first_row) * cells.columns();
        for (auto j = cells.first_column; j < cells.last_column; ++j)
            if (masked.keeps(j)) // the others are NaN
                *(to + (j - cells.first_column)) =
                    static_cast<float>(form == Form::Log2 ? exact.log2_weight(j) : exact.weight(j));
    });
}

/// The bins already include the number of cells of these rows.
void AttentionMap::pool_far_rows(MapBins& bins, const BinGrid& grid, BinSpan rows, const RunControl& control,
                                 int threads) const {
    if (far_rows(grid.cells).empty())
        return;
    const auto head = problem();
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads, rows.size(), [&](int, std::int64_t at) {
        control.checkpoint();
        const auto bin_row = rows.first + at;
        std::vector<BinTotal> totals(static_cast<std::size_t>(grid.columns()));
        for (const auto row : far_rows(grid.bin(bin_row, 0))) {
            const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
            const auto exact = exact_row(head, row, largest_key);
            for (auto j = grid.cells.first_column; j < grid.cells.last_column; ++j)
                if (masked.keeps(j))
                    totals[static_cast<std::size_t>((j - grid.cells.first_column) / grid.bin_columns)].take(
                        {static_cast<float>(exact.log2_weight(j)), exact.weight(j), 0.0});
        }
        for (std::int64_t column = 0; column < grid.columns(); ++column) {
            const auto bin = bins.index(at, column);
            auto& total = totals[static_cast<std::size_t>(column)];
            total.take(bins, bin);
            total.put(bins, bin);
        }
    });
}

} // namespace attnlab
