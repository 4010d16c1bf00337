#include "core/edit/cells.h"

#include "core/edit/resize.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attnlab {
namespace {

/// The flat index of a cell of the matrix at `leading`; `all` are the cells of the matrix.
std::int64_t flat_index(const CellRange& all, std::int64_t leading, std::int64_t row, std::int64_t column) {
    return (leading * all.rows + row) * all.columns + column;
}

} // namespace

CellRange all_cells(const Tensor& tensor) {
    return {0, 0, tensor.rank() > 1 ? tensor.dim(-2) : 1, tensor.rank() > 0 ? tensor.dim(-1) : 1};
}

CellRange bounds_of(const CellRanges& ranges) {
    if (ranges.empty())
        return {};
    auto top = ranges.front().top, left = ranges.front().left;
    auto bottom = top, right = left;
    for (const auto& range : ranges) {
        top = std::min(top, range.top);
        left = std::min(left, range.left);
        bottom = std::max(bottom, range.top + range.rows);
        right = std::max(right, range.left + range.columns);
    }
    return {top, left, bottom - top, right - left};
}

CellRange clipped(const CellRange& range, std::int64_t rows, std::int64_t columns) {
    CellRange inside;
    inside.top = std::clamp<std::int64_t>(range.top, 0, rows);
    inside.left = std::clamp<std::int64_t>(range.left, 0, columns);
    inside.rows = std::clamp<std::int64_t>(range.top + range.rows, inside.top, rows) - inside.top;
    inside.columns = std::clamp<std::int64_t>(range.left + range.columns, inside.left, columns) - inside.left;
    return inside;
}

Message refusal_of(double value, DType dtype) {
    constexpr double most = 9007199254740992.0; // 2^53: beyond it a double skips integers
    switch (dtype) {
    case DType::Bool:
        if (value != 0.0 && value != 1.0)
            return {ATTNLAB_TEXT("%1 is neither 0 nor 1; this tensor holds true and false"), {to_text(value)}};
        break;
    case DType::Int64:
        if (!(std::abs(value) <= most) || value != std::trunc(value))
            return {ATTNLAB_TEXT("%1 is not a whole number; this tensor holds whole numbers"), {to_text(value)}};
        break;
    default:
        break;
    }
    return {};
}

Tensor with_cells(Tensor tensor, std::int64_t leading, const CellRanges& ranges, double value) {
    const auto all = all_cells(tensor);
    for (const auto& range : ranges) {
        const auto inside = clipped(range, all.rows, all.columns);
        const std::vector<double> row_of_it(static_cast<std::size_t>(inside.columns), value);
        for (auto row = inside.top; row < inside.top + inside.rows; ++row)
            tensor.write(flat_index(all, leading, row, inside.left), row_of_it);
    }
    return tensor;
}

Tensor with_block(Tensor tensor, std::int64_t leading, std::int64_t top, std::int64_t left, const Tensor& block) {
    const auto all = all_cells(tensor);
    const auto source = matrix_at(block);
    const auto inside = clipped({top, left, source.rows, source.columns}, all.rows, all.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.write(flat_index(all, leading, inside.top + row, inside.left),
                     source.row(row).first(static_cast<std::size_t>(inside.columns)));
    return tensor;
}

Tensor resized_tensor(const Tensor& tensor, const Shape& shape, const RunControl& control) {
    if (shape.size() != tensor.shape().size())
        throw std::invalid_argument("resized_tensor: another rank");
    Tensor result(shape, 0.0, tensor.dtype());
    if (result.size() == 0 || tensor.size() == 0)
        return result;
    const auto& from = tensor.shape();
    const auto rank = shape.size();
    const auto target = result.mutable_values();
    const auto width = rank == 0 ? std::int64_t{1} : std::min(from.back(), shape.back());
    // Iterates over the kept rows (all axes but the last) like an odometer.
    Shape index(rank, 0);
    constexpr std::int64_t numbers_between_polls = 1 << 18;
    for (std::int64_t since_poll = 0;; since_poll += width) {
        if (since_poll >= numbers_between_polls) {
            control.checkpoint();
            since_poll = 0;
        }
        std::int64_t read = 0, write = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            read = read * from[axis] + index[axis];
            write = write * shape[axis] + index[axis];
        }
        tensor.read(read, target.subspan(static_cast<std::size_t>(write), static_cast<std::size_t>(width)));
        auto axis = static_cast<std::ptrdiff_t>(rank) - 2;
        for (; axis >= 0; --axis) {
            const auto at = static_cast<std::size_t>(axis);
            if (++index[at] < std::min(from[at], shape[at]))
                break;
            index[at] = 0;
        }
        if (axis < 0)
            return result;
    }
}

