// Built-in help: a short tour, the keys, and the authors.
#pragma once

class QWidget;

namespace attnlab::ui {

void showTour(QWidget* window);
/// Generated from the window's own actions, so that it is always up to date.
void showShortcuts(QWidget* window);
void showAbout(QWidget* window);

} // namespace attnlab::ui
