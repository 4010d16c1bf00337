#include "ui/panels/mechanism/mechanism_bar.h"

#include "core/lookup.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/panels/mechanism/parameter_text.h"
#include "ui/panels/mechanism/picker.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {

OverflowPopup::OverflowPopup(QWidget* parent) : Popup(parent), column_(new QVBoxLayout(this)) {
    column_->setSpacing(4);
    column_->setSizeConstraint(QLayout::SetMinAndMaxSize);
}

OverflowPopup::Group& OverflowPopup::group(int index) {
    while (groups_.size() <= static_cast<std::size_t>(index)) {
        auto* box = new QWidget(this);
        auto* column = new QVBoxLayout(box);
        auto* heading = mutedLabel(box, true);
        column->setSpacing(4);
        column->setContentsMargins(0, 0, 0, 6);
        column->addWidget(heading);
        column_->addWidget(box);
        groups_.push_back({box, heading, column});
    }
    return groups_[static_cast<std::size_t>(index)];
}

void OverflowPopup::add(int index, QWidget* part, bool first) {
    auto* column = group(index).column;
    column->insertWidget(first ? 1 : column->count(), part); // below the heading
}

void OverflowPopup::addText(int index, QWidget* text) {
    add(index, text, true);
    texts_ << text;
}

void OverflowPopup::setHeading(int index, const QString& text) { group(index).heading->setText(text); }

bool OverflowPopup::shows(const Group& group) {
    for (int i = 1; i < group.column->count(); ++i)
        if (const auto* part = group.column->itemAt(i)->widget(); part && !part->isHidden())
            return true;
    return false;
}

bool OverflowPopup::isEmpty() const { return std::none_of(groups_.begin(), groups_.end(), shows); }

void OverflowPopup::openWith(const std::vector<int>& groups, const QRect& anchor) {
    for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
        const bool wanted = std::ranges::find(groups, i) != groups.end();
        groups_[static_cast<std::size_t>(i)].box->setVisible(wanted && shows(groups_[static_cast<std::size_t>(i)]));
    }
    openAt(anchor);
    // The uppermost control, whichever was made first.
    const auto explains = [this](const QWidget* widget) {
        return std::ranges::any_of(texts_, [&](const QWidget* text) { return text->isAncestorOf(widget); });
    };
    QWidget* first = nullptr;
    for (QWidget* widget : findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) && !explains(widget) &&
            (!first || widget->mapTo(this, QPoint()).y() < first->mapTo(this, QPoint()).y()))
            first = widget;
    if (first)
        first->setFocus(Qt::PopupFocusReason);
}

SelectionField::SelectionField(QBoxLayout& row, OverflowPopup& more, int group, QWidget* bar)
    : QObject(bar), bar_row_(&row), more_(more), group_(group), picker_(new Picker(bar)),
      row_(new ParameterForm(ParameterForm::Arrangement::Row, bar)),
      column_(new ParameterForm(ParameterForm::Arrangement::Column, &more)) {
    for (auto* form : {row_, column_}) {
        form->hide();
        connect(form, &ParameterForm::valuesChanged, this, &SelectionField::merge);
    }
    row.addWidget(picker_);
    row.addWidget(row_);
    more.add(group, column_);
}

SelectionField::SelectionField(OverflowPopup& more, int group, QWidget* bar)
    : QObject(bar), more_(more), group_(group), picker_(new Picker(&more)),
      row_(new ParameterForm(ParameterForm::Arrangement::Row, &more)),
      column_(new ParameterForm(ParameterForm::Arrangement::Column, &more)) {
    for (auto* form : {row_, column_}) {
        form->hide();
        connect(form, &ParameterForm::valuesChanged, this, &SelectionField::merge);
    }
    more.add(group, picker_);
    more.add(group, column_);
}

void SelectionField::setInRow(bool in_row) {
    if (in_row)
        bar_row_->insertWidget(bar_row_->indexOf(row_), picker_);
    else
        more_.add(group_, picker_, true);
}

