#include "ui/widgets/number_controls.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>

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

bool LogSlider::isStep(const QKeyEvent& key) {
    return key.key() == Qt::Key_Left || key.key() == Qt::Key_Right || key.key() == Qt::Key_Up ||
           key.key() == Qt::Key_Down;
}

/// Its keys, and Escape during a drag, are no shortcuts of what is around.
bool LogSlider::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = *static_cast<const QKeyEvent*>(event);
        if (isStep(key) || (isSliderDown() && key.key() == Qt::Key_Escape)) {
            event->accept();
            return true;
        }
    }
    return QSlider::event(event);
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

namespace {

constexpr double pixels_of_step = 4.0;
constexpr double coarse = 10.0, fine = 0.1;

} // namespace

NumberDrag::NumberDrag(QWidget& target) : QObject(&target), target_(target) {
    target.setMouseTracking(true);
    target.installEventFilter(this);
}

bool NumberDrag::move(const QMouseEvent& event) {
    const double x = event.position().x();
    if (!dragging_) {
        const QPoint way = event.position().toPoint() - pressed_at_;
        if (way.manhattanLength() < QApplication::startDragDistance())
            return true; // not yet a selection either
        if (std::abs(way.x()) <= std::abs(way.y())) {
            pressed_ = false;
            return false; // a drag up or down selects
        }
        dragging_ = true;
        steps_ = 0.0;
        last_x_ = pressed_at_.x();
        qApp->installEventFilter(this); // Escape goes to whatever has the focus
        emit began();
    }
    const auto keys = event.modifiers();
    const double weight = keys & Qt::ShiftModifier                         ? coarse
                          : keys & (Qt::AltModifier | Qt::ControlModifier) ? fine
                                                                           : 1.0;
    steps_ += (x - last_x_) / pixels_of_step * weight;
    last_x_ = x;
    emit moved(steps_);
    return true;
}

void NumberDrag::end(bool kept) {
    dragging_ = false;
    pressed_ = false;
    qApp->removeEventFilter(this);
    emit ended(kept);
}

bool NumberDrag::eventFilter(QObject* watched, QEvent* event) {
    if (dragging_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        end(false);
        return true;
    }
    if (dragging_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched != &target_)
        return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (dragging_) {
            end(false);
            return true;
        }
        pressed_at_ = mouse->position().toPoint();
        pressed_ = mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::NoModifier && target_.isEnabled() &&
                   (!where_ || where_(pressed_at_));
        return false;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (pressed_ && mouse->buttons() & Qt::LeftButton)
            return move(*mouse);
        const bool here = target_.isEnabled() && (!where_ || where_(mouse->position().toPoint()));
        if (here != has_shape_)
            here ? target_.setCursor(Qt::SizeHorCursor) : target_.unsetCursor();
        has_shape_ = here;
        return false;
    }
    case QEvent::MouseButtonRelease:
        pressed_ = false;
        if (dragging_) {
            end(true);
            return true;
        }
        return false;
    default:
        return false;
    }
}

double draggedNumber(double start, double steps, bool is_whole) {
    if (is_whole)
        return start + std::trunc(steps);
    if (!std::isfinite(start))
        return start;
    const double magnitude = std::abs(start);
    const double place = magnitude < 1e-3 ? -1.0 : std::clamp(std::floor(std::log10(magnitude)) - 1.0, -2.0, 300.0);
    const double unit = std::pow(10.0, place);
    const double sum = start + steps * unit;
    const double rounding = unit / 1000.0;
    return rounding < 1.0 ? std::round(sum * std::round(1.0 / rounding)) / std::round(1.0 / rounding)
                          : std::round(sum / rounding) * rounding;
}

ExpressionField::ExpressionField(Check check, QWidget* parent)
    : QWidget(parent), check_(std::move(check)), edit_(new QLineEdit(this)), complaint_(new Label(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(edit_);
    column->addWidget(complaint_);
    edit_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    complaint_->setWordWrap(true);
    complaint_->setForegroundRole(QPalette::BrightText);
    complaint_->hide();
    setFocusProxy(edit_);
    connect(edit_, &QLineEdit::textEdited, this, &ExpressionField::isValid);
    connect(edit_, &QLineEdit::editingFinished, this, &ExpressionField::accept);
}

ExpressionField::~ExpressionField() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    edit_->disconnect(this);
}

void ExpressionField::setText(const QString& text) {
    if (text == text_)
        return;
    text_ = text;
    const QSignalBlocker quiet(edit_);
    edit_->setText(text);
    isValid();
}

void ExpressionField::setPlaceholder(const QString& text) { edit_->setPlaceholderText(text); }

QString ExpressionField::complaint() const { return complaint_->isHidden() ? QString() : complaint_->text(); }

bool ExpressionField::isValid() {
    QString why;
    try {
        check_(edit_->text().toStdString());
    } catch (const Error& error) {
        why = translated(error.message());
    }
    complaint_->setText(why);
    complaint_->setVisible(!why.isEmpty());
    return why.isEmpty();
}

void ExpressionField::accept() {
    const QString typed = edit_->text();
    if (!isValid() || typed == text_)
        return;
    text_ = typed;
    emit textAccepted(text_);
}

void ExpressionField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange)
        isValid();
}

} // namespace attnlab::ui
