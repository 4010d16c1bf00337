#include "ui/panels/inputs/cell_delegate.h"

#include "ui/widgets/control.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>

namespace attnlab::ui {
namespace {

QRect checkRect(const QStyleOptionViewItem& option) {
    const auto* style = option.widget ? option.widget->style() : QApplication::style();
    const QSize size(style->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, option.widget),
                     style->pixelMetric(QStyle::PM_IndicatorHeight, nullptr, option.widget));
    return QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, size, option.rect);
}

} // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto& colors = theme();
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const bool current = view && view->currentIndex() == index;
    if (option.state & QStyle::State_Selected)
        painter->fillRect(option.rect, colors.accent_soft);

    if (const auto checked = index.data(Qt::CheckStateRole); checked.isValid()) {
        paintCheckBox(*painter, checkRect(option), static_cast<Qt::CheckState>(checked.toInt()), {});
    } else {
        constexpr int margin = 4;
        painter->setPen(colors.text);
        painter->setFont(option.font);
        const auto inner = option.rect.adjusted(margin, 0, -margin, 0);
        const auto text = index.data(Qt::DisplayRole).toString();
        painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(text, Qt::ElideRight, inner.width()));
    }
    painter->setPen(colors.outline);
    painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (current) {
        // A pen of two pixels inside the cell: thinner if the table does not have the focus.
        const int thickness = view->hasFocus() ? 2 : 1;
        painter->setPen(QPen(colors.accent, thickness, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        const int inset = thickness / 2;
        painter->drawRect(option.rect.adjusted(inset, inset, -thickness + inset, -thickness + inset));
    }
}

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    auto* editor = QStyledItemDelegate::createEditor(parent, option, index);
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return editor;
}

bool CellDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
    const auto checked = index.data(Qt::CheckStateRole);
    if (!checked.isValid())
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    if (event->type() != QEvent::MouseButtonRelease)
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton || mouse->modifiers() != Qt::NoModifier ||
        !checkRect(option).contains(mouse->position().toPoint()))
        return false;
    return model->setData(index, checked.toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

} // namespace attnlab::ui
