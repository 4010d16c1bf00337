// Controls for setting B: the pickers of the mechanism bar, the masks, and presets.
#pragma once

#include "core/attention.h"

#include <optional>
#include <QString>
#include <QWidget>
#include <span>
#include <vector>

namespace attnlab::ui {

class Document;

enum class Preset { WithoutScale, WithoutMasks, ExactAttention, Swap, CopyOfA, Stop };

/// In the order of the menu.
std::span<const Preset> presets();
/// "No scale", and a sentence on its effect.
QString titleOf(Preset preset);
QString helpOf(Preset preset);

/// The problem with the preset applied, without inputs that setting B lacks; nullopt if it is not possible or has no
/// effect.
std::optional<AttentionProblem> withPreset(const AttentionProblem& problem, Preset preset);
/// As one undo step.
void applyPreset(Document& document, Preset preset);

/// Starts a comparison with a visible difference: without the scale, or without the masks if there is no scale. No
/// effect during a comparison.
void startComparing(Document& document);

} // namespace attnlab::ui

// Controls for setting B: the pickers of the mechanism bar, the masks, and presets.

namespace attnlab::ui {

class Chip;
class FirstQueryForm;
class MaskChips;
class MaskFillForm;
class MechanismBar;
class RoundingMenu;

class CompareControls : public QWidget {
    Q_OBJECT
public:
    explicit CompareControls(Document& document, QWidget* parent = nullptr);

    MechanismBar* mechanism() const { return mechanism_; }
    MaskChips* masks() const { return masks_; }
    FirstQueryForm* firstQuery() const { return first_query_; }
    MaskFillForm* fill() const { return fill_; }
    /// Opens a menu below itself.
    Chip* roundingButton() const { return rounding_button_; }
    RoundingMenu* rounding() const { return rounding_; }
    /// Says how B differs from A, and shows mechanism, scale and position of B below itself.
    Chip* settingButton() const { return setting_button_; }
    /// Opens the masks below itself.
    Chip* masksButton() const { return masks_button_; }
    /// Without the presets that the fields above can set too.
    void setLow(bool low);
    Chip* presetButton(Preset preset) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void openMasks();
    void fitMasks();
    void refresh();

    struct PresetButton {
        Preset preset;
        Chip* chip;
    };

    Document& document_;
    Chip* setting_button_;
    MechanismBar* mechanism_;
    Chip* masks_button_;
    Chip* rounding_button_;
    RoundingMenu* rounding_;
    QWidget* masks_popup_;
    MaskChips* masks_;
    FirstQueryForm* first_query_;
    MaskFillForm* fill_;
    std::vector<PresetButton> presets_;
    bool low_ = false;
};

} // namespace attnlab::ui
