// Painting tools for the parts of a StepDrawing.
#include "ui/pages/step/step_drawing.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/matrix_data.h"
#include "ui/drawing/role_color.h"
#include "ui/pages/exhibits/tile_walk.h"
#include "ui/pages/step/row_walk.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <QFontMetricsF>
#include <QPainter>

namespace attnlab::ui {

struct StepDrawing::Pen {
    QPainter& painter;
    const DrawingStyle& style;
    const StepLayout& at;
    QFont small;
    QFontMetricsF metrics;

    /// A number on its colour, or on a hatch.
    void cell(const QRectF& rect, double value, const ColorScale& scale, bool hatched) const;
    /// An empty cell for a number that is not computed yet.
    void empty(const QRectF& rect) const;
    void text(const QRectF& rect, Qt::Alignment alignment, const QString& words, const QColor& color) const;
    QRectF column(const QRectF& row, std::int64_t key) const {
        return {row.left() + static_cast<double>(key - at.first_key) * at.cell_width, row.top(), at.cell_width,
                row.height()};
    }
    QRectF titleOf(const QRectF& row) const {
        return {at.titles.left(), row.top(), at.titles.width() - 6.0, row.height()};
    }
    QRectF asideOf(const QRectF& row) const {
        return {at.aside.left() + 6.0, row.top(), at.aside.width() - 6.0, row.height()};
    }
};

/// A matrix below the ledger, in the columns of its keys.
struct StepDrawing::Grid {
    QString caption;
    std::int64_t rows = 0;
    std::function<QString(std::int64_t row)> title;
    std::optional<AttentionRole> role; ///< of the titles
    std::function<double(std::int64_t row, std::int64_t key)> value;
    std::function<std::optional<double>(std::int64_t row)> sum; ///< shown right of the row
    std::int64_t reached = 0;                                   ///< keys
};

namespace {

bool hasScores(const RowLine& line) { return line.operation < StepOperation::Exponential; }

constexpr double step_gap = 8.0;
constexpr int step_least_lines = 2;
constexpr std::int64_t panel_rows = 6; ///< of the panel at least, if it has so many and there is room
constexpr double widest_cells = 1.9;

constexpr double least_arithmetic = 0.8; ///< minimum factor for its font size in one line
constexpr double most_growth = 2.0;
constexpr double roomy_cells = 1.25;    ///< width of a cell that lets the font grow, in least widths
constexpr std::int64_t roomy_rows = 16; ///< panel rows wanted before the font grows

QFont largeFont(const QFont& font) { return scaledFont(font, 1.2); }

double rowHeight(const QFont& font) { return std::ceil(QFontMetricsF(labelFont(font)).height() + 4.0); }

double leastCell(const QFont& font) {
    return std::ceil(QFontMetricsF(labelFont(font)).horizontalAdvance(QStringLiteral("−00.00")) + 8.0);
}

} // namespace

QString StepDrawing::displayedKeysText(std::int64_t shown) const {
    return tr("%1 of %2 keys").arg(shown).arg(walk.keys());
}

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

ColorScale StepDrawing::scaleOf(const RowLine& line) const { return colorScale({}, barRange(line), hasScores(line)); }

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

/// The arithmetic, in letters that may be smaller.
bool StepDrawing::fitsOneLine(const QFont& font, double width) const {
    const double wanted = QFontMetricsF(largeFont(font)).horizontalAdvance(StepWords::arithmetic(walk, step, key));
    return wanted * least_arithmetic <= width;
}

StepLayout StepDrawing::layoutWith(const QFont& font, const QRectF& area) const {
    StepLayout at;
    const QFont small = labelFont(font);
    const QFontMetricsF metrics(small);
    at.row_height = rowHeight(font);
    double titles = metrics.horizontalAdvance(tr("sum so far"));
    if (walk.keys() > most_keys || static_cast<double>(walk.keys()) * leastCell(font) > area.width() * 0.7)
        titles = std::max(titles, metrics.horizontalAdvance(displayedKeysText(walk.keys() - 1)));
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

    const double arithmetic =
        std::ceil(QFontMetricsF(largeFont(font)).height() * (fitsOneLine(font, area.width()) ? 1.15 : 2.1));
    const double said = sentences ? std::ceil(QFontMetricsF(font).height() * 2.1) : 0.0;
    const double cells = static_cast<double>(at.keys) * at.cell_width;
    const double left = std::floor(area.left() + std::max(0.0, (room - cells) / 2.0));
    const double below = arithmetic + said + step_gap + at.row_height; // and the caption
    const auto rows = std::clamp<std::int64_t>(std::max(walk.termCount(), walk.features()), 1, panel_rows);
    const double ledger_room = area.height() - header - below - static_cast<double>(rows) * at.row_height - step_gap;
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
    const QRectF& room = pen.at.arithmetic;
    // Two lines of words are seldom equally long.
    const double lines = fitsOneLine(pen.style.font, room.width()) ? 1.0 : 1.8;
    const auto is_too_wide = [&](const QFont& font) {
        return QFontMetricsF(font).horizontalAdvance(arithmetic) > lines * room.width();
    };
    constexpr double by = 0.05;
    for (double factor = 1.0; is_too_wide(large) && factor > least_arithmetic - by; factor -= by)
        large = scaledFont(largeFont(pen.style.font), factor);
    pen.painter.setFont(large);
    pen.painter.setPen(pen.style.look.text);
    const QFontMetricsF metrics(large);
    if (lines > 1.0)
        pen.painter.drawText(room, Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextWordWrap,
                             metrics.elidedText(arithmetic, Qt::ElideMiddle, lines * room.width()));
    else
        pen.painter.drawText(room, Qt::AlignHCenter | Qt::AlignVCenter,
                             metrics.elidedText(arithmetic, Qt::ElideMiddle, room.width()));
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
                frame->progress = 1.0;
                frame->sentences = true;
                return frame;
            }};
}

