#include "ui/widgets/accessible_table.h"

#include "ui/widgets/accessible_interfaces.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <QWidget>

#include <algorithm>
#include <limits>
#include <map>

namespace attnlab::ui {
namespace {

/// Objects of cells that are kept: a reader that walks over a matrix of millions asks for each.
constexpr std::size_t most_kept_cells = 16384;

class TableCell : public QAccessibleInterface, public QAccessibleTableCellInterface, public QAccessibleActionInterface {
public:
    TableCell(QWidget* widget, AccessibleTable& table, int row, int column)
        : widget_(widget), cells_(table), row_(row), column_(column) {}

    bool isValid() const override { return widget_ && row_ < cells_.tableRows() && column_ < cells_.tableColumns(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return parent() ? parent()->window() : nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(widget_.data()); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? cells_.tableCellWords(row_, column_) : QString();
    }
    QRect rect() const override {
        const QRect place = isValid() ? cells_.tableCellPlace(row_, column_) : QRect();
        return place.isEmpty() ? QRect() : place.translated(widget_->mapToGlobal(QPoint()));
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.readOnly = true;
        state.invisible = !widget_->isVisible();
        state.offscreen = cells_.tableCellPlace(row_, column_).isEmpty();
        state.focusable = true;
        state.selected = cells_.tableCursor() == std::pair(row_, column_);
        state.focused = state.selected && widget_->hasFocus();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::TableCellInterface)
            return static_cast<QAccessibleTableCellInterface*>(this);
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return isValid() ? QStringList{pressAction()} : QStringList(); }
    void doAction(const QString& name) override {
        if (actionNames().contains(name))
            QMetaObject::invokeMethod(
                widget_,
                [row = row_, column = column_, table = &cells_] {
                    if (row < table->tableRows() && column < table->tableColumns())
                        table->pressTableCell(row, column);
                },
                Qt::QueuedConnection);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    bool isSelected() const override { return state().selected; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return column_; }
    int rowIndex() const override { return row_; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    QPointer<QWidget> widget_;
    AccessibleTable& cells_; ///< the widget
    int row_, column_;
};

class Table : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    Table(QWidget& widget, AccessibleTable& table) : QAccessibleWidget(&widget, QAccessible::Table), cells_(table) {}

    bool hasCells() const { return rowCount() > 0 && columnCount() > 0; }
    QAccessible::Role role() const override {
        return hasCells() ? QAccessible::Table : accessibleRole(*widget()).value_or(QAccessible::Chart);
    }
    QString text(QAccessible::Text kind) const override {
        const QString text = QAccessibleWidget::text(kind);
        return kind == QAccessible::Description ? tidyDescription(text, this->text(QAccessible::Name)) : text;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface && hasCells() ? static_cast<QAccessibleTableInterface*>(this)
                                                                 : QAccessibleWidget::interface_cast(type);
    }

    int childCount() const override {
        return static_cast<int>(
            std::min<std::int64_t>(std::int64_t{rowCount()} * columnCount(), std::numeric_limits<int>::max()));
    }
    QAccessibleInterface* child(int index) const override {
        return index >= 0 && index < childCount() ? cellAt(index / columnCount(), index % columnCount()) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        auto* cell = const_cast<QAccessibleInterface*>(child)->tableCellInterface();
        if (!cell || child->parent() != this)
            return -1;
        const auto index = std::int64_t{cell->rowIndex()} * columnCount() + cell->columnIndex();
        return index < childCount() ? static_cast<int>(index) : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const QPoint at = widget()->mapFromGlobal(QPoint(x, y));
        const auto cursor = cells_.tableCursor();
        return cursor && cells_.tableCellPlace(cursor->first, cursor->second).contains(at) ? focusCell() : nullptr;
    }
    QAccessibleInterface* focusChild() const override { return widget()->hasFocus() ? focusCell() : nullptr; }

    QAccessibleInterface* cellAt(int row, int column) const override {
        if (row < 0 || row >= rowCount() || column < 0 || column >= columnCount())
            return nullptr;
        if (const auto known = known_.find({row, column}); known != known_.end())
            return QAccessible::accessibleInterface(known->second);
        if (known_.size() >= most_kept_cells)
            forget();
        auto* cell = new TableCell(widget(), cells_, row, column);
        known_.emplace(std::pair(row, column), QAccessible::registerAccessibleInterface(cell));
        return cell;
    }
    QAccessibleInterface* focusCell() const {
        const auto cursor = cells_.tableCursor();
        return cursor ? cellAt(cursor->first, cursor->second) : nullptr;
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QString columnDescription(int column) const override {
        return column >= 0 && column < columnCount() ? cells_.tableColumnName(column) : QString();
    }
    QString rowDescription(int row) const override {
        return row >= 0 && row < rowCount() ? cells_.tableRowName(row) : QString();
    }
    int columnCount() const override { return cells_.tableColumns(); }
    int rowCount() const override { return cells_.tableRows(); }
    int selectedCellCount() const override { return focusCell() ? 1 : 0; }
    QList<QAccessibleInterface*> selectedCells() const override {
        auto* cell = focusCell();
        return cell ? QList{cell} : QList<QAccessibleInterface*>();
    }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

protected:
    ~Table() override { forget(); }

private:
    void forget() const {
        const auto known = std::exchange(known_, {});
        for (const auto& [place, id] : known)
            QAccessible::deleteAccessibleInterface(id);
    }

    AccessibleTable& cells_;
    mutable std::map<std::pair<int, int>, QAccessible::Id> known_;
};

void say(QWidget& widget, QAccessible::Event kind) {
    if (!QAccessible::isActive() || !widget.hasFocus())
        return;
    auto* table = QAccessible::queryAccessibleInterface(&widget);
    if (auto* cell = table ? table->focusChild() : nullptr) {
        QAccessibleEvent event(cell, kind);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace

void sayTableCursor(QWidget& table) { say(table, QAccessible::Focus); }
void sayTableCells(QWidget& table) { say(table, QAccessible::NameChanged); }

QAccessibleInterface* tableInterface(QWidget& widget, AccessibleTable& table) { return new Table(widget, table); }

} // namespace attnlab::ui
