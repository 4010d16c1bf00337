#include "core/map/map_part.h"

#include "core/map/bin_totals.h"

#include <algorithm>

namespace attnlab {
namespace {

[[noreturn]] void refuse(const MapPart& part, const MapPart& first, const char* what) {
    throw Error({ATTNLAB_TEXT("%1 is a part of another map than %2: %3 differs"), {part.file, first.file, what}});
}

void require_same_map(const MapPart& part, const MapPart& first) {
    if (part.grid.cells != first.grid.cells)
        refuse(part, first, "the number of queries or keys");
    if (part.grid != first.grid)
        refuse(part, first, "the size of bins");
    if (part.pool != first.pool)
        refuse(part, first, "pool");
    if (part.origin.batch != first.origin.batch)
        refuse(part, first, "batch");
    if (part.origin.head != first.origin.head)
        refuse(part, first, "head");
    for (const auto& [name, sum] : part.origin.checksums)
        if (const auto other = first.origin.checksums.find(name);
            other == first.origin.checksums.end() || other->second != sum)
            refuse(part, first, name.c_str());
    if (part.origin != first.origin)
        refuse(part, first, "a setting");
}

/// Rows of bins as the queries they cover: "128:256".
std::string queries(const BinGrid& grid, std::int64_t first, std::int64_t last) {
    const auto at = [&](std::int64_t row) {
        return std::to_string(std::min(grid.cells.first_row + row * grid.bin_rows, grid.cells.last_row));
    };
    return at(first) + ":" + at(last);
}

/// The parts in order of their rows, which must follow each other without gaps.
std::vector<const MapPart*> in_order(const std::vector<MapPart>& parts) {
    std::vector<const MapPart*> order;
    order.reserve(parts.size());
    for (const auto& part : parts)
        order.push_back(&part);
    std::sort(order.begin(), order.end(),
              [](const MapPart* a, const MapPart* b) { return a->rows.first < b->rows.first; });
    const auto& grid = parts.front().grid;
    std::string missing;
    const auto lacks = [&](std::int64_t first, std::int64_t last) {
        if (first < last)
            missing += (missing.empty() ? "" : ", ") + queries(grid, first, last);
    };
    std::int64_t next = 0;
    const MapPart* before = nullptr;
    for (const auto* part : order) {
        if (before && part->rows.first < next)
            throw Error({ATTNLAB_TEXT("%1 and %2 both have the rows %3"),
                         {before->file, part->file, queries(grid, part->rows.first, std::min(next, part->rows.last))}});
        lacks(next, part->rows.first);
        next = part->rows.last;
        before = part;
    }
    lacks(next, grid.rows());
    if (!missing.empty())
        throw Error({ATTNLAB_TEXT("No part has the rows %1"), {missing}});
    return order;
}

} // namespace

MapBins merge(const std::vector<MapPart>& parts) {
    if (parts.empty())
        throw Error({ATTNLAB_TEXT("No parts of a map are given, expected at least one"), {}});
    for (const auto& part : parts)
        require_same_map(part, parts.front());
    const auto& grid = parts.front().grid;
    auto bins = bins_of(grid.rows(), grid.columns(), parts.front().pool == Pool::Mean);
    for (const auto* part : in_order(parts)) {
        const auto to = static_cast<std::ptrdiff_t>(bins.index(part->rows.first, 0));
        std::copy(part->bins.log2_max.begin(), part->bins.log2_max.end(), bins.log2_max.begin() + to);
        std::copy(part->bins.kept.begin(), part->bins.kept.end(), bins.kept.begin() + to);
        std::copy(part->bins.sum.begin(), part->bins.sum.end(),
                  bins.sum.empty() ? bins.sum.begin() : bins.sum.begin() + to);
    }
    return bins;
}

} // namespace attnlab
