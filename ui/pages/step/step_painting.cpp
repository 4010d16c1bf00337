// Paints the parts of a StepDrawing.
#include "ui/drawing/heatmap_labels.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_image.h"
#include "ui/pages/exhibits/names.h"
#include "ui/pages/exhibits/tile_marks.h"
#include "ui/pages/step/step_pen.h"
#include "ui/pages/step/step_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double least_row = 3.0; ///< of a matrix below the ledger

QString subscript(std::int64_t number) {
    QString digits = QString::number(number);
    for (QChar& digit : digits)
        digit = QChar(0x2080 + digit.digitValue());
    return digits;
}

} // namespace

void StepDrawing::Pen::text(const QRectF& rect, Qt::Alignment alignment, const QString& words,
                            const QColor& color) const {
    painter.setPen(color);
    painter.drawText(rect, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(words, Qt::ElideRight, rect.width() + 1.0));
}

void StepDrawing::Pen::cell(const QRectF& rect, double value, const ColorScale& scale, bool hatched) const {
    const QRectF inner = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const bool plain = !hatched && std::isfinite(value);
    QColor ink = style.look.text;
    if (plain) {
        const QRgb color = shownOn(style.look, scale).color(value);
        painter.fillRect(inner, QColor(color));
        ink = textColorOn(color);
    } else {
        paintHatch(painter, inner, style.look, std::isnan(value) ? Hatch::NotANumber : Hatch::Blocked);
    }
    if (rect.height() < metrics.height() - 1.0)
        return;
    QString words = numberText(value, 4);
    if (metrics.horizontalAdvance(words) > rect.width() - 4.0)
        words = numberText(value, 3);
    text(rect.adjusted(1, 0, -1, 0), Qt::AlignHCenter, words, ink);
}

void StepDrawing::Pen::empty(const QRectF& rect) const {
    painter.setPen(QPen(style.look.border, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(1.5, 1.5, -1.5, -1.5));
}

void StepDrawing::paintHeader(const Pen& pen) const {
    const auto& look = pen.style.look;
    HeatmapLayout labels;
    labels.area = labels.body = pen.at.ledger;
    labels.column_labels = pen.at.header;
    const MatrixAxis keys = walk.labels().axes().columns;
    MatrixAxes shown;
    shown.rows.count = 1;
    shown.columns.count = pen.at.keys;
    for (std::int64_t j = 0; j < pen.at.keys; ++j)
        shown.columns.labels << keys.label(pen.at.first_key + j);
    const HeatmapFrame frame{pen.at.ledger, QRectF(0, 0, static_cast<double>(pen.at.keys), 1.0)};
    const auto mark = key - pen.at.first_key;
    const auto cell = mark >= 0 && mark < pen.at.keys ? std::optional(Cell{-1, static_cast<int>(mark)}) : std::nullopt;
    HeatmapLabels placed = placeLabels(labels, frame, shown, pen.small, cell);
    placed.rows.clear();
    paintLabels(pen.painter, labels, placed, shown, pen.small, look);
    pen.painter.setFont(pen.small);
    const QRectF corner(pen.at.titles.left(), pen.at.header.bottom() - pen.at.row_height, pen.at.titles.width() - 6.0,
                        pen.at.row_height);
    if (pen.at.keys < walk.keys())
        pen.text(corner, Qt::AlignRight, keysOnShow(pen.at.keys), look.muted);
}

void StepDrawing::paintLedger(const Pen& pen) const {
    const int current = currentLine();
    for (int i = 0; i < pen.at.lines; ++i) {
        const int index = pen.at.first_line + i;
        const QRectF row(pen.at.ledger.left(), pen.at.ledger.top() + i * pen.at.row_height, pen.at.ledger.width(),
                         pen.at.row_height);
        paintLine(pen, walk.lines()[static_cast<std::size_t>(index)], row, index == current);
    }
    if (current >= pen.at.first_line) {
        const QRectF row(pen.at.ledger.left(), pen.at.ledger.top() + (current - pen.at.first_line) * pen.at.row_height,
                         pen.at.ledger.width(), pen.at.row_height);
        paintReadingOutline(pen.painter, row, pen.style.look);
    }
}

void StepDrawing::paintLine(const Pen& pen, const RowLine& line, const QRectF& row, bool current) const {
    const auto& look = pen.style.look;
    pen.text(pen.titleOf(row), Qt::AlignRight, StepWords::title(walk, line.operation),
             current ? look.text : look.muted);
    const ColorScale scale = scaleOf(line);
    for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j) {
        const QRectF rect = pen.column(row, j);
        if (isReached(line))
            pen.cell(rect, line.values[static_cast<std::size_t>(j)], scale,
                     line.operation >= StepOperation::Mask && walk.isBlocked(j));
        else
            pen.empty(rect);
    }
    paintAside(pen, line, row);
}

