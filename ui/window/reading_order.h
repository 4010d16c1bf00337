// The order of the Tab key through a window with panels.
#pragma once

#include <QList>

class QMainWindow;
class QWidget;

namespace attnlab::ui {

/// Tool bars, panels on the left, the centre, panels below it and on the right, and the status bar, wherever the user
/// has moved them and whenever their widgets were made; within each, the order of Qt.
QList<QWidget*> tabStops(const QMainWindow& window);

/// The stop after or before `from`, which may be no stop; null if there is none.
QWidget* tabStopFrom(const QMainWindow& window, const QWidget* from, bool next);

} // namespace attnlab::ui