void SelectionField::setParameters(std::span<const Parameter> declared, std::size_t in_row,
                                   const ParameterValues& values) {
    declared_ = declared;
    values_ = completed(declared, values);
    const auto first = declared.first(std::min(in_row, declared.size()));
    row_->setParameters(first, values_);
    column_->setParameters(declared.subspan(first.size()), values_);
    // Parameters of a choice that is not made are irrelevant.
    for (const auto& parameter : declared)
        for (auto* form : {row_, column_})
            form->setShown(parameter.name, holds(parameter.when, declared, values_));
    row_->setVisible(!row_->parameters().empty());
    column_->setVisible(!column_->parameters().empty());
}

QWidget* SelectionField::field(std::string_view name) const {
    QWidget* in_row = row_->field(name);
    return in_row ? in_row : column_->field(name);
}

void SelectionField::merge(const ParameterValues& changed, int gesture) {
    auto values = values_;
    for (const auto& parameter : static_cast<const ParameterForm*>(sender())->parameters())
        if (const auto* value = changed.find(parameter.name))
            values.set(parameter.name, *value);
        else
            values.erase(parameter.name); // a number that stays open again
    values_ = values;
    emit valuesChanged(values, gesture);
}

namespace {

/// With more, only the first stays in the row; the rest moves behind a button.
constexpr std::size_t parameters_in_row = 3;

constexpr int row_spacing = 10, row_margin = 12; ///< of the row, where there is room

constexpr std::string_view offset_parameter = "query_offset";

/// A position without an offset of its own has that of the setting.
ParameterValues positionValues(const AttentionSpec& spec) {
    ParameterValues values = spec.position.parameters;
    if (spec.query_offset && !values.find(offset_parameter))
        values.set(offset_parameter, *spec.query_offset);
    return values;
}

} // namespace

MechanismBar::MechanismBar(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), row_(new QHBoxLayout(this)), more_popup_(new OverflowPopup(this)) {
    needed_.fill(-1);
    row_->setContentsMargins(row_margin, 4, row_margin, 5);
    row_->setSpacing(row_spacing);
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    // Tab follows the order of creation.
    for (const auto choice : {Choice::Mechanism, Choice::Scale, Choice::Position}) {
        auto*& made = fields_[static_cast<std::size_t>(choice)];
        made = new SelectionField(*row_, *more_popup_, static_cast<int>(choice), this);
        connect(made, &SelectionField::valuesChanged, this,
                [this, choice](const ParameterValues& values, int gesture) { setParameters(choice, values, gesture); });
        if (choice == Choice::Scale) {
            after_softmax_ = new QCheckBox(this);
            more_after_softmax_ = new QCheckBox(more_popup_);
            row_->addWidget(after_softmax_);
            more_popup_->add(static_cast<int>(choice), more_after_softmax_);
        }
    }
    for (const auto choice : {Choice::Normaliser, Choice::Decay}) {
        auto*& made = fields_[static_cast<std::size_t>(choice)];
        made = new SelectionField(*more_popup_, static_cast<int>(choice), this);
        connect(made, &SelectionField::valuesChanged, this,
                [this, choice](const ParameterValues& values, int gesture) { setParameters(choice, values, gesture); });
        connect(made->picker(), &Picker::picked, this,
                [this, choice](const QString& id) { chooseWeights(choice, id); });
    }
    weights_button_ = new RowButton(this);
    rounding_button_ = new RowButton(this);
    more_button_ = new RowButton(this);
    row_->addWidget(weights_button_);
    row_->addWidget(rounding_button_);
    row_->addWidget(more_button_);
    row_->addStretch(1);

    connect(variantPicker(), &Picker::picked, this, &MechanismBar::chooseVariant);
    connect(scalePicker(), &Picker::picked, this, &MechanismBar::chooseScale);
    connect(positionPicker(), &Picker::picked, this, &MechanismBar::choosePosition);
    for (auto* box : {after_softmax_, more_after_softmax_})
        connect(box, &QCheckBox::toggled, this, &MechanismBar::setAfterSoftmax);
    rounding_button_->setMenu(new RoundingMenu(setting_, rounding_button_));
    for (auto* button : {more_button_, weights_button_})
        connect(button, &QPushButton::clicked, this, [this, button] {
            openTray(Tray::All, {button->mapToGlobal(QPoint()), button->size()});
        });
    connect(&setting_.document(), &Document::problemChanged, this, [this] {
        if (shown_ != setting_.spec()) // numbers change no control
            follow();
    });
    const auto label = [this](Choice choice, const QString& text, Qt::Key key) {
        picker(choice)->setLabel(text, setting_.side() == ComparedSide::Side::A ? QKeySequence(Qt::ALT | key)
                                                                                : QKeySequence());
        more_popup_->setHeading(static_cast<int>(choice), text);
    };
    label(Choice::Mechanism, tr("Mechanism"), Qt::Key_M);
    label(Choice::Scale, tr("Scale"), Qt::Key_S);
    label(Choice::Position, tr("Position"), Qt::Key_P);
    for (const auto& [choice, text] : {std::pair{Choice::Normaliser, tr("Normaliser")}, {Choice::Decay, tr("Decay")}}) {
        picker(choice)->setSpokenLabel(text);
        more_popup_->setHeading(static_cast<int>(choice), text);
    }
    weights_button_->setAccessibleName(tr("How weights are made"));
    weights_button_->setToolTip(tr("What makes weights of the scores, and how keys fade with distance"));
    rounding_button_->setAccessibleName(tr("Numbers of the setting"));
    rounding_button_->setToolTip(tr("What the window shows is rounded to the numbers of a narrower type"));
    for (auto* box : {after_softmax_, more_after_softmax_})
        box->setText(tr("After softmax"));
    variantPicker()->setItems(variantItems());
    follow();
    fit();
}

