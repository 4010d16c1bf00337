// Deletes a widget once no event needs it any more.
#pragma once

class QWidget;

namespace attnlab::ui {

/// Takes `widget` (which may be null) out of its parent and silences it at once; it is deleted when control returns to
/// the event loop. For widgets that a change of what is shown makes superfluous: the change may come from one of their
/// own signals, or from the mouse leaving another widget for one of them, and Qt then still needs them to finish the
/// event.
void removeLater(QWidget* widget);

} // namespace attnlab::ui
