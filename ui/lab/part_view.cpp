#include "ui/lab/part_view.h"

#include "ui/tip.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace attnlab::ui {

PartView::PartView(QWidget* parent) : QWidget(parent) {}

void PartView::setPart(PartPtr part) {
    part_ = std::move(part);
    setAccessibleName(part_ ? part_->title() : QString());
    setAccessibleDescription(part_ ? part_->words() : QString());
    setCursor(part_ && part_->isClickable() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

int PartView::heightForWidth(int width) const {
    return part_ ? static_cast<int>(std::ceil(part_->smallest(font(), width).height())) : 0;
}

void PartView::paintEvent(QPaintEvent*) {
    if (!part_)
        return;
    QPainter painter(this);
    part_->paint(painter, rect(), {theme(), font()});
}

bool PartView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    showTip(*event, part_ ? part_->textAt(tipPosition(*event), rect(), font()) : QString(), *this);
    return true;
}

void PartView::mousePressEvent(QMouseEvent* event) {
    const int row = part_ && part_->isClickable() ? part_->rowAt(event->position(), rect(), font()) : -1;
    if (row >= 0 && event->button() == Qt::LeftButton)
        emit rowClicked(row);
    else
        QWidget::mousePressEvent(event);
}

void PartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

} // namespace attnlab::ui
