// Tooltips for the item under the mouse in a widget that paints several.
#pragma once

#include <QRect>
#include <QString>

class QEvent;
class QWidget;

namespace attnlab::ui {

/// The position of a QEvent::ToolTip, in the widget's coordinates.
QPoint tipPosition(const QEvent& event);
/// Answers a QEvent::ToolTip with plain text; hides the tooltip if that is empty. It stays while the mouse is in
/// `place`, unless that is empty.
void showTip(QEvent& event, const QString& text, QWidget& widget, const QRect& place = {});

} // namespace attnlab::ui
