#include "ui/drawing/bar_chart.h"

#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr int bar_gap = 8;
constexpr qsizetype measured_letters = 100; ///< of a label: more are cut anyway
constexpr double bar_outline = 1.0, narrowest_bar_with_outline = 3.0;

/// The number that a bar's length represents; none for blocked and non-finite bars.
double extentOf(const Bar& bar) { return bar.blocked || !std::isfinite(bar.value) ? 0.0 : bar.value; }

/// The weights of a long row are small: of those, digits count from the first that is not 0.
QString barText(double value) {
    const double magnitude = std::abs(value);
    return shareText(value, magnitude < 1e-3 && magnitude >= 1e-4 ? 6 : magnitude < 1e-2 ? 5 : 4);
}

} // namespace

/// Positions along x, shared by all rows.
struct BarChart::Columns {
    double label_right = 0.0;
    double bar_left = 0.0;
    double zero = 0.0; ///< where bars start
    double pixels_per_unit = 0.0;
    double bar_right = 0.0;
    double number_left = 0.0;
};

BarChart::BarChart(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Chart);
    declareShortcuts(
        *this, {tr("Bars"), {{tr("Up, Down"), tr("Go from bar to bar")}, {tr("Enter, Space"), tr("Choose the bar")}}});
    scale_.map = &colormap({});
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BarChart::setBars(std::vector<Bar> bars, const ColorScale& scale, int highlighted, int left_out) {
    const QSize before = sizeHint();
    bars_ = std::move(bars);
    scale_ = scale;
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

QString BarChart::textOfBar(const Bar& bar) const {
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

void BarChart::chooseShown() {
    label_width_ = -1;
    shown_.resize(bars_.size());
    std::iota(shown_.begin(), shown_.end(), 0);
    const auto limit = static_cast<std::size_t>(limit_);
    if (shown_.size() <= limit && order_ == Order::Given)
        return;
    const auto magnitude = [this](int index) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        return bar.blocked ? -2.0 : std::isnan(bar.value) ? -1.0 : std::abs(bar.value);
    };
    std::stable_sort(shown_.begin(), shown_.end(), [&](int a, int b) { return magnitude(a) > magnitude(b); });
    if (shown_.size() > limit)
        shown_.resize(limit);
    if (order_ == Order::Given)
        std::sort(shown_.begin(), shown_.end());
}

QString BarChart::omissionText() const {
    const auto omitted = left_out_ + static_cast<int>(bars_.size() - shown_.size());
    return omitted == 0 ? QString() : tr("%n smaller not shown", nullptr, omitted);
}

int BarChart::rowHeight() const { return fontMetrics().height() + 3; }

void BarChart::measure() const {
    const QFontMetrics metrics = fontMetrics();
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics highlighted_metrics(bold);
    label_width_ = number_width_ = 0;
    low_ = high_ = 0.0;
    for (const int index : shown_) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        const QFontMetrics& used = index == highlighted_ ? highlighted_metrics : metrics;
        label_width_ = std::max(label_width_, used.horizontalAdvance(bar.label.left(measured_letters)) + 2);
        if (!bar.blocked)
            number_width_ = std::max(number_width_, metrics.horizontalAdvance(barText(bar.value)) + 2);
        low_ = std::min(low_, extentOf(bar));
        high_ = std::max(high_, extentOf(bar));
    }
}

BarChart::Columns BarChart::columns() const {
    if (label_width_ < 0)
        measure();
    Columns result;
    result.label_right = std::min(label_width_, std::max(width() * 3 / 8, fontMetrics().averageCharWidth() * 6));
    result.bar_left = result.label_right + bar_gap;
    result.number_left = std::max(result.bar_left + bar_gap, static_cast<double>(width() - number_width_));
    result.bar_right = std::max(result.bar_left, result.number_left - bar_gap);
    const double span = high_ / 2.0 - low_ / 2.0; // halved: the ends may be as far apart as doubles go
    result.pixels_per_unit = span > 0.0 ? (result.bar_right - result.bar_left) / 2.0 / span : 0.0;
    result.zero = result.bar_left - low_ * result.pixels_per_unit;
    return result;
}

QRectF BarChart::barRect(int index) const {
    const auto found = std::find(shown_.begin(), shown_.end(), index);
    return found == shown_.end() ? QRectF() : barInRow(static_cast<int>(found - shown_.begin()), columns());
}

QRectF BarChart::barInRow(int row, const Columns& at) const {
    const Bar& bar = bars_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])];
    const double top = row * rowHeight() + 2;
    const double height = rowHeight() - 4;
    if (bar.blocked) {
        const double stub = fontMetrics().horizontalAdvance(tr("masked")) + 2 * bar_gap;
        return QRectF(at.bar_left, top, std::min(stub, width() - at.bar_left), height);
    }
    const double end = at.zero + extentOf(bar) * at.pixels_per_unit;
    const double left = std::min(at.zero, end);
    // Never quite nothing: a tiny weight is there, a masked one is not.
    return QRectF(left, top, std::max(1.0, std::abs(end - at.zero)), height);
}