/// The maximum beside its line, the sum beside the exponentials.
void StepDrawing::paintAside(const Pen& pen, const RowLine& line, const QRectF& row) const {
    QString words;
    bool now = false;
    if (walk.hasRowSum() && &line == walk.before(StepOperation::Shift) && step.operation >= StepOperation::Shift) {
        words = tr("max %1").arg(numberText(walk.maximum(), 4));
        now = step.operation == StepOperation::Shift;
    } else if (line.operation == StepOperation::Exponential && step.operation >= StepOperation::RowSum) {
        words = QStringLiteral("Σ %1").arg(numberText(walk.rowSumOf(reachedKeys(StepOperation::RowSum)), 4));
        now = step.operation == StepOperation::RowSum;
    }
    pen.text(pen.asideOf(row), Qt::AlignLeft, words, now ? pen.style.look.accent : pen.style.look.muted);
}

void StepDrawing::paintPanel(const Pen& pen) const {
    if (showsTerms())
        return by_terms ? paintTermTable(pen) : paintProducts(pen);
    if (step.operation == StepOperation::Mix)
        return paintMix(pen);
    paintBars(pen, walk.lines()[static_cast<std::size_t>(std::max(0, currentLine()))]);
}

/// q and k above each other, their products and the sum so far.
void StepDrawing::paintTermTable(const Pen& pen) const {
    const auto& look = pen.style.look;
    const auto terms = walk.terms(key);
    const auto count = static_cast<std::int64_t>(terms.size());
    const double width = std::min(pen.at.cell_width, pen.metrics.horizontalAdvance(QStringLiteral("−00.000")) + 10.0);
    const double room = pen.at.aside.right() - pen.at.panel.left();
    const auto shown = std::clamp<std::int64_t>(static_cast<std::int64_t>(room / width), 1, count);
    const std::int64_t reached = step.operation == StepOperation::Products ? step.reached : count;
    const auto first = std::clamp<std::int64_t>(reached - 1 - shown / 2, 0, count - shown);
    const QString query = walk.labels().rowLabel(walk.query()), name = walk.labels().columnLabel(key);
    const bool products = walk.hasProducts();
    const QString titles[] = {products ? QStringLiteral("q  %1").arg(query) : tr("factor"),
                              products ? QStringLiteral("k  %1").arg(name) : tr("factor"), tr("product"),
                              tr("sum so far")};
    const QString caption = shown < count ? tr("Terms %1 to %2 of %3").arg(first + 1).arg(first + shown).arg(count)
                                          : tr("%n terms", nullptr, static_cast<int>(count));
    pen.text(pen.at.caption, Qt::AlignLeft, caption, look.muted);
    ValueRange range;
    double sum = 0.0;
    std::vector<double> sums;
    for (const auto& term : terms) {
        sums.push_back(sum += term.product);
        for (const double value : {term.left, term.right, term.product, sum})
            range.include(value);
    }
    const ColorScale scale = colorScale({}, range, true);
    const double row_height = std::min(pen.at.row_height * 1.3, pen.at.panel.height() / 4.0);
    for (int row = 0; row < 4; ++row) {
        const QRectF line(pen.at.panel.left(), pen.at.panel.top() + row * row_height, room, row_height);
        pen.text(pen.titleOf(line), Qt::AlignRight, titles[row], row == 2 ? look.text : look.muted);
        for (std::int64_t c = first; c < first + shown; ++c) {
            const auto& term = terms[static_cast<std::size_t>(c)];
            const double values[] = {term.left, term.right, term.product, sums[static_cast<std::size_t>(c)]};
            const QRectF rect(line.left() + static_cast<double>(c - first) * width, line.top(), width, row_height);
            if (row >= 2 && c >= reached)
                pen.empty(rect);
            else
                pen.cell(rect, values[row], scale, false);
        }
    }
    if (step.operation == StepOperation::Products && reached >= first + 1)
        paintReadingOutline(pen.painter,
                            QRectF(pen.at.panel.left() + static_cast<double>(reached - 1 - first) * width,
                                   pen.at.panel.top(), width, 4 * row_height),
                            look);
}

