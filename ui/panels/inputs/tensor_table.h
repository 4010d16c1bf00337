// A spreadsheet view of one matrix of a tensor.
#pragma once

#include "core/edit/cells.h"

#include <QTableView>

namespace attnlab::ui {

class TensorModel;
class TokenHeader;

/// Edits like a spreadsheet: typing starts editing, Enter moves down, Tab right, Delete writes zeros, and the clipboard
/// is compatible with spreadsheets. Each edit is one undo step.
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
    void settle();
    QModelIndex firstToEdit() const;
    void fitSections();
    void widenSections();
    void toggleSelected();
    void moveBy(int rows, int columns);
    void resizeCurrentColumn(int letters);
    void selectCells(const CellRange& cells);
    void copyCells(bool labels);
    int sampledWidth(int digits) const;

    TensorModel& model_;
    TokenHeader* rows_;
    TokenHeader* columns_;
    int widest_ = 0;       ///< column width required by the numbers
    bool refused_ = false; ///< the last commit was refused
};

} // namespace attnlab::ui
