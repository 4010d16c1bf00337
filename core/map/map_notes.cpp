// What compute() warns of in queries, keys and masks, for the map of one head.
#include "core/flash/far_rows.h"
#include "core/flash/odd_values.h"
#include "core/infinity.h"
#include "core/map/map_inputs.h"
#include "core/stages/mask_notes.h"
#include "core/stages/notes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnlab {
namespace {

bool all_finite(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

} // namespace

/// Rows with every key blocked by a finite fill, whose lse does not tell them.
NotedRows AttentionMap::rows_blocked(const RunControl& control) const {
    NotedRows rows;
    const auto head = problem();
    if (!std::isfinite(head.masks.fill) || columns() == 0)
        return rows;
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        control.checkpoint();
        const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
        std::int64_t key = 0;
        while (key < columns() && masked.blocks(key))
            ++key;
        if (key == columns())
            rows.take(inputs_->data().problem.query_tokens, row, 0);
    }
    return rows;
}

std::vector<Note> AttentionMap::notes_on_data(const RunControl& control) const {
    std::vector<Note> notes;
    const auto& problem = inputs_->data().problem;
    const bool finite_queries = all_finite(query_), finite_keys = all_finite(key_);
    // A file may hold many heads: the others are read only where this one has such values.
    for (const auto& [name, finite] : {std::pair{"query", finite_queries}, {"key", finite_keys}})
        if (const auto& tensor = problem.tensors.find(name)->second; !finite)
            note_odd_values(notes, name, tensor.shape(), flash::count_odd(tensor, control));
    RowsWithoutNumbers found;
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        const double lse = lse_[static_cast<std::size_t>(row)];
        if (std::isnan(lse))
            found.nan.take(problem.query_tokens, row, 0);
        else if (lse == -infinity)
            (finite_queries && finite_keys ? found.blocked : found.without_key).take(problem.query_tokens, row, 0);
    }
    if (columns() > 0)
        note_rows_without_numbers(notes, found, {});
    note_rows_blocked(notes, rows_blocked(control), problem.spec, {});
    std::ranges::move(notes_on_masks(problem, {}, control), std::back_inserter(notes));
    return notes;
}

} // namespace attnlab
