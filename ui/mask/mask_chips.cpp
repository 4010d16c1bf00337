#include "ui/mask/mask_chips.h"

#include "core/variants.h"
#include "ui/document.h"
#include "ui/flow_layout.h"
#include "ui/mask/chip.h"
#include "ui/mechanism/parameter_form.h"
#include "ui/text.h"

#include <QEvent>
#include <QHBoxLayout>

#include <algorithm>

namespace attnlab::ui {

MaskChips::MaskChips(const Setting& setting, QWidget* parent) : QWidget(parent), setting_(setting) {
    new FlowLayout(this, 5, 5);
    for (const MaskKind& kind : mask_kinds())
        addItem(kind);
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&setting_.document(), &Document::problemChanged, this, &MaskChips::showSetting);
    retranslate();
    showSetting();
}

void MaskChips::addItem(const MaskKind& kind) {
    // Chip and form wrap together.
    auto* pair = new QWidget(this);
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    auto* chip = new Chip(pair);
    line->addWidget(chip);
    connect(chip, &QAbstractButton::clicked, this, [this, &kind](bool on) { toggle(kind, on); });
    ParameterForm* form = nullptr;
    if (!kind.parameters.empty()) {
        form = new ParameterForm(ParameterForm::Arrangement::Row, pair);
        line->addWidget(form);
        form->hide();
        connect(form, &ParameterForm::valuesChanged, this,
                [this, &kind](const ParameterValues& values, int gesture) { setParameters(kind, values, gesture); });
    }
    layout()->addWidget(pair);
    items_.push_back({&kind, chip, form});
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
        one.chip->setEnabled(!one.refusal || on); // one that came with a file can be turned off
        if (!one.form)
            continue;
        one.form->setParameters(one.kind->parameters, on ? mask->parameters : ParameterValues());
        one.form->setVisible(on);
    }
    retranslate();
}

void MaskChips::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void MaskChips::retranslate() {
    for (const Item& one : items_) {
        const QString title = translated(one.kind->title);
        const QString rule = QString::fromUtf8(one.kind->rule.data(), static_cast<qsizetype>(one.kind->rule.size()));
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