Picker* MechanismBar::picker(Choice choice) const { return field(choice)->picker(); }

void MechanismBar::setStages(QWidget* stages, std::function<bool(Tray)> opens) {
    stages_ = stages;
    opens_ = std::move(opens);
    constexpr int all_room = 1000; // beside the stretch of a row without them
    row_->insertWidget(row_->indexOf(more_button_) + 1, stages, all_room);
    fit();
}

void MechanismBar::addToTray(QWidget* part) { more_popup_->addText(static_cast<int>(Choice::Mechanism), part); }

void MechanismBar::addToWeightsTray(QWidget* part) { more_popup_->add(static_cast<int>(Choice::Normaliser), part); }

void MechanismBar::openTray(Tray tray, const QRect& anchor) {
    const int mechanism = static_cast<int>(Choice::Mechanism), scale = static_cast<int>(Choice::Scale),
              position = static_cast<int>(Choice::Position), normaliser = static_cast<int>(Choice::Normaliser),
              decay = static_cast<int>(Choice::Decay);
    const std::pair<Tray, std::vector<int>> trays[] = {
        {Tray::Scores, {position}}, {Tray::Scale, {scale}}, {Tray::Weights, {normaliser, decay}}};
    std::vector<int> groups;
    if (tray == Tray::All || (tray == Tray::Scores && more_button_->isHidden()))
        groups.push_back(mechanism);
    for (const auto& [which, own] : trays)
        if (tray == which || (tray == Tray::All && !(narrowness_ == InTrays && opens_(which))))
            groups.insert(groups.end(), own.begin(), own.end());
    more_popup_->openWith(groups, anchor);
}

