#include "ui/panels/mechanism/parameter_form.h"

#include "core/lookup.h"
#include "ui/document/document.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/number_controls.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSpinBox>
#include <QToolTip>
#include <variant>

namespace attnlab::ui {

namespace {

/// Whether it is in the range of the parameter.
bool isAllowed(const Parameter& parameter, const ParameterValue& value) {
    try {
        parse_value(parameter, to_text(value), parameter.name);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

ParameterValue draggedValue(const Parameter& parameter, const ParameterValue& start, double steps) {
    ParameterValue next;
    if (parameter.type == ParameterType::Integer) {
        const double moved = draggedNumber(static_cast<double>(std::get<std::int64_t>(start)), steps, true);
        next = static_cast<std::int64_t>(
            std::clamp(moved, std::max(parameter.minimum, -1e15), std::min(parameter.maximum, 1e15)));
    } else {
        constexpr double steps_of_decade = 25.0;
        const double from = std::get<double>(start);
        const double moved = steps == 0.0 ? from
                             : parameter.minimum_excluded && parameter.minimum >= 0.0
                                 ? QString::number(from * std::pow(10.0, steps / steps_of_decade), 'g', 3).toDouble()
                                 : draggedNumber(from, steps, false);
        next = std::min(std::max(moved, parameter.minimum), parameter.maximum);
    }
    return isAllowed(parameter, next) ? next : start;
}

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

void NumberField::dragTo(const ParameterValue& start, double steps) {
    const ParameterValue next = draggedValue(parameter_, start, steps);
    if (next == value_)
        return;
    value_ = next;
    complain({});
    show(value_);
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

namespace {

/// A number without a default: its field may be empty.
bool staysOpen(const Parameter& parameter) {
    return parameter.default_text.empty() &&
           (parameter.type == ParameterType::Real || parameter.type == ParameterType::Integer);
}

/// Keeps an equivalent text: "0, 3" while it is typed.
void showList(QLineEdit& field, const Parameter& parameter, const ParameterValue& value) {
    if (field.hasFocus()) {
        try {
            if (parse_value(parameter, field.text().toStdString(), parameter.name) == value)
                return;
        } catch (const Error&) {
        }
    }
    field.setText(QString::fromStdString(to_text(value)));
}

bool isValueOf(const Parameter& parameter, const QString& text) {
    if (staysOpen(parameter) && text.trimmed().isEmpty())
        return true;
    try {
        parse_value(parameter, text.toStdString(), parameter.name);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

ParameterValues completed(std::span<const Parameter> declared, const ParameterValues& values) {
    ParameterValues complete;
    for (const auto& parameter : declared) {
        ParameterValues one;
        if (const auto* value = values.find(parameter.name))
            one.set(parameter.name, *value);
        const auto single = std::span(&parameter, 1);
        try {
            one = with_defaults(single, one, parameter.name);
        } catch (const Error&) {
            one = with_defaults(single, {}, parameter.name);
        }
        if (const auto* value = one.find(parameter.name))
            complete.set(parameter.name, *value);
    }
    return complete;
}

QWidget* ParameterForm::Row::field() const {
    if (number)
        return number;
    if (check)
        return check;
    if (list)
        return list;
    if (text)
        return text;
    return combo;
}

ParameterForm::ParameterForm(Arrangement arrangement, QWidget* parent) : QWidget(parent), arrangement_(arrangement) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    if (arrangement == Arrangement::Column)
        grid->setColumnStretch(1, 1);
}

void ParameterForm::setParameters(std::span<const Parameter> declared, const ParameterValues& values) {
    const bool same = declared.data() == declared_.data() && declared.size() == declared_.size();
    auto next = completed(declared, values);
    if (same && next == values_)
        return;
    // The values have changed elsewhere (undo, a file), which ends any gesture.
    gesture_ = 0;
    values_ = std::move(next);
    if (!same) {
        declared_ = declared;
        build();
    }
    showValues();
}

QWidget* ParameterForm::field(std::string_view name) const {
    const Row* found = lookup(rows_, name, [](const Row& row) { return row.parameter->name; });
    return found ? found->field() : nullptr;
}

void ParameterForm::setShown(std::string_view name, bool shown) {
    for (const auto& row : rows_) {
        if (row.parameter->name != name)
            continue;
        row.field()->setVisible(shown);
        if (row.label)
            row.label->setVisible(shown);
        if (row.complaint && !shown)
            row.complaint->hide();
    }
}

void ParameterForm::build() {
    for (const auto& row : rows_) {
        for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.complaint), row.field()}) {
            removeSafely(widget);
        }
    }
    rows_.clear();
    auto* grid = static_cast<QGridLayout*>(layout());
    int line = 0;
    int column = 0;
    for (const auto& parameter : declared_) {
        const Row row = makeRow(parameter);
        if (arrangement_ == Arrangement::Row) {
            if (row.label)
                grid->addWidget(row.label, 0, column++);
            grid->addWidget(row.field(), 0, column++);
        } else {
            if (row.label)
                grid->addWidget(row.label, line, 0);
            grid->addWidget(row.field(), line, row.label ? 1 : 0, 1, row.label ? 1 : 2);
            ++line;
            if (row.complaint)
                grid->addWidget(row.complaint, line++, 0, 1, 2);
        }
        placeForTab(rows_.empty() ? this : rows_.back().field(), row.field());
        rows_.push_back(row);
    }
}

ParameterForm::Row ParameterForm::makeRow(const Parameter& parameter) {
    Row row{&parameter};
    const QString title = parameterTitle(parameter);
    if (parameter.type == ParameterType::Boolean) {
        row.check = new QCheckBox(title, this);
        connect(row.check, &QCheckBox::toggled, this, [this, &parameter](bool on) { edited(parameter, on, false); });
    } else if (parameter.type == ParameterType::Choice) {
        row.combo = new QComboBox(this);
        for (const auto choice : parameter.choices)
            row.combo->addItem(choiceText(choice), QString::fromUtf8(choice.data(), static_cast<int>(choice.size())));
        connect(row.combo, &QComboBox::currentIndexChanged, this, [this, &parameter](int index) {
            if (index >= 0)
                edited(parameter, std::string(parameter.choices[static_cast<std::size_t>(index)]), false);
        });
    } else if (parameter.type == ParameterType::Text) {
        row.text = new ExpressionField(
            [&parameter](const std::string& text) { parse_value(parameter, text, parameter.name); }, this);
        row.text->edit()->setAccessibleName(title);
        connect(row.text, &ExpressionField::textAccepted, this,
                [this, &parameter](const QString& text) { edited(parameter, text.toStdString(), false); });
    } else if (parameter.type == ParameterType::IntegerList || staysOpen(parameter)) {
        row.list = new QLineEdit(this);
        if (staysOpen(parameter))
            row.list->setPlaceholderText(tr("automatic"));
    } else {
        row.number = new NumberField(parameter, this);
    }
    if (!row.check) {
        row.label = new Label(title, this);
        row.label->setBuddy(row.field());
        row.label->setForegroundRole(QPalette::PlaceholderText);
    }
    if ((row.number || row.list) && arrangement_ == Arrangement::Column) {
        row.complaint = new Label(this);
        row.complaint->setWordWrap(true);
        row.complaint->setForegroundRole(QPalette::BrightText);
        row.complaint->hide();
    }
    if (row.number)
        connectNumber(row);
    if (row.list)
        connectList(row);
    const QString help = parameterHelp(parameter);
    for (QWidget* widget : {row.field(), static_cast<QWidget*>(row.label)}) {
        if (!widget)
            continue;
        widget->setToolTip(help);
        widget->setWhatsThis(help);
    }
    row.field()->setAccessibleName(title);
    row.field()->setAccessibleDescription(help);
    row.field()->setObjectName(QString::fromUtf8(parameter.name.data(), static_cast<int>(parameter.name.size())));
    return row;
}

ParameterForm::~ParameterForm() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    for (const auto& row : rows_)
        row.field()->disconnect(this);
}

void ParameterForm::connectNumber(const Row& row) {
    const Parameter* parameter = row.parameter;
    NumberField* field = row.number;
    connect(field, &NumberField::valueEdited, this,
            [this, parameter](const ParameterValue& value) { edited(*parameter, value, true); });
    connect(field, &QAbstractSpinBox::editingFinished, this, [this] { gesture_ = 0; });
    if (row.label) {
        auto* drag = new NumberDrag(*row.label);
        const auto start = std::make_shared<ParameterValue>();
        connect(drag, &NumberDrag::began, this, [this, field, start] {
            gesture_ = 0; // one undo step for the drag alone
            *start = field->value();
        });
        connect(drag, &NumberDrag::moved, field, [field, start](double steps) { field->dragTo(*start, steps); });
        connect(drag, &NumberDrag::ended, this, [this, field, start](bool kept) {
            if (!kept)
                field->dragTo(*start, 0.0);
            gesture_ = 0;
        });
    }
    connect(field, &NumberField::complaintChanged, this, [this, row](const QString& text) { complain(row, text); });
    connect(field, &NumberField::valueEdited, this, [this, row] { complain(row, {}); });
    connect(
        field, &NumberField::refused, this, [this, row](const QString& why) { complain(row, why); },
        Qt::QueuedConnection); // after what gets the focus instead, which hides tool tips
}

void ParameterForm::connectList(const Row& row) {
    connect(row.list, &QLineEdit::textEdited, this, [this, row](const QString& text) {
        if (staysOpen(*row.parameter) && text.trimmed().isEmpty()) {
            complain(row, QString());
            values_.erase(row.parameter->name);
            gesture_ = Document::newGesture();
            emit valuesChanged(values_, gesture_);
            return;
        }
        try {
            const auto value = parse_value(*row.parameter, text.toStdString(), row.parameter->name);
            complain(row, QString());
            edited(*row.parameter, value, true);
        } catch (const Error&) {
            complain(row, rangeText(*row.parameter)); // "0," on the way to "0,3" has no effect yet
        }
    });
    connect(row.list, &QLineEdit::editingFinished, this, [this, row] {
        gesture_ = 0;
        const QString left = row.list->text();
        complain(row, QString());
        showValues();
        if (row.list->text() != left && !isValueOf(*row.parameter, left))
            QMetaObject::invokeMethod(
                this,
                [this, row, why = NumberField::refusalOf(left, rangeText(*row.parameter))] { complain(row, why); },
                Qt::QueuedConnection);
    });
}

void ParameterForm::complain(const Row& row, const QString& text) {
    if (!row.complaint) {
        // A row has no room for the message below the field: it is shown as a tooltip.
        if (row.field()->isVisible())
            QToolTip::showText(row.field()->mapToGlobal(QPoint(0, row.field()->height())), text, row.field());
        return;
    }
    row.complaint->setText(text);
    row.complaint->setVisible(!text.isEmpty());
}

void ParameterForm::edited(const Parameter& parameter, const ParameterValue& value, bool run) {
    if (!run || gesture_ == 0 || running_ != &parameter)
        gesture_ = Document::newGesture();
    running_ = &parameter;
    values_.set(parameter.name, value);
    const int gesture = gesture_;
    if (!run)
        gesture_ = 0;
    emit valuesChanged(values_, gesture);
}

void ParameterForm::showValues() {
    for (const auto& row : rows_) {
        const QSignalBlocker quiet(row.field());
        const auto* found = values_.find(row.parameter->name);
        if (!found) {
            row.list->clear();
            continue;
        }
        const auto& value = *found;
        if (row.number)
            row.number->setValue(value);
        else if (row.check)
            row.check->setChecked(std::get<bool>(value));
        else if (row.text)
            row.text->setText(QString::fromStdString(std::get<std::string>(value)));
        else if (row.list)
            showList(*row.list, *row.parameter, value);
        else
            row.combo->setCurrentIndex(row.combo->findData(QString::fromStdString(std::get<std::string>(value))));
    }
}

} // namespace attnlab::ui
