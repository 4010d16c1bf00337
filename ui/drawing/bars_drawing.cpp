#include "ui/drawing/bars_drawing.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/drawing/matrix_data.h"
#include "ui/drawing/text_drawing.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <tuple>

namespace attnlab::ui {
namespace {

constexpr double bars_gap = 8.0;            ///< between columns
constexpr double most_of_width = 3.0 / 8.0; ///< for names
constexpr double bar_share = 0.85;          ///< thickness of a bar in heights of the text
constexpr qsizetype measured_letters = 100; ///< of a name: more are cut anyway
constexpr double least_bar = 1.0;           ///< a tiny value is visible
constexpr double bars_outline = 1.0, narrowest_with_outline = 3.0;
constexpr double word_margin = 3.0; ///< plain around the word of a blocked bar
// Of rows with names above their bars, in heights of the text.
constexpr double name_above = 1.2, least_below = 0.4, most_below = 2.2, usual_below = 1.1, between_rows = 0.7;

double lengthOf(const BarsDrawing::Row& row) { return row.blocked || !std::isfinite(row.value) ? 0.0 : row.value; }

QFont boldOf(QFont font) {
    font.setBold(true);
    return font;
}

double widestOf(const QFontMetricsF& metrics, const QString& text, double before) {
    return std::max(before, std::ceil(metrics.horizontalAdvance(text.left(measured_letters))));
}

/// Behind its point; 0 for a number without one, as in "9.6e-05".
qsizetype decimalsOf(const QString& number) {
    const qsizetype point = number.indexOf(QLatin1Char('.'));
    const bool is_plain = point >= 0 && !number.contains(QLatin1Char('e'));
    return is_plain ? number.size() - point - 1 : 0;
}

/// `width` and a gap, or nothing.
double withGap(double width) { return width > 0.0 ? width + bars_gap : 0.0; }

} // namespace

/// Positions that all rows share.
struct BarsDrawing::Layout {
    QRectF area;
    double top = 0.0;                      ///< of the first row
    double step = 0.0;                     ///< from row to row
    double line = 0.0;                     ///< height of the line with name and numbers
    double thickness = 0.0, bar_top = 0.0; ///< of a bar, in its row
    double names_right = 0.0, before_right = 0.0;
    double bar_left = 0.0, bar_right = 0.0;
    double zero = 0.0, pixels_per_unit = 0.0;
    std::vector<double> numbers_right; ///< by column
    std::vector<qsizetype> decimals;   ///< by column, the most
    double digit = 0.0;                ///< width
    double stub = 0.0;                 ///< length of blocked bars
};

void BarsDrawing::fitRange() {
    low = high = 0.0;
    for (const auto& row : rows) {
        for (const double length : {lengthOf(row), row.reference.value_or(0.0)}) {
            low = std::min(low, length);
            high = std::max(high, length);
        }
    }
}

bool BarsDrawing::hasHeading() const {
    return !heading.isEmpty() || !name_heading.isEmpty() || !number_headings.join(QString()).isEmpty();
}

double BarsDrawing::rowHeight(const QFont& font) const { return std::round(row_lines * QFontMetricsF(font).height()); }

QSizeF BarsDrawing::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(font).height();
    const double row = names == Names::AboveBars ? (name_above + usual_below + between_rows) * line : rowHeight(font);
    const double above = hasHeading() ? rowHeight(font) : 0.0, below = rest.isEmpty() ? 0.0 : rowHeight(font);
    return QSizeF(width, above + static_cast<double>(rows.size()) * row + below);
}