/// Beside the stages it says the first number of the mechanism, such as "Heads 4".
void MechanismBar::showMoreButton() {
    QString text = tr("More…");
    if (narrowness_ == InTrays) {
        text = tr("Settings");
        const AttentionSpec& spec = setting_.spec();
        const auto declared = field(Choice::Mechanism)->parameters();
        const auto values = completed(declared, spec.parameters);
        const auto first = std::ranges::find_if(declared, [&](const Parameter& parameter) {
            return !parameter.aside && parameter.type == ParameterType::Integer && values.find(parameter.name) &&
                   holds(parameter.when, declared, values);
        });
        if (first != declared.end())
            text = parameterTitle(*first) + QLatin1Char(' ') + valueText(*values.find(first->name));
        text += QStringLiteral(" ▾");
    }
    if (more_button_->text() == text)
        return;
    more_button_->setToolTip(narrowness_ == InTrays ? tr("Parameters of the mechanism, and its formula")
                                                    : tr("More parameters of mechanism, scale and position"));
    more_button_->setText(text);
    // Without the sign of a list.
    const QString words = text.chopped(narrowness_ == InTrays ? 2 : 0);
    more_button_->setAccessibleName(narrowness_ == InTrays
                                        ? QStringList{words, more_button_->toolTip()}.join(QStringLiteral(": "))
                                        : more_button_->toolTip());
    more_button_->updateGeometry();
}

void MechanismBar::follow() {
    const auto choices = [this] {
        return std::array{variantPicker()->current(), scalePicker()->current(), positionPicker()->current(),
                          rounding_button_->text(), weights_button_->text()};
    };
    const auto before = choices();
    showSpec(setting_.spec());
    if (before != choices()) { // other parameters need another width
        needed_.fill(-1);
        fit();
    }
}

void MechanismBar::showSpec(const AttentionSpec& spec) {
    shown_ = spec;
    variantPicker()->setCurrent(QString::fromStdString(spec.variant));
    if (const auto* chosen = lookup(mechanisms(), spec.variant)) {
        if (shown_variant_ != chosen) {
            scalePicker()->setItems(scaleItems(*chosen));
            positionPicker()->setItems(positionItems(*chosen));
            picker(Choice::Normaliser)->setItems(normaliserItems(*chosen));
            picker(Choice::Decay)->setItems(decayItems(*chosen));
            shown_variant_ = chosen;
        }
        showVariant(*chosen, spec);
        showScale(*chosen, spec);
        showAfterSoftmax(*chosen, spec);
        showPosition(*chosen, spec);
        showWeights(*chosen, spec);
    }
    // Setting B has its own button elsewhere.
    rounding_button_->setVisible(setting_.side() == ComparedSide::Side::A && spec.rounding);
    rounding_button_->setText(RoundingWords::of(spec.rounding));
    const bool more = !more_popup_->isEmpty();
    more_button_->setVisible(more && !cramped_);
    showMoreButton();
    if (!more)
        more_popup_->hide();
}

void MechanismBar::showVariant(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto shown = static_cast<std::size_t>(std::ranges::count(chosen.parameters, false, &Parameter::aside));
    const std::size_t most = shown <= parameters_in_row ? shown : 1;
    field(Choice::Mechanism)
        ->setParameters(chosen.parameters, narrowness_ < WithoutVariant ? most : 0, spec.parameters);
}

void MechanismBar::showScale(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto* mode = scaleOf(chosen, spec);
    scalePicker()->setCurrent(mode ? textOf(mode->id) : QString::fromStdString(spec.scale.id));
    field(Choice::Scale)
        ->setParameters(mode ? mode->parameters : std::span<const Parameter>(),
                        narrowness_ < WithoutScale ? parameters_in_row : 0, spec.scale.parameters);
}

void MechanismBar::showAfterSoftmax(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto* mode = scaleOf(chosen, spec);
    const bool no_factor = mode && !mode->factor;
    const char* refused = chosen.refuses.scale_after_softmax;
    const QString why =
        refused     ? translated(refused)
        : no_factor ? tr("This scale is not one number for all scores, so there is nothing to multiply the weights by.")
                    : tr("Multiplies the weights by the scale instead of the scores. It is not how attention is "
                         "defined: a widely copied worked example prints its numbers this way, and this reproduces "
                         "them as printed.");
    for (auto* box : {after_softmax_, more_after_softmax_}) {
        box->setToolTip(why);
        box->setWhatsThis(why);
        box->setAccessibleDescription(why);
        const QSignalBlocker quiet(box);
        box->setChecked(spec.scale_after_softmax);
        // An invalid combination from a file must remain changeable.
        box->setEnabled((mode && !no_factor && !refused) || spec.scale_after_softmax);
        box->setVisible(box == afterSoftmax());
    }
}

