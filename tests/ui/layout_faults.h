// What is wrong with the places of the widgets of a window, from their rectangles.
#pragma once

#include <QString>

class QWidget;

namespace attnlab::ui {

/// Siblings that cover each other, parts outside their parent, and texts cut without an ellipsis: a line for each, at
/// most `most`; empty if there are none. Hidden widgets and contents that can be scrolled are not looked at.
QString layoutFaults(const QWidget& window, int most = 5);

} // namespace attnlab::ui