BarsDrawing::Layout BarsDrawing::layoutIn(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(font), bold(boldOf(font));
    const bool above = names == Names::AboveBars;
    double name = name_heading.isEmpty() ? 0.0 : widestOf(metrics, name_heading, 0.0);
    double before = heading_before.isEmpty() ? 0.0 : widestOf(metrics, heading_before, 0.0);
    auto columns = number_headings.size();
    for (const auto& row : rows)
        columns = std::max(columns, row.blocked ? 0 : row.numbers.size());
    std::vector<double> numbers(static_cast<std::size_t>(columns), widestOf(metrics, widest_number, 0.0));
    for (qsizetype k = 0; k < number_headings.size(); ++k)
        numbers[static_cast<std::size_t>(k)] =
            widestOf(metrics, number_headings[k], numbers[static_cast<std::size_t>(k)]);
    Layout result;
    result.area = area;
    result.digit = metrics.horizontalAdvance(QLatin1Char('0'));
    result.decimals.assign(numbers.size(), 0);
    for (const auto& row : rows)
        for (qsizetype k = 0; aligns_points && !row.blocked && k < row.numbers.size(); ++k) {
            qsizetype& most = result.decimals[static_cast<std::size_t>(k)];
            most = std::max(most, decimalsOf(row.numbers[k]));
        }
    for (int index = 0; const auto& row : rows) {
        if (!above)
            name = widestOf(index == marked ? bold : metrics, row.name, name);
        before = widestOf(metrics, row.number_before, before);
        for (qsizetype k = 0; k < row.numbers.size(); ++k)
            if (row.blocked)
                result.stub = widestOf(metrics, row.numbers[k], result.stub);
            else
                numbers[static_cast<std::size_t>(k)] =
                    std::max(numbers[static_cast<std::size_t>(k)],
                             widestOf(metrics, row.numbers[k], 0.0) +
                                 behindNumber(row.numbers[k], static_cast<std::size_t>(k), result));
        ++index;
    }
    for (const auto& other : other_names)
        name = widestOf(metrics, other, name);
    name = std::min(name, std::max(most_of_width * area.width(), 6.0 * metrics.averageCharWidth()));

    result.names_right = area.left() + (above ? 0.0 : name);
    result.before_right = result.names_right + (before > 0.0 ? bars_gap + before : 0.0);
    result.bar_left = result.before_right + (above ? 0.0 : bars_gap);
    double right = area.right();
    for (auto k = numbers.size(); k-- > 0;) {
        result.numbers_right.insert(result.numbers_right.begin(), right);
        right -= withGap(std::min(numbers[k], 0.35 * area.width()));
    }
    result.bar_right = std::max(result.bar_left, right);
    const double span = high / 2.0 - low / 2.0; // halved: the ends may be as far apart as doubles go
    result.pixels_per_unit = span > 0.0 ? (result.bar_right - result.bar_left) / 2.0 / span : 0.0;
    result.zero = result.bar_left - low * result.pixels_per_unit;

    const double text = metrics.height();
    result.top = area.top() + (hasHeading() ? rowHeight(font) : 0.0);
    if (above) {
        const double room = (area.bottom() - result.top) / std::max(1.0, static_cast<double>(rows.size()));
        result.thickness = std::clamp(room - (name_above + between_rows) * text, least_below * text, most_below * text);
        result.step = std::min(room, result.thickness + (name_above + 2.0 * between_rows) * text);
        result.line = result.bar_top = name_above * text;
    } else {
        result.step = result.line = rowHeight(font);
        result.thickness = std::round(bar_share * text);
        result.bar_top = std::round((result.step - result.thickness) / 2.0);
    }
    return result;
}

/// What decimals of other rows take behind this number of a column.
double BarsDrawing::behindNumber(const QString& number, std::size_t column, const Layout& at) {
    const qsizetype own = decimalsOf(number);
    return own == 0 ? 0.0
                    : std::ceil(static_cast<double>(std::max<qsizetype>(0, at.decimals[column] - own)) * at.digit);
}

QRectF BarsDrawing::barIn(const Row& row, std::size_t index, const Layout& at) const {
    const double top = at.top + static_cast<double>(index) * at.step + at.bar_top;
    if (row.blocked) {
        const double word = frameCrossesWord(row, at) ? *row.reference * at.pixels_per_unit : 0.0; // it begins there
        return QRectF(at.bar_left, top, std::min(word + at.stub + 2.0 * bars_gap, at.area.right() - at.bar_left),
                      at.thickness);
    }
    const double length = std::clamp(lengthOf(row), low, high) * at.pixels_per_unit;
    const double width = length == 0.0 ? 0.0 : std::max(least_bar, std::abs(length));
    return QRectF(length < 0.0 ? at.zero - width : at.zero, top, width, at.thickness);
}

