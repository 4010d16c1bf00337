#include "ui/pages/compare/compared_matrices.h"

#include "ui/matrix/stages/stage_matrix.h"

namespace attnlab::ui {
namespace {

/// A cell that only one of both blocks has a difference to show, so it is not blocked.
void blockWhereBothBlock(MatrixData& difference, const MatrixData& a, const MatrixData& b) {
    difference.blocked = {};
    difference.blocked_leading = 0;
    difference.shows_leaks = false;
    if (a.blocked.size() == 0 || b.blocked.size() == 0)
        return;
    const auto view = difference.view();
    Tensor both({view.rows, view.columns}, 0.0, DType::Bool);
    auto cell = both.mutable_values().begin();
    for (std::int64_t i = 0; i < view.rows; ++i)
        for (std::int64_t j = 0; j < view.columns; ++j)
            *cell++ = a.isBlocked(i, j) && b.isBlocked(i, j) ? 1.0 : 0.0;
    difference.blocked = std::move(both);
}

/// Sequential maps have no sign: differences keep the diverging one regardless of the choice for the values.
ColorScale scaleOfGaps(const Stage& difference, int batch, bool has_batches) {
    const auto values = difference.value.values();
    const auto batches = static_cast<std::size_t>(has_batches ? difference.value.dim(0) : 1);
    const std::size_t size = values.size() / batches;
    ValueRange range;
    range.include(values.subspan(static_cast<std::size_t>(has_batches ? batch : 0) * size, size));
    return colorScale({}, range, true);
}

} // namespace

FigurePanels ComparedMatrices::panels(const QString& title_a, const QString& title_b,
                                      const QString& title_of_difference) const {
    FigurePanels result;
    result.push_back({a, title_a});
    result.push_back({b, title_b});
    result.push_back({difference, title_of_difference, gaps});
    return result;
}

std::optional<ComparedMatrices> comparedMatrices(const Trace& a, const Trace& b, const Comparison& comparison,
                                                 int batch, int head, const ColorChoice& choice) {
    const Stage* of_a = a.find(comparison.difference.name);
    const Stage* of_b = b.find(comparison.difference.name);
    if (!of_a || !of_b)
        return std::nullopt;
    auto matrix_a = sliceOf(a, *of_a, batch, head);
    auto matrix_b = sliceOf(b, *of_b, batch, head);
    auto difference = sliceOf(a, comparison.difference, batch, head);
    if (!matrix_a || !matrix_b || !difference)
        return std::nullopt;
    blockWhereBothBlock(*difference, *matrix_a, *matrix_b);
    const bool has_batches = !of_a->axes.empty() && of_a->axes.front() == Axis::Batch;
    return ComparedMatrices{std::move(*matrix_a), std::move(*matrix_b), std::move(*difference),
                            scaleForBoth({a, *of_a, b, *of_b}, batch, choice),
                            scaleOfGaps(comparison.difference, batch, has_batches)};
}

} // namespace attnlab::ui
