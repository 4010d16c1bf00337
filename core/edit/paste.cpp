#include "core/edit/paste.h"

#include "core/edit/resize.h"

namespace attnlab {
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
            problem = with_token_labels(problem, declared, *tokens, first,
                                        {labels.begin(), labels.begin() + std::min(count, std::ssize(labels))});
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

/// Numbers of three axes or more are always the whole tensor.
Pasted with_axes(const AttentionProblem& problem, const std::string& name, const Tensor& block) {
    const auto& tensor = problem.tensors.find(name)->second;
    auto next = problem;
    if (block.rank() == tensor.rank()) {
        next = resized(problem, name, block.shape());
    } else {
        const auto declared = declared_inputs(problem.spec);
        const auto* input = find_input(declared, name);
        if (!input || dims_at(*input, block.rank()).empty())
            return {{},
                    {},
                    {ATTNLAB_TEXT("%1 takes no array of %2 axes, such as the pasted one of shape %3"),
                     {name, std::to_string(block.rank()), to_string(block.shape())}}};
    }
    next.tensors.find(name)->second =
        Tensor(block.shape(), {block.values().begin(), block.values().end()}, tensor.dtype());
    const auto message = replaced(problem, next, name);
    return {std::move(next), {0, 0, block.dim(-2), block.dim(-1)}, message};
}

/// Why nothing can be pasted; empty where it can.
Message refusal(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table) {
    const auto found = problem.tensors.find(place.tensor);
    if (found == problem.tensors.end() || table.values.size() == 0)
        return {ATTNLAB_TEXT("There is nothing to paste")};
    return refusal_of(table.values, found->second.dtype());
}

} // namespace

Pasted pasted(const AttentionProblem& problem, const MatrixPlace& place, const CellRanges& selection,
              const io::Table& table) {
    if (const auto why = refusal(problem, place, table); !why.empty())
        return {{}, {}, why};
    if (table.values.rank() > 2)
        return with_axes(problem, place.tensor, table.values);
    const auto found = problem.tensors.find(place.tensor);
    const auto& tensor = found->second;
    if (tensor.rank() == 1 && table.values.dim(0) > 1 &&
        table.values.dim(1) == 1) // a column is as good a list as a row
        return pasted(problem, place, selection,
                      {table.values.reshaped({1, table.values.size()}), {}, table.row_labels});
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
        return pasted_as_tensor(problem, place, table);
    const CellRange target{bounds.top, bounds.left, block.dim(0), block.dim(1)};
    const auto inside = clipped(target, view.rows, view.columns);
    Message message;
    if (inside != target)
        message = {ATTNLAB_TEXT("Pasted %1 of %2 cells; “Paste as the whole tensor” takes the size of what is pasted"),
                   {size_text(inside.rows, inside.columns), size_text(target.rows, target.columns)}};
    return with_table(problem, place, inside, table, message);
}

Pasted pasted_as_tensor(const AttentionProblem& problem, const MatrixPlace& place, const io::Table& table) {
    if (const auto why = refusal(problem, place, table); !why.empty())
        return {{}, {}, why};
    if (table.values.rank() > 2)
        return with_axes(problem, place.tensor, table.values);
    const auto& tensor = problem.tensors.find(place.tensor)->second;
    const auto& block = table.values;
    const auto shape = shape_for(tensor, block);
    if (!shape)
        return {{},
                {},
                {ATTNLAB_TEXT("%1 has one axis, and %2 cells are not a list"),
                 {place.tensor, size_text(block.dim(0), block.dim(1))}}};
    const CellRange target{0, 0, shape->size() == 1 ? 1 : block.dim(0), shape->back()};
    const auto next = resized(problem, place.tensor, *shape);
    return with_table(next, place, target, table, replaced(problem, next, place.tensor));
}

} // namespace attnlab
