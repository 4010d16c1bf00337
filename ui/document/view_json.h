// The part of the view that is saved with a workspace.
#pragma once

#include <string>

namespace attnlab::ui {

class ViewState;

std::string viewToJson(const ViewState& view);
/// Ignores unknown or invalid values.
void viewFromJson(const std::string& json, ViewState& view);

} // namespace attnlab::ui
