#include "ui/mechanism/mechanism_bar.h"

#include "core/stages/scale.h"
#include "core/variants.h"
#include "ui/document.h"
#include "ui/mechanism/parameter_form.h"
#include "ui/mechanism/parameter_text.h"
#include "ui/mechanism/picker.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// More than these would not fit the row: the first stays, the rest goes behind a button.
constexpr std::size_t parameters_in_row = 3;

template <class Row>
const Row* rowOf(std::span<const Row> table, std::string_view id) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.id == id; });
    return found == table.end() ? nullptr : &*found;
}

QString textOf(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString firstSentence(const QString& text) {
    static const QRegularExpression end(QStringLiteral("[.!?](?=\\s)|[。！？]"));
    const auto match = end.match(text);
    return match.hasMatch() ? text.left(match.capturedEnd()) : text;
}

/// The mode in force; null for an id that is in no table (a file from elsewhere).
const ScaleMode* scaleOf(const Variant& chosen, const AttentionSpec& spec) {
    return rowOf(scale_modes(), spec.scale.id.empty() ? chosen.default_scale : std::string_view(spec.scale.id));
}

std::span<const Parameter> inRow(const Variant& chosen, bool compact) {
    if (compact)
        return {};
    return chosen.parameters.size() <= parameters_in_row ? chosen.parameters : chosen.parameters.first(1);
}

std::span<const Parameter> behindButton(const Variant& chosen, bool compact) {
    return chosen.parameters.subspan(inRow(chosen, compact).size());
}

/// The values that `declared` names too and allows.
ParameterValues kept(std::span<const Parameter> declared, const ParameterValues& values) {
    const auto complete = completed(declared, values);
    ParameterValues result;
    for (const auto& [name, value] : values.all())
        if (const auto* allowed = complete.find(name); allowed && *allowed == value)
            result.set(name, value);
    return result;
}

/// Title of the first parameter that differs.
QString changedTitle(std::span<const Parameter> declared, const ParameterValues& before, const ParameterValues& after) {
    for (const auto& parameter : declared) {
        const auto* old_value = before.find(parameter.name);
        const auto* new_value = after.find(parameter.name);
        if (!old_value || !new_value || *old_value != *new_value)
            return parameterTitle(parameter);
    }
    return {};
}

} // namespace

