// What widgets are to a screen reader, where Qt's own answer falls short.
#pragma once

#include <QAccessible>

class QLabel;
class QWidget;

namespace attnlab::ui {

/// Lets a screen reader click buttons (Qt only toggles one that is checkable, without the signal clicked(), so nothing
/// would happen), names lists, tabs and bars by what they are for, and reads the cells of every AccessibleTable. Once,
/// after the application is made.
void installAccessibility();

/// For a widget that paints itself, which is a filler otherwise: screen readers pass over those. Its accessible name
/// and description say what it shows. Also for a button that is more than Qt knows, as one of several choices. Call it
/// in the constructor.
void setAccessibleRole(QWidget& widget, QAccessible::Role role);

/// For a button that shows and hides what is below it: `expanded` is what it shows now.
void setAccessibleExpanded(QWidget& widget, bool expanded);

/// Says that `label` names `of`, whose own name repeats it: a screen reader then says it once. Unlike a buddy, it
/// leaves an & in the text as it is.
void setAccessibleLabelOf(QLabel& label, QWidget& of);

} // namespace attnlab::ui
