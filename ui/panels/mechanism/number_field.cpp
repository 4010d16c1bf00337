#include "ui/panels/mechanism/number_field.h"

#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/control.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSpinBox>

#include <cmath>
#include <optional>

namespace attnlab::ui {
namespace {

/// The number in the notation of the locale, or of programs ("0.5" where users write "0,5").
std::optional<ParameterValue> numberIn(QString text, ParameterType type) {
    text = text.trimmed();
    text.replace(QChar(0x2212), QLatin1Char('-'));
    QLocale here;
    here.setNumberOptions(QLocale::RejectGroupSeparator);
    QLocale program = QLocale::c();
    program.setNumberOptions(QLocale::RejectGroupSeparator);
    for (const auto& locale : {here, program}) {
        bool ok = false;
        if (type == ParameterType::Integer) {
            if (const auto value = locale.toLongLong(text, &ok); ok)
                return std::optional<ParameterValue>(std::in_place, std::in_place_type<std::int64_t>, value);
        } else if (const double value = locale.toDouble(text, &ok); ok && std::isfinite(value)) {
            return std::optional<ParameterValue>(std::in_place, std::in_place_type<double>, value);
        }
    }
    return std::nullopt;
}

bool isAllowed(const Parameter& parameter, const ParameterValue& value) {
    try {
        parse_value(parameter, to_text(value), parameter.name);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// "", "-", "1e": the beginning of a number.
bool isUnfinished(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return true;
    return QStringLiteral("+-\u2212eE.,").contains(trimmed.back()) && trimmed.count(QLatin1Char('e')) <= 1;
}

} // namespace

QString NumberField::refusalOf(const QString& text, const QString& expected) {
    return tr("“%1” was not taken. %2").arg(text.trimmed(), expected);
}

NumberField::NumberField(const Parameter& parameter, QWidget* parent)
    : QAbstractSpinBox(parent), parameter_(parameter),
      value_(parse_value(parameter, parameter.default_text, parameter.name)) {
    setKeyboardTracking(false);
    // Holding a button or key steps quickly.
    setAccelerated(true);
    show(value_);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberField::readText);
    connect(this, &QAbstractSpinBox::editingFinished, this, &NumberField::leave);
}

double NumberField::number() const {
    const auto* integer = std::get_if<std::int64_t>(&value_);
    return integer ? static_cast<double>(*integer) : std::get<double>(value_);
}

void NumberField::setValue(const ParameterValue& value) {
    if (value == value_)
        return;
    value_ = value;
    complain({});
    if (numberIn(lineEdit()->text(), parameter_.type) != value)
        show(value);
}

void NumberField::stepBy(int steps) {
    ParameterValue next;
    if (parameter_.type == ParameterType::Integer) {
        const auto current = std::get<std::int64_t>(value_);
        std::int64_t sum = 0;
        if (__builtin_add_overflow(current, std::int64_t{steps}, &sum))
            return;
        next = sum;
        if (static_cast<double>(sum) > parameter_.maximum)
            next = static_cast<std::int64_t>(parameter_.maximum);
        else if (static_cast<double>(sum) < parameter_.minimum)
            next = static_cast<std::int64_t>(parameter_.minimum);
    } else {
        next = std::min(std::max(stepped(steps), parameter_.minimum), parameter_.maximum);
    }
    if (next == value_ || !isAllowed(parameter_, next))
        return;
    value_ = next;
    complain({});
    show(value_);
    selectAll();
    emit valueEdited(value_);
}

double NumberField::stepped(int steps) const {
    double value = std::get<double>(value_);
    const double span = parameter_.maximum - parameter_.minimum;
    for (int i = 0; i < std::abs(steps); ++i) {
        double step = span / 20.0;
        if (!std::isfinite(span)) {
            // A tenth of the leading digit's place; towards zero the next lower place, so that up undoes down.
            const bool towards_zero = (steps < 0) == (value > 0.0);
            const double magnitude = std::abs(value) * (towards_zero ? 1.0 - 1e-9 : 1.0 + 1e-12);
            step = value == 0.0 ? 0.1 : std::pow(10.0, std::floor(std::log10(magnitude)) - 1.0);
            if (!parameter_.minimum_excluded)
                step = std::max(step, 0.01);
        }
        value += steps < 0 ? -step : step;
        // Rounds off binary errors of steps: 0.3, not 0.30000000000000004.
        value = QString::number(value, 'g', 12).toDouble();
    }
    return value;
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
    StepEnabled enabled = StepNone;
    if (number() < parameter_.maximum)
        enabled |= StepUpEnabled;
    if (number() > parameter_.minimum)
        enabled |= StepDownEnabled;
    return enabled;
}

void NumberField::readText(const QString& text) {
    const auto typed = numberIn(text, parameter_.type);
    if (!typed || !isAllowed(parameter_, *typed)) {
        complain(!typed && isUnfinished(text) ? QString() : rangeText(parameter_));
        return;
    }
    complain({});
    if (*typed == value_)
        return;
    value_ = *typed;
    emit valueEdited(value_);
}

void NumberField::leave() {
    const QString why = complaint_, text = lineEdit()->text();
    complain({});
    show(value_);
    if (!why.isEmpty())
        emit refused(refusalOf(text, why));
}

void NumberField::show(const ParameterValue& value) {
    const QString text = editableText(value);
    if (lineEdit()->text() == text)
        return;
    const QSignalBlocker quiet(lineEdit());
    lineEdit()->setText(text);
}

void NumberField::complain(const QString& complaint) {
    if (complaint == complaint_)
        return;
    complaint_ = complaint;
    QPalette colors = lineEdit()->palette();
    colors.setColor(QPalette::Text, complaint.isEmpty() ? palette().color(QPalette::Text) : theme().error_text);
    lineEdit()->setPalette(complaint.isEmpty() ? QPalette() : colors);
    setAccessibleDescription(complaint.isEmpty() ? parameterHelp(parameter_) : complaint);
    update();
    emit complaintChanged(complaint_);
}

void NumberField::paintEvent(QPaintEvent* event) {
    QAbstractSpinBox::paintEvent(event);
    if (complaint_.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().error_text, metrics::focus_ring));
    const double inset = metrics::focus_ring / 2;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), metrics::radius, metrics::radius);
}

void NumberField::changeEvent(QEvent* event) {
    QAbstractSpinBox::changeEvent(event);
    if (event->type() == QEvent::LocaleChange)
        leave();
}

bool NumberField::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

QSize NumberField::sizeFor(int characters) const {
    ensurePolished();
    QStyleOptionSpinBox option;
    initStyleOption(&option);
    const QFontMetrics metrics(font());
    const QSize text(metrics.horizontalAdvance(QLatin1Char('0')) * characters + 6, lineEdit()->sizeHint().height());
    return style()->sizeFromContents(QStyle::CT_SpinBox, &option, text, this);
}

QSize NumberField::sizeHint() const { return sizeFor(parameter_.type == ParameterType::Integer ? 5 : 7); }

QSize NumberField::minimumSizeHint() const { return sizeFor(3); }

} // namespace attnlab::ui
