// What the pickers of the mechanism bar offer, and what is in force: everything from the tables of core.
#pragma once

#include "core/attention.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"
#include "ui/panels/mechanism/picker_list.h"

#include <algorithm>
#include <span>
#include <vector>

namespace attnlab::ui {

/// The id under which the position picker shows that there is none.
inline constexpr const char* no_position = "none";

/// Null for an id that is in no table (a file from elsewhere).
template <class Row>
const Row* rowOf(std::span<const Row> table, std::string_view id) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Row& row) { return row.id == id; });
    return found == table.end() ? nullptr : &*found;
}

/// The mode in force; null for an unknown id.
const ScaleMode* scaleOf(const Variant& chosen, const AttentionSpec& spec);
/// The position in force; null for none and for an unknown id.
const PositionTerm* positionOf(const AttentionSpec& spec);

/// Entries in the current language; what `chosen` cannot take is there with the reason.
std::vector<PickerItem> variantItems();
std::vector<PickerItem> scaleItems(const Variant& chosen);
std::vector<PickerItem> positionItems(const Variant& chosen);

/// The values that `declared` names too and allows.
ParameterValues kept(std::span<const Parameter> declared, const ParameterValues& values);
/// Title of the first parameter that differs.
QString changedTitle(std::span<const Parameter> declared, const ParameterValues& before, const ParameterValues& after);

} // namespace attnlab::ui
