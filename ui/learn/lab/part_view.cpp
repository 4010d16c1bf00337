#include "ui/learn/lab/part_view.h"

namespace attnlab::ui {

PartView::PartView(QWidget* parent) : DrawingCanvas(parent, 0) {
    setFocusPolicy(Qt::NoFocus);
    connect(this, &DrawingCanvas::clicked, this, [this](const QPointF& position) {
        const int row = part_ && part_->isClickable() ? part_->rowAt(position, area(), font()) : -1;
        if (row >= 0)
            emit rowClicked(row);
    });
}

void PartView::setPart(PartPtr part) {
    setDrawing(part.get());
    part_ = std::move(part);
    setAccessibleName(part_ ? part_->title() : QString());
    setAccessibleDescription(part_ ? part_->words() : QString());
    setCursor(part_ && part_->isClickable() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

} // namespace attnlab::ui
