// The cells of a widget that paints a table, for screen readers.
#pragma once

#include <QRect>
#include <QString>

#include <optional>
#include <utility>

class QWidget;

namespace attnlab::ui {

/// A second base class of such a widget. Each cell has an object of its own as long as a screen reader asks for it, so
/// that a table may have any size. Rows and columns count from 0.
class AccessibleTable {
public:
    virtual ~AccessibleTable() = default;

    /// 0 where there is no table now: the widget is then what setAccessibleRole() says.
    virtual int tableRows() const = 0;
    virtual int tableColumns() const = 0;
    virtual QString tableRowName(int row) const = 0;
    virtual QString tableColumnName(int column) const = 0;
    /// All of a cell, as it is read when the keyboard comes to it: "fox → brown: 0.687".
    virtual QString tableCellWords(int row, int column) const = 0;
    /// In the widget; empty where it cannot be seen.
    virtual QRect tableCellPlace(int row, int column) const = 0;
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