QRectF BarsDrawing::barRect(int row, const QRectF& area, const QFont& font) const {
    const auto index = static_cast<std::size_t>(row);
    return row < 0 || index >= rows.size() ? QRectF() : barIn(rows[index], index, layoutIn(area, font));
}

/// Whether the end of the frame would run through the word in the stub of a blocked row.
bool BarsDrawing::frameCrossesWord(const Row& row, const Layout& at) const {
    const double end = at.zero + row.reference.value_or(0.0) * at.pixels_per_unit - at.bar_left;
    return end > bars_gap - word_margin && end < bars_gap + at.stub + word_margin;
}

/// Inside the outline of the bar, in whole pixels: a blurred line would be too faint.
QRectF BarsDrawing::frameIn(const Row& row, const QRectF& bar, const Layout& at) const {
    if (!row.reference || !(*row.reference > 0.0))
        return {};
    const double left = std::round(at.zero) + 0.5;
    const double right = std::round(at.zero + std::min(*row.reference, high) * at.pixels_per_unit) - 0.5;
    const double inset = row.blocked ? 0.0 : bars_outline;
    return QRectF(QPointF(left + inset, std::round(bar.top()) + 0.5 + inset),
                  QPointF(std::max(left + inset + 1.0, right), std::round(bar.bottom()) - 0.5 - inset));
}

QRectF BarsDrawing::frameRect(int row, const QRectF& area, const QFont& font) const {
    const auto index = static_cast<std::size_t>(row);
    if (row < 0 || index >= rows.size())
        return {};
    const Layout at = layoutIn(area, font);
    return frameIn(rows[index], barIn(rows[index], index, at), at);
}

int BarsDrawing::rowAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    if (position.x() < area.left() || position.x() >= area.right())
        return -1;
    const Layout at = names == Names::AboveBars ? layoutIn(area, font) : Layout{};
    const double top = area.top() + (hasHeading() ? rowHeight(font) : 0.0);
    const double row = std::floor((position.y() - top) / (at.step > 0.0 ? at.step : rowHeight(font)));
    return row >= 0.0 && row < static_cast<double>(rows.size()) ? static_cast<int>(row) : -1;
}

QString BarsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const int row = rowAt(position, area, font);
    return row < 0 ? QString() : rows[static_cast<std::size_t>(row)].help;
}

void BarsDrawing::paintHeadings(QPainter& painter, const Layout& at, const DrawingStyle& style) const {
    const double height = at.top - at.area.top();
    const auto write = [&](double left, double right, Qt::Alignment side, const QString& text) {
        drawText(painter, QRectF(left, at.area.top(), right - left, height), side | Qt::AlignVCenter,
                 QFontMetricsF(style.font).elidedText(text, Qt::ElideRight, right - left));
    };
    painter.setPen(style.look.muted);
    write(at.area.left(), at.names_right, Qt::AlignLeft, name_heading);
    write(at.names_right, at.before_right, Qt::AlignRight, heading_before);
    write(name_heading.isEmpty() ? at.area.left() : at.bar_left, at.bar_right, Qt::AlignLeft, heading);
    for (qsizetype k = 0; k < number_headings.size(); ++k)
        write(at.bar_right, at.numbers_right[static_cast<std::size_t>(k)], Qt::AlignRight, number_headings[k]);
}

