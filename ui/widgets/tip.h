// Tooltips about what lies under the mouse in a widget that paints several things.
#pragma once

#include <QRect>
#include <QString>

class QEvent;
class QWidget;

namespace attnlab::ui {

/// Where a QEvent::ToolTip asks, in the widget's coordinates.
QPoint tipPosition(const QEvent& event);
/// Answers a QEvent::ToolTip with plain text; no tooltip where there is none. It stays while the mouse is in `place`,
/// where that is not empty.
void showTip(QEvent& event, const QString& text, QWidget& widget, const QRect& place = {});

} // namespace attnlab::ui
