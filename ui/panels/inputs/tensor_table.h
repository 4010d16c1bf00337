// A spreadsheet view of one matrix of a tensor, with editable token labels.
#pragma once

#include "core/edit/cells.h"

#include <optional>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTableView>

class QLineEdit;

namespace attnlab::ui {

/// A double click renames labels if the model allows it (setHeaderData). One section can be marked as pinned.
class TokenHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TokenHeader(Qt::Orientation orientation, QWidget* parent = nullptr);

    void setRenamable(bool renamable) { renamable_ = renamable; }
    bool isRenamable() const { return renamable_; }
    void setMarked(std::optional<int> section);
    std::optional<int> marked() const { return marked_; }

    /// Opens an editor over the section; Enter applies the text, Escape cancels.
    void rename(int section);

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void finishRename(bool keep);
    void recolor();

    bool renamable_ = false;
    std::optional<int> marked_;
    QLineEdit* editor_ = nullptr;
    int edited_ = -1;
};

/// Draws and edits the cells of a tensor.
/// Numbers in a line editor; booleans as a check box in the middle of the cell, toggled by a click.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
};

class TensorModel;

/// A spreadsheet view of one matrix of a tensor.
/// Edits like a spreadsheet: typing starts editing, Enter moves down, Tab right, Delete writes zeros, and the clipboard
/// is compatible with spreadsheets. Each edit is one undo step. A drag to the left or the right on the number of the
/// one selected cell changes it, as one step; see NumberDrag.
class TensorTable : public QTableView {
    Q_OBJECT
public:
    explicit TensorTable(TensorModel& model, QWidget* parent = nullptr);

    /// The selected cells; the current one if none is selected.
    CellRanges selectedRanges() const;
    TokenHeader* rowHeader() const { return rows_; }
    TokenHeader* columnHeader() const { return columns_; }

public slots:
    void copy();
    /// As copy, with token labels and column numbers included.
    void copyWithLabels();
    void cut();
    /// From the selected cell on.
    void paste();
    /// Replaces the whole tensor, including its size.
    void pasteAsTensor();
    void pasteText(const QString& text, bool as_tensor = false);
    void clearCells();
    /// Opens the editor of the current row's token label.
    void renameCurrentRow();

signals:
    void messageRaised(const QString& text);
    void fillRequested();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void commitData(QWidget* editor) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    void connectDrag();
    void settle();
    QModelIndex firstToEdit() const;
    void fitSections();
    void widenSections();
    void toggleSelected();
    void moveBy(int rows, int columns);
    void resizeCurrentColumn(int letters);
    void selectCells(const CellRange& cells);
    bool copyCells(bool labels);
    int sampledWidth(int digits) const;

    TensorModel& model_;
    TokenHeader* rows_;
    TokenHeader* columns_;
    int widest_ = 0; ///< column width required by the numbers
    double dragged_from_ = 0.0;
    int drag_gesture_ = 0;
    bool refused_ = false; ///< the last commit was refused
};

} // namespace attnlab::ui
