// What TileWalkDrawing shows, in words.
#include "ui/pages/exhibits/tile_walk_drawing.h"
#include "ui/pages/exhibits/tile_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

QString TileWalkDrawing::cellText(Cell cell) const {
    const TileIndex tile{cell.row / steps.querySpan(0).count(), cell.column / steps.keySpan(0).count()};
    const bool blocked = map.matrix.isBlocked(cell.row, cell.column);
    return tr("%1 → %2: %3\nTile: %4")
        .arg(map.matrix.rowLabel(cell.row), map.matrix.columnLabel(cell.column),
             blocked ? tr("masked") : exactText(map.matrix.view()(cell.row, cell.column)),
             TileWords::ofState(steps.state(tile, step)));
}

QString TileWalkDrawing::besideText(std::int64_t row, Beside part, std::int64_t feature) const {
    if (row < 0 || row >= steps.rowsReached(step))
        return {};
    const QString name = map.matrix.rowLabel(row);
    switch (part) {
    case Max:
        return tr("m of %1, the running maximum: %2").arg(name, exactText(steps.rowMax(row, step)));
    case Sum:
        return tr("ℓ of %1, the running sum: %2").arg(name, exactText(steps.rowSum(row, step)));
    case Rescale:
        return row < steps.querySpan(steps.tile(step).query).first
                   ? QString()
                   : tr("Sums of %1 before this tile are multiplied by exp(m before − m) = %2")
                         .arg(name, exactText(steps.rescale(row, step)));
    case Output:
        return tr("%1, feature %2, %3: %4")
            .arg(name)
            .arg(feature)
            .arg(outputCaption(), exactText(outputAt(row, std::min(feature, steps.features() - 1))));
    }
    return {};
}

QString TileWalkDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const TileWalkLayout at = layout(area, font);
    if (const auto cell = mapFrame(at).cellAt(position))
        return cellText(*cell);
    if (query && at.query.contains(position)) {
        const auto cell = wholeFrame(at.query, query->matrix.axes()).cellAt(position);
        return cell ? tr("Q of %1, feature %2: %3")
                          .arg(map.matrix.rowLabel(cell->row))
                          .arg(cell->column)
                          .arg(exactText(query->matrix.view()(cell->row, cell->column)))
                    : QString();
    }
    if (key && at.key.contains(position)) {
        const auto cell = wholeFrame(at.key, key->matrix.axes()).cellAt(position);
        return cell ? tr("K of %1, feature %2: %3")
                          .arg(map.matrix.columnLabel(cell->column))
                          .arg(cell->row)
                          .arg(exactText(key->matrix.view()(cell->row, cell->column)))
                    : QString();
    }
    const auto row = static_cast<std::int64_t>(
        std::floor((position.y() - at.max.top()) / at.max.height() * static_cast<double>(steps.queries())));
    if (at.max.contains(position))
        return besideText(row, Max);
    if (at.sum.contains(position))
        return besideText(row, Sum);
    if (at.rescale.contains(position))
        return besideText(row, Rescale);
    if (steps.features() > 0 && at.output.contains(position))
        return besideText(row, Output,
                          static_cast<std::int64_t>((position.x() - at.output.left()) / at.output.width() *
                                                    static_cast<double>(steps.features())));
    return {};
}

int TileWalkDrawing::rows() const { return static_cast<int>(steps.queries()); }
int TileWalkDrawing::columns() const { return static_cast<int>(steps.keys() + Output + steps.features()); }
QString TileWalkDrawing::rowName(int row) const { return map.matrix.rowLabel(row); }

QString TileWalkDrawing::columnName(int column) const {
    const auto part = column - steps.keys();
    return part < 0          ? map.matrix.columnLabel(column)
           : part == Max     ? QStringLiteral("m")
           : part == Sum     ? QStringLiteral("ℓ")
           : part == Rescale ? tr("rescale")
                             : QStringLiteral("%1, %2").arg(outputCaption()).arg(part - Output);
}

QString TileWalkDrawing::cellWords(int row, int column) const {
    const auto part = column - steps.keys();
    if (part < 0)
        return cellText({row, column});
    const QString text = besideText(row, static_cast<Beside>(std::min<std::int64_t>(part, Output)), part - Output);
    return text.isEmpty() ? tr("%1, %2: not computed yet", "row, column").arg(rowName(row), columnName(column)) : text;
}

} // namespace attnlab::ui
