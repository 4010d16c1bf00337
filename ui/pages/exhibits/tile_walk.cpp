#include "ui/pages/exhibits/tile_walk.h"

#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QFontMetricsF>
#include <QPainter>

namespace attnlab::ui {

TileSteps::TileSteps(ComputedPtr computed, const TileWalk& walk, int batch, int head)
    : computed_(std::move(computed)), walk_(walk) {
    const Trace& trace = computed_->trace;
    const Stage* weights = trace.find("weights");
    max_ = trace.find("tile_row_max");
    sum_ = trace.find("tile_row_sum");
    if (!weights || !max_ || !sum_ || weights->value.rank() != 4)
        return;
    const auto& shape = weights->value.shape();
    const Shape rows{walk.key_tiles, shape[0], shape[1], shape[2]};
    if (max_->value.shape() != rows || sum_->value.shape() != rows || batch >= shape[0] || head >= shape[1] ||
        walk.block_q < 1 || walk.block_k < 1 || (walk.query_tiles - 1) * walk.block_q >= shape[2] ||
        (walk.key_tiles - 1) * walk.block_k >= shape[3])
        return;
    queries_ = shape[2];
    keys_ = shape[3];
    matrices_ = shape[0] * shape[1];
    matrix_ = batch * shape[1] + std::max(head, 0);
    output_ = trace.find("tile_output");
    if (output_ && output_->value.rank() == 5 && std::equal(rows.begin(), rows.end(), output_->value.shape().begin()))
        features_ = output_->value.dim(4);
    for (std::int64_t query = 0; query < walk.query_tiles; ++query)
        for (std::int64_t key = 0; key < walk.key_tiles; ++key)
            if (!isSkipped({query, key}))
                read_.push_back({query, key});
}

bool TileSteps::isSkipped(TileIndex tile) const {
    const auto at = (matrix_ * walk_.query_tiles + tile.query) * walk_.key_tiles + tile.key;
    return at < static_cast<std::int64_t>(walk_.skipped.size()) && walk_.skipped[static_cast<std::size_t>(at)];
}

std::optional<int> TileSteps::stepOf(TileIndex tile) const {
    const auto found = std::find(read_.begin(), read_.end(), tile);
    return found == read_.end() ? std::nullopt : std::optional(static_cast<int>(found - read_.begin()));
}

int TileSteps::skippedBefore(int step) const {
    const auto order = [this](TileIndex tile) { return tile.query * walk_.key_tiles + tile.key; };
    const auto before = step > 0 ? order(tile(step - 1)) : -1;
    return static_cast<int>(order(tile(step)) - before - 1);
}

int TileSteps::skippedCount() const {
    return static_cast<int>(walk_.query_tiles * walk_.key_tiles) - static_cast<int>(read_.size());
}

TokenSpan TileSteps::querySpan(std::int64_t query_tile) const {
    const auto first = query_tile * walk_.block_q;
    return {first, std::min(first + walk_.block_q, queries_) - 1};
}

TokenSpan TileSteps::keySpan(std::int64_t key_tile) const {
    const auto first = key_tile * walk_.block_k;
    return {first, std::min(first + walk_.block_k, keys_) - 1};
}

TileState TileSteps::state(TileIndex asked, int step) const {
    if (isSkipped(asked))
        return TileState::Skipped;
    const TileIndex now = tile(step);
    if (asked == now)
        return TileState::Reading;
    const bool done = asked.query < now.query || (asked.query == now.query && asked.key < now.key);
    return done ? TileState::Done : TileState::ToCome;
}

std::int64_t TileSteps::rowsReached(int step) const { return querySpan(tile(step).query).last + 1; }

std::int64_t TileSteps::keyTileOf(std::int64_t row, int step) const {
    const auto query_tile = row / walk_.block_q;
    const TileIndex now = tile(step);
    if (query_tile != now.query)
        return query_tile < now.query ? walk_.key_tiles - 1 : -1;
    return now.key;
}

std::size_t TileSteps::indexOf(std::int64_t key_tile, std::int64_t row) const {
    return static_cast<std::size_t>((key_tile * matrices_ + matrix_) * queries_ + row);
}

double TileSteps::rowMax(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    return key_tile < 0 ? -std::numeric_limits<double>::infinity() : max_->value.values()[indexOf(key_tile, row)];
}

double TileSteps::rowSum(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    return key_tile < 0 ? 0.0 : sum_->value.values()[indexOf(key_tile, row)];
}

double TileSteps::rowMaxBefore(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    // A skipped tile does not change m.
    return key_tile < 1 ? -std::numeric_limits<double>::infinity() : max_->value.values()[indexOf(key_tile - 1, row)];
}

double TileSteps::rescale(std::int64_t row, int step) const {
    const double before = rowMaxBefore(row, step), after = rowMax(row, step);
    return before == after ? 1.0 : std::exp(before - after);
}

std::span<const double> TileSteps::output(std::int64_t row, int step) const {
    const auto key_tile = keyTileOf(row, step);
    if (key_tile < 0 || features_ == 0)
        return {};
    const auto width = static_cast<std::size_t>(features_);
    return output_->value.values().subspan(indexOf(key_tile, row) * width, width);
}

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

QString TileWalkDescription::ofState(TileState state) {
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

QString TileWalkDescription::ofRow(const TileSteps& steps, int step, const MatrixData& labels, std::int64_t row,
                                   bool chosen) {
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

QString TileWalkDescription::ofStep(const TileSteps& steps, int step, const MatrixData& labels,
                                    std::optional<std::int64_t> row) {
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

namespace {

/// Smaller tiles have no room for a cross, for dots, or for an edge that does not hide the cells.
constexpr double least_crossed = 5.0, least_dotted = 7.0, least_edged = 12.0;
constexpr double marks_gap = 5.0;
constexpr double between_marks = 16.0;

double sampleWidth(const QFont& font) { return QFontMetricsF(font).height() * 1.3; }

QColor veil(const Theme& look) {
    QColor color = look.card;
    color.setAlphaF(look.high_contrast ? 1.0F : 0.78F); // no number is faint in high contrast
    return color;
}

} // namespace

Colormap veiled(const Colormap& map, const Theme& look) {
    const QColor over = veil(look);
    Colormap result = map;
    for (QRgb& color : result.colors) {
        const auto mixed = [&](int below, int above) {
            return qRound(below + (above - below) * static_cast<double>(over.alphaF()));
        };
        color =
            qRgb(mixed(qRed(color), over.red()), mixed(qGreen(color), over.green()), mixed(qBlue(color), over.blue()));
    }
    return result;
}

void paintReadingOutline(QPainter& painter, const QRectF& rect, const Theme& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.card, 5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.setPen(QPen(look.pin, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.restore();
}

void paintTileMark(QPainter& painter, const QRectF& tile, TileState state, const Theme& look) {
    if (state == TileState::Reading) {
        paintReadingOutline(painter, tile, look);
        return;
    }
    const double side = std::min(tile.width(), tile.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (state != TileState::Done)
        painter.fillRect(tile, veil(look));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.muted, 1, state == TileState::ToCome ? Qt::DotLine : Qt::SolidLine));
    if (side >= (state == TileState::ToCome ? least_dotted : least_edged))
        painter.drawRect(tile);
    if (state == TileState::Skipped && side >= least_crossed) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawLine(tile.topLeft(), tile.bottomRight());
        painter.drawLine(tile.bottomLeft(), tile.topRight());
    }
    painter.restore();
}

LegendEntry tileEntry(TileState state, const QString& text, const Theme& look) {
    const auto sample = [state, &look](QPainter& painter, const QRectF& rect) {
        const QRectF tile = rect.adjusted(1, 1, -1, -1);
        painter.fillRect(tile, look.accent_soft);
        paintTileMark(painter, tile, state, look);
        if (state == TileState::Reading)
            return;
        // Too small for the edge of a real tile.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.muted, 1, state == TileState::ToCome ? Qt::DotLine : Qt::SolidLine));
        painter.drawRect(tile);
    };
    return {sample, text};
}

double legendWidth(const std::vector<LegendEntry>& entries, const QFont& font) {
    double width = -between_marks;
    for (const auto& entry : entries)
        width += sampleWidth(font) + marks_gap + QFontMetricsF(font).horizontalAdvance(entry.text) + between_marks;
    return std::max(0.0, width);
}

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const DrawingStyle& style) {
    const QFontMetricsF metrics(style.font);
    const double sample = sampleWidth(style.font), height = metrics.ascent() * 0.9;
    double x = area.left();
    for (const auto& entry : entries) {
        entry.sample(painter, QRectF(x, area.center().y() - height / 2, sample, height));
        x += sample + marks_gap;
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        const double width = metrics.horizontalAdvance(entry.text) + 1;
        painter.drawText(QRectF(x, area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        x += width + between_marks;
    }
}

} // namespace attnlab::ui
