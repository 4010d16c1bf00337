#include "ui/mask/mask_chips.h"

#include "ui/flow_layout.h"
#include "ui/mask/chip.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int gesture_pause = 900; ///< milliseconds without a change that end a gesture

/// What the editor of a parameter shows.
void showValue(QWidget& editor, const ParameterValue& value) {
    if (auto* box = qobject_cast<QSpinBox*>(&editor))
        box->setValue(static_cast<int>(std::get<std::int64_t>(value)));
    else if (auto* real = qobject_cast<QDoubleSpinBox*>(&editor))
        real->setValue(std::get<double>(value));
    else if (auto* check = qobject_cast<QCheckBox*>(&editor))
        check->setChecked(std::get<bool>(value));
    else if (auto* combo = qobject_cast<QComboBox*>(&editor))
        combo->setCurrentIndex(combo->findData(QString::fromStdString(std::get<std::string>(value))));
}

std::vector<Selection>::const_iterator find(const std::vector<Selection>& masks, std::string_view id) {
    return std::ranges::find(masks, id, &Selection::id);
}

} // namespace

MaskChips::MaskChips(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), gesture_timer_(new QTimer(this)) {
    auto* layout = new FlowLayout(this, 5, 5);
    for (const MaskKind& kind : mask_kinds()) {
        auto* pair = new QWidget(this);
        auto* line = new QHBoxLayout(pair);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(4);
        auto* chip = new Chip(pair);
        line->addWidget(chip);
        QWidget* editor = kind.parameters.empty() ? nullptr : makeEditor(kind);
        if (editor) {
            line->addWidget(editor);
            editor->hide();
        }
        layout->addWidget(pair);
        items_.push_back({&kind, chip, editor});
        connect(chip, &QAbstractButton::clicked, this, [this, &kind](bool on) { toggle(kind, on); });
    }
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    gesture_timer_->setSingleShot(true);
    gesture_timer_->setInterval(gesture_pause);
    connect(gesture_timer_, &QTimer::timeout, this, [this] { gesture_ = 0; });
    connect(&document_, &Document::problemChanged, this, &MaskChips::showDocument);
    retranslate();
    showDocument();
}

const MaskChips::Item* MaskChips::item(std::string_view kind) const {
    const auto found = std::ranges::find_if(items_, [&](const Item& one) { return one.kind->id == kind; });
    return found == items_.end() ? nullptr : &*found;
}

Chip* MaskChips::chip(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->chip : nullptr;
}

QWidget* MaskChips::editor(std::string_view kind) const {
    const Item* found = item(kind);
    return found ? found->editor : nullptr;
}

QWidget* MaskChips::makeEditor(const MaskKind& kind) {
    const Parameter& parameter = kind.parameters.front();
    switch (parameter.type) {
    case ParameterType::Integer: {
        auto* box = new QSpinBox(this);
        box->setRange(static_cast<int>(std::max(parameter.minimum, -1e9)),
                      static_cast<int>(std::min(parameter.maximum, 1e9)));
        // As wide as numbers that people use: the range alone would take half the panel.
        box->setMinimumWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("w = 000")) + 30);
        box->setMaximumWidth(box->minimumWidth());
        connect(box, &QSpinBox::valueChanged, this,
                [this, &kind](int value) { setParameter(kind, std::int64_t{value}); });
        return box;
    }
    case ParameterType::Real: {
        auto* box = new QDoubleSpinBox(this);
        box->setRange(std::max(parameter.minimum, -1e9), std::min(parameter.maximum, 1e9));
        box->setDecimals(4);
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, &kind](double value) { setParameter(kind, value); });
        return box;
    }
    case ParameterType::Boolean: {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::toggled, this, [this, &kind](bool value) { setParameter(kind, value); });
        return box;
    }
    case ParameterType::Choice: {
        auto* box = new QComboBox(this);
        for (const auto choice : parameter.choices)
            box->addItem(QString(), QString::fromUtf8(choice.data(), static_cast<qsizetype>(choice.size())));
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, &kind, box] { setParameter(kind, box->currentData().toString().toStdString()); });
        return box;
    }
    }
    return nullptr;
}

void MaskChips::toggle(const MaskKind& kind, bool on) {
    AttentionSpec spec = document_.problem().spec;
    const QString title = translated(kind.title);
    if (!on) {
        std::erase_if(spec.masks, [&](const Selection& mask) { return mask.id == kind.id; });
        document_.setSpec(std::move(spec), tr("Turn off mask “%1”").arg(title));
    } else {
        spec.masks.push_back({std::string(kind.id), with_defaults(kind.parameters, {}, kind.id)});
        document_.setSpecCompletingInputs(std::move(spec), tr("Turn on mask “%1”").arg(title));
    }
    showDocument();
}

void MaskChips::setParameter(const MaskKind& kind, ParameterValue value) {
    if (showing_)
        return;
    AttentionSpec spec = document_.problem().spec;
    const auto mask = std::ranges::find(spec.masks, kind.id, &Selection::id);
    if (mask == spec.masks.end())
        return;
    if (gesture_ == 0)
        gesture_ = Document::newGesture();
    gesture_timer_->start();
    mask->parameters.set(kind.parameters.front().name, std::move(value));
    document_.setSpec(std::move(spec), tr("Change mask “%1”").arg(translated(kind.title)), gesture_);
}

void MaskChips::showDocument() {
    showing_ = true;
    const auto& masks = document_.problem().spec.masks;
    for (const Item& one : items_) {
        const auto mask = find(masks, one.kind->id);
        const bool on = mask != masks.end();
        one.chip->setChecked(on);
        if (!one.editor)
            continue;
        one.editor->setVisible(on);
        try {
            const auto values = with_defaults(one.kind->parameters, on ? mask->parameters : ParameterValues(),
                                              one.kind->id);
            showValue(*one.editor, *values.find(one.kind->parameters.front().name));
        } catch (const Error&) {
            // A file held a value out of range: the run says so, and the editor offers its own.
        }
    }
    showing_ = false;
}

void MaskChips::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void MaskChips::retranslate() {
    showing_ = true;
    for (const Item& one : items_) {
        const QString title = translated(one.kind->title);
        const QString rule = QString::fromUtf8(one.kind->rule.data(), static_cast<qsizetype>(one.kind->rule.size()));
        const QString help = translated(one.kind->help);
        one.chip->setText(title);
        one.chip->setToolTip(one.kind->adds ? tr("%1\nScore: %2").arg(help, rule) : tr("%1\nKeeps: %2").arg(help, rule));
        one.chip->setAccessibleName(tr("Mask: %1").arg(title));
        one.chip->setAccessibleDescription(help);
        if (!one.editor)
            continue;
        const Parameter& parameter = one.kind->parameters.front();
        one.editor->setToolTip(translated(parameter.help));
        one.editor->setAccessibleName(tr("%1: %2").arg(title, translated(parameter.title)));
        if (auto* box = qobject_cast<QSpinBox*>(one.editor))
            box->setPrefix(QString::fromUtf8(parameter.name.data(), static_cast<qsizetype>(parameter.name.size())) +
                           QStringLiteral(" = "));
        if (auto* combo = qobject_cast<QComboBox*>(one.editor)) {
            for (int index = 0; index < combo->count(); ++index)
                combo->setItemText(index, combo->itemData(index).toString().replace(QLatin1Char('_'), QLatin1Char(' ')));
        }
    }
    showing_ = false;
}

} // namespace attnlab::ui