MechanismBar::MechanismBar(const Setting& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), row_(new QHBoxLayout(this)), variant_picker_(new Picker(this)),
      variant_form_(new ParameterForm(ParameterForm::Arrangement::Row, this)), more_button_(new RowButton(this)),
      more_popup_(new QFrame(this, Qt::Popup)),
      more_form_(new ParameterForm(ParameterForm::Arrangement::Column, more_popup_)), scale_picker_(new Picker(this)),
      scale_form_(new ParameterForm(ParameterForm::Arrangement::Row, this)), after_softmax_(new QCheckBox(this)) {
    row_->setContentsMargins(12, 8, 12, 9);
    row_->setSpacing(10);
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    for (QWidget* part : {static_cast<QWidget*>(variant_picker_), static_cast<QWidget*>(variant_form_),
                          static_cast<QWidget*>(more_button_), static_cast<QWidget*>(scale_picker_),
                          static_cast<QWidget*>(scale_form_), static_cast<QWidget*>(after_softmax_)})
        row_->addWidget(part);
    row_->addStretch(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    static_cast<QFrame*>(more_popup_)->setFrameShape(QFrame::StyledPanel);
    more_popup_->setBackgroundRole(QPalette::Base);
    more_popup_->setAutoFillBackground(true);
    auto* popup_column = new QVBoxLayout(more_popup_);
    popup_column->addWidget(more_form_);

    connect(variant_picker_, &Picker::picked, this, &MechanismBar::chooseVariant);
    connect(scale_picker_, &Picker::picked, this, &MechanismBar::chooseScale);
    connect(variant_form_, &ParameterForm::valuesChanged, this, &MechanismBar::setVariantParameters);
    connect(more_form_, &ParameterForm::valuesChanged, this, &MechanismBar::setVariantParameters);
    connect(scale_form_, &ParameterForm::valuesChanged, this, &MechanismBar::setScaleParameters);
    connect(after_softmax_, &QCheckBox::toggled, this, &MechanismBar::setAfterSoftmax);
    connect(more_button_, &QPushButton::clicked, this, &MechanismBar::openMore);
    connect(&setting_.document(), &Document::problemChanged, this, &MechanismBar::follow);
    retranslate();
}

void MechanismBar::retranslate() {
    const auto opens_with = [this](Qt::Key key) {
        return setting_.side() == Setting::Side::A ? QKeySequence(Qt::ALT | key) : QKeySequence();
    };
    variant_picker_->setLabel(tr("Mechanism"), opens_with(Qt::Key_M));
    scale_picker_->setLabel(tr("Scale"), opens_with(Qt::Key_S));
    more_button_->setText(tr("More…"));
    more_button_->setAccessibleName(tr("More parameters of the mechanism"));
    more_button_->setToolTip(more_button_->accessibleName());
    after_softmax_->setText(tr("After softmax"));
    const QString why =
        tr("Multiplies the weights by the scale instead of the scores. It is not how attention is defined: a widely "
           "copied worked example prints its numbers this way, and this reproduces them as printed.");
    after_softmax_->setToolTip(why);
    after_softmax_->setWhatsThis(why);
    after_softmax_->setAccessibleDescription(why);

    std::vector<PickerItem> items;
    for (const auto& each : variants())
        items.push_back({textOf(each.id),
                         translated(each.family),
                         capitalised(translated(each.title)),
                         firstSentence(translated(each.help)),
                         {},
                         {},
                         {}});
    variant_picker_->setItems(std::move(items));
    shown_variant_ = nullptr;
    compact_ = false;
    follow();
}

void MechanismBar::follow() {
    const QString variant = variant_picker_->current();
    const QString scale = scale_picker_->current();
    showSpec(setting_.spec());
    if (variant != variant_picker_->current() || scale != scale_picker_->current()) {
        // Other parameters need other room: measure the whole row again.
        compact_ = false;
        showSpec(setting_.spec());
        fit();
    }
}

void MechanismBar::showSpec(const AttentionSpec& spec) {
    variant_picker_->setCurrent(QString::fromStdString(spec.variant));
    if (const auto* chosen = rowOf(variants(), spec.variant)) {
        showVariant(*chosen, spec);
        showScale(*chosen, spec);
    }
}

void MechanismBar::showVariant(const Variant& chosen, const AttentionSpec& spec) {
    const auto first = inRow(chosen, compact_);
    const auto rest = behindButton(chosen, compact_);
    variant_form_->setParameters(first, spec.parameters);
    more_form_->setParameters(rest, spec.parameters);
    variant_form_->setVisible(!first.empty());
    more_button_->setVisible(!rest.empty());
    if (rest.empty())
        more_popup_->hide();
}

void MechanismBar::showScale(const Variant& chosen, const AttentionSpec& spec) {
    if (shown_variant_ != &chosen) {
        std::vector<PickerItem> items;
        for (const auto& mode : scale_modes()) {
            const bool is_default = mode.id == chosen.default_scale;
            items.push_back({textOf(mode.id),
                             {},
                             capitalised(translated(mode.title)),
                             firstSentence(translated(mode.help)),
                             is_default ? tr("default") : QString(),
                             QStringLiteral("scale_") + textOf(mode.id),
                             textOf(mode.formula)});
        }
        scale_picker_->setItems(std::move(items));
        shown_variant_ = &chosen;
    }
    const auto* mode = scaleOf(chosen, spec);
    scale_picker_->setCurrent(mode ? textOf(mode->id) : QString::fromStdString(spec.scale.id));
    const auto parameters = mode ? mode->parameters : std::span<const Parameter>();
    scale_form_->setParameters(parameters, spec.scale.parameters);
    scale_form_->setVisible(!parameters.empty());
    const QSignalBlocker quiet(after_softmax_);
    after_softmax_->setChecked(spec.scale_after_softmax);
    // Whoever opened a file with an impossible combination must be able to leave it.
    after_softmax_->setEnabled((mode && mode->factor) || spec.scale_after_softmax);
}

void MechanismBar::chooseVariant(const QString& id) {
    const auto* chosen = rowOf(variants(), id.toStdString());
    auto spec = setting_.spec();
    if (!chosen || chosen->id == spec.variant)
        return;
    spec.variant = chosen->id;
    spec.parameters = kept(chosen->parameters, spec.parameters);
    const auto* mode = scaleOf(*chosen, spec);
    spec.scale_after_softmax = spec.scale_after_softmax && mode && mode->factor;
    setting_.setSpecCompletingInputs(std::move(spec),
                                     tr("Choose mechanism %1").arg(capitalised(translated(chosen->title))));
}

void MechanismBar::chooseScale(const QString& id) {
    const auto* mode = rowOf(scale_modes(), id.toStdString());
    auto spec = setting_.spec();
    const auto* chosen = rowOf(variants(), spec.variant);
    if (!mode || !chosen || scaleOf(*chosen, spec) == mode)
        return;
    // Choosing what is the default means: follow the default, also of another mechanism.
    const bool is_default = mode->id == chosen->default_scale;
    spec.scale = {is_default ? std::string() : std::string(mode->id), kept(mode->parameters, spec.scale.parameters)};
    spec.scale_after_softmax = spec.scale_after_softmax && mode->factor;
    setting_.setSpec(std::move(spec), tr("Choose scale %1").arg(capitalised(translated(mode->title))));
}

void MechanismBar::setVariantParameters(const ParameterValues& values, int gesture) {
    auto spec = setting_.spec();
    const auto* chosen = rowOf(variants(), spec.variant);
    if (!chosen)
        return;
    const auto before = completed(chosen->parameters, spec.parameters);
    spec.parameters = before;
    for (const auto& [name, value] : values.all())
        spec.parameters.set(name, value);
    const QString title = changedTitle(chosen->parameters, before, spec.parameters);
    setting_.setSpecCompletingInputs(std::move(spec), tr("Change %1").arg(title), gesture);
}

void MechanismBar::setScaleParameters(const ParameterValues& values, int gesture) {
    auto spec = setting_.spec();
    const auto* chosen = rowOf(variants(), spec.variant);
    const auto* mode = chosen ? scaleOf(*chosen, spec) : nullptr;
    if (!mode)
        return;
    const QString title = changedTitle(mode->parameters, completed(mode->parameters, spec.scale.parameters), values);
    spec.scale = {std::string(mode->id), values};
    setting_.setSpec(std::move(spec), tr("Change %1").arg(title), gesture);
}

void MechanismBar::setAfterSoftmax(bool on) {
    auto spec = setting_.spec();
    spec.scale_after_softmax = on;
    setting_.setSpec(std::move(spec), on ? tr("Scale after softmax") : tr("Scale before softmax"));
}

void MechanismBar::openMore() {
    more_popup_->adjustSize();
    const QRect screen = more_button_->screen()->availableGeometry();
    QPoint corner = more_button_->mapToGlobal(QPoint(0, more_button_->height() + 3));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - more_popup_->width())));
    more_popup_->move(corner);
    more_popup_->show();
    if (!more_form_->parameters().empty())
        more_form_->field(more_form_->parameters().front().name)->setFocus(Qt::PopupFocusReason);
}

