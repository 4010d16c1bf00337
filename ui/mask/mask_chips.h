// The table of masks as chips: each turns one mask of a setting on or off.
#pragma once

#include "core/stages/mask.h"
#include "ui/setting.h"

#include <QWidget>

#include <vector>

namespace attnlab::ui {

class Chip;
class ParameterForm;

/// One chip a kind of mask_kinds(), with a form for its parameter beside it while it is on. A mask that reads an array
/// gets one that blocks nothing where there is none yet.
class MaskChips : public QWidget {
    Q_OBJECT
public:
    explicit MaskChips(const Setting& setting, QWidget* parent = nullptr);

    /// The chip of a kind and the form of its parameter; null where there is none.
    Chip* chip(std::string_view kind) const;
    ParameterForm* form(std::string_view kind) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Item {
        const MaskKind* kind;
        Chip* chip;
        ParameterForm* form;           ///< null without a parameter
        const char* refusal = nullptr; ///< why it cannot be turned on (translated)
    };
    const Item* item(std::string_view kind) const;
    void addItem(const MaskKind& kind);
    void toggle(const MaskKind& kind, bool on);
    void setParameters(const MaskKind& kind, const ParameterValues& values, int gesture);
    void showSetting();
    void retranslate();

    Setting setting_;
    std::vector<Item> items_;
};

} // namespace attnlab::ui