void BarsDrawing::paintBar(QPainter& painter, const Row& row, const QRectF& bar, const Layout& at,
                           const DrawingStyle& style) const {
    const Theme& look = style.look;
    if (whole_length)
        painter.fillRect(QRectF(at.bar_left, bar.top(), at.bar_right - at.bar_left, bar.height()), look.border);
    else
        painter.fillRect(QRectF(at.zero, bar.top(), 1.0, bar.height()), look.border);
    const QColor color = row.wrong ? look.error_text : row.color < 0 ? look.accent : seriesColor(row.color, look);
    if (bar.width() > 0.0 && !scale)
        painter.fillRect(bar, color);
    else if (bar.width() > 0.0) {
        // One end of a map would vanish on a dark card, the other on a light one: the outline is as clear as text.
        const bool outlined = bar.width() > narrowest_with_outline;
        painter.setPen(outlined ? QPen(look.muted, bars_outline) : QPen(Qt::NoPen));
        painter.setBrush(outlined ? QColor::fromRgba(shownOn(look, *scale).color(row.value)) : look.muted);
        const double inset = outlined ? bars_outline / 2.0 : 0.0, left = std::round(bar.left());
        const QRectF sharp(QPointF(left, bar.top()),
                           QPointF(std::max(std::round(bar.right()), left + 1), bar.bottom()));
        painter.drawRoundedRect(sharp.adjusted(inset, inset, -inset, -inset), 2, 2);
    }
    const QColor filled = scale && bar.width() > narrowest_with_outline
                              ? QColor::fromRgba(shownOn(look, *scale).color(row.value))
                          : scale ? look.muted
                                  : color;
    paintFrame(painter, frameIn(row, bar, at), bar, textColorOn(filled.rgb()), look);
}

/// With the colour `inside` over the bar.
void BarsDrawing::paintFrame(QPainter& painter, const QRectF& frame, const QRectF& bar, const QColor& inside,
                             const Theme& look) const {
    if (frame.isEmpty())
        return;
    const QRectF all = frame.adjusted(-1, -1, 1, 1);
    // The bar ends at a whole pixel, as its fill does.
    const double end = bar.isEmpty() ? all.left() : std::clamp(std::round(bar.right()), all.left(), all.right());
    painter.setBrush(Qt::NoBrush);
    for (const auto& [left, right, color] : {std::tuple(all.left(), end, inside), {end, all.right(), look.text}}) {
        painter.save();
        painter.setClipRect(QRectF(QPointF(left, all.top()), QPointF(right, all.bottom())), Qt::IntersectClip);
        painter.setPen(color);
        painter.drawRect(frame);
        painter.restore();
    }
}

void BarsDrawing::paintBlocked(QPainter& painter, const Row& row, const QRectF& bar, const Layout& at,
                               const Theme& look) const {
    const QString text = row.numbers.join(QLatin1Char(' '));
    paintHatch(painter, bar, look);
    const QRectF frame = frameIn(row, bar, at);
    if (!frame.isEmpty()) { // lines of the hatch would hide it
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.hatch_back, 3.0));
        painter.save();
        painter.setClipRect(bar, Qt::IntersectClip);
        painter.drawRect(frame);
        painter.restore();
    }
    paintFrame(painter, frame, bar, look.text, look);
    const double room = std::min(bar.width(), at.stub + 2.0 * bars_gap);
    const QRectF place(bar.right() - room, bar.top(), room, bar.height());
    painter.fillRect(painter.boundingRect(place, Qt::AlignCenter, text).adjusted(-word_margin, 1, word_margin, -1),
                     look.hatch_back); // lines would run through it
    painter.setPen(look.muted);
    drawText(painter, place, Qt::AlignCenter, text);
}

