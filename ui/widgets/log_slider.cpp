#include "ui/widgets/log_slider.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace attnlab::ui {
namespace {

constexpr int places = 100'000; ///< between the ends
constexpr int small_step = 100, usual_step = 1000, large_step = 10'000;
constexpr double side = 12.0;       ///< beside the groove: half of the handle and its focus ring
constexpr double handle = 8.0;      ///< radius
constexpr double snap_within = 6.0; ///< pixels from a mark
constexpr int usual_width = 320;

double rounded(double number) {
    const double unit = std::pow(10.0, std::floor(std::log10(number)) - 3.0);
    // Dividing by a whole power of ten gives the nearest double: 0.3, not 0.30000000000000004.
    return unit < 1.0 ? std::round(number / unit) / std::round(1.0 / unit) : std::round(number / unit) * unit;
}

} // namespace

LogSlider::LogSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setRange(0, places);
    setSingleStep(usual_step);
    setPageStep(large_step);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setLayoutDirection(Qt::LeftToRight); // as the axes of charts
    declareShortcuts(*this,
                     {tr("Slider of a number"),
                      {{tr("Left, Right"), tr("Change the number; with Shift by ten steps, with Alt by a tenth")},
                       {tr("Home, End"), tr("Go to an end")},
                       {tr("Escape"), tr("During a drag: bring the number before back")}}});
    connect(this, &QSlider::valueChanged, this, [this] {
        update();
        emit edited(number());
    });
}

void LogSlider::setAxis(double low, double high, std::vector<Mark> marks) {
    low_ = low;
    high_ = high;
    marks_ = std::move(marks);
    update();
}

int LogSlider::placeOf(double number) const {
    const double at = std::log(number / low_) / std::log(high_ / low_);
    return static_cast<int>(std::lround(std::clamp(at, 0.0, 1.0) * places));
}

double LogSlider::number() const {
    for (const Mark& mark : marks_)
        if (placeOf(mark.number) == value())
            return mark.number;
    if (value() == minimum() || value() == maximum())
        return value() == minimum() ? low_ : high_;
    return rounded(low_ * std::pow(high_ / low_, value() / double{places}));
}

void LogSlider::setNumber(double number) {
    const QSignalBlocker quiet(this);
    setValue(placeOf(number));
    update();
}

void LogSlider::setBefore(std::optional<double> number) {
    before_ = number;
    update();
}

double LogSlider::xAt(int place) const { return side + (width() - 2.0 * side) * place / places; }
double LogSlider::xOf(double number) const { return xAt(placeOf(number)); }
double LogSlider::grooveY() const { return height() - side; }

QSize LogSlider::sizeHint() const {
    return {usual_width, static_cast<int>(std::ceil(QFontMetricsF(font()).height() + 2.0 * side))};
}

void LogSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& look = theme();
    const double y = grooveY(), at = xAt(value());
    const QColor used = isEnabled() ? look.accent : look.outline;
    painter.setPen(QPen(look.outline, 2.0, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(side, y), QPointF(width() - side, y));
    painter.setPen(QPen(used, 3.0, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(side, y), QPointF(at, y));
    const QFontMetricsF metrics(font());
    double written_to = -1e9;
    for (const Mark& mark : marks_) {
        const double x = xOf(mark.number);
        painter.setPen(QPen(look.outline, 1.5));
        painter.drawLine(QPointF(x, y - 7.0), QPointF(x, y + 3.0));
        const double text = metrics.horizontalAdvance(mark.text);
        const double left = std::clamp(x - text / 2.0, 1.0, std::max(1.0, width() - text - 1.0));
        if (left < written_to)
            continue; // it would lie on the one before
        painter.setPen(number() == mark.number ? look.text : look.muted);
        painter.drawText(QPointF(left, metrics.ascent() + 1.0), mark.text);
        written_to = left + text + 4.0;
    }
    if (before_ && placeOf(*before_) != value()) {
        painter.setPen(QPen(look.accent, 1.5));
        painter.setBrush(look.card);
        painter.drawEllipse(QPointF(xOf(*before_), y), handle - 3.0, handle - 3.0);
    }
    painter.setPen(QPen(look.card, 1.5));
    painter.setBrush(used);
    painter.drawEllipse(QPointF(at, y), handle, handle);
    if (hasFocus()) {
        painter.setPen(QPen(look.accent, metrics::focus_ring));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(at, y), handle + 2.5, handle + 2.5);
    }
}

void LogSlider::dragTo(const QMouseEvent& event) {
    const double x = event.position().x();
    int place = static_cast<int>(std::lround((x - side) / (width() - 2.0 * side) * places));
    if (!(event.modifiers() & Qt::AltModifier)) {
        const auto distance = [&](const Mark& mark) { return std::abs(xOf(mark.number) - x); };
        const auto nearest = std::ranges::min_element(marks_, {}, distance);
        if (nearest != marks_.end() && distance(*nearest) <= snap_within)
            place = placeOf(nearest->number);
    }
    setValue(std::clamp(place, 0, places));
}

void LogSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return QSlider::mousePressEvent(event);
    setSliderDown(true);
    dragTo(*event);
}

void LogSlider::mouseMoveEvent(QMouseEvent* event) {
    if (isSliderDown())
        dragTo(*event);
}

void LogSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && isSliderDown())
        setSliderDown(false);
}

/// To the next mark if that is nearer than half a step.
void LogSlider::step(int steps) {
    int place = std::clamp(value() + steps, 0, places);
    for (const Mark& mark : marks_)
        if (const int at = placeOf(mark.number); at != value() && 2 * std::abs(at - place) < std::abs(steps))
            place = at;
    setValue(place);
}

void LogSlider::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isSliderDown()) {
        {
            const QSignalBlocker quiet(this);
            setSliderDown(false);
        }
        emit dragCancelled();
        return;
    }
    const bool more = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up;
    const bool less = event->key() == Qt::Key_Left || event->key() == Qt::Key_Down;
    if (!more && !less)
        return QSlider::keyPressEvent(event);
    const int size = event->modifiers() & Qt::ShiftModifier ? large_step
                     : event->modifiers() & Qt::AltModifier ? small_step
                                                            : usual_step;
    step(more ? size : -size);
}

} // namespace attnlab::ui
