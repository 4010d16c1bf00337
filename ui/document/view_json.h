// The part of the view that is saved with a workspace.
#pragma once

#include <string>

namespace attnlab::ui {

class ViewState;

std::string viewToJson(const ViewState& view);
/// Unknown or wrong values are passed over.
void viewFromJson(const std::string& json, ViewState& view);

} // namespace attnlab::ui
