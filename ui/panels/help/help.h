// Built-in help: a short tour, and the authors.
#pragma once

class QWidget;

namespace attnlab::ui {

void showTour(QWidget* window);
void showAbout(QWidget* window);

} // namespace attnlab::ui