// Paints the parts of a StepDrawing.

namespace {

constexpr double least_row = 3.0;          ///< of a matrix below the ledger
constexpr double highest_matrix_row = 3.0; ///< of one with few rows, in rows of the ledger

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
        pen.text(corner, Qt::AlignRight, displayedKeysText(pen.at.keys), look.muted);
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
    } else if (current < 0) {
        pen.text(pen.at.ledger, Qt::AlignHCenter, tr("The steps fill this table, row by row"), pen.style.look.muted);
    }
}

void StepDrawing::paintLine(const Pen& pen, const RowLine& line, const QRectF& row, bool current) const {
    const auto& look = pen.style.look;
    const QColor plain = current ? look.text : look.muted;
    if (line.operation == StepOperation::Score && walk.hasProducts()) { // "q · k" from the right
        QRectF room = pen.titleOf(row);
        for (const auto& [words, color] : {std::pair{QStringLiteral("k"), roleColor(AttentionRole::Key, look)},
                                           {QStringLiteral(" · "), plain},
                                           {QStringLiteral("q"), roleColor(AttentionRole::Query, look)}}) {
            pen.text(room, Qt::AlignRight, words, color);
            room.setRight(room.right() - pen.metrics.horizontalAdvance(words));
        }
    } else {
        pen.text(pen.titleOf(row), Qt::AlignRight, StepWords::title(walk, line.operation), plain);
    }
    const ColorScale scale = scaleOf(line);
    for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j) {
        const QRectF rect = pen.column(row, j);
        if (isReached(line))
            pen.cell(rect, line.values[static_cast<std::size_t>(j)], scale,
                     line.operation >= StepOperation::Mask && walk.isBlocked(j));
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
    if (const RowLine* line = barLine())
        return paintBars(pen, *line);
    paintMix(pen);
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
        const QColor color = products && row < 2 ? roleColor(row == 0 ? AttentionRole::Query : AttentionRole::Key, look)
                             : row == 2          ? look.text
                                                 : look.muted;
        pen.text(pen.titleOf(line), Qt::AlignRight, titles[row], color);
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
    const double height = fit >= least_row ? std::min(fit, at.row_height * highest_matrix_row) : least_row;
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
            pen.text(pen.titleOf(line), Qt::AlignRight, grid.title(row),
                     grid.role ? roleColor(*grid.role, look) : look.muted);
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
    if (walk.hasProducts())
        grid.role = AttentionRole::Query;
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
    grid.role = AttentionRole::Value;
    grid.value = [&](std::int64_t row, std::int64_t j) {
        return walk.isMixed() ? walk.row().part(j, row) : walk.valueOf(j, row);
    };
    grid.sum = [&](std::int64_t row) { return std::optional(walk.output(row, step.reached)); };
    grid.reached = step.reached;
    paintGrid(pen, grid);
}

