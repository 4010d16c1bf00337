// What widgets are to a screen reader, where Qt's own answer falls short.
#pragma once

#include <QAccessible>

class QWidget;

namespace attnlab::ui {

/// Lets a screen reader click buttons. Qt only toggles one that is checkable, without the signal clicked(), so nothing
/// would happen. Once, after the application is made.
void installAccessibility();

/// For a widget that paints itself, which is a filler otherwise: screen readers pass over those. Its accessible name
/// and description say what it shows. Call it in the constructor.
void setAccessibleRole(QWidget& widget, QAccessible::Role role);

} // namespace attnlab::ui