void MechanismBar::showPosition(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto* term = positionOf(spec);
    const bool none = spec.position.id.empty();
    positionPicker()->setCurrent(none ? QString::fromLatin1(no_position) : QString::fromStdString(spec.position.id));
    // As above: an existing position can be removed.
    positionPicker()->setRefusal(chosen.refuses.position && none ? translated(chosen.refuses.position) : QString());
    field(Choice::Position)
        ->setParameters(term ? term->parameters : std::span<const Parameter>(), narrowness_ < WithoutPosition ? 1 : 0,
                        positionValues(spec));
}

void MechanismBar::showWeights(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto* normaliser =
        lookup(normalisers(), spec.normaliser.id.empty() ? std::string_view("softmax") : spec.normaliser.id);
    const auto* decay = lookup(decays(), spec.decay.id);
    picker(Choice::Normaliser)
        ->setCurrent(normaliser ? textOf(normaliser->id) : QString::fromStdString(spec.normaliser.id));
    picker(Choice::Decay)
        ->setCurrent(spec.decay.id.empty() ? QString::fromLatin1(no_decay) : QString::fromStdString(spec.decay.id));
    picker(Choice::Normaliser)->setVisible(!refusal_of_normaliser(chosen) || !spec.normaliser.id.empty());
    picker(Choice::Decay)->setVisible(!refusal_of_decay(chosen) || !spec.decay.id.empty());
    field(Choice::Normaliser)
        ->setParameters(normaliser ? normaliser->parameters : std::span<const Parameter>(), 0,
                        spec.normaliser.parameters);
    field(Choice::Decay)
        ->setParameters(decay ? decay->parameters : std::span<const Parameter>(), 0, spec.decay.parameters);
    QStringList words;
    if (!spec.normaliser.id.empty())
        words << picker(Choice::Normaliser)->currentTitle();
    if (!spec.decay.id.empty())
        words << picker(Choice::Decay)->currentTitle();
    weights_button_->setText(words.join(QStringLiteral(" · ")));
    // Beside the stages their operation says it.
    weights_button_->setVisible(!words.isEmpty() && (narrowness_ != InTrays || refusal_of_normaliser(chosen)));
}

/// Shows the present setting again if the user cancels the edit.
void MechanismBar::choose(AttentionSpec spec, const QString& text, int gesture) {
    if (!setting_.setSpecCompletingInputs(std::move(spec), text, gesture))
        showSpec(setting_.spec());
}

void MechanismBar::chooseVariant(const QString& id) {
    const auto* chosen = lookup(mechanisms(), id.toStdString());
    auto spec = setting_.spec();
    if (!chosen || chosen->id == spec.variant)
        return;
    spec.variant = chosen->id;
    spec.parameters = kept(chosen->parameters, spec.parameters);
    spec = without_refused(std::move(spec));
    const auto* mode = scaleOf(*chosen, spec);
    spec.scale_after_softmax = spec.scale_after_softmax && mode && mode->factor;
    choose(std::move(spec), tr("Choose mechanism %1").arg(capitalised(translated(chosen->title))));
}

void MechanismBar::chooseScale(const QString& id) {
    const auto* mode = lookup(scale_modes(), id.toStdString());
    auto spec = setting_.spec();
    const auto* chosen = lookup(mechanisms(), spec.variant);
    if (!mode || !chosen || scaleOf(*chosen, spec) == mode)
        return;
    // Choosing the default means following the default, also of another mechanism.
    const bool is_default = mode->id == chosen->default_scale;
    spec.scale = {is_default ? std::string() : std::string(mode->id), kept(mode->parameters, spec.scale.parameters)};
    spec.scale_after_softmax = spec.scale_after_softmax && mode->factor;
    choose(std::move(spec), tr("Choose scale %1").arg(capitalised(translated(mode->title))));
}

