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
#include "ui/widgets/tool_tray.h"

#include <algorithm>
#include <QBoxLayout>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
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

bool OverflowPopup::isEmpty(const std::vector<int>& shown) const {
    return std::ranges::none_of(shown, [this](int index) {
        return static_cast<std::size_t>(index) < groups_.size() && shows(groups_[static_cast<std::size_t>(index)]);
    });
}

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
    : QObject(bar), more_(more), group_(group), picker_(new Picker(bar)),
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

void SelectionField::moveTo(QBoxLayout& row, int index) {
    row.insertWidget(index, picker_);
    moveParametersTo(row, index + 1);
}

void SelectionField::moveParametersTo(QBoxLayout& row, int index) {
    if (row.indexOf(row_) < 0)
        row.insertWidget(index, row_);
}

void SelectionField::moveToPopup() {
    more_.add(group_, row_, true);
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
constexpr std::size_t parameters_of_weights = 2; ///< in their tray
constexpr int letters_of_scale = 17;             ///< with frame and arrow

constexpr int row_spacing = 10, row_margin = 12;

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
        connect(button, &QPushButton::clicked, this, [this, button] { openTray(Tray::Mechanism, *button); });
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

void MechanismBar::setStages(std::function<bool(Tray)> has_button) {
    has_button_ = std::move(has_button);
    row_->setContentsMargins(0, 0, 0, 0);
    makeTray(Tray::Scores, tr("Scores"));
    makeTray(Tray::Scale, tr("Scale"));
    makeTray(Tray::Weights, tr("How weights are made"));
    makeTray(Tray::Mechanism, tr("Settings of the mechanism"));
    scalePicker()->setFixedWidth(letters_of_scale * fontMetrics().averageCharWidth()); // the slider does not move
    scalePicker()->setLabel(tr("Scale"), {}); // the key is that of the operation
    positionPicker()->setLabel(tr("Position"), {});
    picker(Choice::Normaliser)->setLabel(tr("Normaliser"), {});
    picker(Choice::Decay)->setLabel(tr("Decay"), {});
    fit();
    placeControls();
}

void MechanismBar::makeTray(Tray which, const QString& name) {
    auto* tray = new ToolTray(name, this);
    auto* more = new RowButton(tray);
    more->setText(tr("More ▾"));
    QSizePolicy keeps_its_room = more->sizePolicy();
    keeps_its_room.setRetainSizeWhenHidden(true); // nothing moves when there is more
    more->setSizePolicy(keeps_its_room);
    more->setAccessibleName(tr("More: %1").arg(name));
    tray->content()->addStretch(1);
    tray->content()->addWidget(more);
    connect(more, &QPushButton::clicked, this, [this, which, more] {
        more_popup_->openWith(groupsOf(which), {more->mapToGlobal(QPoint()), more->size()});
    });
    trays_[static_cast<std::size_t>(which)] = tray;
    more_of_trays_[static_cast<std::size_t>(which)] = more;
}

std::vector<ToolTray*> MechanismBar::trays() const { return {trays_.begin(), trays_.end()}; }

void MechanismBar::addToTray(Tray which, QWidget* part) { tray(which)->content()->insertWidget(0, part); }

void MechanismBar::addExplanation(QWidget* text) { more_popup_->addText(static_cast<int>(Choice::Mechanism), text); }

MechanismBar::Tray MechanismBar::trayOf(Choice choice) {
    switch (choice) {
    case Choice::Scale:
        return Tray::Scale;
    case Choice::Position:
        return Tray::Scores;
    case Choice::Normaliser:
    case Choice::Decay:
        return Tray::Weights;
    case Choice::Mechanism:
        break;
    }
    return Tray::Mechanism;
}

/// What the button "More" of a tray opens.
std::vector<int> MechanismBar::groupsOf(Tray tray) const {
    std::vector<int> groups;
    for (const auto choice : {Choice::Mechanism, Choice::Scale, Choice::Position, Choice::Normaliser, Choice::Decay}) {
        const Tray own = trayOf(choice);
        if (own == tray || (tray == Tray::Mechanism && !has_button_(own)))
            groups.push_back(static_cast<int>(choice));
    }
    return groups;
}

/// Controls of an operation without a button are behind "More" of the mechanism.
void MechanismBar::placeControls() {
    const auto end = [](const ToolTray* tray) { return tray->layout()->count() - 2; }; // before the gap and "More"
    for (const auto choice : {Choice::Scale, Choice::Position, Choice::Normaliser, Choice::Decay}) {
        ToolTray* own = tray(trayOf(choice));
        const QWidget* picker = field(choice)->picker();
        const bool in_tray = has_button_(trayOf(choice));
        if (picker->parentWidget() != this && in_tray == own->isAncestorOf(picker))
            continue;
        if (in_tray) {
            field(choice)->moveTo(*own->content(), end(own));
            if (choice == Choice::Scale)
                own->content()->insertWidget(end(own), after_softmax_);
        } else {
            if (choice == Choice::Scale)
                more_popup_->add(static_cast<int>(choice), after_softmax_, true);
            field(choice)->moveToPopup();
        }
    }
    ToolTray* own = tray(Tray::Mechanism);
    field(Choice::Mechanism)->moveParametersTo(*own->content(), end(own));
}

void MechanismBar::showMoreOfTrays() {
    for (const auto which : {Tray::Scores, Tray::Scale, Tray::Weights, Tray::Mechanism})
        if (RowButton* more = more_of_trays_[static_cast<std::size_t>(which)])
            more->setVisible(!more_popup_->isEmpty(groupsOf(which)));
}

void MechanismBar::openTray(Tray which, QWidget& opener) {
    if (!has_button_) {
        more_popup_->openWith({static_cast<int>(Choice::Mechanism), static_cast<int>(Choice::Scale),
                               static_cast<int>(Choice::Position), static_cast<int>(Choice::Normaliser),
                               static_cast<int>(Choice::Decay)},
                              {opener.mapToGlobal(QPoint()), opener.size()});
        return;
    }
    placeControls();
    showMoreOfTrays();
    tray(which)->toggle(opener);
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
    more_button_->setVisible(more);
    showMoreButton();
    if (has_button_ && trays_.back())
        showMoreOfTrays();
    if (!more)
        more_popup_->hide();
}

void MechanismBar::showVariant(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto shown = static_cast<std::size_t>(std::ranges::count(chosen.parameters, false, &Parameter::aside));
    const std::size_t most = shown <= parameters_in_row ? shown : 1;
    field(Choice::Mechanism)->setParameters(chosen.parameters, isInRow(WithoutVariant) ? most : 0, spec.parameters);
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
        ->setParameters(term ? term->parameters : std::span<const Parameter>(), isInRow(WithoutPosition) ? 1 : 0,
                        positionValues(spec));
}

void MechanismBar::showWeights(const Mechanism& chosen, const AttentionSpec& spec) {
    const auto* normaliser =
        lookup(normalisers(), spec.normaliser.id.empty() ? std::string_view("softmax") : spec.normaliser.id);
    const auto* decay = lookup(decays(), spec.decay.id);
    const std::size_t in_row = narrowness_ == InTrays ? parameters_of_weights : 0;
    picker(Choice::Normaliser)
        ->setCurrent(normaliser ? textOf(normaliser->id) : QString::fromStdString(spec.normaliser.id));
    picker(Choice::Decay)
        ->setCurrent(spec.decay.id.empty() ? QString::fromLatin1(no_decay) : QString::fromStdString(spec.decay.id));
    picker(Choice::Normaliser)->setVisible(!refusal_of_normaliser(chosen) || !spec.normaliser.id.empty());
    picker(Choice::Decay)->setVisible(!refusal_of_decay(chosen) || !spec.decay.id.empty());
    field(Choice::Normaliser)
        ->setParameters(normaliser ? normaliser->parameters : std::span<const Parameter>(), in_row,
                        spec.normaliser.parameters);
    field(Choice::Decay)
        ->setParameters(decay ? decay->parameters : std::span<const Parameter>(), in_row, spec.decay.parameters);
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

void MechanismBar::showNarrowness(Narrowness narrowness) {
    if (narrowness == narrowness_)
        return;
    narrowness_ = narrowness;
    variantPicker()->setTerse(narrowness != Wide);
    scalePicker()->setTerse(narrowness != Wide); // its tray is named by the slider
    positionPicker()->setTerse(narrowness != Wide && narrowness != InTrays);
    showSpec(setting_.spec());
}

void MechanismBar::fit() {
    if (has_button_) {
        showNarrowness(InTrays);
        row_->activate();
        return;
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
    if (!has_button_) // otherwise it is a part of another row
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme().border);
}

} // namespace attnlab::ui