void BarsDrawing::paintRow(QPainter& painter, std::size_t index, const Layout& at, const DrawingStyle& style) const {
    const Theme& look = style.look;
    const Row& row = rows[index];
    const bool above = names == Names::AboveBars, is_marked = static_cast<int>(index) == marked;
    const QRectF line(at.area.left(), at.top + static_cast<double>(index) * at.step, at.area.width(), at.line);
    if (static_cast<int>(index) == selected)
        painter.fillRect(line, look.accent_soft);

    const QFont name_font = is_marked ? boldOf(style.font) : style.font;
    painter.setFont(name_font);
    painter.setPen(row.wrong                         ? look.error_text
                   : is_marked                       ? chosenInk(look)
                   : row.blocked                     ? look.muted
                   : colored_names && row.color >= 0 ? seriesColor(row.color, look)
                                                     : look.text);
    const QRectF name_place =
        above ? line : QRectF(line.left(), line.top(), at.names_right - line.left(), line.height());
    drawText(painter, name_place, (names == Names::BeforeBars ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
             QFontMetricsF(name_font).elidedText(row.name.left(measured_letters), Qt::ElideRight, name_place.width()));

    painter.setFont(style.font);
    const QRectF bar = barIn(row, index, at);
    if (row.blocked)
        return paintBlocked(painter, row, bar, at, look);
    paintBar(painter, row, bar, at, style);
    painter.setPen(row.wrong ? look.error_text : look.text);
    const double top = above ? bar.top() : line.top(), height = above ? bar.height() : line.height();
    drawText(painter, QRectF(at.names_right, top, at.before_right - at.names_right, height),
             Qt::AlignRight | Qt::AlignVCenter, row.number_before);
    for (qsizetype k = 0; k < row.numbers.size(); ++k) {
        const auto column = static_cast<std::size_t>(k);
        const double right = at.numbers_right[column] - behindNumber(row.numbers[k], column, at);
        drawText(painter, QRectF(at.area.left(), top, right - at.area.left(), height),
                 Qt::AlignRight | Qt::AlignVCenter, row.numbers[k]);
    }
}

void BarsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(style.font);
    const Layout at = layoutIn(area, style.font);
    const QRectF exposed = painter.hasClipping() ? painter.clipBoundingRect() : area;
    if (hasHeading())
        paintHeadings(painter, at, style);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const double top = at.top + static_cast<double>(k) * at.step;
        if (top <= exposed.bottom() && top + at.step >= exposed.top())
            paintRow(painter, k, at, style);
    }
    if (!rest.isEmpty()) {
        painter.setPen(style.look.muted);
        drawText(painter,
                 QRectF(at.bar_left, at.top + static_cast<double>(rows.size()) * at.step, area.right() - at.bar_left,
                        at.step),
                 Qt::AlignLeft | Qt::AlignVCenter, rest);
    }
    painter.restore();
}

namespace {

constexpr int room_for_focus = 4; ///< its frame is around names and numbers, not through them

/// The weights of a long row are small: of those, digits count from the first that is not 0.
QString barText(double value) {
    const double magnitude = std::abs(value);
    return shareText(value, magnitude < 1e-3 && magnitude >= 1e-4 ? 6 : magnitude < 1e-2 ? 5 : 4);
}

} // namespace

BarChart::BarChart(QWidget* parent) : DrawingCanvas(parent, room_for_focus) {
    declareShortcuts(
        *this, {tr("Bars"), {{tr("Up, Down"), tr("Go from bar to bar")}, {tr("Enter, Space"), tr("Choose the bar")}}});
    drawing_.scale = ColorScale{&colormap({})};
    drawing_.aligns_points = true;
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setDrawing(&drawing_);
    connect(this, &DrawingCanvas::pointed, this,
            [this](std::optional<QPointF> position) { setHovered(position ? barAt(*position) : -1); });
    connect(this, &DrawingCanvas::clicked, this, [this](QPointF position) {
        if (const int bar = barAt(position); bar >= 0)
            emit barClicked(bar);
    });
}

void BarChart::setBars(std::vector<Bar> bars, const ColorScale& scale, int highlighted, int left_out) {
    const QSize before = sizeHint();
    bars_ = std::move(bars);
    drawing_.scale = scale;
    highlighted_ = highlighted;
    left_out_ = left_out;
    if (hovered_ >= static_cast<int>(bars_.size()))
        hovered_ = -1;
    chooseShown();
    if (sizeHint() != before)
        updateGeometry();
    say();
    update();
}

void BarChart::setTitle(const QString& title) {
    title_ = title;
    say();
}

void BarChart::setOrder(Order order) {
    order_ = order;
    chooseShown();
    say();
    update();
}

void BarChart::say() {
    QStringList texts;
    for (const int index : shown_) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        texts << tr("%1: %2").arg(bar.label, bar.blocked ? tr("masked") : barText(bar.value));
    }
    const QString all = texts.join(QStringLiteral("; "));
    setAccessibleName(title_.isEmpty() ? all : tr("%1: %2").arg(title_, all));
    sayHovered();
}