void MechanismBar::choosePosition(const QString& id) {
    const auto* term = lookup(position_terms(), id.toStdString());
    auto spec = setting_.spec();
    if ((term && spec.position.id == term->id) || (!term && spec.position.id.empty()))
        return;
    if (!term) {
        spec.position = {};
        setting_.setSpec(std::move(spec), tr("Choose no position"));
        return;
    }
    spec.position = {std::string(term->id), kept(term->parameters, spec.position.parameters)};
    choose(std::move(spec), tr("Choose position %1").arg(capitalised(translated(term->title))));
}

void MechanismBar::chooseWeights(Choice choice, const QString& id) {
    auto spec = setting_.spec();
    const bool decays_keys = choice == Choice::Decay;
    auto& own = decays_keys ? spec.decay : spec.normaliser;
    const auto chosen = id == QLatin1String(decays_keys ? no_decay : "softmax") ? std::string() : id.toStdString();
    if (own.id == chosen)
        return;
    own = {chosen, {}};
    const auto* decay = lookup(decays(), chosen);
    const auto* normaliser = lookup(normalisers(), id.toStdString());
    const QString title = decay ? translated(decay->title) : normaliser ? translated(normaliser->title) : QString();
    if (chosen.empty() && decays_keys)
        setting_.setSpec(std::move(spec), tr("Choose no decay"));
    else
        choose(std::move(spec), decays_keys ? tr("Choose decay %1").arg(title) : tr("Choose normaliser %1").arg(title));
}

void MechanismBar::setParameters(Choice choice, const ParameterValues& values, int gesture) {
    auto spec = setting_.spec();
    auto& own = choice == Choice::Mechanism    ? spec.parameters
                : choice == Choice::Scale      ? spec.scale.parameters
                : choice == Choice::Normaliser ? spec.normaliser.parameters
                : choice == Choice::Decay      ? spec.decay.parameters
                                               : spec.position.parameters;
    const auto declared = field(choice)->parameters();
    const auto shown = completed(declared, choice == Choice::Position ? positionValues(spec) : own);
    const QString text = tr("Change %1").arg(changedTitle(declared, shown, values));
    const bool follows = choice == Choice::Position && !own.find(offset_parameter) && values.find(offset_parameter) &&
                         shown.integer(offset_parameter) == values.integer(offset_parameter);
    own = values;
    if (follows)
        own.erase(offset_parameter);
    if (choice == Choice::Scale) // which may have been the default
        spec.scale.id = scalePicker()->current().toStdString();
    if (choice == Choice::Mechanism)
        choose(std::move(spec), text, gesture);
    else
        setting_.setSpec(std::move(spec), text, gesture);
}

void MechanismBar::setAfterSoftmax(bool on) {
    auto spec = setting_.spec();
    spec.scale_after_softmax = on;
    setting_.setSpec(std::move(spec), on ? tr("Scale after softmax") : tr("Scale before softmax"));
}

QWidget* MechanismBar::parameterField(std::string_view name) const {
    for (const auto* each : fields_)
        if (auto* found = each->field(name))
            return found;
    return nullptr;
}

void MechanismBar::addActionButton(QAction* action, ButtonStyle style) {
    auto* button =
        new RowButton(this, style == ButtonStyle::Accent ? RowButton::Style::Accent : RowButton::Style::Normal);
    connect(action, &QAction::changed, this, &MechanismBar::showActions);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    row_->addWidget(button);
    actions_.emplace_back(action, button);
    showActions();
}

void MechanismBar::addIconButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(action, &QAction::changed, button,
            [this, button, action] { button->setVisible(action->isVisible() && !cramped_); });
    if (!icon_row_) {
        icon_row_ = new QHBoxLayout;
        icon_row_->setSpacing(0);
        row_->addLayout(icon_row_);
    }
    icon_row_->addWidget(button);
    icons_.push_back(button);
}