Tensor cells_of(const Tensor& tensor, std::int64_t leading, const CellRange& range) {
    const auto all = all_cells(tensor);
    const auto inside = clipped(range, all.rows, all.columns);
    Tensor cells({inside.rows, inside.columns}, 0.0, tensor.dtype());
    const auto target = cells.mutable_values();
    const auto width = static_cast<std::size_t>(inside.columns);
    for (std::int64_t row = 0; row < inside.rows; ++row)
        tensor.read(flat_index(all, leading, inside.top + row, inside.left),
                    target.subspan(static_cast<std::size_t>(row) * width, width));
    return cells;
}

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

namespace {

/// The size of the whole tensor when one of its matrices takes the size of `block`; nothing when its rank has no room.
std::optional<Shape> shape_for(const Tensor& tensor, const Tensor& block) {
    auto shape = tensor.shape();
    const auto rows = block.dim(0), columns = block.dim(1);
    if (shape.empty())
        return std::nullopt;
    if (shape.size() == 1) {
        // A column of numbers is as good a list as a row.
        if (rows != 1 && columns != 1)
            return std::nullopt;
        return Shape{rows * columns};
    }
    shape[shape.size() - 2] = rows;
    shape.back() = columns;
    return shape;
}

Message refusal_of(const Tensor& values, DType dtype) {
    for (const double value : values.values())
        if (auto why = attnlab::refusal_of(value, dtype); !why.empty())
            return why;
    return {};
}

std::string size_text(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " × " + std::to_string(columns);
}

void adopt_labels(AttentionProblem& problem, const MatrixPlace& place, const CellRange& cells, const io::Table& table) {
    const auto declared = declared_inputs(problem.spec);
    const auto* input = find_input(declared, place.tensor);
    if (!input)
        return;
    const auto dims = dims_at(*input, problem.tensors.find(place.tensor)->second.rank());
    const auto adopt = [&](std::size_t from_end, std::int64_t first, std::int64_t count, const auto& labels) {
        if (labels.empty() || dims.size() < from_end)
            return;
        if (const auto tokens = tokens_along(dims[dims.size() - from_end]))
            problem =
                with_token_labels(problem, declared, *tokens, first,
                                  {labels.begin(), labels.begin() + std::min<std::int64_t>(count, std::ssize(labels))});
    };
    adopt(1, cells.left, cells.columns, table.column_labels);
    adopt(2, cells.top, cells.rows, table.row_labels);
}

/// Puts the block at `target`; what was there may have another size.
Pasted with_table(AttentionProblem next, const MatrixPlace& place, const CellRange& target, const io::Table& table,
                  const Message& message) {
    auto& changed = next.tensors.find(place.tensor)->second;
    const auto& block = table.values;
    const auto fitting = block.dim(0) == target.rows || changed.rank() != 1
                             ? block
                             : block.reshaped({1, block.size()}); // a column into a list
    changed = with_block(changed, place.leading, target.top, target.left, fitting);
    adopt_labels(next, place, target, table);
    return {std::move(next), target, message};
}

/// The names and shapes of the tensors that follow `tensor` to its new size; empty if there are none.
std::string followers(const AttentionProblem& before, const AttentionProblem& after, std::string_view tensor) {
    std::string text;
    for (const auto& [name, now] : after.tensors) {
        const auto found = before.tensors.find(name);
        if (name != tensor && found != before.tensors.end() && found->second.shape() != now.shape())
            text += (text.empty() ? "" : ", ") + name + " " + to_string(now.shape());
    }
    return text;
}

Message replaced(const AttentionProblem& before, const AttentionProblem& after, const std::string& tensor) {
    const auto shape = to_string(after.tensors.find(tensor)->second.shape());
    if (const auto others = followers(before, after, tensor); !others.empty())
        return {ATTNLAB_TEXT("Pasted as the whole of %1, now %2; resized with it: %3"), {tensor, shape, others}};
    return {ATTNLAB_TEXT("Pasted as the whole of %1, now %2"), {tensor, shape}};
}

/// The inputs that share a size with a tensor, resized for its new shape of another number of axes. An input keeps its
/// own axes where its size stays.
AttentionProblem resized_for_axes(const AttentionProblem& problem, const Input& input, const Shape& shape,
                                  const RunControl& control) {
    const auto with_all = with_leading_axes(problem);
    const auto all = dims_at(input, with_all.tensors.find(input.name)->second.rank());
    const auto given = dims_at(input, static_cast<int>(shape.size()));
    if (all.empty())
        return problem; // of a shape that the mechanism refuses
    Shape whole;
    for (std::size_t axis = 0, next = 0; axis < all.size(); ++axis)
        whole.push_back(next < given.size() && all[axis].factors == given[next].factors ? shape[next++] : 1);
    auto next = resized(with_all, input.name, whole, control);
    for (auto& [name, tensor] : next.tensors)
        if (const auto& before = problem.tensors.find(name)->second; before.size() == tensor.size())
            tensor = before;
    return next;
}

/// Numbers of three axes or more are always the whole tensor.
Pasted with_axes(const AttentionProblem& problem, const std::string& name, const Tensor& block,
                 const RunControl& control) {
    const auto& tensor = problem.tensors.find(name)->second;
    auto next = problem;
    if (block.rank() == tensor.rank()) {
        next = resized(problem, name, block.shape(), control);
    } else {
        const auto declared = declared_inputs(problem.spec);
        const auto* input = find_input(declared, name);
        if (!input || dims_at(*input, block.rank()).empty())
            return {{},
                    {},
                    {ATTNLAB_TEXT("%1 takes no array of %2 axes, such as the pasted one of shape %3"),
                     {name, std::to_string(block.rank()), to_string(block.shape())}}};
        next = resized_for_axes(problem, *input, block.shape(), control);
    }
    next.tensors.find(name)->second =
        Tensor(block.shape(), {block.values().begin(), block.values().end()}, tensor.dtype());
    const auto message = replaced(problem, next, name);
    return {std::move(next), {0, 0, block.dim(-2), block.dim(-1)}, message};
}

/// All numbers in one row, without labels.
io::Table as_row(const io::Table& table) { return {table.values.reshaped({1, table.values.size()}), {}, {}}; }

/// Why nothing can be pasted; empty where it can.
Message refusal(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table) {
    const auto found = problem.tensors.find(place.tensor);
    if (found == problem.tensors.end() || table.values.size() == 0)
        return {ATTNLAB_TEXT("There is nothing to paste")};
    return refusal_of(table.values, found->second.dtype());
}

} // namespace

Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table, const RunControl& control) {
    if (const auto why = refusal(problem, place, table); !why.empty())
        return {{}, {}, why};
    if (table.values.rank() > 2)
        return with_axes(problem, place.tensor, table.values, control);
    if (table.values.rank() == 1)
        return pasted(problem, place, selection, as_row(table), control);
    const auto found = problem.tensors.find(place.tensor);
    const auto& tensor = found->second;
    if (tensor.rank() == 1 && table.values.dim(0) > 1 &&
        table.values.dim(1) == 1) // a column is as good a list as a row
        return pasted(problem, place, selection, {as_row(table).values, {}, table.row_labels}, control);
    const auto view = all_cells(tensor);
    const auto block = table.values;
    const auto bounds =
        selection.empty() ? CellRange{0, 0, 1, 1} : clipped(bounds_of(selection), view.rows, view.columns);
    if (block.size() == 1 && table.row_labels.empty()) {
        const auto ranges = selection.empty() ? CellRanges{bounds} : selection;
        auto next = problem;
        next.tensors.find(found->first)->second = with_cells(tensor, place.leading, ranges, block.values()[0]);
        return {std::move(next), bounds, {}};
    }
    if (view.rows == 0 || view.columns == 0)
        return pasted_as_tensor(problem, place, table, control);
    const CellRange target{bounds.top, bounds.left, block.dim(0), block.dim(1)};
    const auto inside = clipped(target, view.rows, view.columns);
    Message message;
    if (inside != target)
        message = {ATTNLAB_TEXT("Pasted %1 of %2 cells; “Paste as the whole tensor” takes the size of what is pasted"),
                   {size_text(inside.rows, inside.columns), size_text(target.rows, target.columns)}};
    return with_table(problem, place, inside, table, message);
}

Pasted pasted_as_tensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table,
                        const RunControl& control) {
    if (const auto why = refusal(problem, place, table); !why.empty())
        return {{}, {}, why};
    if (table.values.rank() > 2)
        return with_axes(problem, place.tensor, table.values, control);
    if (table.values.rank() == 1)
        return pasted_as_tensor(problem, place, as_row(table), control);
    const auto& tensor = problem.tensors.find(place.tensor)->second;
    const auto& block = table.values;
    const auto shape = shape_for(tensor, block);
    if (!shape)
        return {{},
                {},
                {ATTNLAB_TEXT("%1 has one axis, and %2 cells are not a list"),
                 {place.tensor, size_text(block.dim(0), block.dim(1))}}};
    const CellRange target{0, 0, shape->size() == 1 ? 1 : block.dim(0), shape->back()};
    const auto next = resized(problem, place.tensor, *shape, control);
    return with_table(next, place, target, table, replaced(problem, next, place.tensor));
}

} // namespace attnlab
