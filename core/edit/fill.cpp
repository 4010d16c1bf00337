#include "core/edit/fill.h"

#include "core/random.h"

#include <cmath>

namespace attnlab {
namespace {

/// Generates the numbers of one fill, cell by cell.
class Filler {
public:
    Filler(const Fill& fill, DType dtype) : fill_(fill), dtype_(dtype), random_(fill.seed) {}

    /// The next number, for row and column within the area of `columns` columns.
    double next(std::int64_t row, std::int64_t column, std::int64_t columns) {
        switch (fill_.kind) {
        case Fill::Kind::Zeros:
            return 0.0;
        case Fill::Kind::Ones:
            return 1.0;
        case Fill::Kind::Number:
            return fill_.number;
        case Fill::Kind::Identity:
            return row == column ? 1.0 : 0.0;
        case Fill::Kind::OneHot:
            return column == fill_.column.value_or(row % columns) ? 1.0 : 0.0;
        case Fill::Kind::Normal:
            return fill_.mean + fill_.deviation * random_.normal();
        case Fill::Kind::Uniform: {
            const double drawn = fill_.low + (fill_.high - fill_.low) * random_.uniform();
            return dtype_ == DType::Int64 ? std::floor(drawn) : drawn;
        }
        case Fill::Kind::Counting:
            return fill_.start + fill_.step * static_cast<double>(count_++);
        }
        return 0.0;
    }

private:
    Fill fill_;
    DType dtype_;
    Random random_;
    std::int64_t count_ = 0;
};

/// The ranges within one matrix.
CellRanges ranges_of(const Tensor& tensor, const FillArea& area) {
    const auto all = all_cells(tensor);
    if (area.scope != FillScope::Selection)
        return {all};
    CellRanges ranges;
    for (const auto& range : area.cells)
        ranges.push_back(clipped(range, all.rows, all.columns));
    return ranges;
}

} // namespace

std::vector<Fill::Kind> fill_kinds_of(DType dtype) {
    using enum Fill::Kind;
    switch (dtype) {
    case DType::Bool:
        return {Zeros, Ones, Identity, OneHot};
    case DType::Int64:
        return {Zeros, Ones, Number, Identity, OneHot, Uniform, Counting};
    default:
        return {Zeros, Ones, Number, Identity, OneHot, Normal, Uniform, Counting};
    }
}

std::int64_t cell_count(const Tensor& tensor, const FillArea& area) {
    std::int64_t cells = 0;
    for (const auto& range : ranges_of(tensor, area))
        cells += range.rows * range.columns;
    return area.scope == FillScope::Tensor ? cells * matrix_count(tensor) : cells;
}

Tensor filled(Tensor tensor, const FillArea& area, const Fill& fill, const RunControl& control, std::string_view name) {
    if (tensor.size() == 0)
        return tensor;
    const auto cells = cell_count(tensor, area);
    if (!tensor.in_memory() && !control.has_room({cells}, 1.0))
        throw Error(
            {ATTNLAB_TEXT("%1: lies in a file; filling %2 numbers of it takes %3 GB of memory, the limit is %4 GB"),
             {std::string(name), std::to_string(cells),
              to_text(std::ceil(static_cast<double>(cells) * sizeof(double) / 1e8) / 10.0),
              to_text(std::floor(static_cast<double>(control.memory_limit) / 1e8) / 10.0)}});
    const auto all = all_cells(tensor);
    Filler filler(fill, tensor.dtype());

    const auto ranges = ranges_of(tensor, area);
    const auto bounds = bounds_of(ranges);
    const auto first = area.scope == FillScope::Tensor ? 0 : area.leading;
    const auto last = area.scope == FillScope::Tensor ? matrix_count(tensor) - 1 : area.leading;
    std::vector<double> numbers;
    std::int64_t done = 0;
    for (auto leading = first; leading <= last; ++leading) {
        for (const auto& range : ranges) {
            numbers.resize(static_cast<std::size_t>(range.columns));
            for (auto row = range.top; row < range.top + range.rows; ++row) {
                auto column = range.left - bounds.left;
                for (double& number : numbers)
                    number = filler.next(row - bounds.top, column++, bounds.columns);
                tensor.write((leading * all.rows + row) * all.columns + range.left, numbers);
                done += range.columns;
                control.checkpoint();
                control.report(static_cast<double>(done) / static_cast<double>(cells));
            }
        }
    }
    return tensor;
}

} // namespace attnlab