StepDrawing::GridRows StepDrawing::gridRows(const StepLayout& at, std::int64_t rows) const {
    const double fit = at.panel.height() / static_cast<double>(std::max<std::int64_t>(1, rows));
    const double height = fit >= least_row ? std::min(fit, at.row_height * highest_panel_row) : least_row;
    return {std::min<std::int64_t>(rows, static_cast<std::int64_t>(at.panel.height() / height + 1e-6)), height};
}

void StepDrawing::paintGrid(const Pen& pen, const Grid& grid) const {
    const auto& look = pen.style.look;
    const auto [shown, height] = gridRows(pen.at, grid.rows);
    ValueRange range;
    for (std::int64_t row = 0; row < shown; ++row) {
        for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j)
            range.include(grid.value(row, j));
        range.include(grid.sum(row).value_or(0.0));
    }
    const ColorScale scale = colorScale({}, range, true);
    const bool numbers = height >= pen.metrics.height() - 1.0;
    for (std::int64_t row = 0; row < shown; ++row) {
        const QRectF line(pen.at.panel.left(), pen.at.panel.top() + static_cast<double>(row) * height,
                          pen.at.panel.width(), height);
        if (numbers)
            pen.text(pen.titleOf(line), Qt::AlignRight, grid.title(row), look.muted);
        for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j)
            if (j < grid.reached)
                pen.cell(pen.column(line, j), grid.value(row, j), scale, false);
            else if (numbers)
                pen.empty(pen.column(line, j));
        if (const auto sum = grid.sum(row)) {
            const QRectF rect(pen.at.aside.left() + 6.0, line.top(), pen.at.aside.width() - 6.0, height);
            pen.cell(rect, *sum, scale, false);
        }
    }
    const QString caption =
        shown < grid.rows
            ? tr("%1 (%2 of %3 rows)").arg(grid.caption, QString::number(shown), QString::number(grid.rows))
            : grid.caption;
    pen.text(QRectF(pen.at.caption.topLeft(), QSizeF(pen.at.panel.width(), pen.at.row_height)), Qt::AlignLeft, caption,
             look.muted);
}

void StepDrawing::paintProducts(const Pen& pen) const {
    std::vector<std::vector<ScoreTerm>> terms;
    for (std::int64_t j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j)
        terms.push_back(walk.terms(j));
    const auto term_at = [&](std::int64_t row, std::int64_t j) {
        return terms[static_cast<std::size_t>(j - pen.at.first_key)][static_cast<std::size_t>(row)];
    };
    Grid grid;
    grid.caption =
        walk.hasProducts() ? tr("The query's entries times each key's") : tr("The terms of each key's score");
    grid.rows = walk.termCount();
    grid.title = [&](std::int64_t row) {
        return walk.hasProducts()
                   ? QStringLiteral("q%1 %2").arg(subscript(row), numberText(term_at(row, pen.at.first_key).left, 3))
                   : QString::number(row + 1);
    };
    grid.value = [&](std::int64_t row, std::int64_t j) { return term_at(row, j).product; };
    grid.sum = [](std::int64_t) { return std::optional<double>(); };
    grid.reached = walk.keys();
    paintGrid(pen, grid);
}