QWidget* MechanismBar::parameterField(std::string_view name) const {
    for (const auto* form : {variant_form_, more_form_, scale_form_})
        if (auto* field = form->field(name))
            return field;
    return nullptr;
}

void MechanismBar::addActionButton(QAction* action, ButtonStyle style) {
    auto* button =
        new RowButton(this, style == ButtonStyle::Accent ? RowButton::Style::Accent : RowButton::Style::Normal);
    const auto show_action = [action, button] {
        // The button has no room for a mnemonic of its own beside the menu's.
        button->setText(withoutMnemonic(action->text()));
        button->setIcon(action->icon());
        button->setToolTip(action->toolTip());
        button->setAccessibleName(button->text());
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        button->setCheckable(action->isCheckable());
        button->setChecked(action->isChecked());
        button->updateGeometry();
    };
    connect(action, &QAction::changed, button, show_action);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    row_->addWidget(button);
    show_action();
}

void MechanismBar::fit() {
    if (!compact_)
        full_width_ = row_->minimumSize().width();
    const bool compact = width() < full_width_;
    if (compact == compact_)
        return;
    compact_ = compact;
    showSpec(setting_.spec());
    row_->activate();
}

QSize MechanismBar::minimumSizeHint() const {
    // Parameters can go behind the button, so they need no room.
    int width = row_->minimumSize().width();
    if (!compact_ && variant_form_->isVisibleTo(this))
        width -= variant_form_->minimumSizeHint().width() + row_->spacing();
    if (!compact_ && variant_form_->isVisibleTo(this) && !more_button_->isVisibleTo(this))
        width += more_button_->sizeHint().width() + row_->spacing();
    return {width, row_->minimumSize().height()};
}

bool MechanismBar::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        fit();
    return done;
}

void MechanismBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().card);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme().border);
}

void MechanismBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

} // namespace attnlab::ui
