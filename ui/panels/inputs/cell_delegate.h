// Draws and edits the cells of a tensor.
#pragma once

#include <QStyledItemDelegate>

namespace attnlab::ui {

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

} // namespace attnlab::ui
