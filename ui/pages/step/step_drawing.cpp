#include "ui/pages/step/step_drawing.h"

#include "ui/drawing/heatmap_labels.h"
#include "ui/drawing/scaled_font.h"
#include "ui/pages/exhibits/names.h"
#include "ui/pages/step/step_pen.h"
#include "ui/pages/step/step_words.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double step_gap = 8.0;
constexpr int step_least_lines = 2;
constexpr int panel_rows = 6; ///< minimum of the panel, if there is room
constexpr double widest_cells = 1.9;

constexpr double least_arithmetic = 0.7; ///< minimum factor for its font size
constexpr double most_growth = 2.0;
constexpr double roomy_cells = 1.25;    ///< width of a cell that lets the font grow, in least widths
constexpr std::int64_t roomy_rows = 16; ///< panel rows wanted before the font grows

QFont largeFont(const QFont& font) { return scaledFont(font, 1.2); }

double rowHeight(const QFont& font) { return std::ceil(QFontMetricsF(labelFont(font)).height() + 4.0); }

double leastCell(const QFont& font) {
    return std::ceil(QFontMetricsF(labelFont(font)).horizontalAdvance(QStringLiteral("−00.00")) + 8.0);
}

} // namespace

QString StepDrawing::keysOnShow(std::int64_t shown) const { return tr("%1 of %2 keys").arg(shown).arg(walk.keys()); }

int StepDrawing::currentLine() const {
    int last = -1;
    for (std::size_t i = 0; i < walk.lines().size(); ++i)
        if (isReached(walk.lines()[i]))
            last = static_cast<int>(i);
    return last;
}

std::int64_t StepDrawing::reachedKeys(StepOperation operation) const {
    return step.operation == operation ? step.reached : step.operation > operation ? walk.keys() : 0;
}

bool StepDrawing::showsTerms() const { return walk.termCount() > 0 && step.operation <= StepOperation::Score; }

ColorScale StepDrawing::scaleOf(const RowLine& line) const {
    ValueRange range;
    const bool fills = line.operation >= StepOperation::Mask && line.operation <= StepOperation::Shift;
    for (std::int64_t j = 0; j < walk.keys(); ++j)
        if (!fills || !walk.isBlocked(j)) // a fill of −1e9 would make all other colours equal
            range.include(line.values[static_cast<std::size_t>(j)]);
    range.include(0.0);
    return colorScale({}, range, line.operation <= StepOperation::Shift);
}

QFont StepDrawing::grownFont(const QRectF& area, const QFont& font) const {
    const StepLayout at = layoutWith(font, area);
    const auto rows = std::clamp<std::int64_t>(std::max(walk.termCount(), walk.features()), panel_rows, roomy_rows);
    const double width =
        at.titles.width() + static_cast<double>(at.keys) * leastCell(font) * roomy_cells + at.aside.width();
    const double height = at.panel.top() - at.header.top() + area.bottom() - at.panel.bottom() +
                          static_cast<double>(std::ssize(walk.lines()) - at.lines) * at.row_height +
                          static_cast<double>(rows) * highest_panel_row * at.row_height;
    return scaledFont(font, std::clamp(std::min(area.width() / width, area.height() / height), 1.0, most_growth));
}

StepLayout StepDrawing::layout(const QRectF& area, const QFont& font) const {
    return layoutWith(grownFont(area, font), area);
}