void BarChart::paintRow(QPainter& painter, int row, const Columns& at) const {
    const Theme& look = theme();
    const int index = shown_[static_cast<std::size_t>(row)];
    const Bar& bar = bars_[static_cast<std::size_t>(index)];
    const QRectF line(0, row * rowHeight(), width(), rowHeight());
    if (index == hovered_)
        painter.fillRect(line, look.accent_soft);

    QFont label_font = font();
    label_font.setBold(index == highlighted_);
    painter.setFont(label_font);
    painter.setPen(index == highlighted_ ? look.accent : bar.blocked ? look.muted : look.text);
    const QString label =
        QFontMetrics(label_font)
            .elidedText(bar.label.left(measured_letters), Qt::ElideRight, static_cast<int>(at.label_right));
    painter.drawText(QRectF(0, line.top(), at.label_right, line.height()), Qt::AlignRight | Qt::AlignVCenter, label);

    painter.setFont(font());
    const QRectF shape = barInRow(row, at);
    painter.setPen(look.muted);
    if (bar.blocked) {
        paintHatch(painter, shape);
        const QRectF word = painter.boundingRect(shape, Qt::AlignCenter, tr("masked"));
        painter.fillRect(word.adjusted(-3, 0, 3, 0), look.hatch_back); // lines would run through it
        painter.drawText(shape, Qt::AlignCenter, tr("masked"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (!std::isnan(bar.value)) {
        // One end of a map would vanish on a dark card, the other on a light one: the outline is as clear as text.
        const bool outlined = shape.width() > narrowest_bar_with_outline;
        painter.setPen(outlined ? QPen(look.muted, bar_outline) : QPen(Qt::NoPen));
        painter.setBrush(outlined ? QColor::fromRgba(shownOn(look, scale_).color(bar.value)) : look.muted);
        const double inset = outlined ? bar_outline / 2.0 : 0.0;
        const QRectF sharp(QPointF(std::round(shape.left()), shape.top()),
                           QPointF(std::max(std::round(shape.right()), std::round(shape.left()) + 1), shape.bottom()));
        painter.drawRoundedRect(sharp.adjusted(inset, inset, -inset, -inset), 2, 2);
    }
    painter.setPen(index == highlighted_ ? look.text : look.muted);
    painter.drawText(QRectF(at.number_left, line.top(), width() - at.number_left, line.height()),
                     Qt::AlignRight | Qt::AlignVCenter, barText(bar.value));
}

void BarChart::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const Columns at = columns();
    const int first = std::max(0, event->rect().top() / rowHeight());
    const int last = std::min(static_cast<int>(shown_.size()) - 1, event->rect().bottom() / rowHeight());
    for (int row = first; row <= last; ++row)
        paintRow(painter, row, at);
    const QString omitted = omissionText();
    if (!omitted.isEmpty()) {
        painter.setPen(theme().muted);
        painter.drawText(
            QRectF(at.bar_left, static_cast<double>(shown_.size()) * rowHeight(), width() - at.bar_left, rowHeight()),
            Qt::AlignLeft | Qt::AlignVCenter, omitted);
    }
    if (hasFocus())
        paintFocusFrame(painter, *this);
}

int BarChart::barAt(const QPointF& position) const {
    const double row = std::floor(position.y() / rowHeight());
    if (row < 0 || row >= static_cast<double>(shown_.size()) || position.x() < 0 || position.x() >= width())
        return -1;
    return shown_[static_cast<std::size_t>(row)];
}

void BarChart::setHovered(int index) {
    if (index == hovered_)
        return;
    hovered_ = index;
    sayHovered();
    update();
    emit barHovered(index);
}

void BarChart::mouseMoveEvent(QMouseEvent* event) { setHovered(barAt(event->position())); }

void BarChart::mousePressEvent(QMouseEvent* event) {
    const int index = barAt(event->position());
    if (event->button() == Qt::LeftButton && index >= 0)
        emit barClicked(index);
}

void BarChart::leaveEvent(QEvent*) { setHovered(-1); }

void BarChart::step(int rows) {
    if (shown_.empty())
        return;
    const auto found = std::find(shown_.begin(), shown_.end(), hovered_ < 0 ? highlighted_ : hovered_);
    const auto last = static_cast<int>(shown_.size()) - 1;
    const auto row = found == shown_.end() ? (rows > 0 ? 0 : last)
                     : hovered_ < 0        ? static_cast<int>(found - shown_.begin())
                                           : std::clamp(static_cast<int>(found - shown_.begin()) + rows, 0, last);
    setHovered(shown_[static_cast<std::size_t>(row)]);
}

void BarChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        step(event->key() == Qt::Key_Up ? -1 : 1);
    else if (hovered_ >= 0 &&
             (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space))
        emit barClicked(hovered_);
    else
        QWidget::keyPressEvent(event);
}

void BarChart::focusOutEvent(QFocusEvent* event) {
    setHovered(-1);
    QWidget::focusOutEvent(event);
}

void BarChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        label_width_ = -1;
}

bool BarChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const int index = barAt(tipPosition(*event));
        showTip(*event, index < 0 ? QString() : textOfBar(bars_[static_cast<std::size_t>(index)]), *this);
        return true;
    }
    return QWidget::event(event);
}

QSize BarChart::sizeHint() const {
    const auto lines = static_cast<int>(shown_.size()) + (omissionText().isEmpty() ? 0 : 1);
    return QSize(fontMetrics().averageCharWidth() * 34, lines * rowHeight());
}

QSize BarChart::minimumSizeHint() const { return QSize(fontMetrics().averageCharWidth() * 18, sizeHint().height()); }

} // namespace attnlab::ui
