#include "ui/pages/exhibits/tile_words.h"

#include "ui/pages/exhibits/names.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/text.h"

#include <cmath>

namespace attnlab::ui {
namespace {

QString spanText(TokenSpan span, const auto& label) {
    return span.count() == 1 ? label(span.first) : QStringLiteral("%1–%2").arg(label(span.first), label(span.last));
}

std::int64_t rowRisingMost(const TileSteps& steps, int step) {
    const TokenSpan span = steps.querySpan(steps.tile(step).query);
    std::int64_t chosen = span.first;
    for (auto row = span.first; row <= span.last; ++row)
        if (steps.rescale(row, step) < steps.rescale(chosen, step))
            chosen = row;
    return chosen;
}

} // namespace

QString TileWords::ofState(TileState state) {
    switch (state) {
    case TileState::Done:
        return tr("done");
    case TileState::Reading:
        return tr("being read");
    case TileState::ToCome:
        return tr("to come");
    case TileState::Skipped:
        return tr("skipped: all blocked");
    }
    return {};
}

QString TileWords::ofRow(const TileSteps& steps, int step, const MatrixData& labels, std::int64_t row, bool chosen) {
    const QString name = nameOf(labels.row_labels, row);
    const double before = steps.rowMaxBefore(row, step), after = steps.rowMax(row, step);
    if (std::isinf(after) && after < 0)
        return tr("Row %1 has read no open cell yet.").arg(name);
    if (std::isinf(before) && before < 0)
        return tr("Row %1 reads its first scores: its maximum is %2, and nothing was summed before.")
            .arg(name, numberText(after, 3));
    if (after > before)
        return tr("The maximum of row %1 rises from %2 to %3, so what was summed before is multiplied by %4.")
            .arg(name, numberText(before, 3), numberText(after, 3), significantText(steps.rescale(row, step)));
    return chosen ? tr("The maximum of row %1 stays at %2, so what was summed before stays as it is.")
                        .arg(name, numberText(after, 3))
                  : tr("No maximum rises, so what was summed before stays as it is.");
}

QString TileWords::ofStep(const TileSteps& steps, int step, const MatrixData& labels, std::optional<std::int64_t> row) {
    if (steps.empty())
        return tr("Every cell is blocked: no tile is read.");
    const TileIndex tile = steps.tile(step);
    const TokenSpan queries = steps.querySpan(tile.query);
    const auto row_label = [&](std::int64_t i) { return nameOf(labels.row_labels, i); };
    const auto column_label = [&](std::int64_t j) { return nameOf(labels.column_labels, j); };
    QStringList sentences{tr("Tile %1 of %2: queries %3 × keys %4.")
                              .arg(step + 1)
                              .arg(steps.count())
                              .arg(spanText(queries, row_label), spanText(steps.keySpan(tile.key), column_label))};
    if (const int skipped = steps.skippedBefore(step); skipped > 0)
        sentences << tr("Tiles skipped before it, as all their cells are blocked: %1.").arg(skipped);
    const bool chosen = row && *row >= queries.first && *row <= queries.last;
    sentences << ofRow(steps, step, labels, chosen ? *row : rowRisingMost(steps, step), chosen);
    if (step + 1 == steps.count() || steps.tile(step + 1).query != tile.query)
        sentences << tr("These rows are complete: divided by ℓ they are the output.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace attnlab::ui
