#include "ui/drawing/bar_chart.h"

#include "ui/drawing/matrix_data.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/text.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

/// The weights of a long row are small: of those, digits count from the first that is not 0.
QString barText(double value) {
    const double magnitude = std::abs(value);
    return shareText(value, magnitude < 1e-3 && magnitude >= 1e-4 ? 6 : magnitude < 1e-2 ? 5 : 4);
}

} // namespace

BarChart::BarChart(QWidget* parent) : DrawingCanvas(parent, 0) {
    declareShortcuts(
        *this, {tr("Bars"), {{tr("Up, Down"), tr("Go from bar to bar")}, {tr("Enter, Space"), tr("Choose the bar")}}});
    drawing_.scale = ColorScale{&colormap({})};
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

void BarChart::chooseShown() {
    shown_ = largestBars();
    drawing_.rows.clear();
    for (const int index : shown_) {
        const Bar& bar = bars_[static_cast<std::size_t>(index)];
        drawing_.rows.push_back({.name = bar.label,
                                 .value = bar.value,
                                 .numbers = {bar.blocked ? tr("masked") : barText(bar.value)},
                                 .blocked = bar.blocked,
                                 .help = textOfBar(bar)});
    }
    drawing_.rest = omissionText();
    drawing_.marked = rowOf(highlighted_);
    drawing_.selected = rowOf(hovered_);
    drawing_.fitRange();
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
    return QSize(width, static_cast<int>(drawing_.smallest(font(), width).height()));
}

QSize BarChart::minimumSizeHint() const { return QSize(fontMetrics().averageCharWidth() * 18, sizeHint().height()); }

} // namespace attnlab::ui