StepLayout StepDrawing::layoutWith(const QFont& font, const QRectF& area) const {
    StepLayout at;
    const QFont small = labelFont(font);
    const QFontMetricsF metrics(small);
    at.row_height = rowHeight(font);
    double titles = metrics.horizontalAdvance(tr("sum so far"));
    if (walk.keys() > most_keys || static_cast<double>(walk.keys()) * leastCell(font) > area.width() * 0.7)
        titles = std::max(titles, metrics.horizontalAdvance(keysOnShow(walk.keys() - 1)));
    for (const auto& line : walk.lines())
        titles = std::max(titles, metrics.horizontalAdvance(StepWords::title(walk, line.operation)));
    titles = std::min(titles + 14.0, area.width() * 0.24);
    const double aside = std::max(metrics.horizontalAdvance(QStringLiteral("max −00.000")) + 14.0, leastCell(font));
    const double room = std::max(1.0, area.width() - titles - aside);
    const auto fitting = static_cast<std::int64_t>(room / leastCell(font));
    at.keys = std::clamp<std::int64_t>(std::min(fitting, most_keys), 1, walk.keys());
    at.cell_width = std::floor(std::min(room / static_cast<double>(at.keys), leastCell(font) * widest_cells));
    const bool follows = by_terms &&
                         (step.operation == StepOperation::RowSum || step.operation == StepOperation::Mix) &&
                         step.reached < walk.keys();
    const std::int64_t centre = follows ? step.reached - 1 : key;
    at.first_key = std::clamp<std::int64_t>(centre - at.keys / 2, 0, walk.keys() - at.keys);
    at.turned = !columnLabelsFitFlat(walk.labels().axes().columns, small, at.cell_width);
    const double header = at.turned ? std::min(turnedHeight(small, longestLabel(walk.labels().axes().columns, small)),
                                               std::max(area.height() * 0.2, at.row_height))
                                    : at.row_height;

    const double arithmetic = std::ceil(QFontMetricsF(largeFont(font)).height() * 1.15);
    const double said = sentences ? std::ceil(QFontMetricsF(font).height() * 2.1) : 0.0;
    const double cells = static_cast<double>(at.keys) * at.cell_width;
    const double left = std::floor(area.left() + std::max(0.0, (room - cells) / 2.0));
    const double below = arithmetic + said + step_gap + at.row_height; // and the caption
    const double ledger_room = area.height() - header - below - panel_rows * at.row_height - step_gap;
    const auto all = static_cast<int>(walk.lines().size());
    at.lines = std::clamp(static_cast<int>(ledger_room / at.row_height), std::min(step_least_lines, all), all);
    at.first_line = std::clamp(currentLine() - at.lines + 1, 0, all - at.lines);

    at.header = QRectF(left + titles, area.top(), cells, header);
    at.ledger = QRectF(at.header.left(), at.header.bottom(), cells, at.lines * at.row_height);
    at.sentences = QRectF(area.left(), area.bottom() - said, area.width(), said);
    at.arithmetic = QRectF(area.left(), at.sentences.top() - arithmetic, area.width(), arithmetic);
    at.caption =
        QRectF(at.header.left(), at.ledger.bottom() + step_gap / 2, area.right() - at.header.left(), at.row_height);
    at.panel = QRectF(at.header.left(), at.caption.bottom(), cells,
                      std::max(0.0, at.arithmetic.top() - step_gap - at.caption.bottom()));
    at.titles = QRectF(left, at.header.top(), titles, at.panel.bottom() - at.header.top());
    at.aside = QRectF(at.header.right(), at.header.top(), aside, at.titles.height());
    return at;
}

QSizeF StepDrawing::smallest(const QFont& font, double) const {
    const double row = rowHeight(font);
    const int lines = std::min(step_least_lines, static_cast<int>(walk.lines().size()));
    const double words = QFontMetricsF(largeFont(font)).height() * 1.15 + (sentences ? row * 2.5 : 0.0);
    return {leastCell(font) * 6.0, row * (lines + 1.5 + 1.0 + 4.0) + words + 2 * step_gap};
}

std::optional<std::int64_t> StepDrawing::keyAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const StepLayout at = layout(area, font);
    if (position.x() < at.header.left() || position.x() >= at.header.right() || position.y() < at.header.top() ||
        position.y() >= at.panel.bottom())
        return std::nullopt;
    return at.first_key + static_cast<std::int64_t>((position.x() - at.header.left()) / at.cell_width);
}

std::optional<StepOperation> StepDrawing::operationAt(const QPointF& position, const QRectF& area,
                                                      const QFont& font) const {
    const StepLayout at = layout(area, font);
    if (position.y() < at.ledger.top() || position.y() >= at.ledger.bottom() || position.x() < at.titles.left() ||
        position.x() > at.aside.right())
        return std::nullopt;
    const auto line = at.first_line + static_cast<int>((position.y() - at.ledger.top()) / at.row_height);
    return walk.lines()[static_cast<std::size_t>(std::min(line, static_cast<int>(walk.lines().size()) - 1))].operation;
}

