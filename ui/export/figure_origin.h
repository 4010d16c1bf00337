// What a figure is drawn of, which its file carries (core/io/figure_file.h).
#pragma once

#include "core/attention.h"
#include "ui/drawing/figure.h"

#include <string>

namespace attnlab::ui {

class ViewState;

struct FigureOrigin {
    AttentionProblem problem;
    std::string view_json = "{}";
};
/// Arrays that no figure has room for are left out.
FigureOrigin originOf(AttentionProblem problem, const ViewState& view);

/// The settings of a figure with these options.
std::string settingsText(const FigureOrigin& origin, const FigureOptions& options);

} // namespace attnlab::ui
