// Help that the program carries: a short tour, the keys, and who made it.
#pragma once

class QWidget;

namespace attnlab::ui {

void showTour(QWidget* window);
/// Made from the window's own actions, so that it cannot be out of date.
void showShortcuts(QWidget* window);
void showAbout(QWidget* window);

} // namespace attnlab::ui