void StepDrawing::paintMix(const Pen& pen) const {
    const auto& look = pen.style.look;
    pen.text(QRectF(pen.at.aside.left() + 6.0, pen.at.caption.top(), pen.at.aside.width() - 6.0, pen.at.row_height),
             Qt::AlignHCenter, step.reached < walk.keys() ? tr("so far") : tr("output"), look.text);
    Grid grid;
    grid.caption = walk.isMixed() ? tr("Each key's weight times its value, feature by feature")
                                  : tr("The values, feature by feature");
    grid.rows = walk.features();
    grid.title = [](std::int64_t row) { return QStringLiteral("v%1").arg(subscript(row)); };
    grid.value = [&](std::int64_t row, std::int64_t j) {
        return walk.isMixed() ? walk.row().part(j, row) : walk.valueOf(j, row);
    };
    grid.sum = [&](std::int64_t row) { return std::optional(walk.output(row, step.reached)); };
    grid.reached = step.reached;
    paintGrid(pen, grid);
}

/// The line made by the step, as bars from zero.
void StepDrawing::paintBars(const Pen& pen, const RowLine& line) const {
    const auto& look = pen.style.look;
    ValueRange range;
    const bool fills = line.operation >= StepOperation::Mask && line.operation <= StepOperation::Shift;
    for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j)
        if (!fills || !walk.isBlocked(j))
            range.include(line.values[static_cast<std::size_t>(j)]);
    range.include(0.0);
    const double span = std::max(range.high - range.low, 1e-300);
    const QRectF room = pen.at.panel.adjusted(0, 2, 0, -2);
    const auto y_of = [&](double value) {
        return room.bottom() - std::clamp((value - range.low) / span, 0.0, 1.0) * room.height();
    };
    const ColorScale scale = scaleOf(line);
    const std::int64_t reached = step.operation == StepOperation::RowSum ? step.reached : walk.keys();
    for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j) {
        const double value = line.values[static_cast<std::size_t>(j)];
        const QRectF column = pen.column(room, j);
        const QRectF slot = column.adjusted(column.width() * 0.18, 0, -column.width() * 0.18, 0);
        if (!std::isfinite(value) || (fills && walk.isBlocked(j))) {
            paintHatch(pen.painter, slot, look, std::isnan(value) ? Hatch::NotANumber : Hatch::Blocked);
            continue;
        }
        const QRectF bar = QRectF(QPointF(slot.left(), y_of(value)), QPointF(slot.right(), y_of(0.0))).normalized();
        pen.painter.setOpacity(j < reached ? 1.0 : 0.25);
        pen.painter.fillRect(bar, QColor(shownOn(look, scale).color(value)));
        pen.painter.setPen(QPen(look.muted, 1));
        pen.painter.setBrush(Qt::NoBrush);
        pen.painter.drawRect(bar);
        pen.painter.setOpacity(1.0);
    }
    pen.painter.setPen(QPen(look.muted, 1));
    pen.painter.drawLine(QPointF(room.left(), y_of(0.0)), QPointF(room.right(), y_of(0.0)));
    pen.text(
        QRectF(pen.at.titles.left(), y_of(0.0) - pen.at.row_height / 2, pen.at.titles.width() - 6.0, pen.at.row_height),
        Qt::AlignRight, QStringLiteral("0"), look.muted);
    pen.text(pen.at.caption, Qt::AlignLeft, StepWords::title(walk, line.operation), look.muted);
}

/// Highlights the column of the key whose arithmetic is shown.
void StepDrawing::paintPin(const Pen& pen) const {
    const bool whole_row = step.operation == StepOperation::RowSum || step.operation == StepOperation::Mix;
    const std::int64_t shown = whole_row && step.reached < walk.keys() ? step.reached - 1 : key;
    if (shown < pen.at.first_key || shown >= pen.at.first_key + pen.at.keys)
        return;
    pen.painter.setPen(QPen(pen.style.look.pin, 1.5));
    pen.painter.setBrush(Qt::NoBrush);
    pen.painter.drawRoundedRect(pen.column(pen.at.ledger, shown), 2, 2);
    if (showsTerms() && by_terms)
        return;
    const bool mixes = step.operation == StepOperation::Mix;
    const auto [rows, height] = gridRows(pen.at, mixes ? walk.features() : walk.termCount());
    QRectF column = pen.column(pen.at.panel, shown);
    if (mixes || showsTerms())
        column.setHeight(static_cast<double>(rows) * height);
    pen.painter.drawRoundedRect(column, 2, 2);
}

} // namespace attnlab::ui