bool StepDrawing::isFilled(const RowLine& line, std::int64_t key) const {
    if (line.operation > StepOperation::Shift)
        return false;
    if (line.operation >= StepOperation::Mask && walk.isBlocked(key))
        return true;
    // A bias such as −1e4 blocks, too: nothing is left of the exponential.
    constexpr double far_below = -700.0;
    return line.operation >= StepOperation::Bias && walk.line(StepOperation::Bias) &&
           walk.row().added(StepOperation::Bias, key) < far_below && walk.value(StepOperation::Exponential, key) == 0.0;
}

ValueRange StepDrawing::barRange(const RowLine& line) const {
    ValueRange range;
    range.include(0.0);
    for (const auto& other : walk.lines())
        for (std::int64_t j = 0; j < walk.keys(); ++j)
            if (hasScores(other) == hasScores(line) && !isFilled(other, j)) // a fill of −1e9 would flatten the others
                range.include(other.values[static_cast<std::size_t>(j)]);
    return range;
}

const RowLine* StepDrawing::barLine() const {
    if (walk.empty() || showsTerms() || step.operation == StepOperation::Mix)
        return nullptr;
    return &walk.lines()[static_cast<std::size_t>(std::max(0, currentLine()))];
}

/// Between scores and exponentials the axis is another one: bars become exponentials on the axis of the scores, which
/// then stretches; and the reverse on the way back.
StepDrawing::Bars StepDrawing::bars() const {
    Bars bars;
    const RowLine* line = barLine();
    if (!line)
        return bars;
    const RowLine* start = progress < 1.0 && from ? walk.line(*from) : nullptr;
    if (!start)
        start = line;
    double of_values = start == line ? 1.0 : std::clamp(progress, 0.0, 1.0), of_axis = of_values;
    if (hasScores(*start) != hasScores(*line)) {
        const double first = std::min(1.0, 2.0 * of_values), second = std::max(0.0, 2.0 * of_values - 1.0);
        of_values = hasScores(*start) ? first : second;
        of_axis = hasScores(*start) ? second : first;
    }
    bars.axis = barRange(*line);
    const ValueRange before = barRange(*start);
    bars.axis.low = std::lerp(before.low, bars.axis.low, of_axis);
    bars.axis.high = std::lerp(before.high, bars.axis.high, of_axis);
    for (std::int64_t j = 0; j < walk.keys(); ++j) {
        const double value = line->values[static_cast<std::size_t>(j)];
        double earlier = start->values[static_cast<std::size_t>(j)];
        if (!std::isfinite(earlier) || isFilled(*start, j))
            earlier = value;
        const bool is_bar = std::isfinite(value) && !isFilled(*line, j);
        bars.values.push_back(is_bar ? std::lerp(earlier, value, of_values) : std::nan(""));
    }
    return bars;
}

