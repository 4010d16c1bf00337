// What widgets are to a screen reader, where Qt's own answer falls short.
#pragma once

#include <optional>
#include <QAccessible>
#include <QRect>
#include <QString>
#include <utility>

class QWidget;

namespace attnlab::ui {

/// A second base class of such a widget. Each cell has an object of its own as long as a screen reader asks for it, so
/// that a table may have any size. Rows and columns count from 0.
class AccessibleTable {
public:
    virtual ~AccessibleTable() = default;

    /// 0 if there is no table now: the widget then has the role of setAccessibleRole().
    virtual int tableRows() const = 0;
    virtual int tableColumns() const = 0;
    virtual QString tableRowName(int row) const = 0;
    virtual QString tableColumnName(int column) const = 0;
    /// All of a cell, as it is read when the keyboard comes to it: "fox → brown: 0.687".
    virtual QString tableCellText(int row, int column) const = 0;
    /// In the widget; empty where it cannot be seen.
    virtual QRect tableCellRect(int row, int column) const = 0;
    /// That of the keyboard: row and column.
    virtual std::optional<std::pair<int, int>> tableCursor() const { return std::nullopt; }
    /// As a click on the cell.
    virtual void pressTableCell(int, int) {}
};

/// The cursor has moved, or the cell below it has another value: a screen reader says it while `table`, which is an
/// AccessibleTable, has the focus.
void sayTableCursor(QWidget& table);
/// The words of cells have changed.
void sayTableCells(QWidget& table);

} // namespace attnlab::ui

// What widgets are to a screen reader, where Qt's own answer falls short.

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

/// For a button that shows and hides the content below it: `expanded` is its present state.
void setAccessibleExpanded(QWidget& widget, bool expanded);

/// Says that `label` names `of`, whose own name repeats it: a screen reader then says it once. Unlike a buddy, it
/// leaves an & in the text as it is.
void setAccessibleLabelOf(QLabel& label, QWidget& of);

} // namespace attnlab::ui