void MechanismBar::showActions() {
    for (QToolButton* button : icons_)
        button->setVisible(button->defaultAction()->isVisible() && !cramped_);
    for (const auto& [action, button] : actions_) {
        // The button has no room for a mnemonic besides the menu's.
        const QString text = withoutMnemonic(action->text());
        button->setIcon(snug_ && !cramped_ ? QIcon() : action->icon());
        button->setText(cramped_ && !action->icon().isNull() ? QString() : text);
        button->setToolTip(action->toolTip());
        button->setAccessibleName(text);
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        button->setCheckable(action->isCheckable());
        button->setChecked(action->isChecked());
        button->updateGeometry();
    }
}

bool MechanismBar::isNarrowerThan(int lines) const { return width() < lines * fontMetrics().height(); }

void MechanismBar::showNarrowness(Narrowness narrowness) {
    if (narrowness == narrowness_)
        return;
    const bool in_row = narrowness != InTrays;
    if (in_row != (narrowness_ != InTrays)) {
        field(Choice::Scale)->setInRow(in_row);
        field(Choice::Position)->setInRow(in_row);
    }
    narrowness_ = narrowness;
    variantPicker()->setTerse(narrowness != Wide);
    for (auto* each : {scalePicker(), positionPicker()})
        each->setTerse(narrowness != Wide && in_row);
    showSpec(setting_.spec());
}

void MechanismBar::fit() {
    if (stages_ && !stages_->isHidden()) {
        showNarrowness(InTrays);
        // Names of stages go before icons; operations before the words of buttons, and before a button whose controls
        // the operations have too.
        constexpr int lines_of_icons = 82, lines_of_words = 56;
        const bool snug = isNarrowerThan(lines_of_icons), cramped = isNarrowerThan(lines_of_words);
        if (snug != snug_ || cramped != cramped_) {
            snug_ = snug;
            cramped_ = cramped;
            row_->setSpacing(snug ? 6 : row_spacing);
            row_->setContentsMargins(snug ? 8 : row_margin, 4, snug ? 8 : row_margin, 5);
            showActions();
            showSpec(setting_.spec());
        }
        row_->activate();
        return;
    }
    if (cramped_ || snug_) {
        cramped_ = snug_ = false;
        row_->setSpacing(row_spacing);
        row_->setContentsMargins(row_margin, 4, row_margin, 5);
        showActions();
    }
    // Pickers drop their labels before parameters, which are used more often than those of the position.
    const auto measure = [this] {
        return narrowness_ == Wide ? row_->sizeHint().width() : row_->minimumSize().width();
    };
    if (const int now = measure(); now != needed_[narrowness_]) { // a button was added, removed or has another text
        needed_.fill(-1);
        needed_[narrowness_] = now;
    }
    for (int next = Wide; next < NarrownessCount; ++next) {
        auto& needed = needed_[static_cast<std::size_t>(next)];
        if (needed < 0) {
            showNarrowness(static_cast<Narrowness>(next));
            needed = measure();
        }
        if (needed <= width() || next + 1 == NarrownessCount) {
            showNarrowness(static_cast<Narrowness>(next));
            break;
        }
    }
    row_->activate();
}

QSize MechanismBar::minimumSizeHint() const {
    // The narrowest form: pickers, the button for the rest, and those at the right.
    const auto margins = row_->contentsMargins();
    int width = margins.left() + margins.right() + more_button_->sizeHint().width();
    for (int i = 0; i < row_->count(); ++i) {
        const QWidget* part = row_->itemAt(i)->widget();
        if (qobject_cast<const RowButton*>(part) && part != more_button_ && !part->isHidden())
            width += part->minimumSizeHint().width() + row_->spacing();
    }
    if (stages_ && !stages_->isHidden())
        width += stages_->minimumSizeHint().width() + row_->spacing();
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
    if (!qobject_cast<QToolBar*>(parentWidget())) // which has a line of its own
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme().border);
}

} // namespace attnlab::ui