/// The line made by the step, as bars from zero. Dashed outlines show the line before it on the same axis.
void StepDrawing::paintBars(const Pen& pen, const RowLine& line) const {
    const auto& look = pen.style.look;
    const auto [values, axis] = bars();
    const RowLine* earlier = walk.before(line.operation);
    if (earlier && hasScores(*earlier) != hasScores(line))
        earlier = nullptr;
    const double low = axis.low, span = std::max(axis.high - axis.low, 1e-300);
    const QRectF room = pen.at.panel.adjusted(0, 2, 0, -2);
    const auto y_of = [&room, low, span](double value) {
        return room.bottom() - std::clamp((value - low) / span, 0.0, 1.0) * room.height();
    };
    const ColorScale scale = scaleOf(line);
    const std::int64_t reached = step.operation == StepOperation::RowSum ? step.reached : walk.keys();
    for (auto j = pen.at.first_key; j < pen.at.first_key + pen.at.keys; ++j) {
        const double value = values[static_cast<std::size_t>(j)];
        const QRectF column = pen.column(room, j);
        const QRectF slot = column.adjusted(column.width() * 0.18, 0, -column.width() * 0.18, 0);
        const auto bar_of = [&](double height) {
            return QRectF(QPointF(slot.left(), y_of(height)), QPointF(slot.right(), y_of(0.0))).normalized();
        };
        if (std::isnan(value)) {
            const bool blocked = !std::isnan(line.values[static_cast<std::size_t>(j)]);
            paintHatch(pen.painter, slot, look, blocked ? Hatch::Blocked : Hatch::NotANumber);
            continue;
        }
        const QRectF bar = bar_of(value);
        pen.painter.setOpacity(j < reached ? 1.0 : 0.25);
        pen.painter.fillRect(bar, QColor(shownOn(look, scale).color(value)));
        pen.painter.setPen(QPen(look.muted, 1));
        pen.painter.setBrush(Qt::NoBrush);
        pen.painter.drawRect(bar);
        pen.painter.setOpacity(1.0);
        const double before = earlier ? earlier->values[static_cast<std::size_t>(j)] : value;
        if (before != value && std::isfinite(before) && !isFilled(*earlier, j)) {
            pen.painter.setPen(QPen(look.muted, 1, Qt::DashLine));
            pen.painter.drawRect(bar_of(before));
        }
    }
    paintBarAxis(pen, axis, y_of);
    pen.text(pen.at.caption, Qt::AlignLeft, StepWords::title(walk, line.operation), look.muted);
}

void StepDrawing::paintBarAxis(const Pen& pen, const ValueRange& axis,
                               const std::function<double(double)>& y_of) const {
    const auto& look = pen.style.look;
    pen.painter.setPen(QPen(look.muted, 1));
    pen.painter.drawLine(QPointF(pen.at.panel.left(), y_of(0.0)), QPointF(pen.at.panel.right(), y_of(0.0)));
    for (const double tick : {axis.low, 0.0, axis.high}) {
        const double y = y_of(tick);
        if (tick == 0.0 || std::abs(y - y_of(0.0)) >= pen.at.row_height)
            pen.text(
                QRectF(pen.at.titles.left(), y - pen.at.row_height / 2, pen.at.titles.width() - 6.0, pen.at.row_height),
                Qt::AlignRight, numberText(tick, 3), look.muted);
    }
}

/// Highlights the column of the key whose arithmetic is shown.
void StepDrawing::paintPin(const Pen& pen) const {
    const bool whole_row = step.operation == StepOperation::RowSum || step.operation == StepOperation::Mix;
    const std::int64_t shown = whole_row && step.reached < walk.keys() ? step.reached - 1 : key;
    if (shown < pen.at.first_key || shown >= pen.at.first_key + pen.at.keys)
        return;
    pen.painter.setPen(QPen(pen.style.look.pin, 1.5));
    pen.painter.setBrush(Qt::NoBrush);
    if (currentLine() >= 0) // else a sentence is there
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
