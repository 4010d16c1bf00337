#include "ui/document/view_state.h"

namespace attnlab::ui {

void ViewState::setPage(const QString& id) {
    if (page_ == id)
        return;
    page_ = id;
    emit pageChanged(page_);
}

void ViewState::setStage(const QString& name) {
    if (stage_ == name)
        return;
    stage_ = name;
    emit stageChanged(stage_);
}

void ViewState::setBatch(int batch) {
    if (batch_ == batch)
        return;
    batch_ = batch;
    emit sliceChanged();
}

void ViewState::setHead(int head) {
    lost_head_.reset();
    if (head_ == head)
        return;
    head_ = head;
    emit sliceChanged();
}

void ViewState::setHovered(std::optional<Cell> cell) {
    if (hovered_ == cell)
        return;
    hovered_ = cell;
    emit hoveredChanged(hovered_);
}

void ViewState::setPinned(std::optional<Cell> cell) {
    lost_pin_.reset();
    if (pinned_ == cell)
        return;
    pinned_ = cell;
    emit pinnedChanged(pinned_);
}

void ViewState::setColors(const ColorChoice& colors) {
    if (colors_ == colors)
        return;
    colors_ = colors;
    emit colorsChanged(colors_);
}

void ViewState::keepHead(int heads) {
    if (head_ >= heads) {
        const int lost = lost_head_.value_or(head_);
        setHead(0);
        lost_head_ = lost;
    } else if (lost_head_ && *lost_head_ < heads)
        setHead(*lost_head_);
}

void ViewState::keepWithin(std::int64_t rows, std::int64_t columns) {
    const auto outside = [&](const std::optional<Cell>& cell) {
        return cell && (cell->row >= rows || cell->column >= columns);
    };
    if (outside(pinned_)) {
        const auto lost = pinned_;
        setPinned({});
        lost_pin_ = lost;
    } else if (!pinned_ && lost_pin_ && !outside(lost_pin_))
        setPinned(lost_pin_);
    if (outside(hovered_))
        setHovered({});
}

} // namespace attnlab::ui
