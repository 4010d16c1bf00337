#include "ui/pages/compare/compare_controls.h"

#include "core/compare.h"
#include "core/inputs.h"
#include "core/mechanisms.h"
#include "ui/document/document.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/panels/mask/mask_forms.h"
#include "ui/panels/mask/mask_settings.h"
#include "ui/panels/mechanism/mechanism_bar.h"
#include "ui/panels/mechanism/mechanism_choices.h"
#include "ui/panels/setting_words.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QScreen>
#include <QToolTip>
#include <QVBoxLayout>

namespace attnlab::ui {
namespace {

struct PresetWords {
    Preset preset;
    const char* title;
    const char* help;
};

constexpr std::array preset_words = {
    PresetWords{Preset::WithoutScale, QT_TRANSLATE_NOOP("Presets", "B without scale"),
                QT_TRANSLATE_NOOP("Presets", "B is as A, but its scores are not scaled.")},
    PresetWords{Preset::WithoutMasks, QT_TRANSLATE_NOOP("Presets", "B without masks"),
                QT_TRANSLATE_NOOP("Presets", "B is as A, but every query reads every key.")},
    PresetWords{
        Preset::ExactAttention, QT_TRANSLATE_NOOP("Presets", "B as exact attention"),
        QT_TRANSLATE_NOOP("Presets", "B is scaled dot-product attention of the same queries, keys and values.")},
    PresetWords{Preset::Swap, QT_TRANSLATE_NOOP("Presets", "Swap A and B"),
                QT_TRANSLATE_NOOP("Presets", "B becomes what the window shows, A what it is compared with.")},
    PresetWords{
        Preset::CopyOfA, QT_TRANSLATE_NOOP("Presets", "Make B like A"),
        QT_TRANSLATE_NOOP("Presets", "Both settings become the same: change one of them and see what it does.")},
    PresetWords{Preset::Stop, QT_TRANSLATE_NOOP("Presets", "Stop comparing"),
                QT_TRANSLATE_NOOP("Presets", "Forgets setting B.")},
};

const PresetWords& wordsOf(Preset preset) { return preset_words[static_cast<std::size_t>(preset)]; }

/// The new setting B; nullopt if it is not possible.
std::optional<AttentionSpec> otherSetting(const AttentionSpec& spec, Preset preset) {
    switch (preset) {
    case Preset::WithoutScale:
        return without_scale(spec);
    case Preset::WithoutMasks:
        return spec.masks.empty() ? std::nullopt : std::optional(without_masks(spec));
    case Preset::ExactAttention:
        return exact_counterpart(spec);
    default:
        return spec;
    }
}

bool isPossible(const AttentionSpec& spec) {
    try {
        check_spec(spec);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::span<const Preset> presets() {
    static const std::array all = [] {
        std::array<Preset, preset_words.size()> result{};
        for (std::size_t i = 0; i < preset_words.size(); ++i)
            result[i] = preset_words[i].preset;
        return result;
    }();
    return all;
}

QString titleOf(Preset preset) { return QCoreApplication::translate("Presets", wordsOf(preset).title); }
QString helpOf(Preset preset) { return QCoreApplication::translate("Presets", wordsOf(preset).help); }

std::optional<AttentionProblem> withPreset(const AttentionProblem& problem, Preset preset) {
    auto next = problem;
    if (preset == Preset::Stop) {
        next.compared_with.reset();
    } else if (preset == Preset::Swap) {
        // Keeps a setting that cannot be computed from becoming the window's.
        if (!next.compared_with || !isPossible(*next.compared_with))
            return std::nullopt;
        std::swap(next.spec, *next.compared_with);
    } else {
        next.compared_with = otherSetting(problem.spec, preset);
        if (!next.compared_with)
            return std::nullopt;
        auto outlined = next;
        if (!outline_compared_inputs(outlined, input_seed).empty())
            return next;
    }
    return next == problem ? std::nullopt : std::optional(std::move(next));
}

void applyPreset(Document& document, Preset preset) {
    auto next = withPreset(document.problem(), preset);
    if (!next)
        return;
    if (preset == Preset::Stop || preset == Preset::Swap)
        document.edit(titleOf(preset), std::move(*next));
    else
        editCompletingB(document, titleOf(preset), std::move(*next));
}

void startComparing(Document& document) {
    const AttentionProblem& problem = document.problem();
    if (problem.compared_with)
        return;
    auto next = problem;
    next.compared_with = without_scale(problem.spec);
    try {
        if (effective_scale(problem.spec).id == next.compared_with->scale.id)
            next.compared_with = without_masks(problem.spec);
    } catch (const Error&) {
        next.compared_with = problem.spec;
    }
    document.editWithoutModifying(QCoreApplication::translate("Presets", "Compare settings"), std::move(next));
}

namespace {

constexpr int popup_width = 340;
constexpr int compare_longest_mask_text = 14; ///< in text lines

/// Other controls do the same.
bool isShortcut(Preset preset) {
    return preset == Preset::WithoutScale || preset == Preset::WithoutMasks || preset == Preset::ExactAttention;
}

} // namespace

CompareControls::CompareControls(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), setting_button_(new Chip(this)),
      mechanism_(new MechanismBar(ComparedSide(document, ComparedSide::Side::B), this)), masks_button_(new Chip(this)),
      rounding_button_(new Chip(this)),
      rounding_(new RoundingMenu(ComparedSide(document, ComparedSide::Side::B), this)),
      masks_popup_(new QFrame(this, Qt::Popup)),
      masks_(new MaskChips(ComparedSide(document, ComparedSide::Side::B), masks_popup_)),
      first_query_(new FirstQueryForm(ComparedSide(document, ComparedSide::Side::B), masks_popup_)),
      fill_(new MaskFillForm(ComparedSide(document, ComparedSide::Side::B), masks_popup_)) {
    build();
    connect(&document_, &Document::problemChanged, this, &CompareControls::refresh);
    // Its lists have the names of those for A.
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Setting B"));
    masks_button_->setAccessibleName(tr("Masks of setting B"));
    rounding_button_->setAccessibleName(tr("Numbers of setting B"));
    for (const auto& [preset, chip] : presets_) {
        chip->setText(preset == Preset::Swap ? tr("Swap", "A and B") : titleOf(preset));
        chip->setToolTip(helpOf(preset));
        chip->setAccessibleName(titleOf(preset));
        chip->setAccessibleDescription(helpOf(preset));
        chip->updateGeometry();
    }
    refresh();
}

void CompareControls::build() {
    masks_button_->setCheckable(false);
    connect(masks_button_, &QAbstractButton::clicked, this, &CompareControls::openMasks);
    rounding_button_->setCheckable(false);
    connect(rounding_button_, &QAbstractButton::clicked, this,
            [this] { rounding_->popup(rounding_button_->mapToGlobal(QPoint(0, rounding_button_->height() + 3))); });
    static_cast<QFrame*>(masks_popup_)->setFrameShape(QFrame::StyledPanel);
    masks_popup_->setBackgroundRole(QPalette::Base);
    masks_popup_->setAutoFillBackground(true);
    masks_popup_->installEventFilter(this);
    auto* popup_column = new QVBoxLayout(masks_popup_);
    popup_column->addWidget(masks_);
    popup_column->addWidget(first_query_);
    popup_column->addWidget(fill_);
    connect(fill_, &MaskFillForm::refused, this, [this](const QString& why) {
        QToolTip::showText(fill_->value()->mapToGlobal(QPoint(0, fill_->value()->height())), why, fill_->value());
    });

    connect(setting_button_, &QAbstractButton::toggled, mechanism_, &QWidget::setVisible);
    mechanism_->hide(); // room for the pictures
    auto* chips = new QWidget(this);
    auto* line = new FlowLayout(chips, 5, 5);
    line->setContentsMargins(12, 0, 12, 0);
    line->addWidget(setting_button_);
    line->addWidget(masks_button_);
    line->addWidget(rounding_button_);
    std::vector<Preset> in_order(presets().begin(), presets().end());
    std::stable_partition(in_order.begin(), in_order.end(),
                          [](Preset preset) { return !isShortcut(preset); }); // which come and go
    std::stable_partition(in_order.begin(), in_order.end(), [](Preset preset) { return preset == Preset::Stop; });
    for (const Preset preset : in_order) {
        auto* chip = new Chip(chips);
        chip->setCheckable(false);
        connect(chip, &QAbstractButton::clicked, this, [this, preset] { applyPreset(document_, preset); });
        line->addWidget(chip);
        presets_.push_back({preset, chip});
    }

    auto* column = new QVBoxLayout(this);
    column->setSpacing(4);
    column->setContentsMargins(0, 8, 0, 0);
    column->addWidget(chips);
    column->addWidget(mechanism_);
}

Chip* CompareControls::presetButton(Preset preset) const {
    const auto found = std::ranges::find(presets_, preset, &PresetButton::preset);
    return found == presets_.end() ? nullptr : found->chip;
}

void CompareControls::setLow(bool low) {
    low_ = low;
    refresh();
}

/// A mask that is chosen in the popup may bring a field with it.
bool CompareControls::eventFilter(QObject* watched, QEvent* event) {
    if (watched == masks_popup_ && event->type() == QEvent::LayoutRequest)
        fitMasks();
    return QWidget::eventFilter(watched, event);
}

void CompareControls::fitMasks() {
    const auto* column = masks_popup_->layout();
    masks_popup_->setFixedSize(popup_width, column->hasHeightForWidth() ? column->totalHeightForWidth(popup_width)
                                                                        : column->totalSizeHint().height());
}

void CompareControls::openMasks() {
    fitMasks();
    const QRect screen = this->screen()->availableGeometry();
    QPoint corner = masks_button_->mapToGlobal(QPoint(0, masks_button_->height() + 3));
    corner.setX(std::clamp(corner.x(), screen.left(), std::max(screen.left(), screen.right() - popup_width)));
    masks_popup_->move(corner);
    masks_popup_->show();
    masks_popup_->setFocus(Qt::PopupFocusReason);
    masks_->setFocus(Qt::PopupFocusReason);
}

void CompareControls::refresh() {
    const AttentionProblem& problem = document_.problem();
    const AttentionSpec b = ComparedSide(document_, ComparedSide::Side::B).spec();
    const QString setting = b == problem.spec ? tr("B: as A") : tr("B: %1").arg(SettingWords::of(b, problem.spec));
    setWords(*setting_button_,
             setting_button_->fontMetrics().elidedText(
                 setting, Qt::ElideRight, compare_longest_mask_text * setting_button_->fontMetrics().height()) +
                 QStringLiteral(" ▾"));
    setting_button_->setAccessibleName(setting);
    setting_button_->setToolTip(setting + QLatin1Char('\n') + tr("Change mechanism, scale and position of setting B"));
    setting_button_->updateGeometry();
    const QString masks =
        tr("B masks: %1").arg(SettingWords::ofMasks(ComparedSide(document_, ComparedSide::Side::B).spec()));
    const QFontMetrics metrics = masks_button_->fontMetrics();
    setWords(*masks_button_, metrics.elidedText(masks, Qt::ElideRight, compare_longest_mask_text * metrics.height()) +
                                 QStringLiteral(" ▾"));
    masks_button_->setToolTip(masks);
    masks_button_->updateGeometry();
    const QString numbers =
        tr("B numbers: %1").arg(RoundingWords::of(ComparedSide(document_, ComparedSide::Side::B).spec().rounding));
    setWords(*rounding_button_, numbers + QStringLiteral(" ▾"));
    rounding_button_->setToolTip(tr("Rounds what setting B computes to the numbers of a narrower type"));
    rounding_button_->updateGeometry();
    for (const auto& [preset, chip] : presets_) { // those that change nothing are not shown
        const bool applies = withPreset(problem, preset).has_value();
        chip->setEnabled(applies);
        chip->setVisible(applies && !(low_ && isShortcut(preset)));
    }
}

} // namespace attnlab::ui