void BarChart::sayHovered() {
    const QString text = hovered_ < 0 ? QString() : textOfBar(bars_[static_cast<std::size_t>(hovered_)]);
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

QString BarChart::textOfBar(const Bar& bar) {
    return tr("%1: %2").arg(bar.label, bar.blocked ? tr("masked") : exactText(bar.value));
}

QString BarChart::textOfBars() const {
    QStringList texts;
    for (const int index : shown_)
        texts << textOfBar(bars_[static_cast<std::size_t>(index)]);
    return texts.join(QLatin1Char('\n'));
}

void BarChart::setLimit(int limit) {
    limit_ = std::max(1, limit);
    chooseShown();
    say();
    updateGeometry();
    update();
}

void BarChart::setReach(double low, double high) {
    reach_low_ = low;
    reach_high_ = high;
}

void BarChart::chooseShown() {
    shown_ = largestBars();
    drawing_.rows.clear();
    for (const int index : shown_) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        drawing_.rows.push_back({.name = bar.label,
                                 .value = bar.value,
                                 .numbers = {bar.blocked ? tr("masked") : barText(bar.value)},
                                 .reference = bar.before,
                                 .blocked = bar.blocked,
                                 .help = textOfBar(bar)});
    }
    drawing_.rest = omissionText();
    drawing_.marked = rowOf(highlighted_);
    drawing_.selected = rowOf(hovered_);
    drawing_.fitRange();
    drawing_.low = std::min(drawing_.low, reach_low_);
    drawing_.high = std::max(drawing_.high, reach_high_);
}

int BarChart::rowOf(int index) const {
    const auto found = std::ranges::find(shown_, index);
    return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

std::vector<int> BarChart::largestBars() const {
    std::vector<int> shown(bars_.size());
    std::iota(shown.begin(), shown.end(), 0);
    const auto limit = static_cast<std::size_t>(limit_);
    if (shown.size() <= limit && order_ == Order::Given)
        return shown;
    const auto magnitude = [this](int index) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        return bar.blocked ? -2.0 : std::isnan(bar.value) ? -1.0 : std::abs(bar.value);
    };
    std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) { return magnitude(a) > magnitude(b); });
    if (shown.size() > limit)
        shown.resize(limit);
    if (order_ == Order::Given)
        std::sort(shown.begin(), shown.end());
    return shown;
}

QString BarChart::omissionText() const {
    const auto omitted = left_out_ + static_cast<int>(bars_.size() - shown_.size());
    return omitted == 0 ? QString() : tr("%n smaller not shown", nullptr, omitted);
}

QRectF BarChart::barRect(int index) const { return drawing_.barRect(rowOf(index), area(), font()); }

int BarChart::barAt(const QPointF& position) const {
    const int row = drawing_.rowAt(position, area(), font());
    return row < 0 ? -1 : shown_[static_cast<std::size_t>(row)];
}

void BarChart::setHovered(int index) {
    if (index == hovered_)
        return;
    hovered_ = index;
    drawing_.selected = rowOf(index);
    sayHovered();
    update();
    emit barHovered(index);
}

void BarChart::step(int rows) {
    if (shown_.empty())
        return;
    const int last = static_cast<int>(shown_.size()) - 1, at = rowOf(hovered_ < 0 ? highlighted_ : hovered_);
    const int row = at < 0 ? (rows > 0 ? 0 : last) : hovered_ < 0 ? at : std::clamp(at + rows, 0, last);
    setHovered(shown_[static_cast<std::size_t>(row)]);
}

void BarChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        step(event->key() == Qt::Key_Up ? -1 : 1);
    else if (hovered_ >= 0 &&
             (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space))
        emit barClicked(hovered_);
    else
        DrawingCanvas::keyPressEvent(event);
}

void BarChart::focusOutEvent(QFocusEvent* event) {
    setHovered(-1);
    DrawingCanvas::focusOutEvent(event);
}

QSize BarChart::sizeHint() const {
    const int width = fontMetrics().averageCharWidth() * 34;
    return QSize(width, static_cast<int>(drawing_.smallest(font(), width).height()) + 2 * room_for_focus);
}

QSize BarChart::minimumSizeHint() const { return QSize(fontMetrics().averageCharWidth() * 18, sizeHint().height()); }

} // namespace attnlab::ui
