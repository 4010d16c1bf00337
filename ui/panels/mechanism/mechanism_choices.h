// The items and current choices of the mechanism bar's pickers, from the tables of core.
#pragma once

#include "core/attention.h"
#include "core/mechanisms.h"
#include "core/stages/decay.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "ui/document/document.h"
#include "ui/panels/mechanism/picker.h"

#include <QMenu>
#include <span>
#include <vector>

namespace attnlab::ui {

/// The id of the position picker's item for no position.
inline constexpr const char* no_position = "none";
/// The id of the decay picker's item for no decay.
inline constexpr const char* no_decay = "none";

/// The effective mode; null for an unknown id.
const ScaleMode* scaleOf(const Mechanism& chosen, const AttentionSpec& spec);
/// The effective position; null for none and for an unknown id.
const PositionTerm* positionOf(const AttentionSpec& spec);

/// Items in the current language; choices that `chosen` refuses are included with the reason.
std::vector<PickerItem> variantItems();
std::vector<PickerItem> scaleItems(const Mechanism& chosen);
std::vector<PickerItem> positionItems(const Mechanism& chosen);
std::vector<PickerItem> normaliserItems(const Mechanism& chosen);
std::vector<PickerItem> decayItems(const Mechanism& chosen);

/// The values that `declared` also names and allows.
ParameterValues kept(std::span<const Parameter> declared, const ParameterValues& values);
/// Title of the first parameter that differs.
QString changedTitle(std::span<const Parameter> declared, const ParameterValues& before, const ParameterValues& after);

/// Chooses the numbers of a setting: float64, or a narrower type at some stages.
/// Chooses the type and the rounded stages; each choice is one undo step. Shows the reason if the mechanism refuses it.
class RoundingMenu : public QMenu {
    Q_OBJECT
public:
    explicit RoundingMenu(const ComparedSide& setting, QWidget* parent = nullptr);

    /// The action that selects this rounding, in the notation of the command line; "none" for none.
    QAction* action(const QString& rounding) const;

    void fill();

private:
    void add(const QString& text, const std::optional<Rounding>& rounding);

    ComparedSide setting_;
};

} // namespace attnlab::ui
