// The interfaces behind installAccessibility().
#pragma once

#include <QAccessible>

#include <optional>

class QAbstractButton;
class QComboBox;
class QLabel;
class QTabBar;
class QWidget;

namespace attnlab::ui {

class AccessibleTable;

/// What setAccessibleRole() said; nullopt where it said nothing.
std::optional<QAccessible::Role> accessibleRole(const QWidget& widget);
/// What setAccessibleExpanded() said.
std::optional<bool> accessibleExpanded(const QWidget& widget);
/// What setAccessibleLabelOf() said, or its buddy; null: it is no label of another widget.
QWidget* labelledBy(const QLabel& label);
/// Without what repeats the name: descriptions are often tooltips, which begin with it.
QString tidyDescription(const QString& description, const QString& name);

QAccessibleInterface* paintedInterface(QWidget& widget, QAccessible::Role role);
QAccessibleInterface* tableInterface(QWidget& widget, AccessibleTable& table);
QAccessibleInterface* buttonInterface(QAbstractButton& button);
QAccessibleInterface* listInterface(QComboBox& list);
QAccessibleInterface* labelInterface(QLabel& label);
QAccessibleInterface* tabsInterface(QTabBar& tabs);

} // namespace attnlab::ui
