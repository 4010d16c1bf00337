// Controls for setting B: the pickers of the mechanism bar, the masks, and presets.
#pragma once

#include "ui/pages/compare/presets.h"

#include <QWidget>

#include <vector>

class QLabel;

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
    /// Opens the masks below itself.
    Chip* masksButton() const { return masks_button_; }
    /// Without the presets that the fields above can set too.
    void setLow(bool low);
    Chip* presetButton(Preset preset) const;

private:
    void build();
    void openMasks();
    void refresh();

    struct PresetButton {
        Preset preset;
        Chip* chip;
    };

    Document& document_;
    QLabel* side_;
    MechanismBar* mechanism_;
    Chip* masks_button_;
    Chip* rounding_button_;
    RoundingMenu* rounding_;
    QWidget* masks_popup_;
    MaskChips* masks_;
    FirstQueryForm* first_query_;
    MaskFillForm* fill_;
    std::vector<PresetButton> presets_;
};

} // namespace attnlab::ui
