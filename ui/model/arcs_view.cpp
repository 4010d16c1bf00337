#include "ui/model/arcs_view.h"

#include "ui/matrix/slice.h"
#include "ui/model/head_arcs.h"
#include "ui/widgets/scroll_room.h"

#include <QBoxLayout>

namespace attnlab::ui {

ArcsView::ArcsView(QWidget* parent) : HeadView(parent), arcs_(new HeadArcs) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* room = new ScrollRoom(arcs_, ScrollRoom::Scrolls::Both);
    column->addWidget(room);
    connect(arcs_, &HeadArcs::queryChosen, this, &HeadView::rowChosen);
    connect(arcs_, &HeadArcs::wordsChanged, this, &HeadView::noteChanged);
    connect(arcs_, &HeadArcs::moved, room, [room](const QRect& chip) {
        room->ensureVisible(chip.center().x(), chip.center().y(), 0, 2 * chip.height());
    });
}

void ArcsView::setHead(const HeadOnShowPtr& head, const QString&) {
    head_ = head && head->weights ? head : nullptr;
    arcs_->setWeights(head_ ? head_->weights : nullptr);
}

void ArcsView::setRow(std::optional<int> query, const explain::Reading&) { arcs_->setQuery(query); }

QString ArcsView::note() const { return arcs_->words(); }

std::optional<MatrixData> ArcsView::matrix() const {
    return head_ ? sliceOf(head_->weights->trace, *head_->stage(), 0, 0) : std::nullopt;
}

} // namespace attnlab::ui
