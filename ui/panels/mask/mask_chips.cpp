#include "ui/panels/mask/mask_chips.h"

#include "core/stages/sliding_window.h"
#include "core/variants.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mask/window_form.h"
#include "ui/panels/mechanism/parameter_form.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/one_tab_stop.h"
#include "ui/widgets/scroll_room.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {

MaskChips::MaskChips(const ComparedSide& setting, QWidget* parent)
    : QWidget(parent), setting_(setting), chips_(new QWidget(this)), rows_(new QWidget),
      room_(new ScrollRoom(rows_, ScrollRoom::Scrolls::Down, this)), sliding_(new Chip(chips_)) {
    new FlowLayout(chips_, 4, 4);
    auto* rows = new FlowLayout(rows_, 12, 4);
    rows->setContentsMargins(0, 0, 0, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(chips_);
    column->addWidget(room_);
    for (const MaskKind& kind : mask_kinds()) {
        addItem(kind);
        if (kind.id == "window")
            chips_->layout()->addWidget(sliding_);
    }
    QList<QWidget*> all; // as they are laid out
    for (int i = 0; i < chips_->layout()->count(); ++i)
        all << chips_->layout()->itemAt(i)->widget();
    new OneTabStop(all, this);
    sliding_form_ = new ParameterForm(ParameterForm::Arrangement::Row);
    addRow(sliding_row_, sliding_label_, *sliding_form_);
    connect(sliding_, &QAbstractButton::clicked, this, [this](bool on) {
        const auto usual = with_defaults(sliding_window_parameters(), {}, "sliding_window").integer("n");
        slide(on ? std::optional(usual) : std::nullopt);
    });
    connect(sliding_form_, &ParameterForm::valuesChanged, this, [this](const ParameterValues& values, int gesture) {
        slide(with_defaults(sliding_window_parameters(), values, "sliding_window").integer("n"), gesture);
    });
    sliding_form_->setParameters(sliding_window_parameters(), {});
    room_->setFixedHeight(sliding_row_->sizeHint().height() + 2);
    connect(&setting_.document(), &Document::problemChanged, this, &MaskChips::showSetting);
    sliding_->setText(tr("sliding", "window"));
    sliding_->setToolTip(
        tr("Causal with a window: a query reads itself and the n − 1 keys before it, as sliding_window "
           "says in the configuration of Mistral and other models"));
    sliding_->setAccessibleName(tr("Mask: %1").arg(tr("sliding window")));
    sliding_->setAccessibleDescription(sliding_->toolTip());
    sliding_label_->setText(tr("sliding window"));
    showSetting();
}

void MaskChips::addItem(const MaskKind& kind) {
    Item one{&kind, new Chip(chips_), nullptr, nullptr, nullptr};
    chips_->layout()->addWidget(one.chip);
    connect(one.chip, &QAbstractButton::clicked, this, [this, &kind](bool on) { toggle(kind, on); });
    if (!kind.parameters.empty() && kind.id != "causal") { // FirstQueryForm has its alignment
        const auto set = [this, &kind](const ParameterValues& values, int gesture) {
            setParameters(kind, values, gesture);
        };
        if (kind.id == "window") {
            window_ = new WindowForm;
            one.form = window_->width();
            addRow(one.row, one.label, *window_);
            one.label->hide(); // the fields say what they are, and need the room
            connect(window_, &WindowForm::valuesChanged, this, set);
        } else {
            one.form = new ParameterForm(ParameterForm::Arrangement::Row);
            addRow(one.row, one.label, *one.form);
            connect(one.form, &ParameterForm::valuesChanged, this, set);
        }
    }
    items_.push_back(one);
}

void MaskChips::addRow(QWidget*& row, QLabel*& label, QWidget& form) {
    row = new QWidget(rows_);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    label = new ElidedLabel(row); // in a narrow panel the fields need the room
    label->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(label);
    line->addWidget(&form);
    rows_->layout()->addWidget(row);
    row->hide();
}

const MaskChips::Item* MaskChips::item(std::string_view kind) const {
    const auto found = std::ranges::find_if(items_, [&](const Item& one) { return one.kind->id == kind; });
    return found == items_.end() ? nullptr : &*found;
}

Chip* MaskChips::chip(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->chip : nullptr;
}

ParameterForm* MaskChips::form(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->form : nullptr;
}

void MaskChips::toggle(const MaskKind& kind, bool on) {
    AttentionSpec spec = setting_.spec();
    const QString title = translated(kind.title);
    if (!on) {
        std::erase_if(spec.masks, [&](const Selection& mask) { return mask.id == kind.id; });
        setting_.setSpec(std::move(spec), tr("Turn off mask “%1”").arg(title));
    } else {
        spec.masks.push_back({std::string(kind.id), with_defaults(kind.parameters, {}, kind.id)});
        setting_.setSpecCompletingInputs(std::move(spec), tr("Turn on mask “%1”").arg(title));
    }
    showSetting();
}

void MaskChips::setParameters(const MaskKind& kind, const ParameterValues& values, int gesture) {
    AttentionSpec spec = setting_.spec();
    const auto mask = std::ranges::find(spec.masks, kind.id, &Selection::id);
    if (mask == spec.masks.end())
        return;
    mask->parameters = values;
    setting_.setSpec(std::move(spec), tr("Change mask “%1”").arg(translated(kind.title)), gesture);
}

void MaskChips::showSetting() {
    const auto& masks = setting_.spec().masks;
    const auto table = variants();
    const auto chosen = std::ranges::find(table, setting_.spec().variant, &Variant::id);
    for (Item& one : items_) {
        const auto mask = std::ranges::find(masks, one.kind->id, &Selection::id);
        const bool on = mask != masks.end();
        one.chip->setChecked(on);
        one.refusal = chosen == table.end() ? nullptr : refusal_of_mask(*chosen, one.kind->id);
        one.chip->setEnabled(!one.refusal || on); // a refused mask from a file can be turned off
        if (!one.form)
            continue;
        const ParameterValues& values = on ? mask->parameters : ParameterValues();
        if (one.form == window_->width())
            window_->setValues(values);
        else
            one.form->setParameters(one.kind->parameters, values);
        one.row->setVisible(on);
    }
    showSlidingWindow();
    describeChips();
}

/// Replaces the existing causal and window masks; nullopt removes both.
void MaskChips::slide(std::optional<std::int64_t> keys, int gesture) {
    AttentionSpec spec = setting_.spec();
    spec.masks = with_sliding_window(std::move(spec.masks), keys);
    if (spec != setting_.spec())
        setting_.setSpec(std::move(spec),
                         keys ? tr("Sliding window of %1 keys").arg(*keys) : tr("Turn off the sliding window"),
                         gesture);
    showSetting();
}

void MaskChips::showSlidingWindow() {
    const auto keys = sliding_window_of(setting_.spec().masks);
    sliding_->setChecked(keys.has_value());
    const Item *causal = item("causal"), *window = item("window");
    sliding_->setEnabled(keys || (!causal->refusal && !window->refusal));
    sliding_row_->setVisible(keys.has_value());
    if (!keys)
        return;
    ParameterValues values;
    values.set("n", *keys);
    sliding_form_->setParameters(sliding_window_parameters(), values);
    for (const Item* part : {causal, window})
        if (part->row)
            part->row->hide(); // its own chip describes it
}

void MaskChips::describeChips() {
    for (const Item& one : items_) {
        const QString title = translated(one.kind->title);
        if (one.label)
            one.label->setText(title);
        const QString rule = formulaText(one.kind->rule);
        const QString help = translated(one.kind->help);
        one.chip->setText(title);
        one.chip->setToolTip(one.kind->adds ? tr("%1\nScore: %2").arg(help, rule)
                                            : tr("%1\nKeeps: %2").arg(help, rule));
        if (one.refusal)
            one.chip->setToolTip(translated(one.refusal));
        one.chip->setAccessibleName(tr("Mask: %1").arg(title));
        one.chip->setAccessibleDescription(one.refusal ? translated(one.refusal) : help);
    }
}

} // namespace attnlab::ui