QString StepDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto where = keyAt(position, area, font);
    if (!where)
        return {};
    const QString name = nameOf(walk.labels().column_labels, *where);
    const StepLayout at = layout(area, font);
    if (const auto operation = operationAt(position, area, font))
        return lineText(*walk.line(*operation), *where);
    if (at.panel.contains(position) && step.operation == StepOperation::Mix && *where < step.reached)
        return tr("%1: weight %2").arg(name, exactText(walk.mixed()[static_cast<std::size_t>(*where)]));
    return at.header.contains(position) ? name : QString();
}

/// Empty where the steps have not come to it.
QString StepDrawing::lineText(const RowLine& line, std::int64_t key) const {
    return isReached(line) ? tr("%1, %2: %3")
                                 .arg(nameOf(walk.labels().column_labels, key), StepWords::title(walk, line.operation),
                                      exactText(line.values[static_cast<std::size_t>(key)]))
                           : QString();
}

int StepDrawing::rows() const { return static_cast<int>(walk.lines().size()); }
int StepDrawing::columns() const { return static_cast<int>(walk.keys()); }

QString StepDrawing::rowName(int row) const {
    return StepWords::title(walk, walk.lines()[static_cast<std::size_t>(row)].operation);
}

QString StepDrawing::columnName(int column) const { return walk.labels().columnLabel(column); }

QString StepDrawing::cellWords(int row, int column) const {
    const QString text = lineText(walk.lines()[static_cast<std::size_t>(row)], column);
    return text.isEmpty() ? tr("%1, %2: not computed yet", "row, column")
                                .arg(nameOf(walk.labels().column_labels, column), rowName(row))
                          : text;
}

QRectF StepDrawing::cellPlace(int row, int column, const QRectF& area, const QFont& font) const {
    const StepLayout at = layout(area, font);
    const auto shown = column - at.first_key;
    if (row < at.first_line || row >= at.first_line + at.lines || shown < 0 || shown >= at.keys)
        return {};
    return {at.ledger.left() + static_cast<double>(shown) * at.cell_width,
            at.ledger.top() + (row - at.first_line) * at.row_height, at.cell_width, at.row_height};
}

void StepDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    DrawingStyle grown = style;
    grown.font = grownFont(area, style.font);
    const StepLayout at = layoutWith(grown.font, area);
    const QFont small = labelFont(grown.font);
    const Pen pen{painter, grown, at, small, QFontMetricsF(small)};
    painter.save();
    painter.setFont(small);
    paintHeader(pen);
    paintLedger(pen);
    paintPanel(pen);
    paintPin(pen);
    paintWords(pen);
    painter.restore();
}

void StepDrawing::paintWords(const Pen& pen) const {
    QFont large = largeFont(pen.style.font);
    const QString arithmetic = StepWords::arithmetic(walk, step, key);
    const double wanted = QFontMetricsF(large).horizontalAdvance(arithmetic);
    if (wanted > pen.at.arithmetic.width())
        large = scaledFont(large, std::max(least_arithmetic, pen.at.arithmetic.width() / wanted * 0.99));
    pen.painter.setFont(large);
    pen.painter.setPen(pen.style.look.text);
    pen.painter.drawText(pen.at.arithmetic, Qt::AlignHCenter | Qt::AlignVCenter,
                         QFontMetricsF(large).elidedText(arithmetic, Qt::ElideMiddle, pen.at.arithmetic.width()));
    if (!sentences)
        return;
    pen.painter.setFont(pen.style.font);
    pen.painter.setPen(pen.style.look.muted);
    pen.painter.drawText(pen.at.sentences, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                         StepWords::sentences(walk, step, key));
}

DrawingSequence sequenceOf(const StepDrawing& drawing, const std::vector<WalkStep>& steps) {
    return {static_cast<int>(steps.size()), [drawing, steps](int index) {
                auto frame = std::make_shared<StepDrawing>(drawing);
                frame->step = steps[static_cast<std::size_t>(index)];
                frame->sentences = true;
                return frame;
            }};
}

} // namespace attnlab::ui
