// Bins of a map that are pooled by strips of rows.
#pragma once

#include "core/map/bin_totals.h"

#include <map>
#include <vector>

namespace attnlab::gpu {

/// Bins pooled so far by strips of rows; those complete for all later rows are stored.
class BinRows {
public:
    BinRows(const BinGrid& grid, bool sums) : bins_(bins_of(grid.rows(), grid.columns(), sums)) {}

    /// One for each column.
    BinTotal* totals(std::int64_t row) {
        auto& totals = open_[row];
        totals.resize(static_cast<std::size_t>(bins_.columns));
        return totals.data();
    }
    void close_before(std::int64_t row) {
        while (!open_.empty() && open_.begin()->first < row) {
            const auto& [number, totals] = *open_.begin();
            for (std::size_t column = 0; column < totals.size(); ++column)
                totals[column].put(bins_, bins_.index(number, static_cast<std::int64_t>(column)));
            open_.erase(open_.begin());
        }
    }
    MapBins finished() {
        close_before(bins_.rows);
        return std::move(bins_);
    }

private:
    MapBins bins_;
    std::map<std::int64_t, std::vector<BinTotal>> open_;
};

} // namespace attnlab::gpu
