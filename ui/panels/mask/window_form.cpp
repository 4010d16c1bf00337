#include "ui/panels/mask/window_form.h"

#include "core/stages/mask.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolTip>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr std::int64_t unlimited_reach = -1;
constexpr std::int64_t longest_reach = 1'000'000'000;

struct Reaches {
    std::int64_t left, right; ///< negative: unlimited
};

/// nullopt where the values give the full width.
std::optional<Reaches> reachesOf(const ParameterValues& values) {
    const auto complete = completed(window_parameters(), values);
    // As complete_mask(): a reach alone says that the sides are separate.
    const bool are_separate =
        values.find("sides") ? complete.choice("sides") == "separate" : values.find("left") || values.find("right");
    return are_separate ? std::optional(Reaches{complete.integer("left"), complete.integer("right")}) : std::nullopt;
}

ParameterValues valuesOf(const Reaches& reaches) {
    ParameterValues values;
    values.set("sides", std::string("separate"));
    values.set("left", reaches.left);
    values.set("right", reaches.right);
    return with_defaults(window_parameters(), values, "window");
}

ParameterValues valuesOf(std::int64_t width) {
    ParameterValues values;
    values.set("w", width);
    return with_defaults(window_parameters(), values, "window");
}

std::span<const Parameter> widthParameter() { return window_parameters().first(1); }

std::int64_t widthOf(const ParameterValues& values) {
    return completed(widthParameter(), values).integer(widthParameter().front().name);
}

/// The width whose half is the farther of two reaches.
std::int64_t widthOf(const Reaches& reaches) {
    const auto farther = std::max(reaches.left, reaches.right);
    const auto most = static_cast<std::int64_t>(widthParameter().front().maximum);
    return farther < 0 ? widthOf(ParameterValues()) : std::min(2 * farther, most);
}

} // namespace

WindowForm::WindowForm(QWidget* parent)
    : QWidget(parent), width_(new ParameterForm(ParameterForm::Arrangement::Row, this)),
      left_(makeReach(tr("Keys before the query"), tr("How many keys before its own a query reads"))),
      right_(makeReach(tr("Keys after the query"), tr("How many keys after its own a query reads"))),
      before_(new Label(QStringLiteral("←"), this)), after_(new Label(QStringLiteral("→"), this)),
      mode_(new LinkButton(this)) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(3);
    for (QWidget* part : {static_cast<QWidget*>(width_), static_cast<QWidget*>(before_), static_cast<QWidget*>(left_),
                          static_cast<QWidget*>(after_), static_cast<QWidget*>(right_), static_cast<QWidget*>(mode_)})
        line->addWidget(part);
    for (QLabel* label : {before_, after_})
        label->setForegroundRole(QPalette::PlaceholderText);
    before_->setBuddy(left_);
    after_->setBuddy(right_);
    connect(width_, &ParameterForm::valuesChanged, this, [this](const ParameterValues& values, int gesture) {
        values_ = valuesOf(widthOf(values));
        emit valuesChanged(values_, gesture);
    });
    connect(mode_, &QAbstractButton::clicked, this, &WindowForm::changeMode);
    setValues({});
}

WindowForm::~WindowForm() {
    // A focused field finishes editing in its destructor, when this object no longer exists.
    for (QComboBox* reach : {left_, right_})
        reach->lineEdit()->disconnect(this);
}

QComboBox* WindowForm::makeReach(const QString& name, const QString& help) {
    auto* reach = new QComboBox(this);
    reach->setEditable(true);
    reach->setInsertPolicy(QComboBox::NoInsert);
    reach->setCompleter(nullptr);
    reach->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    reach->setMinimumContentsLength(2);
    for (const std::int64_t keys :
         {unlimited_reach, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}})
        reach->addItem(keys < 0 ? tr("unlimited") : reachText(keys));
    reach->setAccessibleName(name);
    reach->setToolTip(tr("%1, or ∞: unlimited").arg(help));
    connect(reach, &QComboBox::textActivated, this, [this, reach] { applyReaches(*reach); });
    connect(reach->lineEdit(), &QLineEdit::editingFinished, this, [this, reach] { applyReaches(*reach); });
    return reach;
}

std::optional<std::int64_t> WindowForm::parseReach(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed == QStringLiteral("∞") || trimmed == tr("unlimited") ||
        trimmed.compare(QLatin1String("inf"), Qt::CaseInsensitive) == 0)
        return unlimited_reach;
    QString digits = trimmed;
    bool read = false;
    const qlonglong keys = digits.replace(QChar(0x2212), QLatin1Char('-')).toLongLong(&read);
    if (!read || keys > longest_reach)
        return std::nullopt;
    return keys < 0 ? unlimited_reach : keys;
}

QString WindowForm::reachText(std::int64_t reach) { return reach < 0 ? QStringLiteral("∞") : QString::number(reach); }

QString WindowForm::words(const QString& title, const ParameterValues& values) {
    if (const auto reaches = reachesOf(values))
        return tr("%1 left %2, right %3").arg(title, reachText(reaches->left), reachText(reaches->right));
    return values.find("w") ? tr("%1 %2", "window and its width").arg(title).arg(widthOf(values)) : title;
}

void WindowForm::applyReaches(QComboBox& edited) {
    const auto left = parseReach(left_->currentText()), right = parseReach(right_->currentText());
    const auto before = reachesOf(values_);
    if (!before)
        return; // a field that is hidden loses the focus
    if (!left || !right) {
        const QString why = NumberField::refusalOf(edited.currentText(), tr("a number of keys from 0, or ∞"));
        showValues();
        if (edited.isVisible())
            QToolTip::showText(edited.mapToGlobal(QPoint(0, edited.height())), why, &edited);
        return;
    }
    if (*left != before->left || *right != before->right) {
        values_ = valuesOf(Reaches{*left, *right});
        emit valuesChanged(values_, 0);
    }
    showValues();
}

void WindowForm::changeMode() {
    if (const auto reaches = reachesOf(values_))
        values_ = valuesOf(widthOf(*reaches));
    else
        values_ = valuesOf(Reaches{widthOf(values_) / 2, widthOf(values_) / 2});
    emit valuesChanged(values_, 0);
    showValues();
}

void WindowForm::setValues(const ParameterValues& values) {
    values_ = values;
    showValues();
}

void WindowForm::showValues() {
    const auto reaches = reachesOf(values_);
    width_->setParameters(widthParameter(), reaches ? ParameterValues() : completed(widthParameter(), values_));
    width_->setVisible(!reaches);
    for (QWidget* part : {static_cast<QWidget*>(before_), static_cast<QWidget*>(left_), static_cast<QWidget*>(after_),
                          static_cast<QWidget*>(right_)})
        part->setVisible(reaches.has_value());
    for (QComboBox* reach : {left_, right_}) {
        const QSignalBlocker blocker(reach);
        reach->setEditText(reaches ? reachText(reach == left_ ? reaches->left : reaches->right) : QString());
    }
    mode_->setText(reaches ? tr("width") : tr("reaches"));
    mode_->setToolTip(reaches ? tr("Gives the window by its full width, the same to either side")
                              : tr("Gives the window by its reaches before and after a query, as window_size of "
                                   "flash-attention"));
    mode_->updateGeometry();
}

} // namespace attnlab::ui
